//! `--profile NAME|FILE`.

use std::path::{Path, PathBuf};

use tacit_contract::Profile;
use tacit_contract::profile::{BUILT_IN, built_in};

use crate::files;
use crate::nearest::did_you_mean;
use crate::problem::Problem;
use crate::toml_problem::Document;

/// The profile where none is named.
pub const DEFAULT: &str = "nib-r3";

/// The profile of a name, or the one in a file; a relative path begins at `folder`.
pub fn load(name: &str, folder: &Path) -> Result<Profile, Problem> {
    let path = folder.join(name);
    let text = match built_in(name) {
        Some(text) => text.to_owned(),
        None if is_file_name(name) || path.is_file() => {
            files::configuration(&path, &format!("profile {name}"))?
        }
        None => {
            let hint = did_you_mean(name, BUILT_IN.iter().copied());
            return Err(Problem::usage(format!("there is no profile `{name}`{hint}"))
                .help(format!("built in are {}; a file ends in .toml", BUILT_IN.join(", "))));
        }
    };
    Profile::parse(&text).map_err(|error| {
        let title = format!("profile {name}");
        let document = Document { title: &title, kind: "a profile", path: name, text: &text };
        document.problem(&error.problem, error.span)
    })
}

/// The file of a profile that is not built in.
pub fn file(name: &str, folder: &Path) -> Option<PathBuf> {
    built_in(name).is_none().then(|| folder.join(name))
}

fn is_file_name(name: &str) -> bool {
    name.contains(['/', '\\']) || Path::new(name).extension().is_some_and(|end| end == "toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_a_name_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let text = built_in("nib-r2").unwrap().replace("id = \"nib-r2\"", "id = \"mine\"");
        std::fs::write(folder.path().join("mine.toml"), text).unwrap();
        let load = |name| load(name, folder.path()).map(|profile| profile.id);
        assert_eq!(load("nib-r1").unwrap(), "nib-r1");
        assert_eq!(load("mine.toml").unwrap(), "mine");
        assert!(load("nib-r4").unwrap_err().to_string().contains("did you mean"));
        assert!(load("other.toml").unwrap_err().to_string().starts_with("profile other.toml: "));
    }
}
