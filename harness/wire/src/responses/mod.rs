//! Responses.

mod body;
mod order;
mod read;
mod shown;
mod valid;
mod write;

use tacit_contract::protocol::Api;

use crate::body::{ApiBody, Schema};
use crate::strict::{Found, Limits};
use crate::view::RequestView;

pub(crate) use body::Body;
pub(crate) use write::{broken, write};

impl<S: Schema> ApiBody for Body<S> {
    const API: Api = Api::OpenaiResponses;
    const LIMITS: Limits = valid::LIMITS;

    fn check(&self, found: &mut Found) {
        valid::check(self, found);
    }

    fn into_view(self) -> RequestView {
        read::view(self)
    }
}
