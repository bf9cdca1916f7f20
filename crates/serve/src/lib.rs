//! A local web application that reads, explains and annotates web pages, and interfaces for other programs.
//!
//! [`Server::bind`] opens the socket, [`Server::run`] answers until the caller stops it. [`mcp_on_stdio`] offers the same
//! tools to one program on standard input and output. Nothing here prints or reads the environment.
//!
//! Pages of the web are hostile. [`tsugi::fetch`] fetches them with the caller's options (guard, robots, pace, limits). A
//! browser never gets their HTML: our own writers write what it shows, under a policy that runs and requests nothing.
//!
//! ```text
//! request → door (Host, Origin, token, limits) → api | read | feeds | mcp | annotate | files → work (a thread a job) → tsugi
//! ```

mod annotate;
mod api;
mod app;
mod articles;
mod browser;
mod door;
mod error;
mod explain;
mod feed;
mod feed_out;
mod folder;
mod frame;
mod given;
mod history;
mod links;
mod mcp;
mod patient;
mod read;
mod room;
mod server;
mod stdio;
mod stream;
mod token;
mod web;
mod words;
mod work;

pub use app::ServeOptions;
pub use browser::DrawPages;
pub use mcp::mcp_on_stdio;
pub use server::{ServeError, Server};
pub use token::AccessToken;
