//! What the generated sessions were like: the share of them under each label.

use maud::{Markup, html};

use super::page::Page;
use super::text::Said;

impl Page<'_> {
    /// The chart, the most frequent first; nothing where no session was labelled.
    pub(super) fn coverage(&self) -> Option<Markup> {
        let mut all: Vec<(&str, f64)> = self
            .run
            .finished
            .coverage
            .iter()
            .map(|(label, share)| (label.as_str(), percent(*share)))
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        (!all.is_empty()).then(|| {
            html! {
                p { "How many of the generated sessions hold what is named. What is rare is tested little." }
                table.chart {
                    thead.hidden { tr { th scope="col" { "sessions with" } th scope="col" { "share" } } }
                    tbody {
                        @for (label, percent) in all {
                            tr {
                                th scope="row" { (Said(label)) }
                                td {
                                    span.track aria-hidden="true" {
                                        span style={ "width:" (format!("{percent:.2}")) "%" } {}
                                    }
                                    span.share { (format!("{percent:.1} %")) }
                                }
                            }
                        }
                    }
                }
            }
        })
    }
}

/// A share in hundredths; a record can hold any number.
fn percent(share: f64) -> f64 {
    if share.is_finite() { (share * 100.0).clamp(0.0, 100.0) } else { 0.0 }
}
