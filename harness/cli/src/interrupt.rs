//! Ctrl-C, `SIGTERM`, and a terminal that is closed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use tacit_suite::Exit;

use crate::output;

/// Whether the user asked to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether a signal is ending the process.
static ENDING: AtomicBool = AtomicBool::new(false);

/// How long signals count as one: who signals a process and then its group, as `timeout` does,
/// means it once.
const ONCE: Duration = Duration::from_millis(500);

/// What the first signal does; a second one always ends the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// It asks the run to stop and to report what is done.
    Asks,
    /// It ends the process: nothing is lost by that.
    Ends,
}

/// Listens for signals, on a thread of its own, and gives what tells that one came. Whatever is
/// started after this is ended with the process.
///
/// Where that cannot be set up, a signal ends the process as it always does.
pub fn listen(first: First) -> &'static AtomicBool {
    let listener = std::thread::Builder::new().name("signals".to_owned());
    let (listening, begun) = std::sync::mpsc::channel();
    // Without the thread the default of the system stays in force.
    let _ = listener.spawn(move || {
        let clock = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(clock) = clock {
            clock.block_on(wait(first, listening));
        }
    });
    // A thread that ended has dropped its side.
    let _ = begun.recv();
    &STOP
}

/// Goes on only if no signal is ending the process: who is killed with it looks like one that
/// crashed, and nobody is to be told so.
pub fn go_on_unless_ending() {
    while ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

async fn wait(first: First, listening: Sender<()>) {
    let Ok(mut signals) = Signals::new() else { return };
    // Who called this waits for it, and for nothing else.
    let _ = listening.send(());
    signals.next().await;
    if first == First::Asks {
        STOP.store(true, Ordering::SeqCst);
        output::say("\nstopping; what is done will be reported (once more ends it at once)\n");
        let over = tokio::time::Instant::now() + ONCE;
        while tokio::time::timeout_at(over, signals.next()).await.is_ok() {}
        signals.next().await;
    }
    ENDING.store(true, Ordering::SeqCst);
    tacit_suite::kill_all();
    std::process::exit(i32::from(Exit::Interrupted.code()));
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// Nothing where the caller wants it to pass unnoticed.
    hang_up: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: if hang_up_is_ignored() { None } else { Some(signal(SignalKind::hangup())?) },
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = received(self.hang_up.as_mut()) => {}
        }
    }
}

#[cfg(unix)]
async fn received(signal: Option<&mut tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Whether `SIGHUP` is ignored, as `nohup` sees to it: listening would undo that.
///
/// A process cannot ask that of itself by safe means, but a child inherits it, and a shell can
/// neither trap nor feel a signal that was ignored when it began. If there is no answer, nothing
/// is changed.
#[cfg(unix)]
fn hang_up_is_ignored() -> bool {
    use std::process::{Command, Stdio};
    const FELT: i32 = 7;
    let script = format!("trap 'exit {FELT}' HUP; kill -HUP $$; exit 0");
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.status().map_or(true, |status| status.code() != Some(FELT))
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[allow(clippy::unnecessary_wraps, reason = "on Unix it may fail")]
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        // An error means that no signal will ever come.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
