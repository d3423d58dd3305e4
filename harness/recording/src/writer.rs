//! A trace on its way: what is written of a recording, and by whom it was sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use tacit_contract::protocol::{Capabilities, CoreTools, Description, Dialect, Party, VERSION};
use tacit_contract::session::Bulk;
use tacit_contract::trace::{Answered, From, RequestClass};
use tacit_contract::{Entry, Mode, ProviderKind, Requested, Seen, Session, SessionId, Tool, Trace};

use crate::Exchange;
use crate::telling::Setting;

/// A trace, and where in the recording its requests stand.
#[derive(Debug)]
pub struct Piece {
    /// The trace.
    pub trace: Trace,
    /// The place of each request, by its entry in the trace.
    pub places: BTreeMap<usize, String>,
    /// Whether its conversation began before it.
    pub goes_on: bool,
}

/// A trace that is still written.
pub(crate) struct Writer {
    id: SessionId,
    trace: Trace,
    places: BTreeMap<usize, String>,
}

impl Writer {
    pub(crate) fn new(
        setting: &Setting<'_>,
        provider: ProviderKind,
        tools: Arc<Vec<Tool>>,
        from: From,
    ) -> Self {
        let Setting { mode, .. } = *setting;
        let trace = Trace {
            runtime: description(mode, provider),
            session: Session {
                seed: 0,
                mode,
                provider,
                tools: Vec::new(),
                bulk: Bulk::default(),
                steps: Vec::new(),
            },
            log: Vec::new(),
            cut_short: None,
        };
        let mut writer = Self { id: SessionId::from("recorded"), trace, places: BTreeMap::new() };
        writer.see(Seen::Opened { mode, tools, api: provider.api, native: provider.native, from });
        writer
    }

    pub(crate) fn see(&mut self, seen: Seen) {
        self.trace.log.push(Entry { session: self.id.clone(), seen });
    }

    pub(crate) fn request(&mut self, exchange: &Exchange, class: RequestClass, answer: Answered) {
        self.places.insert(self.trace.log.len(), exchange.place.clone());
        self.see(Seen::Requested(Requested {
            api: exchange.api,
            path: exchange.path.clone(),
            body: Arc::clone(&exchange.body),
            class,
            answer,
        }));
    }

    pub(crate) fn finish(self) -> Piece {
        Piece { trace: self.trace, places: self.places, goes_on: false }
    }
}

/// Whoever was recorded: nothing is known of it but what it sent.
pub(crate) fn description(mode: Mode, provider: ProviderKind) -> Description {
    Description {
        protocol_version: VERSION,
        runtime: Party {
            name: "a recording".to_owned(),
            version: String::new(),
            language: None,
            url: None,
        },
        capabilities: Capabilities {
            provider_apis: vec![provider.api],
            native_deferral: provider.native.then_some(provider.api).into_iter().collect(),
            modes: vec![mode],
            core_tools: CoreTools::Own,
            concurrent: false,
            activity: false,
            // The rows say what is known of a call, and that nothing is.
            transcript: true,
            abort: false,
            set_mode: false,
            set_tools: false,
            compact: false,
        },
        dialect: Dialect::default(),
    }
}
