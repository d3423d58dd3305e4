//! The searches of a session, as the checks look at them.

use tacit_contract::ToolName;
use tacit_contract::trace::Issued;

use crate::account::{PromptAccount, RequestAccount, is_search};
use crate::hearing::{Hearing, Place};

/// A search of a prompt, with the request that it answers and the next one.
pub(super) struct Search<'a> {
    pub(super) prompt: &'a PromptAccount<'a>,
    pub(super) asked: &'a RequestAccount<'a>,
    pub(super) next: Option<&'a RequestAccount<'a>>,
    pub(super) issued: &'a Issued,
    pub(super) place: Place,
}

impl Search<'_> {
    /// What is searched for; `None` where the arguments hold no text.
    pub(super) fn text(&self) -> Option<&str> {
        self.issued.query()
    }

    /// The next request, where it holds the result, no checkpoint came in between, and what was
    /// shown before is known.
    pub(super) fn answered(&self, hearing: &Hearing<'_>) -> Option<&RequestAccount<'_>> {
        self.next.filter(|next| {
            next.result(&self.issued.id).is_some()
                && self.asked.view.is_some()
                && hearing.sets(next).checkpointed == hearing.sets(self.asked).checkpointed
        })
    }

    /// How many searches the batch holds up to this one: where a batch shares one maximum, only
    /// the first is sure of its place.
    pub(super) fn is_sure_of_its_place(&self, hearing: &Hearing<'_>) -> bool {
        !hearing.account.profile.batch_shares_maximum
            || self.asked.calls().iter().find(|call| is_search(call)).map(|call| &call.id)
                == Some(&self.issued.id)
    }

    /// Whether no other search stands in the same batch.
    pub(super) fn is_alone(&self) -> bool {
        self.asked.calls().iter().filter(|call| is_search(call)).count() == 1
    }

    /// Whether a tool is deferred, the next request shows it, and the one before did not.
    fn has_grown(&self, next: &RequestAccount<'_>, tool: &ToolName) -> bool {
        next.shows(tool)
            && !self.asked.shows(tool)
            && self.prompt.registry.is_deferred(tool, self.prompt.mode)
    }

    /// The deferred tools that the next request shows and the one before did not.
    pub(super) fn growth<'a>(
        &'a self,
        next: &'a RequestAccount<'_>,
    ) -> impl Iterator<Item = &'a ToolName> {
        next.shown.names().filter(|tool| self.has_grown(next, tool))
    }

    /// What the search activated, as far as it is certain that this search did it: by its marker,
    /// or without `transcript` by the growth, where no other search shares it.
    pub(super) fn activated(
        &self,
        hearing: &Hearing<'_>,
        next: &RequestAccount<'_>,
    ) -> Option<Vec<ToolName>> {
        if hearing.account.has_transcript() {
            let marker = &hearing.known.get(&self.issued.id)?.marker;
            return Some(
                marker.iter().filter(|tool| self.has_grown(next, tool)).cloned().collect(),
            );
        }
        self.is_alone().then(|| self.growth(next).cloned().collect())
    }

    /// Whether the result tells the model of a tool: its text does, or the tool is loaded there.
    pub(super) fn names(&self, next: &RequestAccount<'_>, text: &str, tool: &ToolName) -> bool {
        let loads = |request: &RequestAccount<'_>| {
            request.shown.places(tool).iter().filter(|at| at.loaded_at.is_some()).count()
        };
        text.contains(tool.as_str()) || loads(next) > loads(self.asked)
    }
}

/// Every search whose arguments are JSON.
pub(super) fn searches<'a>(hearing: &'a Hearing<'_>) -> impl Iterator<Item = Search<'a>> {
    all(hearing).filter(|search| !has_no_json(search.issued))
}

/// The searches whose arguments are no JSON: what comes of them is measured and not judged.
pub(super) fn without_json<'a>(hearing: &'a Hearing<'_>) -> impl Iterator<Item = Search<'a>> {
    all(hearing).filter(|search| has_no_json(search.issued))
}

fn all<'a>(hearing: &'a Hearing<'_>) -> impl Iterator<Item = Search<'a>> {
    hearing.session.prompts.iter().flat_map(move |prompt| {
        prompt.issued().filter(|(_, issued)| is_search(issued)).map(move |(asked, issued)| {
            let next = prompt.next(asked);
            let place = Place::request(hearing.session, prompt, next.unwrap_or(asked));
            Search { prompt, asked, next, issued, place }
        })
    })
}

/// Whether a call is a search whose arguments are no JSON.
pub(super) fn has_no_json(issued: &Issued) -> bool {
    !issued.is_json()
}
