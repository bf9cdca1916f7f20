//! Redirects: their statuses and their targets.

use crate::error::FetchError;
use tsugi_page::{Url, address};

pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

pub(crate) fn redirected(from: &Url, location: &str) -> Result<Url, FetchError> {
    let target = if location.trim().is_empty() { None } else { address::join(from, location) };
    target
        .filter(address::is_web)
        .ok_or_else(|| FetchError::BadRedirect { url: from.clone(), location: location.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_the_web() {
        let from = "https://a.test/x/1".parse().unwrap();
        let to = |location| redirected(&from, location).map(String::from).ok();
        assert_eq!(to("2#top").as_deref(), Some("https://a.test/x/2"));
        assert_eq!(to("//b.test/").as_deref(), Some("https://b.test/"));
        for dead in ["", " ", "file:///etc/passwd", "ftp://a.test/", "data:text/html,x", "http://"] {
            assert_eq!(to(dead), None, "{dead}");
        }
    }
}
