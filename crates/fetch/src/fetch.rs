//! The traits of everything that can fetch: an address in, the bytes of a page or an image out.

use crate::error::FetchError;
use std::sync::Arc;
use tsugi_page::{Response, Url};

/// Fetches pages.
///
/// The answer is a page: a status other than 2xx, or a body that is not HTML, is an error. Several threads may fetch at
/// the same time.
pub trait Fetch: Sync {
    /// Fetches the page at an address, following redirects.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`] if the page is missing, is not a page, or cannot be read.
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

/// Fetches the images of pages.
///
/// The answer is an image: a status other than 2xx, or a body that is not a JPEG, PNG, GIF or WebP, is an error.
/// Several threads may fetch at the same time.
pub trait FetchImage: Sync {
    /// Fetches the image at an address, following redirects.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`] if the image is missing, is not an image, or cannot be read.
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError>;
}

impl<F: FetchImage + Send + ?Sized> FetchImage for Arc<F> {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        (**self).fetch_image(url)
    }
}
