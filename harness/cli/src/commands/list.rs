//! `tacit list`.

use serde_json::{Value, json};
use tacit_contract::Profile;
use tacit_contract::clause::clauses;
use tacit_contract::profile::BUILT_IN;
use tacit_reference::faults::untested::{UNTESTED, Untested};
use tacit_reference::{faults, variants};
use tacit_steps::catalogue::{built_in, catalogue};
use tacit_suite::Exit;
use tacit_suite::property::{Property, Variants, properties};

use crate::args::{Format, ListArgs, Listed};
use crate::output;
use crate::page::{row, width};
use crate::problem::Problem;

/// Lists what there is.
pub fn list(args: &ListArgs) -> Result<(), Problem> {
    let table = match args.what {
        Listed::Clauses => of_clauses(),
        Listed::Scenarios => of_scenarios()?,
        Listed::Properties => of_properties(),
        Listed::Faults => of_faults(),
        Listed::Variants => of_variants(),
        Listed::Profiles => of_profiles()?,
    };
    match args.format {
        Format::Text => output::print(&table.text()),
        Format::Json => output::print_json(&table.rows.into_iter().map(|row| row.value).collect()),
    }
}

struct Table {
    rows: Vec<Row>,
}

/// A row, for people and for programs.
struct Row {
    cells: Vec<String>,
    last: String,
    value: Value,
}

impl Table {
    fn text(&self) -> String {
        let columns = self.rows.first().map_or(0, |row| row.cells.len());
        let cells = |column: usize| self.rows.iter().map(move |row| row.cells[column].as_str());
        let widths: Vec<usize> = (0..columns).map(|column| width(cells(column))).collect();
        let line = |line: &Row| {
            let cells = line.cells.iter().map(String::as_str).zip(widths.iter().copied());
            row(&cells.collect::<Vec<_>>(), &line.last)
        };
        self.rows.iter().map(line).collect()
    }
}

fn of_clauses() -> Table {
    let rows = clauses().iter().map(|clause| Row {
        cells: vec![clause.id.to_string(), clause.level.as_str().to_owned()],
        last: clause.sentence.clone(),
        value: json!({
            "id": clause.id,
            "level": clause.level,
            "sentence": clause.sentence,
            "citation": clause.citation(),
            "revisions": clause.revisions,
            "needs": clause.needs,
            "readings": clause.readings,
            "unchecked": clause.unchecked,
        }),
    });
    Table { rows: rows.collect() }
}

fn of_scenarios() -> Result<Table, Problem> {
    let sources = built_in().map_err(|error| Problem::new(Exit::OwnFault, error.to_string()))?;
    let rows = catalogue(&sources).into_iter().map(|scenario| {
        let place = scenario.feature.strip_prefix("features/").unwrap_or(&scenario.feature);
        Row {
            cells: vec![format!("{place}:{}", scenario.line)],
            last: scenario.name.clone(),
            value: json!({
                "name": scenario.name,
                "feature": scenario.feature,
                "line": scenario.line,
                "tags": scenario.tags,
                "clauses": scenario.clauses,
                "property": scenario.property,
                "law": scenario.law,
            }),
        }
    });
    Ok(Table { rows: rows.collect() })
}

fn of_properties() -> Table {
    let rows = properties().map(|property| Row {
        cells: vec![property.mix.id.to_owned()],
        last: property.mix.about.to_owned(),
        value: json!({
            "id": property.mix.id,
            "about": property.mix.about,
            "needs": capability(property),
            "heldAgainst": held_against(property.variants),
        }),
    });
    Table { rows: rows.collect() }
}

/// The capability without which a property says nothing of its own.
pub fn capability(property: Property) -> Option<&'static str> {
    Some(property.mix.needs?.as_str())
}

/// What the sessions of a property are compared with, in words.
pub fn held_against(variants: Variants) -> Vec<String> {
    let variants = match variants {
        Variants::OtherProviders => return vec!["over another provider".to_owned()],
        Variants::None => &[],
        Variants::Each(variants) | Variants::All { variants, .. } => variants,
    };
    variants.iter().map(|variant| variant.describe()).collect()
}

fn of_faults() -> Table {
    let rows = faults::all().map(|fault| Row {
        cells: vec![fault.key.to_owned(), fault.level.as_str().to_owned()],
        last: fault.behaviour.to_owned(),
        value: json!({
            "key": fault.key,
            "behaviour": fault.behaviour,
            "level": fault.level,
            "clauses": fault.clauses,
            "seenIn": fault.seen_in,
            "shortestKnown": fault.shortest,
            "tested": true,
        }),
    });
    let untested = UNTESTED.iter().map(|fault: &Untested| Row {
        cells: vec![fault.key.to_owned(), "none".to_owned()],
        last: format!("{} Not tested: {}.", fault.behaviour, fault.reason),
        value: json!({
            "key": fault.key,
            "behaviour": fault.behaviour,
            "level": null,
            "clauses": [],
            "seenIn": fault.seen_in,
            "tested": false,
            "reason": fault.reason,
        }),
    });
    Table { rows: rows.chain(untested).collect() }
}

fn of_variants() -> Table {
    let rows = variants::all().map(|variant| Row {
        cells: vec![variant.key.to_owned()],
        last: variant.behaviour.to_owned(),
        value: json!({
            "key": variant.key,
            "behaviour": variant.behaviour,
            "freedom": variant.freedom,
            "profile": variant.profile,
        }),
    });
    Table { rows: rows.collect() }
}

fn of_profiles() -> Result<Table, Problem> {
    let row = |id: &&str| {
        let profile =
            Profile::named(id).map_err(|error| Problem::new(Exit::OwnFault, error.to_string()))?;
        Ok(Row {
            cells: vec![profile.id.clone(), profile.revision.to_string()],
            last: profile.title.clone(),
            value: json!({
                "id": profile.id,
                "revision": profile.revision,
                "title": profile.title,
                "maxPerSearch": profile.max_per_search,
                "modes": profile.modes.keys().collect::<Vec<_>>(),
                "notClaimed": profile.not_claimed,
            }),
        })
    };
    Ok(Table { rows: BUILT_IN.iter().map(row).collect::<Result<_, Problem>>()? })
}
