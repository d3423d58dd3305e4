//! What is sent in place of a request that failed.

use crate::provider::Trouble;
use crate::session::Session;
use crate::switches::Switch;

/// Whether a request that is sent again is another than the one that failed.
pub(crate) fn retries_otherwise(session: &Session, trouble: &Trouble) -> bool {
    let faults = session.options.switches;
    faults.has(Switch::RetryDropsActivation)
        || faults.has(Switch::NativeRetryLoadsNothing)
        || faults.has(Switch::BrokenStreamDropsSet) && trouble.broke_off
        || faults.has(Switch::ServerErrorDropsSet) && trouble.status == Some(500)
}

/// Whether a request that is sent again holds only what is always sent.
pub(super) fn drops_the_set(session: &Session) -> bool {
    let faults = session.options.switches;
    // What loads nothing still lists what is active.
    !faults.has(Switch::NativeRetryLoadsNothing)
}

/// Whether an answer without any words is taken for none.
pub(crate) fn reruns_silence(session: &Session) -> bool {
    session.options.switches.has(Switch::SilentRerunDropsSet)
}
