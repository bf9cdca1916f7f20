//! The native part of the Python package `tsugi`.
//!
//! Rust returns plain values, and `python/tsugi` has the public classes: types, defaults, documentation and pickling are
//! Python's strengths, and Python's tools read them. So nothing here has a default. A native object keeps the tree of a page
//! or a document, for formats that are asked for later. Pickling asks for all of them first.
//!
//! Everything that takes longer than a few microseconds runs without Python's lock. Names of Rust types have a prefix;
//! Python sees them without it.
//!
//! The wheel is one for all versions of Python from 3.11 (`abi3`). It has the command as a function `run_command`, because a
//! wheel holds either a native module or programs.

#![expect(clippy::needless_pass_by_value, reason = "what comes from Python is owned")]

mod engine;
mod errors;
mod fetch;
mod joined;
mod looked;
mod sources;
mod warc;

use pyo3::prelude::*;
use std::ffi::OsString;

/// The functions and classes of `tsugi._tsugi`.
#[pymodule]
mod _tsugi {
    use super::{PyResult, Python, command};
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::engine::PyEngine;
    #[pymodule_export]
    use crate::joined::{PyDocument, PyFollowing};
    #[pymodule_export]
    use crate::looked::PyLook;
    #[pymodule_export]
    use crate::sources::{PyArchive, PyFiles, PyHttp};
    #[pymodule_export]
    use crate::warc::PyRecords;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Runs the command; returns its exit code.
    #[pyfunction]
    fn run_command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        command(py, arguments)
    }

    /// Returns the key of a page's address. Addresses with equal keys name the same page.
    #[pyfunction]
    fn page_key(url: &str) -> PyResult<String> {
        Ok(tsugi::page::address::page_key(&crate::errors::url(url)?))
    }

    /// Returns the key of an address's host. Chains of next links never leave their host.
    #[pyfunction]
    fn host_key(url: &str) -> PyResult<String> {
        Ok(tsugi::page::address::host_key(&crate::errors::url(url)?))
    }
}

fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| tsugi_cli::run(arguments))
}
