//! Errors in expressions, and limits on their size.

/// Longest expression, in bytes.
pub(super) const MAX_LENGTH: usize = 4 * 1024;
/// Deepest nesting of groups; parsing, compiling and dropping recurse.
pub(super) const MAX_NESTING: usize = 100;

/// Why an expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is too long.
    #[error("expression of {0} bytes; the limit is {MAX_LENGTH}")]
    TooLong(usize),
    /// It is not a regular expression.
    #[error("at byte {at}: {reason}")]
    Syntax {
        /// Position in the expression, in bytes.
        at: usize,
        /// What is wrong there.
        reason: &'static str,
    },
    /// Its groups nest too deep.
    #[error("at byte {at}: groups nest deeper than {}", MAX_NESTING)]
    TooDeep {
        /// Position of the first group beyond the limit, in bytes.
        at: usize,
    },
    /// Its repetitions, expanded, are too large.
    #[error("expression too large when its repetitions are expanded")]
    TooLarge,
}

impl PatternError {
    /// Returns the position of the fault, in bytes, if it has one.
    pub fn at(&self) -> Option<usize> {
        match self {
            PatternError::Syntax { at, .. } | PatternError::TooDeep { at } => Some(*at),
            PatternError::TooLong(_) | PatternError::TooLarge => None,
        }
    }
}
