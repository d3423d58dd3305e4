//! The two ports over HTTP, for a runtime that stands behind the stdio protocol.

use std::cell::RefCell;
use std::fmt::Display;
use std::rc::Rc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tacit_contract::protocol::Opening;
use tacit_contract::runtime::{
    HostAnswer, HostCall, HostCore, PortError, PortFuture, Ports, Provider, ProviderRequest,
    ProviderResponse,
};
use tokio::net::TcpStream;

use crate::encoder::path;

/// The ports of a session that is opened over HTTP.
#[must_use]
pub fn ports(opening: &Opening) -> Ports {
    Ports {
        provider: Rc::new(HttpProvider(Peer::new("the provider", &opening.provider.base_url))),
        host: Rc::new(HttpHost(Peer::new("the host", &opening.host.url))),
    }
}

/// A model provider behind an HTTP address.
struct HttpProvider(Peer);

impl Provider for HttpProvider {
    fn send(
        &self,
        request: ProviderRequest,
    ) -> PortFuture<'_, Result<ProviderResponse, PortError>> {
        Box::pin(self.0.post(request))
    }
}

/// A host-core behind an HTTP address.
struct HttpHost(Peer);

impl HostCore for HttpHost {
    fn call(&self, call: HostCall) -> PortFuture<'_, Result<HostAnswer, PortError>> {
        Box::pin(async move {
            let body = serde_json::to_vec(&call).map_err(|error| self.0.error(error))?;
            let path = match path(&self.0.url) {
                "" => "/".to_owned(),
                path => path.to_owned(),
            };
            let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
            let response = self.0.post(ProviderRequest { path, headers, body }).await?;
            if response.status != 200 {
                return Err(self.0.error(format!("status {}", response.status)));
            }
            serde_json::from_slice(&response.body).map_err(|error| self.0.error(error))
        })
    }
}

/// Someone behind an address, with the connection that was used last.
struct Peer {
    whom: &'static str,
    url: String,
    kept: RefCell<Option<SendRequest<Full<Bytes>>>>,
}

impl Peer {
    fn new(whom: &'static str, url: &str) -> Self {
        Self { whom, url: url.to_owned(), kept: RefCell::new(None) }
    }

    fn error(&self, problem: impl Display) -> PortError {
        PortError { whom: self.whom, problem: problem.to_string() }
    }

    /// The part of the address that says where to connect.
    fn authority(&self) -> Result<&str, PortError> {
        let rest = self.url.strip_prefix("http://");
        let rest = rest.ok_or_else(|| self.error("only http:// addresses are spoken to"))?;
        Ok(rest.split('/').next().unwrap_or(rest))
    }

    async fn connect(&self) -> Result<SendRequest<Full<Bytes>>, PortError> {
        let authority = self.authority()?;
        let with_port =
            if authority.rsplit(':').next().is_some_and(|port| port.parse::<u16>().is_ok()) {
                authority.to_owned()
            } else {
                format!("{authority}:80")
            };
        let stream = TcpStream::connect(with_port).await.map_err(|error| self.error(error))?;
        // Small requests and answers go back and forth: waiting to fill a packet only delays.
        stream.set_nodelay(true).map_err(|error| self.error(error))?;
        let (sender, connection) =
            handshake(TokioIo::new(stream)).await.map_err(|error| self.error(error))?;
        // It ends when the sender is dropped; its errors reach the request that was under way.
        tokio::spawn(async move { drop(connection.await) });
        Ok(sender)
    }

    async fn post(&self, request: ProviderRequest) -> Result<ProviderResponse, PortError> {
        let mut outgoing = Request::post(&request.path).header("host", self.authority()?);
        for (name, value) in &request.headers {
            outgoing = outgoing.header(name, value);
        }
        let mut outgoing =
            outgoing.body(Full::from(request.body)).map_err(|error| self.error(error))?;
        let kept = self.kept.borrow_mut().take();
        if let Some(mut sender) = kept.filter(|sender| !sender.is_closed()) {
            match sender.try_send_request(outgoing).await {
                Ok(response) => return Ok(self.read(sender, response).await),
                Err(mut error) => match error.take_message() {
                    // The other side had closed the connection before anything was sent.
                    Some(unsent) => outgoing = unsent,
                    None => return Err(self.error(error.into_error())),
                },
            }
        }
        let mut sender = self.connect().await?;
        let response = sender.send_request(outgoing).await.map_err(|error| self.error(error))?;
        Ok(self.read(sender, response).await)
    }

    /// Reads an answer to its end, or to where it breaks off: what a part of it is worth is for
    /// the reader of the body to say.
    async fn read(
        &self,
        sender: SendRequest<Full<Bytes>>,
        response: Response<Incoming>,
    ) -> ProviderResponse {
        let (head, mut rest) = response.into_parts();
        let mut body = Vec::new();
        let mut whole = true;
        while let Some(frame) = rest.frame().await {
            match frame.map(hyper::body::Frame::into_data) {
                Ok(Ok(data)) => body.extend_from_slice(&data),
                // Trailers say nothing that is needed here.
                Ok(Err(_)) => {}
                Err(_) => {
                    whole = false;
                    break;
                }
            }
        }
        if whole {
            *self.kept.borrow_mut() = Some(sender);
        }
        let headers = head.headers.iter().map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        });
        ProviderResponse { status: head.status.as_u16(), headers: headers.collect(), body }
    }
}
