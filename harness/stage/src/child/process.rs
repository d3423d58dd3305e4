//! A child process and its whole group.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{ExitStatus, Stdio as Pipe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[cfg(unix)]
use process_wrap::tokio::ProcessGroup;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tacit_contract::runtime::RuntimeError;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{Instant, sleep};

use super::Program;
use super::environment::scrubbed;
use super::strays::{self, Mark};

/// How often a process is looked at while its end is awaited.
const LOOK: Duration = Duration::from_millis(2);

/// How long a process has to follow a polite signal.
const POLITE: Duration = Duration::from_millis(500);

/// How long the end of a killed process is awaited.
const KILLED: Duration = Duration::from_secs(2);

/// The groups that are alive, for an end that leaves no time to ask each.
static LIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn live() -> MutexGuard<'static, BTreeSet<u32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every process group that this process started, and what left it, at once: for a harness
/// that is ended itself and will not come to drop anything.
#[cfg(unix)]
pub fn kill_all() {
    for group in std::mem::take(&mut *live()) {
        let group = format!("-{group}");
        // There is nobody left to be told of a group that had ended already.
        let _ = std::process::Command::new("kill").args(["-KILL", "--", &group]).status();
    }
    strays::end_all();
}

/// Elsewhere a process that is ended takes its job with it.
#[cfg(not(unix))]
pub fn kill_all() {}

/// Limits what a process and those that it starts may take for data. One that wants more is told
/// so by the system, and fails in its own way. A process that has ended already needs no limit.
#[cfg(target_os = "linux")]
fn limit_memory(id: Option<u32>, bytes: u64) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    let id = id.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    if let Some(id) = id {
        let _ = prlimit(Some(id), Resource::Data, limit);
    }
}

/// Elsewhere no process sets another's limits.
#[cfg(not(target_os = "linux"))]
fn limit_memory(_: Option<u32>, _: u64) {}

/// A child and its group, and what it started that left the group: none of it outlives this.
#[derive(Debug)]
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    id: Option<u32>,
    mark: Mark,
    /// Set once nothing of the group is left: its number may belong to others then.
    ended: bool,
}

/// The three pipes of a child.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

impl Process {
    /// Starts a program in a group of its own.
    pub(super) fn spawn(program: &Program, home: &Path) -> Result<(Self, Pipes), RuntimeError> {
        let Some((name, arguments)) = program.command.split_first() else {
            return Err(not_started("its command is empty: give the program to run".to_owned()));
        };
        let mark = Mark::new();
        let mut command = CommandWrap::with_new(name, |command| {
            command
                .args(arguments)
                .env_clear()
                .envs(scrubbed(std::env::vars_os(), home))
                .envs(program.env.iter().map(|(name, value)| (name, value)))
                .envs([mark.variable()])
                .stdin(Pipe::piped())
                .stdout(Pipe::piped())
                .stderr(Pipe::piped());
            if let Some(directory) = &program.directory {
                command.current_dir(directory);
            }
        });
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        let child = command.spawn().map_err(|error| {
            not_started(format!("`{name}` could not be run: {error}; check the command"))
        })?;
        let id = child.id();
        live().extend(id);
        limit_memory(id, program.memory_limit);
        let mut process = Self { child, id, mark, ended: false };
        let child = &mut process.child;
        match (child.stdin().take(), child.stdout().take(), child.stderr().take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => {
                Ok((process, Pipes { stdin, stdout, stderr }))
            }
            _ => Err(not_started(format!("`{name}` was run without its pipes"))),
        }
    }

    /// How the leader ended, if it has.
    pub(super) fn exited(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Waits for the leader's end, no longer than a limit.
    pub(super) async fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            let exited = self.exited();
            if exited.is_some() || Instant::now() >= deadline {
                return exited;
            }
            sleep(LOOK).await;
        }
    }

    /// Ends the whole group: with a signal that can be followed, then with one that cannot.
    pub(super) async fn terminate(&mut self) {
        #[cfg(unix)]
        if !self.ended && self.exited().is_none() {
            const SIGTERM: i32 = 15;
            // An error means that nobody is left to be told.
            let _ = self.child.signal(SIGTERM);
            self.wait(POLITE).await;
        }
        self.kill().await;
    }

    /// Ends the whole group at once.
    pub(super) async fn kill(&mut self) -> Option<ExitStatus> {
        self.kill_now();
        self.wait(KILLED).await
    }

    /// Ends the whole group, waiting for nothing. Grandchildren outlive a leader that ended by
    /// itself: the group is ended in any case.
    fn kill_now(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            let _ = self.child.start_kill();
            self.mark.end_all();
            if let Some(id) = self.id {
                live().remove(&id);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_now();
    }
}

fn not_started(problem: String) -> RuntimeError {
    RuntimeError::NotStarted { problem }
}

/// How a process ended, in words.
pub(super) fn in_words(status: Option<ExitStatus>) -> String {
    status.map_or_else(|| "it closed its output and did not exit".to_owned(), |s| s.to_string())
}
