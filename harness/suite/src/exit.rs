//! Exit codes: what a script can rely on.

/// How a command ends, in words. Of several that apply, the first counts in the order
/// interrupted, own fault, usage, unusable runtime, does not conform, too little tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// No claimed `must` clause failed, ended in error or went unexercised.
    Conforms,
    /// A clause failed or ended in error, the runtime failed while it was tested, or a clause
    /// warned and warnings were to fail.
    DoesNotConform,
    /// The arguments, the configuration or a file that was named cannot be used.
    Usage,
    /// The runtime or its adapter could not be used.
    Unusable,
    /// A claimed `must` clause was not exercised, though nothing narrowed the run, or none of the
    /// clauses that were asked for can be judged.
    TooLittle,
    /// A fault of this program itself.
    OwnFault,
    /// The user stopped it; what was done is reported.
    Interrupted,
}

impl Exit {
    /// Of two ends the one that counts.
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let order = [
            Self::Interrupted,
            Self::OwnFault,
            Self::Usage,
            Self::Unusable,
            Self::DoesNotConform,
            Self::TooLittle,
        ];
        order.into_iter().find(|exit| [self, other].contains(exit)).unwrap_or(Self::Conforms)
    }

    /// The number that the process ends with.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Conforms => 0,
            Self::DoesNotConform => 1,
            Self::Usage => 2,
            Self::Unusable => 3,
            Self::TooLittle => 4,
            Self::OwnFault => 70,
            Self::Interrupted => 130,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worse_of_two_ends_counts() {
        assert_eq!(Exit::Conforms.worse(Exit::TooLittle), Exit::TooLittle);
        assert_eq!(Exit::Unusable.worse(Exit::DoesNotConform), Exit::Unusable);
        assert_eq!(Exit::Conforms.worse(Exit::Conforms), Exit::Conforms);
    }
}
