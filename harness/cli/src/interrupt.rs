//! Ctrl-C and `SIGTERM`.

use std::sync::atomic::{AtomicBool, Ordering};

use tacit_suite::Exit;

use crate::output;

/// Whether the user asked to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// What the first signal does; a second one always ends the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// It asks the run to stop and to report what is done.
    Asks,
    /// It ends the process: nothing is lost by that.
    Ends,
}

/// Listens for signals, on a thread of its own, and gives what tells that one came.
///
/// Where that cannot be set up, a signal ends the process as it always does.
pub fn listen(first: First) -> &'static AtomicBool {
    let listener = std::thread::Builder::new().name("signals".to_owned());
    // Without the thread the default of the system stays in force.
    let _ = listener.spawn(move || {
        let clock = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(clock) = clock {
            clock.block_on(wait(first));
        }
    });
    &STOP
}

async fn wait(first: First) {
    let Ok(mut signals) = Signals::new() else { return };
    signals.next().await;
    if first == First::Asks {
        STOP.store(true, Ordering::SeqCst);
        output::say("\nstopping; what is done will be reported (once more ends it at once)\n");
        signals.next().await;
    }
    tacit_suite::kill_all();
    std::process::exit(i32::from(Exit::Interrupted.code()));
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
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
