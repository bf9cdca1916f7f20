//! The socket, the routes, and the end.

use crate::app::{App, ServeOptions, Shared};
use crate::articles::Articles;
use crate::frame::{self, Frames};
use crate::history::History;
use crate::sets::Sets;
use crate::work::Work;
use crate::{annotate, api, door, explain, feed, mcp, openapi, read, web};
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::{Router, middleware};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tower::limit::GlobalConcurrencyLimitLayer;
use tsugi::{FetchError, Http};

/// Requests that are answered at the same time; others wait.
const REQUESTS: usize = 1_024;

/// How long the end waits for answers under way.
const FAREWELL: Duration = Duration::from_secs(5);

/// How often to look whether the server is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What failed.
        source: io::Error,
    },
    /// The folder for data cannot be used.
    #[error("cannot use the folder `{}`", path.display())]
    Data {
        /// The folder.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// Pages cannot be fetched.
    #[error(transparent)]
    Http(#[from] FetchError),
    /// The system refuses threads or sockets.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    app: Shared,
}

impl Server {
    /// Opens the socket.
    ///
    /// # Errors
    ///
    /// [`ServeError`] if the socket, the folder for data or the client cannot be opened.
    pub fn bind(options: ServeOptions) -> Result<Server, ServeError> {
        let ServeOptions { listen: address, hosts, data, token, http, tsugi } = options;
        let unusable = |source| ServeError::Data { path: data.clone(), source };
        let history = History::open(&data.join("history")).map_err(unusable)?;
        let sets = Sets::open(&data.join("sets")).map_err(unusable)?;
        let http = Arc::new(Http::new(http)?);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind(address));
        let listener = listener.map_err(|source| ServeError::Listen { address, source })?;
        let app = App {
            tsugi: Arc::new(tsugi),
            http,
            work: Work::new(),
            history,
            articles: Articles::default(),
            sets,
            frames: Frames::default(),
            token,
            hosts,
            is_open: !address.ip().is_loopback(),
        };
        Ok(Server { runtime, listener, app: Arc::new(app) })
    }

    /// Returns the address that the server listens on.
    ///
    /// # Errors
    ///
    /// That of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until `stops` returns `true`. Then nothing new is accepted, work is cancelled, and answers under way
    /// get a few seconds.
    ///
    /// # Errors
    ///
    /// That of the system.
    pub fn run(self, stops: impl Fn() -> bool + Send + 'static) -> io::Result<()> {
        let Server { runtime, listener, app } = self;
        let routes = routes(&app);
        let served = runtime.block_on(async move {
            let stopped = async move {
                while !stops() {
                    tokio::time::sleep(LOOK).await;
                }
                app.work.stop();
            };
            let (told, hears) = tokio::sync::oneshot::channel();
            let graceful = async move {
                stopped.await;
                // The receiver lives as long as the server.
                let _ = told.send(());
            };
            let serving = axum::serve(listener, routes).with_graceful_shutdown(graceful);
            let out_of_time = async move {
                let _ = hears.await;
                tokio::time::sleep(FAREWELL).await;
            };
            tokio::select! {
                served = serving => served,
                () = out_of_time => Ok(()),
            }
        });
        // Threads that wait for a site are not waited for.
        runtime.shutdown_background();
        served
    }
}

fn routes(app: &Shared) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/openapi.json", get(openapi::document))
        .route("/api/join", get(api::join).post(api::join_given))
        .route("/api/extract", get(api::extract).post(api::extract_given))
        .route("/api/next", get(api::next).post(api::next_given))
        .route("/api/read", post(read::read))
        .route("/api/history", get(read::history))
        .route("/api/history/{id}", get(read::document).delete(read::forget))
        .route("/api/history/{id}/file", get(read::download))
        .route("/api/image", get(read::image))
        .route("/api/explain", post(explain::explain))
        .route("/api/sets", get(annotate::sets))
        .route("/api/sets/{set}", get(annotate::queue))
        .route("/api/sets/{set}", post(annotate::create).layer(DefaultBodyLimit::max(door::MAX_ARCHIVE)))
        .route("/api/sets/{set}/page", post(annotate::page))
        .route("/api/sets/{set}/labels", post(annotate::save))
        .route("/api/sets/{set}/agreement", get(annotate::agreement))
        .route("/api/sets/{set}/rule", post(annotate::learn_site))
        .route("/frame/{name}", get(frame::frame))
        .route("/makefulltextfeed.php", get(feed::full_text_feed))
        .route("/extract.php", get(feed::extract))
        .route_service("/mcp", mcp::over_http(app))
        .merge(web::routes())
        .layer(DefaultBodyLimit::max(door::MAX_BODY))
        .layer(GlobalConcurrencyLimitLayer::new(REQUESTS))
        .layer(middleware::from_fn_with_state(Arc::clone(app), door::guard))
        .with_state(Arc::clone(app))
}
