//! The command from outside: arguments in; stdout, stderr, files and exit codes out.
//!
//! What is asserted of the shipped models is that they carry the small data sets, never their scores.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod bad_input;
mod batch;
#[cfg(unix)] // the examples are for `sh`
mod docs;
mod epub;
mod explain;
mod extract;
mod help;
mod interrupt;
mod join;
mod join_all;
mod lab;
mod layers;
mod learn;
mod output;
mod save;
mod scan;
mod scripted;
mod serve;
mod settings;
mod siteinfo;
// Elsewhere the folder for data of the user is not the environment's to name.
#[cfg(all(unix, not(target_os = "macos")))]
mod siteinfo_update;
mod support;
mod time;
mod trust;
mod ways_out;
mod web;
