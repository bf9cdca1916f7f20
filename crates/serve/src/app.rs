//! What all requests share.

use crate::articles::Articles;
use crate::error::Problem;
use crate::frame::Frames;
use crate::given::{GivenPage, Start};
use crate::history::History;
use crate::sets::{Name, Sets};
use crate::token::Token;
use crate::work::Work;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tsugi::{Http, HttpOptions, Tsugi};

/// What a server needs to know.
#[derive(Debug)]
pub struct ServeOptions {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Names of this machine, besides `localhost`, by which clients may ask.
    pub hosts: Vec<String>,
    /// The folder for what was read and annotated. It is created if it is missing.
    pub data: PathBuf,
    /// The secret that allows writing.
    pub token: Token,
    /// How pages are fetched.
    pub http: HttpOptions,
    /// The models and the rules.
    pub tsugi: Tsugi,
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) tsugi: Arc<Tsugi>,
    pub(crate) http: Arc<Http>,
    pub(crate) work: Work,
    pub(crate) history: History,
    pub(crate) articles: Articles,
    pub(crate) sets: Sets,
    pub(crate) frames: Frames,
    pub(crate) token: Token,
    pub(crate) hosts: Vec<String>,
    /// Whether others than the programs of this machine can connect. Then reading needs the token as well.
    pub(crate) is_open: bool,
}

/// The state of every handler.
pub(crate) type Shared = Arc<App>;

impl App {
    /// Reads where a document begins, and where its pages come from.
    pub(crate) fn start(&self, given: GivenPage) -> Result<Start, Problem> {
        let archive = match &given.set {
            Some(set) => Some(self.sets.archive(&Name::read(set)?)?),
            None => None,
        };
        let start = Start::with(&self.tsugi, &self.http, given)?;
        Ok(match archive {
            Some(archive) => start.within(archive),
            None => start,
        })
    }
}
