//! Report files: whole or not there at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tacit_contract::Event;

use crate::reporter::{ReportError, Reporter};
use crate::run::{Fold, Run};

/// A report on its way into a file.
///
/// It is written beside its place and takes it only when it is complete, so that a run that is
/// killed leaves an earlier report as it was.
pub struct ReportFile {
    path: PathBuf,
    draft: PathBuf,
    writer: Option<BufWriter<File>>,
}

impl ReportFile {
    /// Begins a report; folders that are missing are made.
    ///
    /// # Errors
    /// The folder or the file cannot be made, or the path is a folder.
    pub fn create(path: &Path) -> Result<Self, ReportError> {
        let name = path
            .file_name()
            .ok_or_else(|| write_error(path, io::Error::other("the path names no file")))?;
        if path.is_dir() {
            return Err(write_error(path, io::Error::other("the path is a folder")));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder)
                .map_err(|source| ReportError::Folder { path: folder.to_owned(), source })?;
        }
        let mut draft_name = OsString::from(".");
        draft_name.push(name);
        draft_name.push(format!(".{}.draft", std::process::id()));
        let draft = path.with_file_name(draft_name);
        let file = File::create(&draft).map_err(|source| write_error(path, source))?;
        Ok(Self { path: path.to_owned(), draft, writer: Some(BufWriter::new(file)) })
    }

    /// Writes some of the report.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), ReportError> {
        match &mut self.writer {
            Some(writer) => {
                writer.write_all(bytes).map_err(|source| write_error(&self.path, source))
            }
            None => Ok(()),
        }
    }

    /// Puts the complete report in its place.
    ///
    /// # Errors
    /// What is left cannot be written, or the file cannot be renamed.
    pub fn finish(mut self) -> Result<(), ReportError> {
        let done = self.writer.take().map_or(Ok(()), |mut writer| writer.flush());
        let path = self.path.clone();
        done.and_then(|()| put(&self.draft, &path)).map_err(|source| write_error(&path, source))
    }
}

/// Puts a whole report in its place. A device, a pipe or a link stays what it is, and is written
/// through.
fn put(draft: &Path, path: &Path) -> io::Result<()> {
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if place.exists() && !place.is_file() {
        let mut from = fs::File::open(draft)?;
        let mut to = fs::OpenOptions::new().write(true).open(&place)?;
        return io::copy(&mut from, &mut to).map(|_| ());
    }
    // A link may lead to another disk, to which nothing can be renamed.
    fs::rename(draft, &place).or_else(|_| fs::copy(draft, &place).map(|_| ()))
}

impl Drop for ReportFile {
    fn drop(&mut self) {
        // After `finish` there is no draft any more; there is nobody to tell of a failure either.
        let _ = fs::remove_file(&self.draft);
    }
}

/// How a run becomes the text of a report.
pub type Render = Box<dyn Fn(&Run) -> Result<String, ReportError>>;

/// A report that is made of the whole run, when it is over.
pub struct Document {
    fold: Fold,
    file: ReportFile,
    render: Render,
}

impl Document {
    /// Begins the report, so that a path that cannot be written is known before the run.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path, render: Render) -> Result<Self, ReportError> {
        Ok(Self { fold: Fold::default(), file: ReportFile::create(path)?, render })
    }
}

impl Reporter for Document {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        self.fold.add(event);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), ReportError> {
        let text = (self.render)(&self.fold.end()?)?;
        self.file.write(text.as_bytes())?;
        self.file.finish()
    }
}

/// Writes a whole report at once.
///
/// # Errors
/// As [`ReportFile::create`] and [`ReportFile::finish`].
pub fn write(path: &Path, text: &str) -> Result<(), ReportError> {
    let mut file = ReportFile::create(path)?;
    file.write(text.as_bytes())?;
    file.finish()
}

fn write_error(path: &Path, source: io::Error) -> ReportError {
    ReportError::Write { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_are_missing_are_made_and_no_draft_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/run.json");
        write(&path, "{}\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn an_unfinished_report_leaves_the_earlier_one_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        write(&path, "old").unwrap();
        let mut file = ReportFile::create(&path).unwrap();
        file.write(b"ne").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_named_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path(), "{}").unwrap_err().to_string();
        assert!(error.contains(&folder.path().display().to_string()), "{error}");
        assert!(error.ends_with("the path is a folder"), "{error}");

        let file = folder.path().join("plain");
        write(&file, "").unwrap();
        let error = write(&file.join("run.json"), "{}").unwrap_err().to_string();
        assert!(error.starts_with("make the folder"), "{error}");
    }
}
