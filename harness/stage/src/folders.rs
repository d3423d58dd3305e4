//! The workspace and the state folders of a session.

use std::cell::OnceCell;
use std::fs;
use std::io;
use std::path::PathBuf;

use tempfile::TempDir;

/// One temporary folder of a worker, made when it is first needed, with one below it for each
/// session.
#[derive(Debug, Default)]
pub(crate) struct Folders {
    root: OnceCell<TempDir>,
}

/// The folders of one session and of those beside it; gone when it is over.
#[derive(Debug)]
pub(crate) struct CaseFolders {
    /// `None` where the paths name nothing.
    root: Option<PathBuf>,
}

impl Folders {
    /// The folders of the n-th session.
    pub(crate) fn case(&self, n: u64) -> io::Result<CaseFolders> {
        if self.root.get().is_none() {
            let made = tempfile::Builder::new().prefix("tacit-").tempdir()?;
            self.root.get_or_init(|| made);
        }
        // A runtime that names its folder in the base prompt says as much in one session as in another.
        let root = self.root.get().map(|root| root.path().join(format!("{n:08}")));
        let case = CaseFolders { root };
        case.make(case.workspace())?;
        Ok(case)
    }
}

impl CaseFolders {
    /// Folders that are only named.
    pub(crate) fn named() -> Self {
        Self { root: None }
    }

    /// The folder that tools are held to.
    pub(crate) fn workspace(&self) -> String {
        self.path("workspace")
    }

    /// The state folder of the session, or of the n-th beside it.
    pub(crate) fn state(&self, beside: u32) -> io::Result<String> {
        let name = if beside == 0 { "state".to_owned() } else { format!("state-{beside}") };
        self.make(self.path(&name))
    }

    /// Writes a file into the workspace.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<()> {
        match &self.root {
            Some(_) => fs::write(PathBuf::from(self.workspace()).join(name), text),
            None => Ok(()),
        }
    }

    fn path(&self, name: &str) -> String {
        match &self.root {
            Some(root) => root.join(name).to_string_lossy().into_owned(),
            None => format!("/{name}"),
        }
    }

    fn make(&self, path: String) -> io::Result<String> {
        if self.root.is_some() {
            fs::create_dir_all(&path)?;
        }
        Ok(path)
    }
}

impl Drop for CaseFolders {
    fn drop(&mut self) {
        if let Some(root) = &self.root {
            // What a runtime still holds open goes with the worker's folder.
            let _ = fs::remove_dir_all(root);
        }
    }
}
