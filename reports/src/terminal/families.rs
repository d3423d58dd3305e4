//! The head of the output: what was run, and its clauses by family.

use std::collections::BTreeMap;

use tacit_contract::event::{ClauseResult, RECORDED};
use tacit_contract::protocol::Api;
use tacit_contract::{Level, Verdict};

use super::Page;
use super::palette::{Style, style};
use super::text::{clean, hang, joined, width, wrap};
use crate::tally::{Tally, families, word};
use crate::time;

impl Page<'_> {
    /// What was run on what.
    pub(super) fn header(&self) -> String {
        let started = &self.run.started;
        let in_process = is_in_process(&started.spec);
        // Which of its variants the reference is, its own name does not say.
        let name = if in_process { &started.spec } else { &started.name };
        let runtime = clean(&format!("{name} {}", started.version));
        let how = if in_process { "in process" } else { "stdio" };
        let recorded = started.spec == RECORDED;
        let runtime = if recorded {
            RECORDED.to_owned()
        } else if started.by_default {
            format!("no runtime was named: {} is tested", runtime.trim())
        } else {
            format!("runtime {} ({how})", runtime.trim())
        };
        let mut parts = vec![
            format!("tacit {}", started.tool_version),
            runtime,
            format!("profile {}", clean(&started.profile)),
        ];
        parts.extend(self.providers());
        if !recorded {
            parts.push(format!("seed {}", time::seed(started.seed)));
        }
        parts.extend(started.shard.map(|shard| format!("shard {shard}")));
        joined("", &parts, self.width)
    }

    /// Which providers were played, where that is more than the plainest.
    fn providers(&self) -> Option<String> {
        let started = &self.run.started;
        let native = started.capabilities.as_ref().map(|can| can.native_deferral.as_slice());
        let loads = native.unwrap_or_default().iter().any(|api| started.apis.contains(api));
        let also = if loads { ", native deferral too" } else { "" };
        let plainest = started.apis == [Api::OpenaiChat] && !loads;
        let names: Vec<&str> = started.apis.iter().map(|api| api.as_str()).collect();
        (!plainest && !names.is_empty()).then(|| format!("over {}{also}", names.join(", ")))
    }

    /// The clauses by family, in the order of the contract, and which are not judged at all.
    pub(super) fn families(&self) -> String {
        let (judged, left_out): (Vec<_>, Vec<_>) =
            self.run.clauses.iter().partition(|clause| is_shown(clause));
        let families = families(judged.iter().copied());
        let name_width = families.iter().map(|(name, _)| width(name)).max().unwrap_or_default();
        let mut out = String::new();
        for (name, clauses) in &families {
            out.push_str(&self.family(&format!("  {name:name_width$}"), clauses));
        }
        if !families.is_empty() {
            out.push('\n');
        }
        out.push_str(&self.measured(&judged));
        out.push_str(&self.left_out(&left_out));
        out
    }

    /// How much was played of what there is, where that is known.
    pub(super) fn extents(&self) -> String {
        let mut out = String::new();
        for property in &self.run.properties {
            let Some(extent) = property.extent else { continue };
            let (done, steps) = (u64::from(property.cases), u64::from(extent.depth));
            let steps = time::counted(steps, "step");
            let text = if done == extent.cases {
                format!("{}, all that there are of up to {steps}", time::counted(done, "session"))
            } else {
                let more = if extent.cases == u64::MAX { "more than " } else { "" };
                let all = format!("{more}{}", time::counted(extent.cases, "session"));
                let done = time::grouped(done);
                format!("{done} of {all} of up to {steps}, the shortest first")
            };
            let text = format!("{}: {text}", clean(property.id.as_str()));
            out.push_str(&hang("  ", &text, self.width));
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    /// What was measured and is not judged.
    fn measured(&self, clauses: &[&ClauseResult]) -> String {
        let seen = clauses.iter().filter(|clause| clause.level == Level::Info);
        let seen: Vec<(&str, String)> = seen
            .filter_map(|clause| Some((clause.id.as_str(), clean(clause.reading.as_deref()?))))
            .collect();
        let names = seen.iter().map(|(name, _)| width(name)).max().unwrap_or_default();
        let mut out = String::new();
        for (name, reading) in &seen {
            let lead = format!("  measured: {name:names$}   ");
            let line = hang(&lead, reading, self.width);
            for line in line.lines() {
                out.push_str(&self.palette.paint(Style::Faint, line));
                out.push('\n');
            }
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    fn family(&self, name: &str, clauses: &[&ClauseResult]) -> String {
        const WHY_FROM: usize = 50;
        let tally = Tally::of(clauses.iter().copied());
        let counts = tally
            .shown()
            .into_iter()
            .filter(|(verdict, count)| *count > 0 || *verdict == Verdict::Pass);
        let (mut plain, mut painted) = (String::new(), String::new());
        for (verdict, count) in counts {
            let text = format!("{count:>2} {}", word(verdict));
            plain = format!("{plain}   {text}");
            let style = if count == 0 { Style::Plain } else { style(verdict) };
            painted = format!("{painted}   {}", self.palette.paint(style, &text));
        }
        let used = width(name) + width(&plain);
        let mut line = format!("{name}{painted}");
        if let Some(why) = self.why(clauses) {
            let indents = [WHY_FROM.max(used + 3), used + 3];
            let fits = indents.into_iter().find(|indent| indent + width(&why) <= self.width);
            if let Some(indent) = fits {
                line.push_str(&" ".repeat(indent - used));
                line.push_str(&self.palette.paint(Style::Faint, &why));
            } else {
                let lead = width(name) + 3;
                let room = self.width.saturating_sub(lead).max(20);
                for part in wrap(&why, room) {
                    line.push('\n');
                    line.push_str(&" ".repeat(lead));
                    line.push_str(&self.palette.paint(Style::Faint, &part));
                }
            }
        }
        line.push('\n');
        line
    }

    /// The reason of all that did not pass, where there is one reason only; what a failure of the
    /// runtime brought about is told once for all families.
    fn why(&self, clauses: &[&ClauseResult]) -> Option<String> {
        let told_below = |clause: &ClauseResult| {
            clause.verdict == Verdict::Error && !self.run.failures.is_empty()
        };
        let mut reasons = clauses
            .iter()
            .filter(|clause| clause.verdict != Verdict::Pass && !told_below(clause))
            .map(|clause| clause.reason.as_deref());
        let first = reasons.next()??;
        let found = first.split("; shown: ").next().unwrap_or(first);
        reasons.all(|reason| reason == Some(first)).then(|| clean(found))
    }

    /// What is not judged at all among the clauses that are no `must`, by reason.
    fn left_out(&self, clauses: &[&ClauseResult]) -> String {
        let mut by_reason: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
        for clause in clauses {
            let reason = clause.reason.as_deref().unwrap_or("not applicable");
            by_reason.entry(reason).or_default()[usize::from(clause.level == Level::Info)] += 1;
        }
        let mut out = String::new();
        for (reason, [should, info]) in by_reason {
            let counts: Vec<_> = [(should, "should"), (info, "info")]
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, level)| time::counted(count, &format!("{level} clause")))
                .collect();
            let text = format!("not judged: {} ({})", counts.join(" and "), clean(reason));
            out.push_str(
                &self.palette.paint(Style::Faint, hang("  ", &text, self.width).trim_end()),
            );
            out.push_str("\n\n");
        }
        out
    }
}

/// Only the reference needs no process: any other name stands for a command.
fn is_in_process(spec: &str) -> bool {
    let variant = spec.strip_prefix("reference");
    variant.is_some_and(|variant| variant.is_empty() || variant.starts_with(['@', '+']))
}

/// A `must` clause always is; another one only if something can be said of it.
fn is_shown(clause: &ClauseResult) -> bool {
    clause.level == Level::Must || clause.verdict != Verdict::NotApplicable
}
