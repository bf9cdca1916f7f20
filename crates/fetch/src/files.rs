//! Pages from files.

use crate::error::FetchError;
use crate::fetch::{Fetch, FetchImage};
use crate::given::given_page;
use crate::media::checked_image;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tsugi_page::image::LARGEST_IMAGE;
use tsugi_page::{Response, Url, address};

/// Reads files below one folder: HTML, plain text if the name ends in `.txt`, and images.
///
/// A saved page may hold any `file:` link. Only files below the folder are read, after symbolic links and
/// `..` are resolved, so that a page cannot pull in another file of the machine.
#[derive(Debug, Clone)]
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Reads files below `folder`.
    ///
    /// # Errors
    ///
    /// An [`io::Error`] if the folder does not exist.
    pub fn below(folder: &Path) -> io::Result<Files> {
        Ok(Files { folder: folder.canonicalize()? })
    }
}

impl Files {
    /// Opens the file at an address.
    fn open(&self, url: &Url) -> Result<(File, PathBuf), FetchError> {
        let scheme = || FetchError::Scheme { url: url.clone(), expected: "file" };
        if url.scheme() != "file" {
            return Err(scheme());
        }
        let named = url.to_file_path().map_err(|()| scheme())?;
        let failed = |source: io::Error| {
            let path = named.clone();
            match source.kind() {
                io::ErrorKind::NotFound => FetchError::NotStored { url: address::without_fragment(url) },
                _ => FetchError::Io { path, source },
            }
        };
        let path = named.canonicalize().map_err(failed)?;
        if !path.starts_with(&self.folder) {
            return Err(FetchError::NotBelow { path, folder: self.folder.clone() });
        }
        // Opening a pipe or a device could wait for ever.
        if !path.metadata().map_err(failed)?.is_file() {
            let what = "a folder or a device".to_owned();
            return Err(FetchError::NotHtml { url: url.clone(), what });
        }
        Ok((File::open(&path).map_err(failed)?, path))
    }
}

impl Fetch for Files {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        let (file, path) = self.open(url)?;
        given_page(file, &path, url)
    }
}

impl FetchImage for Files {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        let (file, path) = self.open(url)?;
        let (mut body, limit) = (Vec::new(), LARGEST_IMAGE as u64);
        let read = file.take(limit + 1).read_to_end(&mut body);
        let read = read.map_err(|source| FetchError::Io { path, source })?;
        let url = address::without_fragment(url);
        if read as u64 > limit {
            return Err(FetchError::TooLarge { url, limit });
        }
        checked_image(Response { url, status: 200, content_type: None, link: None, body })
    }
}

/// Returns the `file:` address of a file, with symbolic links and `..` resolved.
///
/// # Errors
///
/// [`FetchError::Io`] if the file does not exist.
pub fn file_url(path: &Path) -> Result<Url, FetchError> {
    let failed = |source| FetchError::Io { path: path.to_owned(), source };
    let whole = path.canonicalize().map_err(failed)?;
    // Only relative paths have no address; this one is absolute.
    Url::from_file_path(whole).map_err(|()| failed(io::ErrorKind::InvalidInput.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &[u8]) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn only_files_below_the_folder_are_read() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("pages");
        write(&folder.join("in/1.html"), b"<p>one");
        write(&home.path().join("secret.html"), b"<p>secret");
        write(&home.path().join("pages-too/2.html"), b"<p>beside");
        let files = Files::below(&folder).unwrap();
        let one = file_url(&folder.join("in/1.html")).unwrap();
        let mut with_fragment = one.clone();
        with_fragment.set_fragment(Some("top"));
        let response = files.fetch(&with_fragment).unwrap();
        assert_eq!((response.url, response.body.as_slice()), (one.clone(), &b"<p>one"[..]));
        for outside in ["../../secret.html", "%2e%2e/%2e%2e/secret.html", "../../pages-too/2.html"] {
            let url = one.join(outside).unwrap();
            assert!(matches!(files.fetch(&url), Err(FetchError::NotBelow { .. })), "{url}");
        }
        assert!(matches!(files.fetch(&one.join("2.html").unwrap()), Err(FetchError::NotStored { .. })));
        assert!(matches!(files.fetch(&one.join(".").unwrap()), Err(FetchError::NotHtml { .. })));
        for other in ["https://a.test/", "data:text/html,x", "file://host/etc/passwd"] {
            let refused = files.fetch(&other.parse().unwrap());
            assert!(matches!(refused, Err(FetchError::Scheme { .. })), "{other}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_before_the_folder_is_checked() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("pages");
        write(&home.path().join("secret.html"), b"<p>secret");
        write(&folder.join("1.html"), b"<p>one");
        std::os::unix::fs::symlink(home.path().join("secret.html"), folder.join("2.html")).unwrap();
        std::os::unix::fs::symlink(folder.join("1.html"), folder.join("3.html")).unwrap();
        let files = Files::below(&folder).unwrap();
        let at = |name: &str| Url::from_file_path(folder.join(name)).unwrap();
        assert!(matches!(files.fetch(&at("2.html")), Err(FetchError::NotBelow { .. })));
        assert_eq!(files.fetch(&at("3.html")).unwrap().body, b"<p>one");
    }

    #[test]
    fn other_files_are_no_pages() {
        let home = tempfile::tempdir().unwrap();
        write(&home.path().join("1.png"), b"\x89PNG\r\n");
        let files = Files::below(home.path()).unwrap();
        let url = file_url(&home.path().join("1.png")).unwrap();
        assert!(matches!(files.fetch(&url), Err(FetchError::NotHtml { .. })));
        assert!(matches!(file_url(&home.path().join("none")), Err(FetchError::Io { .. })));
    }
}
