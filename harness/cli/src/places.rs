//! What a command writes takes the place of nothing that it reads, and of nothing else that it
//! writes.

use std::path::{Path, PathBuf};

use tacit_reports::Target;
use tacit_reports::file::place;

use crate::problem::Problem;

/// Checks where the reports of a command go, which reads these files and folders.
pub fn check(targets: &[Target], reads: &[&Path]) -> Result<(), Problem> {
    let places: Vec<PathBuf> = targets.iter().map(|target| place(&target.path)).collect();
    for (number, target) in targets.iter().enumerate() {
        if let Some(other) = places[..number].iter().position(|other| *other == places[number]) {
            return Err(Problem::usage(format!(
                "two reports go to {}, `{}` and `{}`: give each a path of its own",
                target.path.display(),
                targets[other].format.as_str(),
                target.format.as_str()
            )));
        }
        check_file(&format!("the report `{}`", target.format.as_str()), &target.path, reads)?;
    }
    Ok(())
}

/// Checks that a file which is written is none of those that are read; `what` names it in errors.
pub fn check_file(what: &str, written: &Path, reads: &[&Path]) -> Result<(), Problem> {
    let to = place(written);
    // A folder that is read may get a new file, and lose none.
    let is_lost = |from: PathBuf| from == to || to.starts_with(&from) && to.exists();
    if reads.iter().any(|read| is_lost(place(read))) {
        return Err(Problem::usage(format!(
            "{what} would take the place of {}, which is read: give it a path of its own",
            written.display()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(path: &Path) -> Target {
        format!("json={}", path.display()).parse().unwrap()
    }

    #[test]
    fn two_spellings_of_a_path_are_one_place_whether_or_not_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.json", "below/a.json"] {
            let (plain, dotted) = (folder.path().join(name), folder.path().join(".").join(name));
            let two = [target(&plain), target(&dotted)];
            let problem = check(&two, &[]).unwrap_err().to_string();
            assert!(problem.starts_with("two reports go to "), "{problem}");
            assert!(check(&two[..1], &[dotted.as_path()]).is_err());
        }
        let others = [target(&folder.path().join("a.json")), target(&folder.path().join("b.json"))];
        assert!(check(&others, &[folder.path().join("c.json").as_path()]).is_ok());
    }

    #[test]
    fn a_folder_that_is_read_may_get_a_new_file_and_lose_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert!(check(&[target(&path)], &[folder.path()]).is_ok());
        std::fs::write(&path, "{}").unwrap();
        let problem = check(&[target(&path)], &[folder.path()]).unwrap_err().to_string();
        assert!(problem.contains("would take the place of"), "{problem}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_the_place_that_it_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.json"), folder.path().join("link.json"));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        // Whether or not anything is there yet.
        assert!(check(&[target(&path), target(&link)], &[]).is_err());
        std::fs::write(&path, "{}").unwrap();
        assert!(check_file("what is seen", &link, &[path.as_path()]).is_err());
    }
}
