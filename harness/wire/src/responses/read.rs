//! From a body to the view of it.

use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;

use crate::body::Schema;
use crate::error::WireError;
use crate::problem::Problem;
use crate::view::RequestView;

const API: Api = Api::OpenaiResponses;

pub(crate) fn read(_body: &[u8]) -> Result<RequestView, WireError> {
    Err(WireError::NotJson { api: API, problem: "not read yet".to_owned() })
}

pub(crate) fn examine<S: Schema>(
    _provider: ProviderKind,
    body: &[u8],
) -> Result<(RequestView, Vec<Problem>), WireError> {
    read(body).map(|view| (view, Vec::new()))
}
