//! A local web application that reads, explains and annotates web pages, and interfaces that other programs speak.
//!
//! [`Server::bind`] opens the socket, [`Server::run`] answers until it is told to stop. [`mcp_on_stdio`] offers the same tools to
//! one program on standard input and output. Nothing here prints or reads the environment.
//!
//! Whatever the web sends is hostile. Pages are fetched by [`tsugi_fetch`] with the caller's options (guard, robots, pace,
//! limits). What a browser is shown of them is written by our own writers, under a policy that runs and requests nothing.
//!
//! ```text
//! request → door (Host, Origin, token, limits) → api | read | feeds | mcp | static files → work (a thread a job) → tsugi
//! ```

mod agreement;
mod annotate;
mod annotation;
mod api;
mod app;
mod articles;
mod door;
mod error;
mod explain;
mod feed;
mod feed_out;
mod frame;
mod given;
mod history;
mod mcp;
mod openapi;
mod read;
mod server;
mod sets;
mod token;
mod web;
mod work;

pub use app::ServeOptions;
pub use mcp::mcp_on_stdio;
pub use server::{ServeError, Server};
pub use token::Token;
