//! What the programs `tsugi` and `tsugi-lab` share: arguments, sources, output, progress, Ctrl-C, exit codes.
//!
//! This crate and the programs alone print, read the environment and the clock, and exit. Data goes to stdout, everything
//! else to stderr.

#![expect(clippy::missing_errors_doc, reason = "errors are messages for the user, whatever failed")]

pub mod arguments;
pub mod detection;
pub mod dump;
pub mod exit;
pub mod interrupt;
pub mod output;
pub mod program;
pub mod progress;
pub mod source;
mod version;
