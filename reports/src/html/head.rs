//! The head of a page.

use maud::{Markup, html};

use super::text::Said;

/// The head of a page that asks no host for anything, with its title, what made it and its style.
pub(crate) fn head(title: &str, version: &str, style: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="generator" content={ "tacit " (Said(version)) };
            // What a browser asks for by itself otherwise.
            link rel="icon" href="data:,";
            title { (Said(title)) }
            (style)
        }
    }
}
