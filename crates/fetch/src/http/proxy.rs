//! Connections through a proxy.

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::client::proxy::matcher::Matcher;
use std::error::Error;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

/// Connects to where a request goes through the proxies of the environment: for https to the host itself, through a
/// tunnel; for http to the proxy, which is sent the whole address.
#[derive(Debug, Clone)]
pub(super) struct ThroughProxy<C> {
    pub(super) proxies: Arc<Matcher>,
    /// Connects to proxies.
    pub(super) connector: C,
}

impl<C> Service<http::Uri> for ThroughProxy<C>
where
    C: Service<http::Uri, Error: Into<Box<dyn Error + Send + Sync>>> + Clone + Send + 'static,
    C::Response: Read + Write + Unpin + Send + 'static,
    C::Future: Send + 'static,
{
    type Response = Stream<C::Response>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.connector.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: http::Uri) -> Self::Future {
        let mut connector = self.connector.clone();
        let proxy = self.proxies.intercept(&to);
        Box::pin(async move {
            let Some(proxy) = proxy else {
                let stream = connector.call(to).await.map_err(Into::into)?;
                return Ok(Stream { stream, takes_whole_addresses: false });
            };
            let scheme = proxy.uri().scheme_str().unwrap_or_default();
            if !matches!(scheme, "http" | "https") {
                return Err(format!("proxies of scheme `{scheme}` are not supported").into());
            }
            if to.scheme_str() == Some("https") {
                let mut tunnel = Tunnel::new(proxy.uri().clone(), connector);
                if let Some(password) = proxy.basic_auth() {
                    tunnel = tunnel.with_auth(password.clone());
                }
                Ok(Stream { stream: tunnel.call(to).await?, takes_whole_addresses: false })
            } else {
                let stream = connector.call(proxy.uri().clone()).await.map_err(Into::into)?;
                Ok(Stream { stream, takes_whole_addresses: true })
            }
        })
    }
}

/// A connection that knows whether a proxy reads the requests.
#[derive(Debug)]
pub(super) struct Stream<S> {
    stream: S,
    takes_whole_addresses: bool,
}

impl<S: Connection> Connection for Stream<S> {
    fn connected(&self) -> Connected {
        self.stream.connected().proxy(self.takes_whole_addresses)
    }
}

impl<S: Read + Unpin> Read for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: Write + Unpin> Write for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }
}
