//! When connections are made.

use crate::locked::locked;
use std::error::Error;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tower_service::Service;

/// When a client was last done with connecting, whether or not that succeeded.
///
/// A request leaves once its connection stands, which may take longer than a whole delay between requests.
#[derive(Debug, Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Option<Instant>>>);

impl Connections {
    /// Returns the time of the last connection to any host.
    pub(super) fn last(&self) -> Option<Instant> {
        *locked(&self.0)
    }

    /// Watches a connector, and gives it at most `limit` for a connection, from looking the name up to agreeing on TLS.
    pub(super) fn watch<S>(&self, connector: S, limit: Duration) -> Watched<S> {
        Watched { connector, limit, connections: self.clone() }
    }
}

/// Connecting took too long.
#[derive(Debug, thiserror::Error)]
#[error("no connection within {} s", .0.as_secs_f64())]
pub(super) struct ConnectTimeout(Duration);

#[derive(Debug, Clone)]
pub(super) struct Watched<S> {
    connector: S,
    limit: Duration,
    connections: Connections,
}

impl<S, R> Service<R> for Watched<S>
where
    S: Service<R, Error: Into<Box<dyn Error + Send + Sync>>, Future: Send + 'static>,
{
    type Response = S::Response;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.connector.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: R) -> Self::Future {
        let (connecting, limit, connections) =
            (self.connector.call(to), self.limit, self.connections.clone());
        Box::pin(async move {
            let connected = tokio::time::timeout(limit, connecting).await;
            *locked(&connections.0) = Some(Instant::now());
            connected.map_err(|_| ConnectTimeout(limit))?.map_err(Into::into)
        })
    }
}
