//! Arguments of the commands that serve other programs.

use super::BrowserArguments;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use tsugi_terminal::arguments::{DetectorArguments, NetworkArguments};

/// Read, explain and annotate pages in a browser, and answer other programs
///
/// Prints the address to open; it ends with the token that allows writing. Programs of this machine alone can connect,
/// unless `--listen` names another address; then reading needs the token, too. Ctrl-C ends the server.
#[derive(Debug, Args)]
#[command(mut_arg("headers", |header| header.hide(true)))]
pub(crate) struct ServeArguments {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8420")]
    pub(crate) listen: SocketAddr,
    /// Keep what was read and annotated in this folder [default: nowhere, after the end]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Name by which clients may ask for this server; can be repeated
    ///
    /// Addresses and `localhost` are known. A name of a proxy or a container has to be given, because any name can be made
    /// to lead here.
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// Use the token in this file
    ///
    /// It has 16 or more letters, digits, `-` and `_`. Without this option, the token stays in `DIR/token`; without `--data`
    /// it is a new one each time.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

/// Offer joined articles to a language model (Model Context Protocol over stdio)
///
/// The tools are `read_article`, `next_page` and `find_in_article`. The program that uses them starts this command.
#[derive(Debug, Args)]
#[command(mut_arg("headers", |header| header.hide(true)))]
pub(crate) struct McpArguments {
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}
