//! When connections are made.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;
use tower_layer::Layer;
use tower_service::Service;

/// When a client was last done with connecting, whether or not that succeeded.
///
/// A request leaves once its connection stands, which may take longer than a whole delay between requests.
#[derive(Debug, Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Option<Instant>>>);

impl Connections {
    /// Returns the time of the last connection to any host.
    pub(super) fn last(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Layer<S> for Connections {
    type Service = Watched<S>;

    fn layer(&self, service: S) -> Watched<S> {
        Watched { service, connections: self.clone() }
    }
}

/// What makes the connections.
#[derive(Debug, Clone)]
pub(super) struct Watched<S> {
    service: S,
    connections: Connections,
}

impl<S, R> Service<R> for Watched<S>
where
    S: Service<R>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, to: R) -> Self::Future {
        let (connecting, connections) = (self.service.call(to), self.connections.clone());
        Box::pin(async move {
            let connected = connecting.await;
            *connections.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            connected
        })
    }
}
