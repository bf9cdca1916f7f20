//! Downloads of other files, if they have changed.

use super::answer::Ask;
use super::{Http, Waiting};
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::media::check_status;
use http::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue};
use std::time::Instant;
use tsugi_page::Url;

/// What a server said of a file when it was last downloaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldFile {
    /// The `ETag` header.
    pub etag: Option<String>,
    /// The `Last-Modified` header.
    pub last_modified: Option<String>,
}

impl HeldFile {
    /// Invalid values are left out.
    fn conditions(&self) -> HeaderMap {
        let mut conditions = HeaderMap::new();
        for (name, value) in [(IF_NONE_MATCH, &self.etag), (IF_MODIFIED_SINCE, &self.last_modified)] {
            if let Some(value) = value.as_ref().and_then(|value| HeaderValue::from_str(value).ok()) {
                conditions.insert(name, value);
            }
        }
        conditions
    }
}

/// A downloaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// The address that answered, after redirects.
    pub url: Url,
    /// The file, decompressed; `None` if it has not changed.
    pub body: Option<Vec<u8>>,
    /// What to pass to the next download.
    pub held: HeldFile,
}

impl Http {
    /// Downloads a file of any type, following redirects; a file that is held is downloaded only if it has changed.
    ///
    /// As for pages, addresses are guarded, `robots.txt` is obeyed, and time and size are limited. The answer is
    /// neither cached nor saved.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`]; [`FetchError::Status`] for a status other than 2xx, also for 304 if no file is held;
    /// [`FetchError::Partial`] for 206.
    pub fn download(&self, url: &Url, held: &HeldFile) -> Result<Download, FetchError> {
        self.download_while(url, held, Waiting::TO_THE_END)
    }

    /// Downloads a file as [`Http::download`] does, but waits no longer than [`Http::fetch_until`].
    ///
    /// # Errors
    ///
    /// As [`Http::download`]; [`FetchError::Timeout`] and [`FetchError::Unwanted`] as for [`Http::fetch_until`].
    pub fn download_until(
        &self,
        url: &Url,
        until: Instant,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Download, FetchError> {
        self.download_while(url, &HeldFile::default(), Waiting { until: Some(until), is_gone })
    }

    fn download_while(
        &self,
        url: &Url,
        held: &HeldFile,
        waiting: Waiting<'_>,
    ) -> Result<Download, FetchError> {
        let conditions = held.conditions();
        let answer = self.travel(url, waiting, |at, crawl_delay, budget| {
            let ask = Ask { conditions: conditions.clone(), ..self.request(at, Wanted::File) };
            self.ask(&ask, crawl_delay, budget)
        })?;
        self.check_patience(&answer)?;
        let (status, url) = (answer.status, answer.url.clone());
        let header = |name| answer.header(name).map(str::to_owned);
        let held = HeldFile { etag: header("etag"), last_modified: header("last-modified") };
        if status == 304 && !conditions.is_empty() {
            return Ok(Download { url, body: None, held });
        }
        check_status(&url, status)?;
        Ok(Download { url, body: Some(answer.body), held })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_header_value_makes_no_condition() {
        let held = HeldFile { etag: Some("\"a\"".to_owned()), last_modified: Some("a\nb".to_owned()) };
        let conditions = held.conditions();
        assert_eq!(conditions.len(), 1);
        assert_eq!(conditions[IF_NONE_MATCH], "\"a\"");
        assert!(HeldFile::default().conditions().is_empty());
    }
}
