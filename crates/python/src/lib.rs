//! The native part of the Python package `tsugi`: what Python cannot do itself, in types that Python's own classes wrap.
//!
//! `python/tsugi` has the public classes, with types, documentation and defaults. Here is no default and no option twice.
//! Whatever takes longer than a few microseconds runs without Python's lock.

#![expect(clippy::needless_pass_by_value, reason = "what comes from Python is owned")]

mod engine;
mod errors;
mod fetch;
mod joined;
mod looked;
mod warc;

use pyo3::prelude::*;
use std::ffi::OsString;

/// The functions and classes of `tsugi._tsugi`.
#[pymodule]
mod _tsugi {
    use super::{PyResult, Python, command};
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::fetch::{Archive, Files, Http};
    #[pymodule_export]
    use crate::joined::{Following, Joined};
    #[pymodule_export]
    use crate::looked::Looked;
    #[pymodule_export]
    use crate::warc::Records;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Runs the command; returns its exit code.
    #[pyfunction]
    fn run_command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        command(py, arguments)
    }

    /// Returns what tells pages apart; two addresses with one key name one page.
    #[pyfunction]
    fn page_key(url: &str) -> PyResult<String> {
        Ok(tsugi_page::address::page_key(&crate::errors::url(url)?))
    }

    /// Returns what chains never leave.
    #[pyfunction]
    fn host_key(url: &str) -> PyResult<String> {
        Ok(tsugi_page::address::host_key(&crate::errors::url(url)?))
    }
}

fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| tsugi_cli::run(arguments))
}
