//! A page that is at hand, and the others from elsewhere.

use crate::error::FetchError;
use crate::fetch::{Fetch, FetchImage};
use crate::media::checked_page;
use std::io::Read;
use std::path::Path;
use tsugi_page::{Response, Url, address};

/// The longest page that is read, in bytes.
const MAX_PAGE: u64 = 64 << 20;

/// Reads a page from a file, standard input, or anything else, as the page at `url`.
///
/// `name` is the file's name (`-` for standard input). It names the source in errors, and the ending `.txt` says that
/// the page is plain text. All else is taken for HTML, unless the first bytes are those of another type.
///
/// # Errors
///
/// [`FetchError::Io`] if reading fails, [`FetchError::TooLarge`] for more than 64 MiB, [`FetchError::NotHtml`] for
/// other types of files.
pub fn given_page(from: impl Read, name: &Path, url: &Url) -> Result<Response, FetchError> {
    let mut body = Vec::new();
    let read = from.take(MAX_PAGE + 1).read_to_end(&mut body);
    let read = read.map_err(|source| FetchError::Io { path: name.to_owned(), source })?;
    let url = address::without_fragment(url);
    if read as u64 > MAX_PAGE {
        return Err(FetchError::TooLarge { url, limit: MAX_PAGE });
    }
    let is_text = name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
    let content_type = is_text.then(|| "text/plain".to_owned());
    checked_page(Response { url, status: 200, content_type, body })
}

/// Answers one address with a page that is at hand, and gets all others, and images, from `rest`.
///
/// # Examples
///
/// ```
/// use std::path::Path;
/// use tsugi_fetch::{Fetch, Given, Http, given_page};
/// let url = "https://example.com/1".parse()?;
/// let first = given_page(&b"<title>One</title>"[..], Path::new("-"), &url)?;
/// let pages = Given::new(first, Http::polite()?);
/// assert_eq!(pages.fetch(&url)?.page().title().as_deref(), Some("One"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Given<F> {
    page: Response,
    rest: F,
}

impl<F> Given<F> {
    /// Answers with `page` at its address.
    pub fn new(page: Response, rest: F) -> Given<F> {
        Given { page, rest }
    }
}

impl<F: Fetch> Fetch for Given<F> {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        if address::without_fragment(url) == address::without_fragment(&self.page.url) {
            return checked_page(self.page.clone());
        }
        self.rest.fetch(url)
    }
}

impl<F: FetchImage> FetchImage for Given<F> {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        self.rest.fetch_image(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Has one image and no page.
    struct Rest;

    impl Fetch for Rest {
        fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
            Err(FetchError::NotStored { url: url.clone() })
        }
    }

    impl FetchImage for Rest {
        fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
            Ok(Response { url: url.clone(), status: 200, content_type: None, body: b"image".to_vec() })
        }
    }

    #[test]
    fn the_given_page_is_at_its_address_and_the_rest_is_elsewhere() {
        let url = |text: &str| -> Url { text.parse().unwrap() };
        let first = given_page(&b"<p>one"[..], Path::new("-"), &url("https://a.test/1#top")).unwrap();
        let pages = Given::new(first, Rest);
        let given = pages.fetch(&url("https://a.test/1#end")).unwrap();
        assert_eq!((given.url, given.body.as_slice()), (url("https://a.test/1"), &b"<p>one"[..]));
        for other in ["https://a.test/2", "https://a.test/1?x", "http://a.test/1"] {
            assert!(matches!(pages.fetch(&url(other)), Err(FetchError::NotStored { .. })), "{other}");
        }
        assert_eq!(pages.fetch_image(&url("https://a.test/1")).unwrap().body, b"image");
    }

    #[test]
    fn names_and_first_bytes_tell_the_type() {
        let read = |bytes: &[u8], name: &str| {
            given_page(bytes, Path::new(name), &"https://a.test/1".parse().unwrap())
        };
        assert_eq!(read(b"1 < 2", "x/a.TXT").unwrap().content_type.as_deref(), Some("text/plain"));
        assert_eq!(read(b"<p>one", "a").unwrap().content_type, None);
        assert!(matches!(read(b"%PDF-1.4", "-"), Err(FetchError::NotHtml { .. })));
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("gone"))
            }
        }
        let url = "https://a.test/1".parse().unwrap();
        let error = given_page(Broken, Path::new("-"), &url).unwrap_err();
        assert!(matches!(&error, FetchError::Io { path, .. } if path == Path::new("-")), "{error}");
        let endless = given_page(io::repeat(b' '), Path::new("-"), &url);
        assert!(matches!(endless, Err(FetchError::TooLarge { .. })));
    }
}
