//! A connection that closes on a client which does not read.
//!
//! An answer that nobody takes keeps its connection, its memory, and perhaps a job that waits to send more. So a client has some
//! patience of the server to spend on not reading, and earns it back with what it reads.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// A client that reads fewer bytes a second than this spends its patience.
const SLOWEST: u32 = 4 << 10;

/// A stream whose writes fail once the other side has read nothing, or too little, for too long.
#[derive(Debug)]
pub(crate) struct PatientStream<S> {
    stream: S,
    most: Duration,
    /// How long writes may still wait.
    patience: Duration,
    /// When the write that waits began to, and when it fails.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<S> PatientStream<S> {
    pub(crate) fn new(stream: S, most: Duration) -> PatientStream<S> {
        PatientStream { stream, most, patience: most, waiting: None }
    }

    /// Counts the time that a write waits; `written` is what came of it.
    fn counted<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
        bytes: impl FnOnce(&T) -> usize,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(written) = written {
            if let Some((began, _)) = self.waiting.take() {
                self.patience = self.patience.saturating_sub(began.elapsed());
            }
            let earned = written.as_ref().map_or(0, bytes);
            let earned = Duration::from_secs(1) * u32::try_from(earned).unwrap_or(u32::MAX) / SLOWEST;
            self.patience = self.patience.saturating_add(earned).min(self.most);
            return Poll::Ready(written);
        }
        let (_, end) = self.waiting.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(sleep_until(now + self.patience)))
        });
        ready!(end.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PatientStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PatientStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.counted(context, written, |bytes| *bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.counted(context, written, |bytes| *bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// Returns whether 64 KiB reach a client that reads some bytes after each pause.
    fn reaches(pause: Duration, bytes: usize) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (server, mut client) = tokio::io::duplex(1 << 10);
            let reader = tokio::spawn(async move {
                let mut buffer = vec![0; bytes];
                loop {
                    tokio::time::sleep(pause).await;
                    if !client.read(&mut buffer).await.is_ok_and(|read| read > 0) {
                        break;
                    }
                }
            });
            let mut stream = PatientStream::new(server, Duration::from_millis(300));
            let written = stream.write_all(&vec![0; 64 << 10]).await;
            reader.abort();
            written.is_ok()
        })
    }

    #[test]
    fn a_client_must_read() {
        assert!(reaches(Duration::from_millis(1), 1 << 10));
        assert!(!reaches(Duration::from_hours(1), 1 << 10), "it reads nothing");
        assert!(!reaches(Duration::from_millis(10), 1), "it reads a byte at a time");
    }
}
