//! Pages that scripts draw.

use std::fmt::Debug;
use std::sync::Arc;
use tsugi::{Drawing, FetchError, Http, Response, Tsugi, Url, Way};

/// A browser of the caller, which draws pages and goes on in them.
pub trait DrawPages: Debug + Send + Sync {
    /// Returns which pages are wanted as it draws them.
    fn drawing(&self) -> Drawing;

    /// Remembers what an address answered, so that the browser need not ask for it again.
    fn remember(&self, asked: &Url, answer: &Response);

    /// Returns the page of an address as it is wanted. [`Way::Fetched`] is never asked for. Once `is_gone` is true, nobody waits.
    ///
    /// # Errors
    ///
    /// [`FetchError::NothingMore`] if nothing new comes by going on in the page, [`FetchError::Browser`] if the browser fails,
    /// [`FetchError::Unwanted`] if nobody waits any more, and the errors of fetching.
    fn draw(
        &self,
        asked: &Url,
        way: &Way,
        http: &Arc<Http>,
        tsugi: &Tsugi,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError>;
}
