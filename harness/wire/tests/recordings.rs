//! Requests that a real runtime sent, read into the view.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_wire::{Item, RequestView, Visibility, api_of, examine, outline, read, well_formed};

/// One recorded request.
#[derive(Deserialize)]
struct Recording {
    path: String,
    body: Value,
}

impl Recording {
    fn api(&self) -> Api {
        api_of(&self.path).unwrap()
    }

    fn body(&self) -> Vec<u8> {
        self.body.to_string().into_bytes()
    }
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// What a folder holds, in order; folders of the recordings, or their files.
fn within(folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut wanted: Vec<PathBuf> = entries.filter(|path| is_wanted(path)).collect();
    wanted.sort();
    wanted
}

fn folders() -> Vec<PathBuf> {
    within(&tests().join("recordings"), Path::is_dir)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn recordings(folder: &Path) -> Vec<(String, Recording)> {
    let load = |path: &PathBuf| serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    within(folder, Path::is_file).iter().map(|path| (stem(path), load(path))).collect()
}

fn named(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

/// A request as a few lines.
fn summary(name: &str, recording: &Recording) -> String {
    let api = recording.api();
    let (view, problems) = examine(ProviderKind::native(api), &recording.body()).unwrap();
    let mut lines = format!("{name} {}\n", api.as_str());
    let base = view.base_prompt.chars().count();
    writeln!(lines, "  base prompt: {base} characters").unwrap();
    writeln!(lines, "  items: {}", skeleton(&view)).unwrap();
    for tool in &view.tools {
        let at = tool.loaded_at.map(|at| format!(" @{at}")).unwrap_or_default();
        let (channel, visibility) = (tool.channel, tool.visibility);
        writeln!(lines, "  {} {channel:?} {visibility:?}{at}", tool.wire_name).unwrap();
    }
    if let Some(why) = &view.undecidable {
        writeln!(lines, "  undecidable: {why}").unwrap();
    }
    for problem in problems {
        writeln!(lines, "  problem: {problem}").unwrap();
    }
    lines
}

fn skeleton(view: &RequestView) -> String {
    let items = view.items.iter().map(|item| match item {
        Item::System { text } => format!("system({})", text.chars().count()),
        Item::User { texts } => format!("user({})", texts.join("|").lines().next().unwrap_or("")),
        Item::Assistant { text, calls } => {
            let calls = calls.iter().map(|call| format!("{} {}", call.id, call.wire_name));
            let said = std::iter::once(text.clone()).filter(|text| !text.is_empty());
            format!("assistant({})", said.chain(calls).collect::<Vec<_>>().join(", "))
        }
        Item::Result { call_id, text, is_error } => {
            let mark = match is_error {
                Some(true) => " error",
                Some(false) => " ok",
                None => "",
            };
            format!("result({call_id}{mark}: {text})")
        }
    });
    items.collect::<Vec<_>>().join("\n    ")
}

#[test]
fn each_recorded_request_says_what_it_said() {
    for folder in folders() {
        let recordings = recordings(&folder);
        let lines = recordings.iter().map(|(name, recording)| summary(name, recording));
        insta::assert_snapshot!(named(&folder), lines.collect::<String>());
    }
}

#[test]
fn each_session_is_whole_and_has_its_snapshot() {
    let snapshots = within(&tests().join("snapshots"), |path| {
        path.extension().is_some_and(|extension| extension == "snap")
    });
    let kept: BTreeSet<String> = snapshots
        .iter()
        .filter_map(|path| Some(stem(path).strip_prefix("recordings__")?.into()))
        .collect();
    assert_eq!(folders().iter().map(|folder| named(folder)).collect::<BTreeSet<_>>(), kept);
    for folder in folders() {
        let names: Vec<String> = recordings(&folder).into_iter().map(|(name, _)| name).collect();
        let whole: Vec<String> = (1..=16).map(|number| format!("{number:02}")).collect();
        assert_eq!(names, whole, "{}", folder.display());
    }
}

#[test]
fn what_a_real_runtime_sent_breaks_no_rule() {
    for folder in folders() {
        for (name, recording) in recordings(&folder) {
            let native = ProviderKind::native(recording.api());
            let problems = well_formed(native, &recording.body());
            assert_eq!(problems, [], "{} {name}", folder.display());
        }
    }
}

#[test]
fn a_plain_provider_refuses_what_loads_a_tool_and_nothing_else() {
    for folder in folders() {
        for (name, recording) in recordings(&folder) {
            let (api, body) = (recording.api(), recording.body());
            let loads = read(api, &body)
                .unwrap()
                .tools
                .iter()
                .any(|tool| tool.loaded_at.is_some() || tool.visibility != Visibility::Visible);
            let is_refused = !well_formed(ProviderKind::plain(api), &body).is_empty();
            assert_eq!(is_refused, loads, "{} {name}", folder.display());
        }
    }
}

#[test]
fn an_outline_of_a_recording_is_its_view_without_schemas() {
    for folder in folders() {
        for (name, recording) in recordings(&folder) {
            let (api, body) = (recording.api(), recording.body());
            let mut whole = read(api, &body).unwrap();
            for tool in &mut whole.tools {
                assert!(tool.schema.is_object(), "{} {name}", folder.display());
                tool.schema.take();
            }
            let (outlined, _) = outline(ProviderKind::native(api), &body).unwrap();
            assert_eq!(outlined, whole, "{} {name}", folder.display());
        }
    }
}
