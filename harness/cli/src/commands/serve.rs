//! `tacit serve-reference`.

use std::io::ErrorKind;

use tacit_reference::ReferenceOptions;
use tacit_suite::Exit;

use crate::args::{ServeArgs, Speaks};
use crate::problem::Problem;
use crate::runtime;

/// Speaks a protocol for the reference, until it is shut down or the input ends.
pub fn serve(args: &ServeArgs) -> Result<(), Problem> {
    let switches = runtime::named_switches(args.fault.iter().map(String::as_str))?;
    let served =
        tokio::runtime::Builder::new_current_thread().enable_all().build().and_then(|clock| {
            let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
            let served = match args.protocol {
                Speaks::Adapter => {
                    clock.block_on(tacit_reference::serve(args.revision, switches, input, output))
                }
                Speaks::Nib => {
                    let options = ReferenceOptions { revision: args.revision, switches };
                    let sidecar =
                        tacit_reference::serve_sidecar(options, args.names, input, output);
                    clock.block_on(sidecar)
                }
            };
            // A read of the standard input cannot be called off: waiting for it would keep the
            // process until whoever holds the other end lets go.
            clock.shutdown_background();
            served
        });
    match served {
        // Nobody is there any more to be served.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            let problem = format!("failed to serve the protocol: {error}");
            Err(Problem::new(Exit::Unusable, problem))
        }
        Ok(()) => Ok(()),
    }
}
