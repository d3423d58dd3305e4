//! What happens.

use tacit_contract::{OtherProvider, PluginId, Step};

use super::{Below, Part, Phrase};
use crate::meaning::{Meaning, Own, search};
use crate::pattern::Found;
use crate::table::script;

/// What the user asks where a phrase does not say it.
pub const SOMETHING_ELSE: &str = "something else";

const fn action(
    pattern: &'static str,
    says: &'static str,
    example: &'static str,
    meaning: fn(&Found<'_>) -> Result<Meaning, String>,
) -> Phrase {
    Phrase { pattern, part: Part::Action, below: Below::Nothing, says, example, meaning }
}

const fn scripted(
    pattern: &'static str,
    says: &'static str,
    example: &'static str,
    meaning: fn(&Found<'_>) -> Result<Meaning, String>,
) -> Phrase {
    Phrase { pattern, part: Part::Action, below: Below::Script, says, example, meaning }
}

fn prompt(text: impl Into<String>) -> Step {
    Step::Prompt { text: text.into() }
}

#[allow(clippy::unnecessary_wraps, reason = "the meaning of a phrase may fail, this one cannot")]
fn one(step: Step) -> Result<Meaning, String> {
    Ok(Meaning::Steps(vec![step]))
}

fn plugin(found: &Found<'_>) -> PluginId {
    PluginId::from(found.text(0))
}

/// The phrases.
pub const PHRASES: &[Phrase] = &[
    action(
        "the user asks something else",
        "A prompt that names no tool, and that the model answers in words.",
        "When the user asks something else",
        |_| one(prompt(SOMETHING_ELSE)),
    ),
    action(
        "the user asks {text}",
        "A prompt that the model answers in words.",
        "When the user asks \"what does this folder hold?\"",
        |found| one(prompt(found.text(0))),
    ),
    scripted(
        "the user asks {text}, and the model",
        "A prompt and all that the model answers to it, request by request; when the table is at \
         its end the model answers in words.",
        "When the user asks \"check the plugin\", and the model\n\
         | searches for      | PluginCheck |\n\
         | calls             | PluginCheck |",
        |found| {
            let mut steps = vec![prompt(found.text(0))];
            steps.extend(script::read(found.table)?);
            Ok(Meaning::Steps(steps))
        },
    ),
    action(
        "the model searches for {text}",
        "A prompt in which the model searches once.",
        "When the model searches for \"acme_weather\"",
        |found| Ok(Meaning::Steps(vec![prompt("find what it takes"), search(found.text(0))])),
    ),
    action(
        "the model searches for the core tool by its name",
        "A prompt in which the model searches once, for the first of the core tools that the \
         profile names.",
        "When the model searches for the core tool by its name",
        |_| Ok(Meaning::OfItsOwn(Own::SearchesCoreName)),
    ),
    action(
        "the model has found what the runtime defers of its own",
        "A prompt in which the model searches, one by one and by their names, for the tools that \
         the profile says the runtime itself defers in the session's mode; from then on it is \
         known what they are for. Nothing happens where there are none.",
        "Given the model has found what the runtime defers of its own",
        |_| Ok(Meaning::OfItsOwn(Own::FindsDeferred)),
    ),
    scripted(
        "the model, though nobody asked,",
        "Answers that no prompt asks for: nothing happens. Only counterexamples have a use for it.",
        "When the model, though nobody asked,\n| searches for | PluginCheck |",
        |found| Ok(Meaning::Steps(script::read(found.table)?)),
    ),
    action(
        "the runtime is restarted",
        "The session is saved, the process ends, and a new one opens the session from its state.",
        "When the runtime is restarted",
        |_| one(Step::Restart { process: true, from_rows: false }),
    ),
    action(
        "the session is saved and opened again",
        "The same without the end of the process.",
        "When the session is saved and opened again",
        |_| one(Step::Restart { process: false, from_rows: false }),
    ),
    action(
        "the session is opened again from its rows",
        "The transcript is exported, and the session opened from it instead of its state.",
        "When the session is opened again from its rows",
        |_| one(Step::Restart { process: false, from_rows: true }),
    ),
    action(
        "the runtime is restarted, and the session opened from its rows",
        "The same in a new process.",
        "When the runtime is restarted, and the session opened from its rows",
        |_| one(Step::Restart { process: true, from_rows: true }),
    ),
    action(
        "the session is opened again, and the plugin {text} registers late",
        "The session is saved, and opened from its state without the plugin's tools; the runtime \
         gets them right after, before the next prompt. Nothing was removed.",
        "When the session is opened again, and the plugin \"acme\" registers late",
        |found| one(Step::RestartLate { plugin: plugin(found) }),
    ),
    action(
        "the last prompt is taken back",
        "The state from before the last prompt is opened: a branch.",
        "When the last prompt is taken back",
        |_| one(Step::Branch { prompts: 1 }),
    ),
    action(
        "the last {number} prompts are taken back",
        "The same for several prompts; more than there are means all.",
        "When the last 2 prompts are taken back",
        |found| one(Step::Branch { prompts: found.number(0)? }),
    ),
    action(
        "the conversation is compacted",
        "The runtime compacts, as it does when its user asks it to.",
        "When the conversation is compacted",
        |_| one(Step::Compact),
    ),
    action(
        "the mode changes to {mode}",
        "From the next prompt on the session is in another mode.",
        "When the mode changes to chat",
        |found| one(Step::SetMode { mode: found.mode(0)? }),
    ),
    action(
        "the plugin {text} is removed",
        "From the next prompt on the plugin's tools are gone.",
        "When the plugin \"acme\" is removed",
        |found| one(Step::Unplug { plugin: plugin(found) }),
    ),
    action(
        "the plugin {text} comes back",
        "A plugin that was removed is there again.",
        "When the plugin \"acme\" comes back",
        |found| one(Step::Plug { plugin: plugin(found) }),
    ),
    action(
        "the plugin {text} is updated",
        "The plugin comes in its next version: from the next prompt on each of its tools has \
         another description and other parameters, and the plugin brings one tool more. In \
         version 2 of the plugin acme that is `acme_v2`.",
        "When the plugin \"acme\" is updated",
        |found| one(Step::Update { plugin: plugin(found) }),
    ),
    action(
        "the session goes on over another API",
        "The session is saved and opened again with a provider of the next API that the runtime \
         speaks, which loads tools if it can.",
        "When the session goes on over another API",
        |_| one(Step::SwitchProvider { to: OtherProvider::OtherApi }),
    ),
    action(
        "the session goes on with a provider that loads tools",
        "The session is saved and opened again, over the same API, with native deferral.",
        "When the session goes on with a provider that loads tools",
        |_| one(Step::SwitchProvider { to: OtherProvider::Native }),
    ),
    action(
        "the session goes on with a provider that loads none",
        "The session is saved and opened again, over the same API, without native deferral.",
        "When the session goes on with a provider that loads none",
        |_| one(Step::SwitchProvider { to: OtherProvider::Plain }),
    ),
    action(
        "another session is opened beside it",
        "A fresh session of the same registry and mode is opened in the same process, asked \
         something, and closed.",
        "When another session is opened beside it",
        |_| one(Step::Elsewhere),
    ),
    action(
        "another session is opened beside it, with the plugin {text} one version ahead",
        "The same, where the other session has the plugin as its next update would bring it: its \
         tools have other descriptions and other parameters than here.",
        "When another session is opened beside it, with the plugin \"acme\" one version ahead",
        |found| one(Step::ElsewhereAhead { plugin: plugin(found) }),
    ),
    action(
        "the same session is played over every other provider as well",
        "All that was said so far happens again over each other API that the runtime speaks, \
         with and without native deferral; what follows compares them.",
        "When the same session is played over every other provider as well",
        |_| Ok(Meaning::OverEveryProvider),
    ),
    action(
        "the same session is also played {variant}",
        "All that was said so far happens a second time, changed in one way; what follows \
         compares the two.",
        "When the same session is also played restarted before its last prompt",
        |found| Ok(Meaning::Variant(found.variant(0)?)),
    ),
];
