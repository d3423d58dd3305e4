//! `--profile NAME|FILE`.

use tacit_contract::Profile;

use crate::problem::Problem;

/// The profile where none is named.
pub const DEFAULT: &str = "nib-r3";

/// The profile of a name, or the one in a file.
pub fn load(name: &str) -> Result<Profile, Problem> {
    if tacit_contract::profile::built_in(name).is_some() {
        return Profile::named(name).map_err(|error| Problem::usage(error.problem));
    }
    let text = std::fs::read_to_string(name)
        .map_err(|error| Problem::usage(format!("profile {name}: {error}")))?;
    Profile::parse(&text).map_err(|error| Problem::usage(format!("profile {name}: {error}")))
}
