//! The same values for quickcheck.

use std::fmt::Debug;
use std::sync::LazyLock;

use proptest::strategy::{SBoxedStrategy, Strategy};
use quickcheck::{Arbitrary, Gen};
use tacit_contract::protocol::Api;
use tacit_contract::session::SeedTurn;
use tacit_contract::{ProviderKind, Query, Session, Step, ToolSpec};

use crate::hostile::plugin_tools;
use crate::mixes::MIXES;
use crate::names::weighted;
use crate::queries::queries;
use crate::registries::universe;
use crate::runner::sample;
use crate::setting::Setting;
use crate::shrink::{simpler_query, simpler_step, simpler_tool, simpler_turn, smaller};
use crate::transcripts::{Turns, turns};

/// A value of the contract that quickcheck can make; generated through the same strategies.
#[derive(Debug, Clone, PartialEq)]
pub struct Any<T>(pub T);

/// What quickcheck needs to know of a type of the contract.
trait Generated: Clone + Debug + Sized + 'static {
    fn strategy() -> &'static SBoxedStrategy<Self>;
    fn simpler(&self) -> Box<dyn Iterator<Item = Self>>;
}

fn generated<T: Generated>(g: &mut Gen) -> T {
    // A fresh case of a fresh seed: quickcheck's generator is the only source of chance.
    let seed = u64::arbitrary(g);
    for case in 0.. {
        if let Ok(value) = sample(T::strategy(), seed, case) {
            return value;
        }
    }
    unreachable!("a strategy that does not filter does not give up")
}

macro_rules! arbitrary {
    ($type:ty, $strategy:expr, $simpler:expr) => {
        impl Generated for $type {
            fn strategy() -> &'static SBoxedStrategy<Self> {
                static STRATEGY: LazyLock<SBoxedStrategy<$type>> = LazyLock::new(|| $strategy);
                &STRATEGY
            }

            fn simpler(&self) -> Box<dyn Iterator<Item = Self>> {
                Box::new($simpler(self).into_iter())
            }
        }

        impl Arbitrary for Any<$type> {
            fn arbitrary(g: &mut Gen) -> Self {
                Self(generated(g))
            }

            fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
                Box::new(self.0.simpler().map(Self))
            }
        }
    };
}

arbitrary!(Query, queries(&Setting::everything()), simpler_query);
arbitrary!(SeedTurn, turns(Turns::Any, &Setting::everything()), simpler_turn);
arbitrary!(ToolSpec, tools(), simpler_tool);
arbitrary!(Step, steps(), simpler_step);

impl Generated for Session {
    fn strategy() -> &'static SBoxedStrategy<Self> {
        static STRATEGY: LazyLock<SBoxedStrategy<Session>> = LazyLock::new(|| {
            let setting = Setting::everything();
            weighted(MIXES.iter().map(|mix| (1, mix.strategy(&setting))).collect())
        });
        &STRATEGY
    }

    fn simpler(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(smaller(self, Setting::everything().plainest_mode()))
    }
}

impl Arbitrary for Any<Session> {
    /// A session with no more steps than the generator's size, over any kind of provider.
    fn arbitrary(g: &mut Gen) -> Self {
        let mut session: Session = generated(g);
        session.steps.truncate(g.size());
        let api = g.choose(&Api::ALL).copied().unwrap_or(session.provider.api);
        session.provider = ProviderKind { api, native: bool::arbitrary(g) };
        Self(session)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.simpler().map(Self))
    }
}

fn tools() -> SBoxedStrategy<ToolSpec> {
    let setting = Setting::everything();
    let own = proptest::sample::select(universe(&setting));
    let hostile = plugin_tools(&setting)
        .prop_map(|tools| tools.into_iter().next())
        .prop_map(|tool| tool.unwrap_or_else(|| crate::universe::UNIVERSE[0].spec()));
    weighted(vec![(1, own.sboxed()), (1, hostile.sboxed())])
}

fn steps() -> SBoxedStrategy<Step> {
    let plain = || Step::Prompt { text: crate::texts::PLAIN_PROMPT.to_owned() };
    let sessions: Vec<_> =
        MIXES.iter().map(|mix| (1, mix.strategy(&Setting::everything()))).collect();
    (weighted(sessions), 0.0..1.0_f64)
        .prop_map(move |(session, at)| nth(session.steps, at).unwrap_or_else(plain))
        .sboxed()
}

/// The element at a share of a list's length.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the share is at least nought and less than one, and the list is short"
)]
fn nth<T>(mut list: Vec<T>, at: f64) -> Option<T> {
    let index = (at * list.len() as f64) as usize;
    (index < list.len()).then(|| list.swap_remove(index))
}
