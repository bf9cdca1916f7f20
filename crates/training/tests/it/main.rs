//! The shipped models, and an example.

#![expect(clippy::unwrap_used, reason = "a test says why it fails")]

mod examples;
mod first_look;
mod pairs;

use std::path::PathBuf;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}
