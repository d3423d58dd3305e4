//! `tacit check`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tacit_contract::Event;
use tacit_contract::timeline::{Ground, Required};
use tacit_recording::Passed;
use tacit_reports::run::Fold;
use tacit_reports::terminal::{Options, render};
use tacit_reports::time::counted;
use tacit_reports::{Colour, Detail, Report};
use tacit_suite::Exit;
use tacit_suite::check::{Check, Checked, FileHeard, registry};

use crate::args::{CheckArgs, Format};
use crate::page::{clean, hang};
use crate::problem::Problem;
use crate::{config, files, interrupt, output, profile};

/// Judges recorded traffic.
pub fn check(args: &CheckArgs, colour: Colour) -> Result<Exit, Problem> {
    let asked = Check {
        files: args.files.clone(),
        kind: args.kind,
        profile: profile::load(&args.profile, Path::new("."))?,
        mode: args.mode,
        registry: args.registry.as_deref().map(tools).transpose()?.map(Arc::new),
        strict: args.strict,
        started_at: config::now().as_secs(),
    };
    let profile = profile::file(&args.profile, Path::new("."));
    let reads = args.files.iter().chain(&args.registry).chain(&profile);
    let reads: Vec<&Path> = reads.map(PathBuf::as_path).collect();
    let mut reports = super::reporters(&args.report, &reads)?;
    interrupt::listen(interrupt::First::Ends);
    let mut fold = Fold::default();
    let mut hear = |event: Event| {
        fold.add(&event);
        reports.event(&event);
    };
    let checked =
        tacit_suite::check::check(&asked, &mut hear).map_err(|error| Problem::failed_to(&error))?;
    let run = fold.end().map_err(|error| Problem::new(Exit::OwnFault, error.to_string()))?;
    match args.format {
        Format::Text => {
            let detail = if args.verbose { Detail::Verbose } else { Detail::Normal };
            let options = Options { detail, ..output::options(colour) };
            output::print(&format!("{}{}", text(&checked), render(&run, &options)))?;
        }
        Format::Json => {
            let report = serde_json::to_value(Report::from(&run))
                .map_err(|error| Problem::new(Exit::OwnFault, error.to_string()))?;
            output::print_json(&value(&checked, report))?;
        }
    }
    match reports.finish().first() {
        Some(error) => Err(Problem::failed_to(error)),
        None => Ok(checked.exit),
    }
}

fn tools(path: &Path) -> Result<Vec<tacit_contract::Tool>, Problem> {
    let name = format!("registry {}", path.display());
    registry(&files::document(path, &name)?)
        .map_err(|error| Problem::usage(format!("{name}: {error}")))
}

/// What was in the files, and what of it was judged.
fn text(checked: &Checked) -> String {
    let mut text = String::new();
    for file in &checked.files {
        let heard = match &file.restores {
            None => counted(file.requests, "request"),
            Some(restores) => restored(restores),
        };
        text.push_str(&hang("", &clean(&file.path.display().to_string())));
        text.push_str(&hang("  ", &clean(&format!("{}: {heard}", file.kind.describe()))));
    }
    for error in &checked.others {
        text.push_str(&hang("", &clean(&format!("passed over: failed to {error}"))));
    }
    let mut parts = vec![format!("in all {}", counted(checked.prompts, "prompt"))];
    parts.extend(passed(checked));
    text.push_str(&hang("", &parts.join(", ")));
    text.push('\n');
    text
}

/// What was passed over, where anything was.
fn passed(checked: &Checked) -> Vec<String> {
    let passed = checked.passed;
    let all = [
        (passed.other, "no request of a provider's API"),
        (passed.midway, "in the middle of a prompt whose beginning is not there"),
        (passed.helpers, "without tools, judged on their form alone"),
    ];
    let there = all.into_iter().filter(|(count, _)| *count > 0);
    there.map(|(count, what)| format!("{count} {what}")).collect()
}

/// What the next prompt after a transcript has to restore.
fn restored(restores: &[Required]) -> String {
    if restores.is_empty() {
        return "no requests; it proves no tool".to_owned();
    }
    let tools = restores.iter().map(|required| {
        let by = required.by.as_ref().map(|by| format!(" {by}")).unwrap_or_default();
        format!("{} ({}{by})", required.tool, word(required.ground))
    });
    let tools: Vec<String> = tools.collect();
    format!("no requests; the next prompt has to restore {}", tools.join(", "))
}

fn word(ground: Ground) -> &'static str {
    if ground == Ground::UseEvidence { "used in" } else { "found by" }
}

/// The report of a run, and the files beside it.
fn value(checked: &Checked, mut report: Value) -> Value {
    let file = |file: &FileHeard| {
        let mut value = json!({
            "path": file.path.display().to_string(),
            "kind": file.kind.as_str(),
            "requests": file.requests,
        });
        if let Some(restores) = &file.restores {
            value["restores"] = json!(restores);
        }
        value
    };
    let Passed { other, midway, helpers } = checked.passed;
    report["files"] = checked.files.iter().map(file).collect();
    let files: Vec<String> = checked.others.iter().map(ToString::to_string).collect();
    report["passedOver"] =
        json!({"other": other, "midway": midway, "helpers": helpers, "files": files});
    report
}
