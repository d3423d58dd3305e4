//! What is seen of one trace's sessions, in one order, whichever lane it comes by.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use tacit_contract::runtime::{HostAnswer, HostCall, ProviderResponse, RuntimeError};
use tacit_contract::trace::{Entry, Seen};
use tokio::sync::Notify;

use crate::scene::{Delivery, Scene};

/// The log of a trace and the open sessions behind it, shared by the lanes.
#[derive(Debug, Default)]
pub(crate) struct Backstage {
    inner: Mutex<Inner>,
    /// Rings when the user is to stop the prompt.
    stop: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    log: Vec<Entry>,
    scenes: Vec<Scene>,
}

impl Backstage {
    /// Adds a session; the number is what it is known by here.
    pub(crate) fn add(&self, scene: Scene) -> usize {
        let mut inner = self.lock();
        inner.scenes.push(scene);
        inner.scenes.len() - 1
    }

    /// Does something with a session; `None` where there is none of that number.
    pub(crate) fn with<T>(&self, scene: usize, f: impl FnOnce(&mut Scene) -> T) -> Option<T> {
        self.lock().scenes.get_mut(scene).map(f)
    }

    /// Records what was seen of a session.
    pub(crate) fn record(&self, scene: usize, seen: Seen) {
        self.lock().record(scene, seen);
    }

    /// The log so far.
    pub(crate) fn log(&self) -> Vec<Entry> {
        self.lock().log.clone()
    }

    /// The log, which is empty from now on.
    pub(crate) fn take_log(&self) -> Vec<Entry> {
        std::mem::take(&mut self.lock().log)
    }

    /// Waits until the user is to stop the prompt.
    pub(crate) async fn stopped(&self) {
        self.stop.notified().await;
    }

    /// Takes back a ring that nobody waited for: it was meant for a prompt that is over.
    pub(crate) fn forget_stop(&self) {
        let _ = self.stop.notified().now_or_never();
    }

    /// Answers a provider request of a session.
    pub(crate) fn provider(
        &self,
        scene: usize,
        path: &str,
        is_post: bool,
        body: &[u8],
    ) -> Delivery<ProviderResponse> {
        let mut inner = self.lock();
        let Some(open) = inner.scenes.get_mut(scene) else {
            return Delivery::Now(crate::scene::not_found());
        };
        let (requested, delivery, stops) = open.provider(path, is_post, body);
        inner.record(scene, Seen::Requested(requested));
        drop(inner);
        if stops {
            self.stop.notify_one();
        }
        delivery
    }

    /// Answers a host call of a session.
    pub(crate) fn host(&self, scene: usize, call: HostCall) -> Delivery<HostAnswer> {
        let mut inner = self.lock();
        let Some(open) = inner.scenes.get_mut(scene) else { return Delivery::Never };
        let (answer, delivery, stops) = open.host(&call);
        inner.record(scene, Seen::HostCalled { call, answer });
        drop(inner);
        if stops {
            self.stop.notify_one();
        }
        delivery
    }

    /// Records a host call that is none.
    pub(crate) fn misfit(&self, scene: usize, problem: String) {
        let error =
            RuntimeError::Protocol { during: "host call".to_owned(), problem, log: String::new() };
        self.record(scene, Seen::Failed { operation: "host call".to_owned(), error });
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn record(&mut self, scene: usize, seen: Seen) {
        if let Some(open) = self.scenes.get(scene) {
            let session = open.id.clone();
            self.log.push(Entry { session, seen });
        }
    }
}

/// One open session, to be reached from a lane.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    pub(crate) backstage: Arc<Backstage>,
    pub(crate) scene: usize,
}

impl Door {
    pub(crate) fn provider(
        &self,
        path: &str,
        is_post: bool,
        body: &[u8],
    ) -> Delivery<ProviderResponse> {
        self.backstage.provider(self.scene, path, is_post, body)
    }

    pub(crate) fn host(&self, call: HostCall) -> Delivery<HostAnswer> {
        self.backstage.host(self.scene, call)
    }

    pub(crate) fn misfit(&self, problem: String) {
        self.backstage.misfit(self.scene, problem);
    }
}
