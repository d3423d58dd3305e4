//! What the texts of a registry are like, looked at once for all requests that list them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use tacit_contract::profile::CatalogShape;
use tacit_contract::{Mode, Registry, ToolName};

use crate::catalog::{LINE_BREAKS, breaks_lines};
use crate::words;

/// A mode's deferred catalog, as far as its listing goes.
#[derive(Debug, Default)]
pub struct Texts {
    /// Every tool that a listing may hold, doubtful ones included, with the most bytes that its
    /// line may have.
    pub lines: Vec<(ToolName, usize)>,
    /// The tools whose name or description has a line break in it.
    pub broken: Vec<ToolName>,
    /// Each hidden character that could reach the catalog, with the first tool that holds it.
    pub hidden: BTreeMap<char, ToolName>,
    /// The tools whose description holds a character that takes two units of UTF-16 where it may
    /// be cut.
    pub astral: Vec<ToolName>,
    /// Whether a text holds the character that stands for what could not be read.
    pub holds_replacement: bool,
}

impl Texts {
    fn of(registry: &Registry, mode: Mode, shape: &CatalogShape) -> Self {
        let cut = |text: &str| text.chars().take(shape.line).map(char::len_utf8).sum::<usize>();
        let length =
            |name: &ToolName, described| shape.entry.len() + name.as_str().len() + described;
        // What a tool of the runtime's own says of itself is not known: as long as may be.
        let own = registry
            .deferred(mode)
            .filter(|name| registry.tool(name).is_none())
            .map(|name| (name.clone(), length(name, shape.line * 4)));
        let given: Vec<_> =
            registry.given().iter().filter(|tool| registry.is_deferred(&tool.name, mode)).collect();
        let lines = own
            .chain(
                given
                    .iter()
                    .map(|tool| (tool.name.clone(), length(&tool.name, cut(&tool.description)))),
            )
            .collect();
        let broken = given
            .iter()
            .filter(|tool| breaks_lines(&tool.description) || breaks_lines(tool.name.as_str()))
            .map(|tool| tool.name.clone())
            .collect();
        let mut hidden = BTreeMap::new();
        for tool in &given {
            let seen = tool.description.chars().take(shape.line).chain(tool.name.as_str().chars());
            for symbol in seen.filter(|symbol| is_hidden(*symbol)) {
                hidden.entry(symbol).or_insert_with(|| tool.name.clone());
            }
        }
        let is_astral = |text: &str| {
            !text.is_ascii()
                && text.chars().take(shape.line + 1).any(|symbol| symbol.len_utf16() > 1)
        };
        let astral = given.iter().filter(|tool| is_astral(&tool.description));
        let astral = astral.map(|tool| tool.name.clone()).collect();
        let replacement = |text: &str| text.contains(char::REPLACEMENT_CHARACTER);
        let holds_replacement = given
            .iter()
            .any(|tool| replacement(&tool.description) || replacement(tool.name.as_str()));
        Self { lines, broken, hidden, astral, holds_replacement }
    }
}

/// Whether a character changes the direction of others, has no width, or controls a terminal. Line
/// breaks and tabs are none of them: they are seen, as the lines and gaps that they make.
fn is_hidden(symbol: char) -> bool {
    let breaks = LINE_BREAKS.contains(&symbol) || symbol == '\t';
    let bidirectional = matches!(symbol,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let without_width = matches!(symbol, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    !breaks && (symbol.is_control() || bidirectional || without_width)
}

/// The words of a registry's tools, whatever the mode.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// Each given tool with its words, and its name and description in lower case.
    pub tools: Vec<Spoken>,
}

/// What a tool's texts say.
#[derive(Debug)]
pub struct Spoken {
    /// The tool.
    pub name: ToolName,
    /// The whole words of its name and description.
    pub words: BTreeSet<String>,
    /// Its name and description, in lower case.
    pub text: String,
}

impl Spoken {
    /// What a tool of this name and description says.
    #[must_use]
    pub fn of(name: &ToolName, description: &str) -> Self {
        Self {
            name: name.clone(),
            words: words::of_tool(name, description),
            text: format!("{name}\n{description}").to_lowercase(),
        }
    }
}

impl Vocabulary {
    fn of(registry: &Registry) -> Self {
        let tools = registry.given().iter().map(|tool| Spoken::of(&tool.name, &tool.description));
        Self { tools: tools.collect() }
    }
}

/// The vocabulary of the registry that was asked for last.
#[derive(Debug, Default)]
pub struct VocabularyOfLast(RefCell<Option<(Arc<Registry>, Rc<Vocabulary>)>>);

impl VocabularyOfLast {
    /// The vocabulary of a registry.
    #[must_use]
    pub fn of(&self, registry: &Arc<Registry>) -> Rc<Vocabulary> {
        if let Some((known, vocabulary)) = &*self.0.borrow()
            && Arc::ptr_eq(known, registry)
        {
            return Rc::clone(vocabulary);
        }
        let vocabulary = Rc::new(Vocabulary::of(registry));
        *self.0.borrow_mut() = Some((Arc::clone(registry), Rc::clone(&vocabulary)));
        vocabulary
    }
}

/// The texts of the registry and mode that were asked for last: they change seldom.
#[derive(Debug, Default)]
pub struct TextsOfLast(RefCell<Option<Known>>);

#[derive(Debug)]
struct Known {
    registry: Arc<Registry>,
    mode: Mode,
    texts: Rc<Texts>,
}

impl TextsOfLast {
    /// The texts of a registry in a mode.
    #[must_use]
    pub fn of(&self, registry: &Arc<Registry>, mode: Mode, shape: &CatalogShape) -> Rc<Texts> {
        if let Some(known) = &*self.0.borrow()
            && Arc::ptr_eq(&known.registry, registry)
            && known.mode == mode
        {
            return Rc::clone(&known.texts);
        }
        let texts = Rc::new(Texts::of(registry, mode, shape));
        let known = Known { registry: Arc::clone(registry), mode, texts: Rc::clone(&texts) };
        *self.0.borrow_mut() = Some(known);
        texts
    }
}
