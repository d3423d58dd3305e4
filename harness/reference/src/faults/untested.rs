//! Faults that were seen in the field and that no session of the harness can show.

/// A fault that is known and not tested.
#[derive(Debug, Clone, Copy)]
pub struct Untested {
    /// What it is called.
    pub key: &'static str,
    /// The public reports in which it was seen, as `owner/name #number`.
    pub seen_in: &'static [&'static str],
    /// What the runtime does.
    pub behaviour: &'static str,
    /// Why it is not tested.
    pub reason: &'static str,
}

/// Every known fault that is not tested.
pub const UNTESTED: &[Untested] = &[
    Untested {
        key: "removal-delayed-to-next-prompt",
        seen_in: &["mark3labs/kit #76", "osaurus-ai/osaurus PR #1725"],
        behaviour: "A plugin's tool that goes while a prompt runs is sent until the prompt ends.",
        reason: "the contract lets plugins change between prompts only",
    },
    Untested {
        key: "cap-without-hint",
        seen_in: &["Hmbown/Codewhale #2339", "openai/codex #21503"],
        behaviour: "A search with more than four matches does not say that there were more.",
        reason: "no clause asks for it",
    },
    Untested {
        key: "loader-missing-in-subagent",
        seen_in: &[
            "anthropics/claude-code #90085",
            "paperclipai/paperclip #111",
            "zeroclaw-labs/zeroclaw #8193",
        ],
        behaviour: "A subagent is told of deferred tools and not given the search tool.",
        reason: "the adapter protocol has no subagents; one that has them tests each as a session",
    },
    Untested {
        key: "loader-exempt-from-limits",
        seen_in: &["NousResearch/hermes-agent #96247", "nearai/ironclaw #7892"],
        behaviour: "Searches do not count towards a prompt's limit of steps.",
        reason: "limits of steps are the runtime's own",
    },
    Untested {
        key: "accounting-counts-deferred",
        seen_in: &["omnara-ai/omnara PR #535", "Dicklesworthstone/pi_agent_rust PR #168"],
        behaviour: "The estimate of a request's size counts schemas that are not sent, so that a \
                    short session is compacted.",
        reason: "the estimate is inside the runtime",
    },
    Untested {
        key: "activated-tools-serialised",
        seen_in: &["NousResearch/hermes-agent PR #92693"],
        behaviour: "Once something was activated, the calls of a batch run one after the other.",
        reason: "the contract does not say how a batch is run",
    },
];

/// The known fault of that key that is not tested.
#[must_use]
pub fn find(key: &str) -> Option<&'static Untested> {
    UNTESTED.iter().find(|fault| fault.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_tested_has_no_switch() {
        for fault in UNTESTED {
            assert!(super::super::find(fault.key).is_none(), "{} has one", fault.key);
        }
    }
}
