//! Pages that a browser draws, seen from outside: sites of our own on the loopback interface, each with one way to hide its pages.
//!
//! They need a Chromium, so they run by `scripts/render-tests`, not with the other tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod bounds;
mod guard;
mod processes;
mod records;
mod served;
mod sites;
mod support;
