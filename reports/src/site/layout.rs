//! What every page has around it.

use maud::{DOCTYPE, Markup, html};

use super::Site;
use crate::html::head::head;
use crate::html::text::Said;

/// The style sheet: that of the report, and what pages have beside it.
pub(super) const STYLE: [&str; 2] = [include_str!("../html/style.css"), include_str!("style.css")];

/// What one page says.
pub(super) struct Shell {
    /// Its title.
    pub(super) title: String,
    /// What stands beneath the title.
    pub(super) lead: Markup,
    /// The rest.
    pub(super) content: Markup,
}

impl Site<'_> {
    pub(super) fn shell(&self, path: &str, shell: &Shell) -> Markup {
        let root = root(path);
        let title = format!("{} · tool activation", shell.title);
        let style = html! { link rel="stylesheet" href={ (root) "style.css" }; };
        html! {
            (DOCTYPE)
            html lang="en" {
                (head(&title, env!("CARGO_PKG_VERSION"), &style))
                body {
                    a.skip href="#content" { "Skip to the content" }
                    header.top {
                        p.brand { "tacit" span { " the contract of tool activation" } }
                        nav aria-label="Parts of the site" {
                            ul {
                                @for (to, name) in self.parts() {
                                    li {
                                        a href={ (root) (to) } aria-current=[(to == path).then_some("page")] {
                                            (name)
                                        }
                                    }
                                }
                            }
                        }
                    }
                    main id="content" {
                        h1 { (Said(&shell.title)) }
                        (shell.lead)
                        (shell.content)
                    }
                    (self.foot())
                }
            }
        }
    }

    fn parts(&self) -> Vec<(&'static str, &'static str)> {
        let mut parts = vec![
            ("index.html", "Contract"),
            ("features.html", "Features"),
            ("faults.html", "Faults"),
            ("revisions.html", "Revisions"),
        ];
        parts.extend(self.about.table.is_some().then_some(("runtimes.html", "Runtimes")));
        parts.extend(self.run.is_some().then_some(("report.html", "Report of the run")));
        parts
    }

    fn foot(&self) -> Markup {
        html! {
            footer {
                p {
                    "Made by tacit " (env!("CARGO_PKG_VERSION"))
                    @match self.run {
                        Some(_) => {
                            ". Verdicts are those of one run: a pass says that no session among "
                            "those played broke the clause."
                        }
                        None => " from the contract and its features; no run is shown.",
                    }
                }
            }
        }
    }
}

/// The way from a page to the site's own folder.
pub(super) fn root(path: &str) -> &'static str {
    if path.contains('/') { "../" } else { "" }
}
