//! Following, joining and writing, seen from outside.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod archive;
mod captures;
mod data;
mod epub;
mod fakes;
mod follow;
mod http;
mod http_cache;
mod http_guard;
mod http_keep;
mod http_polite;
mod server;
mod stitch;
mod store;
mod write;
