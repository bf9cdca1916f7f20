//! Entry points of the fuzz targets (`fuzz/`), for what no public function takes as bytes.

use super::answer::HttpAnswer;
use super::cache::{Cache, CacheFolder, CachedAnswer};
use super::driver::never;
use super::robots::Sites;
use crate::error::FetchError;
use crate::exchange::Wanted;
use std::fs;
use std::time::Duration;
use tsugi_page::Url;

fn answer(url: &Url, status: u16, headers: &[(String, String)], body: &[u8]) -> HttpAnswer {
    HttpAnswer { url: url.clone(), status, headers: headers.to_vec(), body: body.to_vec(), whole: true }
}

/// Returns the time between requests that a `robots.txt` asks for, if it allows the address.
///
/// # Errors
///
/// [`FetchError::Disallowed`] if it does not.
pub fn robots(file: &[u8], url: &Url) -> Result<Option<Duration>, FetchError> {
    Sites::default().check(url, &never, |robots| Ok(answer(robots, 200, &[], file)))
}

/// Writes `entry` where the cache keeps the answer for an address, and looks the answer up. If it is stale, the server
/// confirms it with the headers of `confirmation`. Returns the body; `None` if the entry is unusable.
pub fn cached(
    folder: CacheFolder,
    url: &Url,
    entry: &[u8],
    confirmation: &[(String, String)],
) -> Option<Vec<u8>> {
    const LARGEST_PAGE: u64 = 1 << 20;
    let cache = Cache::open(folder, "tsugi", LARGEST_PAGE).ok()?;
    fs::write(cache.path(url), entry).ok()?;
    match cache.find(url, Wanted::Page)? {
        CachedAnswer::Fresh(answer) => Some(answer.body),
        CachedAnswer::Stale(stale) => {
            stale.conditions();
            cache.confirmed(*stale, &answer(url, 304, confirmation, b"")).map(|answer| answer.body)
        }
    }
}
