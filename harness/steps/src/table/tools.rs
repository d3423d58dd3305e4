//! The tools of a session, as a table or in a phrase.

use tacit_contract::{Mode, Origin, OriginKind, Standing, Standings, ToolName, ToolSpec};

use super::Rows;
use crate::nearest::nearest;
use crate::words::{escape, read_name, unescape, write_name};

const TOOL: &str = "tool";
const PURPOSE: &str = "what it is for";
const ORIGIN: &str = "comes from";
const DEFERRED: &str = "deferred in";
const CORE: &str = "core in";
const COLUMNS: [&str; 5] = [TOOL, PURPOSE, ORIGIN, DEFERRED, CORE];

/// The kinds of tool that a phrase can name, each with what it stands for.
const KINDS: [(&str, OriginKind); 4] = [
    ("plugin tool", OriginKind::Plugin),
    ("product tool", OriginKind::Builtin),
    ("skill", OriginKind::Skill),
    ("plugin-development helper", OriginKind::Devkit),
];

/// A tool of which a feature gives no more than kind and name: deferred in every mode, and a
/// plugin's where the name says which (`acme_weather` is the plugin `acme`'s).
#[must_use]
pub fn usual(kind: OriginKind, name: ToolName) -> ToolSpec {
    let origin = match kind {
        OriginKind::Plugin => plugin_of(&name),
        other => Origin::of(other),
    };
    let description = format!("does what {name} is named for");
    ToolSpec::deferred(name, description, origin, &Mode::ALL)
}

fn plugin_of(name: &ToolName) -> Origin {
    let prefix = name.as_str().split('_').next().filter(|prefix| !prefix.is_empty());
    Origin::plugin(prefix.unwrap_or("plugin"))
}

/// Reads a kind of tool, in the singular or the plural.
///
/// # Errors
/// There is no such kind.
pub fn kind(text: &str) -> Result<OriginKind, String> {
    let singular = text.strip_suffix('s').unwrap_or(text);
    KINDS
        .iter()
        .find(|(name, _)| *name == singular || *name == text)
        .map(|(_, kind)| *kind)
        .ok_or_else(|| format!("`{text}` is no kind of tool"))
}

/// The name of a kind of tool.
#[must_use]
pub fn kind_name(kind: OriginKind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).map_or("tool", |(name, _)| name)
}

/// Reads a table of tools; columns that are left out have their usual values.
///
/// # Errors
/// A column is unknown, or a cell does not say what its column asks for.
pub fn read(rows: &Rows) -> Result<Vec<ToolSpec>, String> {
    let Some((head, rows)) = rows.split_first() else { return Ok(Vec::new()) };
    for column in head {
        if !COLUMNS.contains(&column.as_str()) {
            let hint = nearest(column, COLUMNS.into_iter())
                .map(|near| format!(": did you mean `{near}`?"))
                .unwrap_or_default();
            return Err(format!("a table of tools has no column `{column}`{hint}"));
        }
    }
    rows.iter().map(|row| read_row(head, row)).collect()
}

fn read_row(head: &[String], row: &[String]) -> Result<ToolSpec, String> {
    let cell = |column: &str| {
        head.iter().position(|known| known == column).and_then(|place| row.get(place))
    };
    let name = cell(TOOL).ok_or_else(|| format!("a table of tools needs the column `{TOOL}`"))?;
    let mut spec = usual(OriginKind::Plugin, read_name(name)?);
    if let Some(purpose) = cell(PURPOSE) {
        spec.description = unescape(purpose);
    }
    if let Some(origin) = cell(ORIGIN) {
        spec.origin = read_origin(origin)?;
    }
    let (deferred, core) = (cell(DEFERRED), cell(CORE));
    if deferred.is_some() || core.is_some() {
        spec.modes = Standings::new();
        for (modes, standing) in [(deferred, Standing::Deferred), (core, Standing::Core)] {
            for mode in modes.map_or_else(|| Ok(Vec::new()), |modes| read_modes(modes))? {
                spec.modes.insert(mode, standing);
            }
        }
    }
    Ok(spec)
}

fn read_modes(text: &str) -> Result<Vec<Mode>, String> {
    match text {
        "every mode" => Ok(Mode::ALL.to_vec()),
        "no mode" | "" => Ok(Vec::new()),
        some => some.split(',').map(|mode| mode.trim().parse()).collect(),
    }
}

