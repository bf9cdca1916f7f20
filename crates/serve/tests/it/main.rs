//! The server from outside, over sockets on the loopback interface.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod annotate;
mod api;
mod door;
mod explain;
mod feeds;
mod openapi;
mod read;
mod support;
