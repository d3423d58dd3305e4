//! One open session of a trace: its id, its scene, and its place on a server if it has one.

use std::sync::Arc;

use tacit_contract::protocol::{Api, HostConfig, ProviderConfig};
use tacit_contract::runtime::Ports;
use tacit_contract::{ProviderKind, SessionId};

use crate::backstage::{Backstage, Door};
use crate::connector::Connector;
use crate::ports;
use crate::scene::Scene;
use crate::script::Words;
use crate::server::Place;
use crate::stage::Stage;

/// The address of a provider that is reached through the port alone.
const NOWHERE: &str = "http://localhost";

/// One open session of a trace.
pub(crate) struct Actor {
    pub(crate) id: SessionId,
    pub(crate) scene: usize,
    door: Door,
    place: Option<Place>,
    /// Which session beside the first it is; zero for the first.
    pub(crate) beside: u32,
}

impl Actor {
    pub(crate) async fn new<C: Connector>(
        stage: &Stage<C>,
        backstage: &Arc<Backstage>,
        id: SessionId,
        words: Words,
        beside: u32,
    ) -> Self {
        let catalog = stage.settings().profile.catalog.clone();
        let scene = backstage.add(Scene::new(id.clone(), words, catalog));
        let door = Door { backstage: Arc::clone(backstage), scene };
        let place = stage.server().await.map(|server| server.place(door.clone()));
        Self { id, scene, door, place, beside }
    }

    pub(crate) fn ports(&self) -> Ports {
        ports::ports(self.door.clone())
    }

    pub(crate) fn provider(&self, kind: ProviderKind) -> ProviderConfig {
        let ProviderKind { api, native } = kind;
        let base = self.place.as_ref().map_or_else(|| NOWHERE.to_owned(), Place::provider);
        let base_url = match api {
            Api::OpenaiChat | Api::OpenaiResponses => base + "/v1",
            Api::AnthropicMessages => base,
        };
        ProviderConfig {
            api,
            base_url,
            api_key: "no-key-is-needed".to_owned(),
            model: "scripted".to_owned(),
            native,
        }
    }

    pub(crate) fn host(&self) -> HostConfig {
        let url = self.place.as_ref().map_or_else(|| format!("{NOWHERE}/host"), Place::host);
        HostConfig { url }
    }
}
