//! Profiles: what may stand in one, what it claims, and what it calls things.

use tacit_contract::profile::{ModeTools, Profile};
use tacit_contract::protocol::{Dialect, NewContext};
use tacit_contract::{Mode, clause};

const LEAST: &str = "id = \"it\"\ntitle = \"it\"\nrevision = \"r3\"\n";

const CATALOG: &str = "[catalog]\nheading = \"# Tools\"\nentry = \"- $NAME\"\nentries = 9\n\
                       line = 9\nbytes = 900\n";

fn with(text: &str) -> Result<Profile, String> {
    Profile::parse(&format!("{LEAST}{text}")).map_err(|error| error.problem)
}

fn least() -> Profile {
    with(&format!("[modes.agent]\ncore = [\"Read\"]\n{CATALOG}")).unwrap()
}

fn refused(text: &str) -> String {
    with(text).unwrap_err()
}

#[test]
fn four_is_the_maximum_where_none_is_named() {
    assert_eq!(least().max_per_search, 4);
}

#[test]
fn a_profile_of_no_mode_is_refused() {
    assert!(refused(&format!("[modes]\n{CATALOG}")).starts_with("`modes` is empty"));
}

#[test]
fn a_clause_that_nobody_knows_cannot_be_left_unclaimed() {
    let text = format!("[modes.agent]\ncore = []\n{CATALOG}[not-claimed]\n\"search.all\" = \"no\"");
    assert!(refused(&text).contains("`not-claimed.\"search.all\"` names no clause"));
}

#[test]
fn without_a_catalog_no_clause_is_claimed_that_needs_one() {
    let checked = clause::clauses()
        .iter()
        .filter(|clause| clause.id.family() == "catalog" && clause.unchecked.is_none());
    let without = |left: &str| {
        let needing = checked.clone().filter(|one| one.id != "catalog.no-schema" && one.id != left);
        let lines: Vec<String> =
            needing.map(|one| format!("\"{}\" = \"no catalog\"", one.id)).collect();
        with(&format!("[modes.agent]\ncore = []\n[not-claimed]\n{}\n", lines.join("\n")))
    };
    // Leaks are looked for in whole requests: that clause can be claimed.
    assert!(without("nothing").unwrap().claims("catalog.no-schema"));
    let refused = without("catalog.names").unwrap_err();
    assert!(refused.contains("there is no `catalog`, yet `catalog.names` is claimed"), "{refused}");
}

#[test]
fn a_catalog_whose_entries_or_heading_say_nothing_is_refused() {
    let modes = "[modes.agent]\ncore = []\n";
    let nameless = format!("{modes}{}", CATALOG.replace("$NAME", "name"));
    assert!(refused(&nameless).contains("expected a line with `$NAME` in it"));
    let blank = format!("{modes}{}", CATALOG.replace("# Tools", " "));
    assert!(refused(&blank).contains("`catalog.heading` is empty"));
}

#[test]
fn arguments_of_a_search_have_a_place_for_the_query() {
    let text = |query| {
        format!(
            "[modes.agent]\ncore = []\n[names]\nsearch-arguments = {{ q = \"{query}\" }}\n{CATALOG}"
        )
    };
    assert!(refused(&text("query")).contains("expected `$QUERY` where the query goes"));
    assert!(with(&text("$QUERY")).is_ok());
}

#[test]
fn a_core_tool_is_named_once_and_by_a_name() {
    let text = |core| format!("[modes.agent]\ncore = {core}\n{CATALOG}");
    assert!(refused(&text("[\"Read\", \"Read\"]")).contains("names \"Read\" twice"));
    assert!(refused(&text("[\" \"]")).contains("or names nothing"));
}

#[test]
fn what_a_revision_lacks_and_what_is_given_up_is_not_claimed_and_says_why() {
    let mut it = least();
    let restored = clause::clause("restore.use-evidence").unwrap();
    assert!(it.claims("restore.use-evidence"));
    assert_eq!(it.why_not_claimed(restored), None);
    it.not_claimed.insert("restore.use-evidence".into(), "it does not".to_owned());
    assert!(!it.claims("restore.use-evidence"));
    assert_eq!(it.why_not_claimed(restored).as_deref(), Some("it does not"));
    let first = Profile::named("nib-r1").unwrap();
    assert_eq!(first.why_not_claimed(restored).as_deref(), Some("revision r1 does not have it"));
    assert!(!it.claims("restore.nothing"));
}

#[test]
fn the_runtime_s_names_win_over_those_of_the_profile() {
    let profile = Profile::named("nib-r3").unwrap();
    let own = profile.dialect(&Dialect::default());
    assert_eq!(own.search_tool.as_ref().unwrap().as_str(), "ToolSearch");
    assert_eq!(own.new_context.as_ref().unwrap().name.as_str(), "new_context");
    let given = Dialect {
        search_tool: Some("find".into()),
        search_arguments: Some("$QUERY".into()),
        limit_argument: Some("top".to_owned()),
        name_prefix: Some("my_".to_owned()),
        new_context: Some(NewContext { name: "anew".into(), arguments: "now".into() }),
    };
    assert_eq!(profile.dialect(&given), given);
}

#[test]
fn a_mode_that_is_not_named_has_no_tools() {
    let it = least();
    assert_eq!(it.mode(Mode::Agent).core, ["Read"]);
    assert_eq!(it.mode(Mode::Chat), &ModeTools::default());
}

#[test]
fn a_star_lets_a_runtime_send_whatever_it_likes() {
    let also = |names: &[&str]| ModeTools {
        also: names.iter().map(|name| (*name).into()).collect(),
        ..ModeTools::default()
    };
    assert!(also(&["ask", "*"]).sends_anything());
    assert!(!also(&["ask"]).sends_anything());
    assert!(!also(&[]).sends_anything());
}
