//! What there is before anything happens.

use tacit_contract::protocol::Api;
use tacit_contract::session::{Bulk, Moment, SeedTurn};
use tacit_contract::{Call, ProviderKind, Step};

use super::{Below, Part, Phrase};
use crate::meaning::{Meaning, Own, search};
use crate::pattern::Found;
use crate::table::{tools, transcript};

/// What the user had asked where a phrase does not say it.
const EARLIER: &str = "something earlier";

/// How many characters describe a further tool where a phrase does not say it.
const USUAL_DESCRIPTION: u32 = 60;

const fn setting(
    pattern: &'static str,
    below: Below,
    says: &'static str,
    example: &'static str,
    meaning: fn(&Found<'_>) -> Result<Meaning, String>,
) -> Phrase {
    Phrase { pattern, part: Part::Setting, below, says, example, meaning }
}

/// The phrases.
pub const PHRASES: &[Phrase] = &[
    setting(
        "{a} {mode} session",
        Below::Nothing,
        "The mode of the session; it has the runtime's own tools, and those that other steps give it.",
        "Given an agent session",
        |found| Ok(Meaning::Mode(found.mode(1)?, Vec::new())),
    ),
    setting(
        "{a} {mode} session with the {kind} {names}",
        Below::Nothing,
        "The mode of the session and some of its tools: deferred in every mode. A plugin tool is \
         of the plugin that its name begins with.",
        "Given an agent session with the plugin tools \"acme_weather\" and \"acme_tickets\"",
        |found| Ok(Meaning::Mode(found.mode(1)?, usual_tools(found, 2, 3)?)),
    ),
    setting(
        "{a} {mode} session with the tools",
        Below::Tools,
        "The mode of the session and its tools, described. Every column but the first may be \
         left out: `what it is for`; `comes from` (`the product`, `plugin acme`, `the skills`, \
         `plugin development`); `deferred in` and `core in` (`every mode`, `no mode`, or modes \
         set apart by commas; a mode that neither names forbids the tool).",
        "Given an agent session with the tools\n\
         | tool         | what it is for              | comes from  | deferred in |\n\
         | acme_weather | look up the weather of a city | plugin acme | every mode  |",
        |found| Ok(Meaning::Mode(found.mode(1)?, tools::read(found.table)?)),
    ),
    setting(
        "the {kind} {names}",
        Below::Nothing,
        "Further tools of the session, deferred in every mode.",
        "Given the skill \"Skill\"",
        |found| Ok(Meaning::Tools(usual_tools(found, 0, 1)?)),
    ),
    setting(
        "the tools",
        Below::Tools,
        "Further tools of the session, described as above.",
        "Given the tools\n| tool         | deferred in |\n| PluginCheck  | agent, plan |",
        |found| Ok(Meaning::Tools(tools::read(found.table)?)),
    ),
    setting(
        "a plugin tool with the name of a core tool",
        Below::Nothing,
        "A deferred tool of the plugin delta that is called like the first of the core tools that \
         the profile names.",
        "Given a plugin tool with the name of a core tool",
        |_| Ok(Meaning::OfItsOwn(Own::BringsCoreName)),
    ),
    setting(
        "{number} further plugin {tools}",
        Below::Nothing,
        "So many more deferred tools, named `bulk_0000` and so on, each described in a line.",
        "Given 200 further plugin tools",
        |found| Ok(Meaning::Bulk(Bulk { count: found.number(0)?, description: USUAL_DESCRIPTION })),
    ),
    setting(
        "{number} further plugin {tools}, each described in {number} characters",
        Below::Nothing,
        "The same, with descriptions of a given length.",
        "Given 20 further plugin tools, each described in 5000 characters",
        |found| Ok(Meaning::Bulk(Bulk { count: found.number(0)?, description: found.number(2)? })),
    ),
    setting(
        "a provider of {text}",
        Below::Nothing,
        "The API that the session begins over. Where none is named, the scenario is played over \
         each that the runtime speaks.",
        "Given a provider of \"anthropic-messages\"",
        |found| Ok(Meaning::Provider(ProviderKind::plain(api(found)?))),
    ),
    setting(
        "a provider of {text} that loads tools",
        Below::Nothing,
        "The same, with native deferral.",
        "Given a provider of \"anthropic-messages\" that loads tools",
        |found| Ok(Meaning::Provider(ProviderKind::native(api(found)?))),
    ),
    setting(
        "the seed {text}",
        Below::Nothing,
        "From which the hidden words in the schemas follow; counterexamples carry it.",
        "Given the seed \"4f1c09aa\"",
        |found| {
            let text = found.text(0);
            let seed = u64::from_str_radix(&text, 16);
            Ok(Meaning::Seed(seed.map_err(|_| format!("`{text}` is no hexadecimal number"))?))
        },
    ),
    setting(
        "a transcript in which",
        Below::Transcript,
        "What the conversation held before the session was opened, turn by turn.",
        "Given a transcript in which\n\
         | the user asked  | what is it like in Oslo? |\n\
         | the model found | acme_weather             |\n\
         | the model used  | acme_weather             |\n\
         | which answered  | twelve degrees, and rain |",
        |found| Ok(seeded(transcript::read(found.table)?)),
    ),
    setting(
        "a transcript in which the search for {names} was {ending}",
        Below::Nothing,
        "A transcript of one turn, which holds one search.",
        "Given a transcript in which the search for \"acme_weather\" was interrupted",
        |found| {
            let moment = Moment::Searched { marker: found.names(0)?, status: found.ending(1)? };
            Ok(seeded(vec![turn(vec![moment])]))
        },
    ),
    setting(
        "a transcript in which the use of {names} was {ending}",
        Below::Nothing,
        "A transcript of one turn, which holds one use of each tool and no search.",
        "Given a transcript in which the use of \"acme_weather\" was successful",
        |found| {
            let status = found.ending(1)?;
            let uses = found.names(0)?.into_iter();
            let moments = uses.map(|tool| Moment::Used { tool, status, says: None });
            Ok(seeded(vec![turn(moments.collect())]))
        },
    ),
    setting(
        "the model searched for {text} in an earlier prompt",
        Below::Nothing,
        "An earlier prompt is played, in which the model searches.",
        "Given the model searched for \"acme_weather\" in an earlier prompt",
        |found| Ok(Meaning::Steps(vec![earlier(), search(found.text(0))])),
    ),
    setting(
        "the model searched for {text} and used it in an earlier prompt",
        Below::Nothing,
        "An earlier prompt is played, in which the model searches for a tool by name and calls it.",
        "Given the model searched for \"acme_weather\" and used it in an earlier prompt",
        |found| {
            let tool = found.text(0);
            let used = Call::Use {
                tool: tool.as_str().into(),
                outcome: tacit_contract::session::Outcome::Ok,
                says: None,
            };
            Ok(Meaning::Steps(vec![earlier(), search(tool), Step::Answer { calls: vec![used] }]))
        },
    ),
];

fn api(found: &Found<'_>) -> Result<Api, String> {
    let text = found.text(0);
    Api::ALL.into_iter().find(|api| api.as_str() == text).ok_or_else(|| {
        format!(
            "there is no API `{text}`: expected one of {}",
            Api::ALL.map(Api::as_str).join(", ")
        )
    })
}

fn usual_tools(
    found: &Found<'_>,
    kind: usize,
    names: usize,
) -> Result<Vec<tacit_contract::ToolSpec>, String> {
    let kind = found.kind(kind)?;
    Ok(found.names(names)?.into_iter().map(|name| tools::usual(kind, name)).collect())
}

fn turn(moments: Vec<Moment>) -> SeedTurn {
    SeedTurn { prompt: EARLIER.to_owned(), moments }
}

fn seeded(turns: Vec<SeedTurn>) -> Meaning {
    Meaning::Steps(turns.into_iter().map(Step::Seed).collect())
}

fn earlier() -> Step {
    Step::Prompt { text: EARLIER.to_owned() }
}
