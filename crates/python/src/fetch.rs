//! Pages from Python, and answers for it.

use crate::errors;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use tsugi::fetch::checked_page;
use tsugi::pipeline::locked;
use tsugi::{FetchError, Response, Url};

/// How often a wait checks for Ctrl-C.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// A page from Python: (body, url, content type).
#[derive(Debug, FromPyObject)]
pub(crate) struct PyPage(Vec<u8>, String, Option<String>);

impl PyPage {
    /// Returns the response, which need not be a page.
    pub(crate) fn unchecked(self) -> PyResult<Response> {
        let PyPage(body, url, content_type) = self;
        Ok(Response { url: errors::url(&url)?, status: 200, content_type, link: None, body })
    }

    /// Returns the response; an exception if it is no page.
    pub(crate) fn response(self) -> PyResult<Response> {
        let response = self.unchecked()?;
        let url = response.url.clone();
        checked_page(response).map_err(|error| errors::fetch(&url, error))
    }
}

/// An answer for Python: (body, url, content type).
pub(crate) type PyAnswer<'py> = (Bound<'py, PyBytes>, String, Option<String>);

pub(crate) fn answer<'py>(
    py: Python<'py>,
    url: &Url,
    answer: Result<Response, FetchError>,
) -> PyResult<PyAnswer<'py>> {
    let Response { url, content_type, body, .. } = answer.map_err(|error| errors::fetch(url, error))?;
    Ok((PyBytes::new(py, &body), url.into(), content_type))
}

/// Runs a slow job on a thread of its own, without Python's lock, so that Ctrl-C ends the wait for it.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    job: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = mpsc::sync_channel(1);
    let work = move || {
        // After Ctrl-C nobody receives the result.
        let _ = send.send(job());
    };
    thread::Builder::new().spawn(work)?;
    // `detach` takes only what threads can share, and they cannot share a receiver.
    let receive = Mutex::new(receive);
    loop {
        match py.detach(|| locked(&receive).recv_timeout(LOOK)) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(PyOSError::new_err("the request failed")),
        }
    }
}