fn write_modes(modes: &Standings, wanted: Standing) -> String {
    let modes: Vec<&str> = modes
        .iter()
        .filter(|(_, standing)| **standing == wanted)
        .map(|(mode, _)| mode.as_str())
        .collect();
    match modes.len() {
        0 => "no mode".to_owned(),
        4 => "every mode".to_owned(),
        _ => modes.join(", "),
    }
}

/// What stands in the column of origins for each kind; a plugin's name follows its word.
const ORIGINS: [(&str, OriginKind); 4] = [
    ("the product", OriginKind::Builtin),
    ("plugin", OriginKind::Plugin),
    ("the skills", OriginKind::Skill),
    ("plugin development", OriginKind::Devkit),
];

fn read_origin(text: &str) -> Result<Origin, String> {
    if let Some((_, kind)) = ORIGINS.iter().find(|(word, _)| *word == text) {
        return Ok(Origin::of(*kind));
    }
    let named = ORIGINS.iter().find_map(|(word, kind)| {
        let name = text.strip_prefix(word)?.strip_prefix(' ')?;
        Some((*kind, name))
    });
    let (kind, name) = named.ok_or_else(|| {
        format!(
            "`{text}` is no origin: expected `the product`, `plugin` and its name, `the skills` or \
             `plugin development`"
        )
    })?;
    Ok(Origin { kind, id: Some(read_name(name)?.as_str().into()) })
}

fn write_origin(origin: &Origin) -> String {
    let word = ORIGINS
        .iter()
        .find(|(_, kind)| *kind == origin.kind)
        .map_or("the product", |(word, _)| word);
    match &origin.id {
        Some(id) => format!("{word} {}", write_name(id.as_str())),
        None => word.to_owned(),
    }
}

/// Writes a table of tools, with the columns that say something.
#[must_use]
pub fn write(tools: &[ToolSpec]) -> Rows {
    let usual_origin = |tool: &ToolSpec| tool.origin == plugin_of(&tool.name);
    let usual_modes = usual(OriginKind::Plugin, "any".into()).modes;
    let origins = !tools.iter().all(usual_origin);
    let cores = tools.iter().any(|tool| tool.modes.values().any(|s| *s == Standing::Core));
    let modes = cores || tools.iter().any(|tool| tool.modes != usual_modes);
    let mut head = vec![TOOL.to_owned(), PURPOSE.to_owned()];
    head.extend(origins.then(|| ORIGIN.to_owned()));
    head.extend(modes.then(|| DEFERRED.to_owned()));
    head.extend(cores.then(|| CORE.to_owned()));
    let rows = tools.iter().map(|tool| {
        let mut row = vec![write_name(tool.name.as_str()), escape(&tool.description)];
        row.extend(origins.then(|| write_origin(&tool.origin)));
        row.extend(modes.then(|| write_modes(&tool.modes, Standing::Deferred)));
        row.extend(cores.then(|| write_modes(&tool.modes, Standing::Core)));
        row
    });
    std::iter::once(head).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Rows {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn every_tool_is_read_back_as_it_was_written() {
        let mut core = usual(OriginKind::Builtin, "Skill".into());
        core.modes =
            Standings::from([(Mode::Chat, Standing::Core), (Mode::Plan, Standing::Deferred)]);
        let mut forbidden = usual(OriginKind::Devkit, "a, \"b\"\n".into());
        forbidden.modes.clear();
        forbidden.description = " # On-demand tools\n- Bash | all ".to_owned();
        let mut odd = usual(OriginKind::Plugin, "".into());
        odd.origin = Origin { kind: OriginKind::Plugin, id: None };
        let mut odder = odd.clone();
        odder.origin = Origin { kind: OriginKind::Skill, id: Some("a b".into()) };
        let plain = usual(OriginKind::Plugin, "acme_weather".into());
        for tools in [vec![core, forbidden, odd, odder], vec![plain], Vec::new()] {
            assert_eq!(read(&write(&tools)), Ok(tools));
        }
    }

    #[test]
    fn columns_that_are_left_out_have_their_usual_values() {
        let tools = read(&table(&[&["tool"], &["acme_weather"]]));
        assert_eq!(tools, Ok(vec![usual(OriginKind::Plugin, "acme_weather".into())]));
    }

    #[test]
    fn a_column_that_is_misspelt_is_an_error_that_names_the_right_one() {
        let error = read(&table(&[&["tool", "what its for"], &["a", "b"]])).unwrap_err();
        assert!(error.contains("did you mean `what it is for`?"), "{error}");
    }
}
