//! The state that all requests share.

use crate::annotate::sets::{FolderName, Sets};
use crate::articles::Articles;
use crate::browser::DrawPages;
use crate::error::ApiError;
use crate::frame::Frames;
use crate::given::{GivenPage, JoinStart, PageSource};
use crate::history::ReadingHistory;
use crate::room::MemoryRoom;
use crate::token::AccessToken;
use crate::work::{Cancel, JobQueue};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tsugi::fetch::HttpOptions;
use tsugi::{Http, Tsugi};

/// The longest archive that is uploaded, in bytes.
pub(crate) const MAX_ARCHIVE: usize = 256 << 20;

/// The options of a server.
#[derive(Debug)]
pub struct ServeOptions {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Names of this machine besides `localhost`: allowed `Host` headers.
    pub hosts: Vec<String>,
    /// The folder for the history and for sets of labelled pages. It is created if it is missing.
    pub data: PathBuf,
    /// The secret that allows writing.
    pub token: AccessToken,
    /// How pages are fetched.
    pub http: HttpOptions,
    /// What draws pages that scripts draw. Without it such pages are read as they are answered.
    pub browser: Option<Arc<dyn DrawPages>>,
    /// The models and the rules.
    pub tsugi: Tsugi,
    /// Gets a line for each request: method, path, status and milliseconds.
    pub log: fn(&str),
}

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) tsugi: Arc<Tsugi>,
    pub(crate) http: Arc<Http>,
    pub(crate) browser: Option<Arc<dyn DrawPages>>,
    pub(crate) jobs: JobQueue,
    pub(crate) room: Arc<MemoryRoom>,
    pub(crate) history: ReadingHistory,
    pub(crate) articles: Articles,
    pub(crate) sets: Sets,
    pub(crate) frames: Frames,
    pub(crate) token: AccessToken,
    pub(crate) hosts: Vec<String>,
    pub(crate) log: fn(&str),
    /// Other machines can connect. Then reading needs the token as well.
    pub(crate) is_open: bool,
}

pub(crate) type SharedApp = Arc<App>;

impl App {
    pub(crate) fn start(&self, given: GivenPage) -> Result<JoinStart, ApiError> {
        let source = match &given.set {
            Some(set) => PageSource::Archive(Box::new(self.sets.archive(&FolderName::read(set)?)?)),
            None => PageSource::Web(Arc::clone(&self.http), self.browser.clone()),
        };
        JoinStart::new(&self.tsugi, &self.room, source, given)
    }

    /// Runs a slow job for a request; see [`JobQueue::run`].
    pub(crate) async fn run<T: Send + 'static>(
        self: Arc<App>,
        job: impl FnOnce(&App, &Cancel) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let app = Arc::clone(&self);
        self.jobs.run(move |cancel| job(&app, cancel)).await?
    }
}
