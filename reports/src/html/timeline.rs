//! A timeline: the tools shown at each request, and what of them had to be there and what not.

use maud::{Markup, html};
use tacit_contract::ToolName;
use tacit_contract::timeline::{Ground, Point, PromptPoint, RequestPoint};

use super::text::{Said, tool};
use crate::terminal::timeline::{allowed, or_nothing, proof, required, too_much};

/// The most tools that are shown one by one.
const SHOWN: usize = 40;

/// The whole timeline; `broken` is the entry of the trace that shows the breach.
pub(super) fn timeline(points: &[Point], broken: usize) -> Markup {
    html! {
        @if !points.is_empty() {
            h4 { "Timeline" }
            ol.timeline {
                @for point in points {
                    @match point {
                        Point::Prompt(prompt) => (asked(prompt)),
                        Point::Request(request) => (sent(request, request.entry == broken)),
                    }
                }
            }
        }
    }
}

fn asked(prompt: &PromptPoint) -> Markup {
    html! {
        li.prompt {
            b { "prompt " (prompt.prompt) } " "
            q { (Said(&prompt.text)) } " "
            span.note { (prompt.mode) " mode · " (prompt.provider.to_string()) }
        }
    }
}

fn sent(request: &RequestPoint, broken: bool) -> Markup {
    html! {
        li.request.broken[broken] {
            p.head {
                b { "request " (request.request) @if request.repeat { " (again)" } }
                @if broken { span.note { " here the clause is broken" } }
            }
            @match &request.unseen {
                Some(why) => p { "Nothing can be said of what it shows: " (Said(why)) },
                None => (seen(request)),
            }
        }
    }
}

fn seen(request: &RequestPoint) -> Markup {
    let more = request.shown.len().saturating_sub(SHOWN);
    html! {
        ul.tools aria-label="Tools shown" {
            @for name in request.shown.iter().take(SHOWN) { (chip(request, name)) }
            @if more > 0 { li { "and " (more) " more" } }
            @for name in &request.missing {
                li.missing { span aria-hidden="true" { "✗ " } (tool(name)) span.why { " missing" } }
            }
            @if request.shown.is_empty() && request.missing.is_empty() { li { "no tool" } }
        }
        dl {
            @for evidence in &request.evidence {
                div { dt { "evidence" } dd { (Said(proof(evidence))) } }
            }
            div { dt { "required" } dd { (Said(or_nothing(required(request)))) } }
            @if let Some(allowed) = allowed(request) {
                div { dt { "allowed besides" } dd { (Said(allowed)) } }
            }
            @for excess in request.excess.iter().take(SHOWN) {
                div.wrong { dt { "✗ too much" } dd { (Said(too_much(excess))) } }
            }
        }
    }
}

/// A tool that was shown, with what it was shown for.
fn chip(request: &RequestPoint, name: &ToolName) -> Markup {
    if request.excess.iter().any(|excess| excess.tool == *name) {
        return html! {
            li.excess { span aria-hidden="true" { "✗ " } (tool(name)) span.why { " too much" } }
        };
    }
    let ground = request.required.iter().find(|required| required.tool == *name);
    let why = match ground.map(|required| required.ground) {
        Some(Ground::Core) => "core",
        Some(Ground::AlwaysActive) => "always active",
        Some(Ground::Activated) => "activated",
        Some(Ground::Carried) => "carried",
        Some(Ground::SearchEvidence | Ground::UseEvidence) => "restored",
        None => "allowed",
    };
    let plain = matches!(why, "core" | "always active");
    html! { li.plain[plain] { (tool(name)) span.why { " " (why) } } }
}
