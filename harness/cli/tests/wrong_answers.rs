//! The page on wrong answers, `docs/wrong-answers.md`: each is made in the starter in Python, and what
//! `tacit smoke` says of it stands in the page. Written anew with `UPDATE_DOCS=1`.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use std::fmt::Write as _;

use common::Place;

/// One mistake in the starter, and what is to be said of it beside the output.
struct Mistake {
    title: &'static str,
    /// What stands in the starter.
    right: &'static str,
    /// What stands there instead.
    wrong: &'static str,
    meaning: &'static str,
}

const HEAD: &str = "# Wrong answers, and what they mean

Each of these is one mistake in the adapter that `tacit init python` writes, with what `tacit smoke`
says of it. The first thing that fails is the one to put right: what needs it is *not reached*. The
frame of an adapter, and its messages one by one, are in [testing a runtime](testing-a-runtime.md).

`tacit smoke` judges no clause. An adapter that works may stand in front of a runtime that keeps
nothing of the contract, and the starter does.
";

const MISTAKES: [Mistake; 13] = [
    Mistake {
        title: "Something else on standard output",
        right: "protocol, sys.stdout = sys.stdout, sys.stderr  # a stray print is no message",
        wrong: "protocol = sys.stdout; print(\"my-agent is ready\")",
        meaning: "Standard output belongs to the protocol, one message a line. Often it is a library \
                  that prints: turn its standard output into standard error before it is loaded.",
    },
    Mistake {
        title: "Another id",
        right: "\"id\": request[\"id\"]}",
        wrong: "\"id\": str(request[\"id\"])}",
        meaning: "An answer carries the `id` of its request as it came, a number.",
    },
    Mistake {
        title: "Another version of the protocol",
        right: "\"protocolVersion\": 1",
        wrong: "\"protocolVersion\": 2",
        meaning: "It is the version of the adapter protocol, not of your runtime: 1.",
    },
    Mistake {
        title: "A name of your own for an API",
        right: "[\"openai-chat\"]",
        wrong: "[\"openai\"]",
        meaning: "The place in the message stands before the problem: here the first of the APIs.",
    },
    Mistake {
        title: "An answer without what it has to hold",
        right: "return {\"stop\": \"end\", \"text\": ",
        wrong: "return {\"text\": ",
        meaning: "`tacit schema protocol` says of every message what it has to hold.",
    },
    Mistake {
        title: "A program that ends",
        right: "        sessions[params[\"sessionId\"]] = Session(params)",
        wrong: "        sys.exit(\"my-agent: no model named gpt-0\")",
        meaning: "The last lines of standard error are your log. A runtime that cannot do what it is \
                  asked answers with an error, or lets the prompt end with `stop: \"error\"`, and \
                  takes the next message.",
    },
    Mistake {
        title: "A request to another address",
        right: "\"/chat/completions\"",
        wrong: "\"/completions\"",
        meaning: "Most clients take `provider.baseUrl` as their base address, and add the rest.",
    },
    Mistake {
        title: "A request without the prompt",
        right: "\"content\": text})",
        wrong: "\"content\": \"hello\"})",
        meaning: "tacit tells the requests of a prompt by its text, to which it adds a word that \
                  occurs nowhere else. Hand it on as it came.",
    },
    Mistake {
        title: "A search that ends the prompt",
        right: "self.messages.append({\"role\": \"tool\", \"tool_call_id\": call[\"id\"], \"content\": \
                self.run(call)})",
        wrong: "return self.run(call)",
        meaning: "Every call gets a result, which the model sees in the next request; the prompt is \
                  over when it answers with text.",
    },
    Mistake {
        title: "A tool that runs by itself",
        right: "        answer = post(self.host[\"url\"], {",
        wrong: "        return \"done\"\n        answer = post(self.host[\"url\"], {",
        meaning: "The tools that tacit gives have no code: running one is one question to the host.",
    },
    Mistake {
        title: "Another name for running a tool",
        right: "\"tool.execute\"",
        wrong: "\"tools/call\"",
        meaning: "A runtime may ask its host for what it likes. Only `tool.*` is about tools.",
    },
    Mistake {
        title: "A state that holds nothing",
        right: "return {\"state\": sessions[params[\"sessionId\"]].messages}",
        wrong: "return {\"state\": None}",
        meaning: "`state` is what your runtime keeps on disk: a text, a list, the content of a file. \
                  It comes back as it was given.",
    },
    Mistake {
        title: "A method that is missing",
        right: "if method == \"session/save\":",
        wrong: "if method == \"session/keep\":",
        meaning: "Six methods are every adapter's: `initialize`, `session/open`, `session/prompt`, \
                  `session/save`, `session/close` and `shutdown`, beside those of its capabilities.",
    },
];

/// The starter with the mistake, and what is said of it.
fn section(mistake: &Mistake) -> String {
    let place = Place::new();
    assert_eq!(place.tacit(&["init", "python"]).code, 0);
    let starter = place.read("tacit_adapter.py");
    assert_eq!(starter.matches(mistake.right).count(), 1, "{}", mistake.title);
    place.write("tacit_adapter.py", &starter.replace(mistake.right, mistake.wrong));
    let done = place.tacit_to_its_end(&["smoke", "--runtime", "my-agent", "--timeout", "2m"]);
    assert_eq!(done.code, 3, "{done:?}");
    let mut text = format!("\n## {}\n\n```diff\n", mistake.title);
    for (sign, part) in [('-', mistake.right), ('+', mistake.wrong)] {
        for line in part.lines() {
            let _ = writeln!(text, "{sign} {}", line.trim_start());
        }
    }
    let _ = write!(text, "```\n```\n{}```\n\n{}\n", done.out, mistake.meaning);
    text
}

#[test]
fn each_wrong_answer_is_told_as_the_page_says() {
    let page: String =
        std::iter::once(HEAD.to_owned()).chain(MISTAKES.iter().map(section)).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/wrong-answers.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    similar(&std::fs::read_to_string(path).unwrap(), &page);
}

/// Fails on the first line that differs, which says more than two whole pages.
fn similar(stands: &str, said: &str) {
    for (stands, said) in stands.lines().zip(said.lines()) {
        assert_eq!(
            stands, said,
            "docs/wrong-answers.md is behind: run this test with UPDATE_DOCS=1"
        );
    }
    assert_eq!(stands.lines().count(), said.lines().count(), "docs/wrong-answers.md is behind");
}
