//! Why an expression cannot be used, and how large one may be.

/// Longest expression, in bytes.
pub(super) const MAX_LENGTH: usize = 4 * 1024;

/// How deep groups may nest; reading, compiling and dropping recurse.
pub(super) const MAX_NESTING: usize = 100;

/// Why an expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is longer than we read.
    #[error("an expression of {0} bytes; at most {MAX_LENGTH} are read")]
    TooLong(usize),
    /// It is no regular expression.
    #[error("at byte {at}: {reason}")]
    Syntax {
        /// Where, in bytes from the start of the expression.
        at: usize,
        /// What is wrong there.
        reason: &'static str,
    },
    /// Its groups nest too deep.
    #[error("at byte {at}: groups nest deeper than {}", MAX_NESTING)]
    TooDeep {
        /// Where the limit is passed, in bytes.
        at: usize,
    },
    /// Its counted repetition, written out, is too large a program.
    #[error("repetition makes it too large")]
    TooLarge,
    /// It is one, but not for the engine that is to run it.
    #[error("the engine cannot run it: {0}")]
    Unsupported(String),
}

impl PatternError {
    /// Returns the place in the expression that is wrong, in bytes, where one place is.
    pub fn at(&self) -> Option<usize> {
        match self {
            PatternError::Syntax { at, .. } | PatternError::TooDeep { at } => Some(*at),
            PatternError::TooLong(_) | PatternError::TooLarge | PatternError::Unsupported(_) => None,
        }
    }
}
