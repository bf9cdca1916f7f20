//! Joining and writing, seen from outside.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod epub;
mod notes;
mod parts;
mod shelf;
mod shown;
mod stitch;
mod write;
