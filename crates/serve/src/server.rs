//! The socket, the routes, and the end.

use crate::annotate;
use crate::annotate::sets::Sets;
use crate::api::DocumentTask;
use crate::app::{App, ServeOptions, SharedApp};
use crate::articles::Articles;
use crate::frame::{self, Frames};
use crate::history::ReadingHistory;
use crate::patient::PatientStream;
use crate::room::MemoryRoom;
use crate::work::JobQueue;
use crate::{api, door, explain, feed, mcp, read, stream, web};
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use tsugi::{FetchError, Http};

/// The most requests that are answered at the same time. Others wait.
const REQUESTS: usize = 1_024;

/// Time limit for the head of a request, from the connection or the previous answer.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// Time limit for silence within a body.
const BODY_TIME: Duration = Duration::from_secs(30);

/// How long a client may read nothing of an answer.
const ANSWER_TIME: Duration = Duration::from_mins(1);

/// How patient a server is with its clients.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// Time limit for the head of a request, and for the silence between two.
    head: Duration,
    /// How long a client may read nothing of an answer.
    answer: Duration,
}

/// How long a stopped server waits for answers under way.
const FAREWELL: Duration = Duration::from_secs(5);

/// How often the server checks whether to stop.
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
        /// The error of the system.
        source: io::Error,
    },
    /// The folder for data cannot be used.
    #[error("cannot use the folder `{}`", path.display())]
    Data {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
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
    app: SharedApp,
}

impl Server {
    /// Opens the socket.
    ///
    /// # Errors
    ///
    /// [`ServeError`] if the socket, the folder for data or the client cannot be opened.
    pub fn bind(options: ServeOptions) -> Result<Server, ServeError> {
        let ServeOptions { listen: address, hosts, data, token, http, browser, tsugi, log } = options;
        let unusable = |source| ServeError::Data { path: data.clone(), source };
        let history = ReadingHistory::open(&data.join("history")).map_err(unusable)?;
        let sets = Sets::open(&data.join("sets")).map_err(unusable)?;
        let http = Arc::new(Http::new(http)?);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind(address));
        let listener = listener.map_err(|source| ServeError::Listen { address, source })?;
        let app = App {
            tsugi: Arc::new(tsugi),
            http,
            browser,
            jobs: JobQueue::new(),
            room: MemoryRoom::new(),
            history,
            articles: Articles::default(),
            sets,
            frames: Frames::default(),
            token,
            hosts,
            log,
            is_open: !address.ip().is_loopback(),
        };
        Ok(Server { runtime, listener, app: Arc::new(app) })
    }

    /// Returns the address that the server listens on.
    ///
    /// # Errors
    ///
    /// If the system does not tell the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until `stops` returns `true`. Then the server accepts no connections, cancels its work, and gives
    /// answers under way a few seconds.
    pub fn run(self, stops: impl Fn() -> bool + Send + 'static) {
        let Server { runtime, listener, app } = self;
        let routes = routes(&app);
        let stopped = async move {
            while !stops() {
                tokio::time::sleep(LOOK).await;
            }
            app.jobs.stop();
        };
        let patience = Patience { head: HEAD_TIME, answer: ANSWER_TIME };
        runtime.block_on(serve(listener, routes, patience, stopped));
        // Threads that wait for a site may take minutes. They end with the program.
        runtime.shutdown_background();
    }
}

/// Answers requests of all connections until `stopped` is ready. A connection is closed if its client sends or reads too
/// slowly, so that many of them do not block the others.
async fn serve(listener: TcpListener, routes: Router, patience: Patience, stopped: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience.head);
    let open = GracefulShutdown::new();
    let mut stopped = pin!(stopped);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stopped => break,
        };
        let Ok((stream, _)) = accepted else {
            // The client has gone already, or the system has no more sockets.
            tokio::time::sleep(LOOK).await;
            continue;
        };
        let service = TowerToHyperService::new(routes.clone());
        let stream = TokioIo::new(PatientStream::new(stream, patience.answer));
        let connection = open.watch(http.serve_connection(stream, service));
        // Errors of a connection concern its client alone.
        tokio::spawn(async move { drop(connection.await) });
    }
    drop(listener);
    tokio::select! {
        () = open.shutdown() => {}
        () = tokio::time::sleep(FAREWELL) => {}
    }
}

