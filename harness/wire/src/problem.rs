//! What a strict endpoint refuses.

use std::fmt;

use serde::Serialize;

/// One thing that a strict endpoint would refuse in a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The rule that it breaks.
    pub rule: Rule,
    /// Where in the body.
    pub place: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}: {}", self.place, self.rule.text(), self.found)
    }
}

/// The rules of well-formed requests that real endpoints enforce.
///
/// Limits that differ from endpoint to endpoint, such as the most tools of one request, are left
/// out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The body is JSON.
    Json,
    /// It has the shape of the API.
    Shape,
    /// It names a model.
    Model,
    /// It holds at least one message.
    NoMessages,
    /// A list that is there is not empty.
    EmptyList,
    /// A message has content.
    Content,
    /// An entry says of which type it is.
    Type,
    /// A name is made of letters, digits, `_` and `-`, no more than the API takes.
    Name,
    /// No two definitions of one list have the same name.
    DuplicateName,
    /// Parameters are a schema of an object.
    Schema,
    /// A choice among tools needs tools.
    ToolChoice,
    /// A call has an id, of letters and a length that the API takes.
    CallId,
    /// No two calls of one message have the same id.
    DuplicateCallId,
    /// Arguments have the form that the API gives them.
    Arguments,
    /// A result answers a call of the assistant message before it.
    ResultWithoutCall,
    /// A call is answered before the conversation goes on.
    CallWithoutResult,
    /// A call is answered once.
    AnsweredTwice,
    /// The results of a turn stand before what else is said in it.
    ResultsFirst,
    /// A message stands where one of its role may stand.
    Order,
    /// A member is one that the API has.
    UnknownKey,
    /// A form of native deferral is sent only to a provider that loads tools.
    NativeWhereOff,
    /// A deferred entry stands beside the loader that the API asks for.
    DeferredWithoutLoader,
    /// At least one tool is not deferred.
    AllDeferred,
    /// No deferred entry bears a cache mark.
    CacheMarkOnDeferred,
    /// A request bears no more cache marks than the API takes.
    CacheMarks,
    /// What is loaded by its name was declared.
    UnknownReference,
    /// References stand alone in their result.
    MixedReferences,
    /// A native search and its output stand together, in this order, each with its identifiers.
    NativePair,
    /// A call of a tool of a namespace is repeated with the namespace.
    Namespace,
    /// The id of an item is of its type.
    ItemId,
}

impl Rule {
    /// The rule, as a sentence.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Json => "a body is JSON",
            Self::Shape => "a body has the shape of its API",
            Self::Model => "a request names a model",
            Self::NoMessages => "a request holds a message",
            Self::EmptyList => "a list that is there is not empty",
            Self::Content => "a message has content",
            Self::Type => "an entry says of which type it is",
            Self::Name => "a name is letters, digits, `_` and `-`, no more than the API takes",
            Self::DuplicateName => "two tools of one list differ in name",
            Self::Schema => "parameters are a schema of type `object`",
            Self::ToolChoice => "a choice among tools needs tools",
            Self::CallId => "a call has an id, of letters and a length that the API takes",
            Self::DuplicateCallId => "two calls of one message differ in id",
            Self::Arguments => "arguments have the form that the API gives them",
            Self::ResultWithoutCall => "a result answers a call of the assistant message before it",
            Self::CallWithoutResult => "a call is answered before the conversation goes on",
            Self::AnsweredTwice => "a call is answered once",
            Self::ResultsFirst => "the results of a turn stand before what else is said in it",
            Self::Order => "a message stands where one of its role may stand",
            Self::UnknownKey => "every member is one of the API's own",
            Self::NativeWhereOff => "native forms go only to a provider that loads tools",
            Self::DeferredWithoutLoader => "a deferred tool stands beside its loader",
            Self::AllDeferred => "at least one tool is not deferred",
            Self::CacheMarkOnDeferred => "a deferred tool bears no cache mark",
            Self::CacheMarks => "a request bears no more cache marks than the API takes",
            Self::UnknownReference => "what is loaded by its name was declared",
            Self::MixedReferences => "references stand alone in their result",
            Self::NativePair => "a native search and its output stand together, in this order",
            Self::Namespace => "a call of a tool of a namespace is repeated with the namespace",
            Self::ItemId => "the id of an item begins as its type asks for",
        }
    }
}
