//! Rust's errors as exceptions of `tsugi.errors`.

use pyo3::prelude::*;
use pyo3::{PyTypeInfo, import_exception};
use std::error::Error;
use tsugi::fetch::chain;
use tsugi::{FetchError, Unavailable, Url};

import_exception!(tsugi.errors, TsugiError);
import_exception!(tsugi.errors, UrlError);
import_exception!(tsugi.errors, UnavailableError);
import_exception!(tsugi.errors, ArchiveError);
import_exception!(tsugi.errors, FileError);
import_exception!(tsugi.errors, ModelError);
import_exception!(tsugi.errors, RulesError);
import_exception!(tsugi.errors, OptionError);

/// Parses an absolute address. Drops fragment, user name and password.
pub(crate) fn url(text: &str) -> PyResult<Url> {
    let url: Url = text
        .trim()
        .parse()
        .map_err(|error| UrlError::new_err(format!("`{text}` is no absolute URL: {error}")))?;
    Ok(tsugi::page::address::without_userinfo(&tsugi::page::address::without_fragment(&url)))
}

/// Returns the exception for a page that cannot be fetched or read.
pub(crate) fn fetch(url: &Url, error: FetchError) -> PyErr {
    unavailable(&error.into_unavailable(url))
}

/// Returns the exception for a missing page.
pub(crate) fn unavailable(error: &Unavailable) -> PyErr {
    // A page in memory need not have an address.
    let message = error.to_string().replace("`about:blank`", "the page");
    UnavailableError::new_err((message, error.url.to_string(), error.kind.as_str().to_owned()))
}

/// Returns a function that turns an error into an exception of a type, with all of its causes.
pub(crate) fn because<T: PyTypeInfo, E: Error>(what: &str) -> impl Fn(E) -> PyErr + use<'_, T, E> {
    move |error| PyErr::new::<T, _>(format!("{what}: {}", chain(&error)))
}
