//! What fetching is: an address in, a page's bytes out, or why not.

use crate::error::FetchError;
use std::sync::Arc;
use tsugi_page::{Response, Url};

/// Gets pages.
///
/// The answer is a page: a status other than 2xx and a body that is no HTML are errors. Several threads may ask at
/// the same time.
pub trait Fetch: Sync {
    /// Gets the page at an address, redirects followed.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`]; what was asked for is not there, is no page, or cannot be read.
    fn fetch(&self, url: &Url) -> Result<Response, FetchError>;
}

impl<F: Fetch + ?Sized> Fetch for &F {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        (**self).fetch(url)
    }
}

impl<F: Fetch + ?Sized> Fetch for Box<F> {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        (**self).fetch(url)
    }
}

impl<F: Fetch + Send + ?Sized> Fetch for Arc<F> {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        (**self).fetch(url)
    }
}

/// Gets the images that pages show.
///
/// The answer is an image: a status other than 2xx and what is no JPEG, PNG, GIF or WebP are errors. Several threads
/// may ask at the same time.
pub trait FetchImage: Sync {
    /// Gets the image at an address, redirects followed.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`]; what was asked for is not there, is no image, or cannot be read.
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError>;
}
