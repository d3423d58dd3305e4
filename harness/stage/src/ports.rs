//! The in-process lane: the provider and the host-core as objects.

use std::rc::Rc;

use tacit_contract::runtime::{
    HostAnswer, HostCall, HostCore, PortError, PortFuture, Ports, Provider, ProviderRequest,
    ProviderResponse,
};

use crate::backstage::Door;
use crate::scene::Delivery;

/// The ports of a session.
pub(crate) fn ports(door: Door) -> Ports {
    let port = Rc::new(Port(door));
    Ports { provider: Rc::clone(&port) as Rc<dyn Provider>, host: port }
}

struct Port(Door);

impl Provider for Port {
    fn send(
        &self,
        request: ProviderRequest,
    ) -> PortFuture<'_, Result<ProviderResponse, PortError>> {
        Box::pin(async move {
            let path = own_path(&request.path);
            hand_over(self.0.provider(path, true, &request.body)).await
        })
    }
}

impl HostCore for Port {
    fn call(&self, call: HostCall) -> PortFuture<'_, Result<HostAnswer, PortError>> {
        Box::pin(async move { hand_over(self.0.host(call)).await })
    }
}

async fn hand_over<T>(delivery: Delivery<T>) -> Result<T, PortError> {
    match delivery {
        Delivery::Now(answer) => Ok(answer),
        Delivery::Cut => {
            Err(PortError { whom: "the provider", problem: "the connection was cut".to_owned() })
        }
        // An answer that is withheld never comes; the runtime lets go of it when it is stopped.
        Delivery::Never => std::future::pending().await,
    }
}

/// A path without its query, and without the part that tells the sessions of one server apart,
/// `/s/TOKEN`.
pub(crate) fn own_path(path: &str) -> &str {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let after_token =
        path.strip_prefix("/s/").and_then(|rest| rest.find('/').map(|at| &rest[at..]));
    after_token.unwrap_or(path)
}
