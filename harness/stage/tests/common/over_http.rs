//! A runtime that reaches its ports over HTTP, as a runtime in a process of its own would.

use std::rc::Rc;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tacit_contract::protocol::{Description, Opening, PromptEnd};
use tacit_contract::runtime::{
    HostAnswer, HostCall, HostCore, PortError, PortFuture, Ports, Provider, ProviderRequest,
    ProviderResponse, Runtime, RuntimeError,
};
use tacit_contract::{Mode, Row, SessionId, Tool};
use tokio::net::TcpStream;

/// A runtime whose ports are connections.
pub struct OverHttp<R>(pub R);

impl<R: Runtime> Runtime for OverHttp<R> {
    fn describe(&self) -> &Description {
        self.0.describe()
    }

    async fn open(&self, opening: Opening, _: Ports) -> Result<(), RuntimeError> {
        let provider = Rc::new(Http(opening.provider.base_url.clone()));
        let host = Rc::new(Http(opening.host.url.clone()));
        self.0.open(opening, Ports { provider, host }).await
    }

    async fn prompt(&self, session: &SessionId, text: &str) -> Result<PromptEnd, RuntimeError> {
        self.0.prompt(session, text).await
    }

    async fn save(&self, session: &SessionId) -> Result<Value, RuntimeError> {
        self.0.save(session).await
    }

    async fn close(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.0.close(session).await
    }

    async fn transcript(&self, session: &SessionId) -> Result<Vec<Row>, RuntimeError> {
        self.0.transcript(session).await
    }

    async fn abort(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.0.abort(session).await
    }

    async fn set_mode(&self, session: &SessionId, mode: Mode) -> Result<(), RuntimeError> {
        self.0.set_mode(session, mode).await
    }

    async fn set_tools(&self, session: &SessionId, tools: Vec<Tool>) -> Result<(), RuntimeError> {
        self.0.set_tools(session, tools).await
    }

    async fn compact(&self, session: &SessionId) -> Result<(), RuntimeError> {
        self.0.compact(session).await
    }
}

struct Http(String);

impl Provider for Http {
    fn send(
        &self,
        request: ProviderRequest,
    ) -> PortFuture<'_, Result<ProviderResponse, PortError>> {
        Box::pin(async move {
            post(&self.0, &request.path, request.body)
                .await
                .map_err(|problem| PortError { whom: "the provider", problem })
        })
    }
}

impl HostCore for Http {
    fn call(&self, call: HostCall) -> PortFuture<'_, Result<HostAnswer, PortError>> {
        Box::pin(async move {
            let url: hyper::Uri = self.0.parse().unwrap();
            let body = serde_json::to_vec(&call).unwrap();
            let answer = post(&self.0, url.path(), body)
                .await
                .map_err(|problem| PortError { whom: "the host", problem })?;
            Ok(serde_json::from_slice(&answer.body).unwrap())
        })
    }
}

async fn post(base: &str, path: &str, body: Vec<u8>) -> Result<ProviderResponse, String> {
    let url: hyper::Uri = base.parse().unwrap();
    let address = url.authority().unwrap().as_str().to_owned();
    let stream = TcpStream::connect(&address).await.map_err(|error| error.to_string())?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    let connection = tokio::spawn(connection);
    let request = hyper::Request::post(path)
        .header("host", address)
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(body)))
        .unwrap();
    let response = sender.send_request(request).await.map_err(|error| error.to_string())?;
    let status = response.status().as_u16();
    let headers = response
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()))
        .collect();
    let body = response.into_body().collect().await.map_err(|error| error.to_string())?;
    connection.abort();
    Ok(ProviderResponse { status, headers, body: body.to_bytes().to_vec() })
}
