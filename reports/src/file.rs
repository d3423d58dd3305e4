//! Report files: whole or not there at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::iter;
use std::path::{self, Path, PathBuf};

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
        // Beside a device or a pipe there is no place for a file.
        let special = is_special(path);
        let draft = if special {
            std::env::temp_dir().join(draft_name)
        } else {
            path.with_file_name(draft_name)
        };
        let file = if special { File::create_new(&draft) } else { File::create(&draft) };
        let file = file.map_err(|source| write_error(path, source))?;
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
    if is_special(path) {
        let mut from = File::open(draft)?;
        let copied = io::copy(&mut from, &mut open_read(path)?);
        // A reader that has seen enough is no error.
        return match copied {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        };
    }
    let place = place(path);
    // It may be on another disk, to which nothing can be renamed.
    fs::rename(draft, &place).or_else(|_| fs::copy(draft, &place).map(|_| ()))
}

/// Whether a path is that of a device or a pipe.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// Where a path leads, in the one spelling that it has there: links are followed, those that lead
/// to nothing yet as well.
#[must_use]
pub fn place(path: &Path) -> PathBuf {
    let follow = |path: &PathBuf| Some(path.parent()?.join(fs::read_link(path).ok()?));
    let absolute = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // As many links as Linux follows: they may lead round in a circle.
    let end = iter::successors(Some(absolute), follow).take(40).last();
    let end = end.unwrap_or_else(|| path.to_owned());
    if let Ok(real) = end.canonicalize() {
        return real;
    }
    match (end.parent().map(Path::canonicalize), end.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => end,
    }
}

/// Opens a device, or a pipe that somebody reads: nobody would otherwise keep the run waiting for
/// ever.
#[cfg(unix)]
fn open_read(place: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let unread = |error| match error {
        rustix::io::Errno::NXIO => io::Error::other("nobody reads the pipe"),
        error => error.into(),
    };
    // While this one is open, the other one does not wait.
    let _probe = rustix::fs::open(place, OFlags::WRONLY | OFlags::NONBLOCK, Mode::empty())
        .map_err(unread)?;
    fs::OpenOptions::new().write(true).open(place)
}

#[cfg(not(unix))]
fn open_read(place: &Path) -> io::Result<File> {
    fs::OpenOptions::new().write(true).open(place)
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

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_whether_or_not_its_file_is_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("run.json"), folder.path().join("link.json"));
        std::os::unix::fs::symlink("run.json", &link).unwrap();
        for text in ["first", "second"] {
            write(&link, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_written_through_and_one_that_nobody_reads_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = write(&path, "{}").unwrap_err().to_string();
        assert!(error.ends_with("nobody reads the pipe"), "{error}");

        let from = path.clone();
        let reader = std::thread::spawn(move || fs::read_to_string(from).unwrap());
        // The reader has not come yet, or it reads.
        while write(&path, "{}").is_err() {
            std::thread::yield_now();
        }
        assert_eq!(reader.join().unwrap(), "{}");
    }
}
