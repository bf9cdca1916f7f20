//! The laboratory from outside: arguments in; stdout, stderr, files and exit codes out.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod bad_input;
mod blocks;
mod blocks_crf;
mod cards;
mod content;
mod continuation;
mod fetched;
mod judged;
mod label_train_evaluate;
mod support;
mod thesis;
mod updated;
