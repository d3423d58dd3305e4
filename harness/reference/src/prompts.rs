//! What the runtime itself says to the model.

/// The base prompt; the same in every mode, so that what differs is the tools alone.
const BASE: &str = "You work for a user inside one workspace. Use the tools that you are given; \
                    say in a sentence or two what came of it.";

/// What follows the catalog, so that a blank line ends it.
const CLOSING: &str = "Keep to what the user asked for.";

/// The system prompt of the request that asks for a summary.
pub(crate) const CONDENSE: &str = "You condense conversations. Retell the one below in short, so \
                                   that the work can go on from your text alone.";

/// The base prompt with the catalog, if there is one.
pub(crate) fn base(catalog: Option<&str>) -> String {
    match catalog {
        Some(catalog) => [BASE, catalog, CLOSING].join("\n\n"),
        None => [BASE, CLOSING].join("\n\n"),
    }
}
