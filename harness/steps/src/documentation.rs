//! The vocabulary as a page of documentation.

use std::fmt::Write as _;

use crate::pattern::{PLACES, variants};
use crate::source::parse_step;
use crate::table::{script, transcript};
use crate::tags::NEEDS;
use crate::vocabulary::{Part, Phrase, phrases};
use crate::words::write_table;

const INTRODUCTION: &str = "\
# The steps

Every phrase that a scenario can be made of. There are no others: a step that is none of them is
an error, with its place and the phrase that is nearest to it. This page is made from the
vocabulary itself (`cargo run -p tacit-steps --example steps > docs/steps.md`).

What a scenario plays is a session: a mode, the tools that the runtime is given, and what
happens, in order. The runtime's own tools are never named, since each runtime has its own: a
scenario speaks of *the core tools*, *the search tool* and *the tool for a new context*.

A scenario holds no checks of its own. Whatever its `Then` steps say, all that was seen goes
through the judge at the end, and a breach of any clause that the runtime claims fails the
scenario. A scenario about a clause counts only if what the clause speaks of really happened in
it.
";

const READING: &str = "\
## Texts and names

A text stands in double quotes, or in a cell as it is. What cannot be seen is written as its code
point, `{U+202E}`; so is a double quote within quotes, `{U+0022}`. In a table `\\n` is a line break,
`\\|` a bar and `\\\\` a backslash. A long text that says one thing over and over is written as
`{5000 characters of: on and on, }`. A tool whose name is more than letters, digits, `_`, `-` and
`.` stands in quotes in a table too.

## Tags

| tag | what it does |
| --- | --- |
| `@clause:ID` | what the scenario is about; the nearest counts: the scenario's own, else its rule's, else its feature's |
| `@from:r2`, `@until:r1` | the revisions of the contract in which it holds |
| `@needs:NAME` | what the runtime must have: $NEEDS. What a step itself needs goes without saying |
| `@property:ID` | the property that `it holds for every generated session` plays |
| `@law` | the property is a law: it compares sessions with each other |
| `@family:NAME` | the family of the feature's clauses |

What the runtime does not have, or its profile does not claim, makes a scenario *not applicable*,
with the reason, and never a failure.
";

/// The page, in Markdown.
#[must_use]
pub fn documentation() -> String {
    let mut out = INTRODUCTION.to_owned();
    for (title, part) in [
        ("Given: what there is", Part::Setting),
        ("Given or When: what happens", Part::Action),
        ("Then: what is expected", Part::Outcome),
    ] {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n## {title}\n");
        for phrase in phrases().filter(|phrase| phrase.part == part) {
            let _ = write!(out, "\n### {}\n\n{}\n\n", phrase.pattern, phrase.says);
            let _ = writeln!(out, "```gherkin\n{}```", example(phrase));
        }
    }
    out.push_str(
        "\n## What stands in braces\n\n| place | what is written there |\n| --- | --- |\n",
    );
    for (name, _, written) in PLACES {
        let _ = writeln!(out, "| `{{{name}}}` | {written} |");
    }
    out.push_str("\n## The variants of a session\n\n");
    for variant in variants(1000) {
        let _ = writeln!(out, "- `{}`", variant.describe());
    }
    rows(&mut out, "a transcript", "what had happened", &transcript::vocabulary());
    rows(&mut out, "a script", "what the model does", &script::vocabulary());
    out.push_str(
        "\nA row of a script that begins with `and at once` belongs to the same answer as the row \
         before it.\n\n",
    );
    let needs: Vec<String> = NEEDS.iter().map(|need| format!("`{need}`")).collect();
    out.push_str(&READING.replace("$NEEDS", &needs.join(", ")));
    out
}

fn rows(out: &mut String, of: &str, what: &str, words: &[&str]) {
    let _ = write!(out, "\n## The rows of {of}\n\nOne row for {what}, and of what or to what.\n\n");
    for word in words {
        let _ = writeln!(out, "- `{word}`");
    }
}

fn example(phrase: &Phrase) -> String {
    let first = phrase.example.lines().next().unwrap_or_default();
    let rows = parse_step(phrase.example).ok().and_then(|step| step.table);
    let table = rows.map(|table| write_table(&table.rows, "  ")).unwrap_or_default();
    format!("{first}\n{table}")
}
