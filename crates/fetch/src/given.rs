//! A page that is at hand.

use crate::error::FetchError;
use crate::media::checked_page;
use std::io::Read;
use std::path::Path;
use tsugi_page::{Response, Url, address};

const MAX_PAGE: u64 = 64 << 20;

/// Reads a page from a file, standard input, or anything else, as the page at `url`.
///
/// `name` is the file's name (`-` for standard input). It names the source in errors, and the ending `.txt` says that
/// the page is plain text. All else is taken for HTML, unless the first bytes are those of another type. The address of
/// the page has no fragment, user name or password.
///
/// # Errors
///
/// [`FetchError::Io`] if reading fails, [`FetchError::TooLarge`] for more than 64 MiB, [`FetchError::NotHtml`] for
/// other types of files.
pub fn given_page(from: impl Read, name: &Path, url: &Url) -> Result<Response, FetchError> {
    let mut body = Vec::new();
    let read = from.take(MAX_PAGE + 1).read_to_end(&mut body);
    let read = read.map_err(|source| FetchError::Io { path: name.to_owned(), source })?;
    let url = address::without_userinfo(&address::without_fragment(url));
    if read as u64 > MAX_PAGE {
        return Err(FetchError::TooLarge { url, limit: MAX_PAGE });
    }
    let is_text = name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
    let content_type = is_text.then(|| "text/plain".to_owned());
    checked_page(Response { url, status: 200, content_type, link: None, body })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn names_and_first_bytes_tell_the_type() {
        let read = |bytes: &[u8], name: &str| {
            given_page(bytes, Path::new(name), &"https://user:word@a.test/1#x".parse().unwrap())
        };
        assert_eq!(read(b"<p>one", "a").unwrap().url.as_str(), "https://a.test/1");
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