fn routes(app: &SharedApp) -> Router {
    Router::new()
        .route("/health", get(|| async { "ok\n" }))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/api/join", api::documents(DocumentTask::Join))
        .route("/api/extract", api::documents(DocumentTask::Extract))
        .route("/api/next", get(api::next).post(api::next_given))
        .route("/api/pages", get(stream::pages))
        .route("/api/batch", post(stream::batch))
        .route("/api/read", post(read::read))
        .route("/api/history", get(read::history))
        .route("/api/history/at", get(read::at_address))
        .route("/api/history/{id}/mark", post(read::mark))
        .route("/api/history/{id}", get(read::document).delete(read::forget))
        .route("/api/history/{id}/file", get(read::download))
        .route("/api/image", get(read::image))
        .route("/api/explain", post(explain::explain))
        .route("/frame/{name}", get(frame::frame))
        .route("/makefulltextfeed.php", get(feed::full_text_feed))
        .route("/extract.php", get(feed::extract))
        .route_service("/mcp", mcp::over_http(app))
        .merge(annotate::routes())
        .merge(web::routes())
        .layer(DefaultBodyLimit::max(door::MAX_BODY))
        .layer(RequestBodyTimeoutLayer::new(BODY_TIME))
        .layer(GlobalConcurrencyLimitLayer::new(REQUESTS))
        .layer(middleware::from_fn_with_state(Arc::clone(app), door::guard))
        .with_state(Arc::clone(app))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use std::pin::Pin;
    use std::sync::Mutex;
    use std::task::{Context, Poll};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    const PATIENCE: Patience =
        Patience { head: Duration::from_millis(300), answer: Duration::from_millis(300) };

    /// Returns the answers of a server of one page to connections that send some bytes and then wait.
    fn answers(sent: [&'static str; 3]) -> io::Result<[String; 3]> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            let address = listener.local_addr()?;
            let routes = Router::new().route("/", get(|| async { "here" }));
            let (told, hears) = tokio::sync::oneshot::channel::<()>();
            let stopped = async move { drop(hears.await) };
            let server = tokio::spawn(serve(listener, routes, PATIENCE, stopped));
            let mut connections = Vec::new();
            for bytes in sent {
                let mut stream = TcpStream::connect(address).await?;
                stream.write_all(bytes.as_bytes()).await?;
                connections.push(stream);
            }
            let mut answers = [const { String::new() }; 3];
            for (stream, answer) in connections.iter_mut().zip(&mut answers) {
                // Ends when the server closes the connection.
                stream.read_to_string(answer).await?;
            }
            drop(told);
            server.await?;
            Ok(answers)
        })
    }

    #[test]
    fn connections_that_send_no_whole_head_are_closed() -> io::Result<()> {
        let [slow, silent, whole] =
            answers(["GET / HTTP/1.1\r\nHost: a.te", "", "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"])?;
        assert!(!slow.contains("here"), "{slow}");
        assert_eq!(silent, "");
        assert!(whole.ends_with("here"), "{whole}");
        Ok(())
    }

    /// A body without end that tells when it is dropped.
    struct Endless(Option<tokio::sync::oneshot::Sender<()>>);

    impl futures_core::Stream for Endless {
        type Item = io::Result<axum::body::Bytes>;

        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Ready(Some(Ok(axum::body::Bytes::from_static(&[b'x'; 1 << 12]))))
        }
    }

    impl Drop for Endless {
        fn drop(&mut self) {
            // Nobody may listen any more.
            let _ = self.0.take().map(|tell| tell.send(()));
        }
    }

    #[test]
    fn a_client_that_does_not_read_is_closed() -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            let address = listener.local_addr()?;
            let (tell, dropped) = tokio::sync::oneshot::channel::<()>();
            let body = Arc::new(Mutex::new(Some(Endless(Some(tell)))));
            let answer = move || async move { body.lock().unwrap().take().map(Body::from_stream) };
            let routes = Router::new().route("/", get(|| async { answer().await.unwrap() }));
            let server = tokio::spawn(serve(listener, routes, PATIENCE, std::future::pending()));
            let mut stream = TcpStream::connect(address).await?;
            stream.write_all(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n").await?;
            let ended = tokio::time::timeout(Duration::from_mins(1), dropped).await;
            assert!(ended.is_ok(), "the answer is written for ever");
            server.abort();
            Ok(())
        })
    }
}
