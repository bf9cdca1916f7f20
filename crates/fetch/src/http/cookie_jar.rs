//! A file of cookies: read at the start of a run, written at its end.

use super::cookies::{Cookie, Cookies, Key, is_clean, is_pair, is_site};
use crate::locked::locked;
use crate::new_file::{NewFile, Readers, folder_of};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;
use tsugi_page::Url;
use url::Host;

const MAX_FILE: u64 = 16 << 20;

/// The first line of a new file. Python does not read files without it.
const TITLE: &str = "# Netscape HTTP Cookie File\n";

/// How the line of a cookie starts that scripts cannot see.
const HTTP_ONLY: &str = "#HttpOnly_";

/// Cookies in a file of the Netscape format, which curl, wget, yt-dlp and browser extensions read and write.
///
/// The cookies of the file are sent to their sites, and sites may set others, by the rules that browsers follow (RFC
/// 6265bis). A cookie without a date is written with the date 0 and sent in the next run again, as curl does.
///
/// Cookies are secrets: `Debug` output shows how many there are, nothing more, and archives do not hold them.
///
/// # Examples
///
/// ```no_run
/// use std::{path::Path, sync::Arc, time::SystemTime};
/// use tsugi_fetch::{CookieJar, Fetch, Http, HttpOptions};
/// let jar = Arc::new(CookieJar::open(Path::new("cookies.txt"), SystemTime::now)?);
/// let http = Http::new(HttpOptions::new("my-reader/1.0").cookies(jar.clone()))?;
/// http.fetch(&"https://example.com/1".parse()?)?;
/// jar.save()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CookieJar {
    path: PathBuf,
    now: fn() -> SystemTime,
    problems: Vec<CookieProblem>,
    cookies: Mutex<Cookies>,
}

/// Why a cookie file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CookieError {
    /// The file cannot be read, or there is no folder to write it to.
    #[error("cannot read cookie file `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("`{}` is not a cookie file in Netscape format; name another file", path.display())]
    NotCookies {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write cookie file `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
}

/// A line of a cookie file that is not a cookie.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}, line {line}: {flaw}; the line is ignored", path.display())]
#[non_exhaustive]
pub struct CookieProblem {
    /// The file.
    pub path: PathBuf,
    /// The number of the line, counted from 1.
    pub line: usize,
    /// What is wrong with the line.
    pub flaw: &'static str,
}

impl CookieJar {
    /// Reads a cookie file. One that does not exist is an empty one. `now` is the clock that tells which cookies have
    /// expired.
    ///
    /// Lines that are not cookies are passed over: see [`CookieJar::problems`].
    ///
    /// # Errors
    ///
    /// [`CookieError::Read`] if the file cannot be read, is not a regular file, is longer than 16 MiB, or does not
    /// exist and neither does its folder; [`CookieError::NotCookies`] if it has lines, but neither a cookie nor the
    /// format's first line.
    pub fn open(path: &Path, now: fn() -> SystemTime) -> Result<CookieJar, CookieError> {
        let text = read(path).map_err(|source| CookieError::Read { path: path.to_owned(), source })?;
        let (mut cookies, mut problems) = (Cookies::default(), Vec::new());
        for (line, text) in (1..).zip(lines(&text)) {
            match CookieLine::of(text) {
                CookieLine::Cookie(cookie) => cookies.hold(cookie),
                CookieLine::Other => {}
                CookieLine::Broken(flaw) => {
                    problems.push(CookieProblem { path: path.to_owned(), line, flaw });
                }
            }
        }
        let has_title =
            text.starts_with(TITLE.trim_end().as_bytes()) || text.starts_with(b"# HTTP Cookie File");
        if cookies.is_empty() && !has_title && !problems.is_empty() {
            return Err(CookieError::NotCookies { path: path.to_owned() });
        }
        Ok(CookieJar { path: path.to_owned(), now, problems, cookies: Mutex::new(cookies) })
    }

    /// Returns the lines that are not cookies, in the order of the file.
    pub fn problems(&self) -> &[CookieProblem] {
        &self.problems
    }

    /// Writes the cookies that sites set, replaced or removed to the file. If there are none, the file is left alone.
    ///
    /// The file is read again, so that what another program wrote meanwhile stays. Lines of other cookies, comments and
    /// lines that are not cookies stay as they are; expired cookies go. The file is written beside its name and
    /// renamed, and only its owner can read it (mode 0600). A symbolic link stays one.
    ///
    /// # Errors
    ///
    /// [`CookieError::Read`] and [`CookieError::Write`].
    pub fn save(&self) -> Result<(), CookieError> {
        let cookies = locked(&self.cookies);
        if !cookies.is_changed() {
            return Ok(());
        }
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let old = read(&path).map_err(|source| CookieError::Read { path: self.path.clone(), source })?;
        let new = merged(&old, &cookies, self.seconds());
        write(&path, &new).map_err(|source| CookieError::Write { path: self.path.clone(), source })
    }

    pub(super) fn header(&self, url: &Url) -> Option<String> {
        locked(&self.cookies).header(url, self.seconds())
    }

    pub(super) fn set<'a>(&self, url: &Url, headers: impl Iterator<Item = &'a [u8]>) {
        let mut cookies = locked(&self.cookies);
        for header in headers.filter_map(|header| str::from_utf8(header).ok()) {
            cookies.set(url, header, self.seconds());
        }
    }

    fn seconds(&self) -> i64 {
        let since = (self.now)().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    }
}

impl fmt::Debug for CookieJar {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = locked(&self.cookies).len();
        to.debug_struct("CookieJar")
            .field("path", &self.path)
            .field("cookies", &count)
            .finish_non_exhaustive()
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let invalid = |what| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    match path.metadata() {
        // Opening a pipe or a device could wait for ever.
        Ok(metadata) if !metadata.is_file() => return invalid("it is not a regular file"),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return folder_of(path).metadata().map(|_| Vec::new());
        }
        Err(error) => return Err(error),
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE { invalid("it is longer than 16 MiB") } else { Ok(bytes) }
}

fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    NewFile::sweep(path);
    let mut file = NewFile::create(path, Readers::Owner)?;
    file.write_all(text)?;
    file.finish()
}

fn merged(old: &[u8], cookies: &Cookies, now: i64) -> Vec<u8> {
    let stays = |line: &&[u8]| match CookieLine::of(line) {
        CookieLine::Cookie(cookie) => !cookie.has_ended(now) && !cookies.has_changed(&cookie.key),
        CookieLine::Other | CookieLine::Broken(_) => true,
    };
    let mut new = if old.is_empty() { TITLE.as_bytes().to_vec() } else { Vec::new() };
    for line in lines(old).filter(stays) {
        new.extend_from_slice(line);
        new.push(b'\n');
    }
    for cookie in cookies.changed().filter(|cookie| !cookie.has_ended(now)) {
        new.extend_from_slice(format!("{cookie}\n").as_bytes());
    }
    new
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = text.strip_suffix(b"\n").unwrap_or(text);
    whole.split(|byte| *byte == b'\n').filter(|_| !text.is_empty())
}

enum CookieLine {
    Cookie(Cookie),
    Other,
    Broken(&'static str),
}

impl CookieLine {
    fn of(line: &[u8]) -> CookieLine {
        let Ok(text) = str::from_utf8(line) else { return CookieLine::Broken("it is not UTF-8") };
        let text = text.trim_start_matches('\u{feff}').trim_end_matches('\r');
        let is_comment = text.starts_with('#') && !text.starts_with(HTTP_ONLY);
        if is_comment || text.trim().is_empty() {
            return CookieLine::Other;
        }
        cookie(text).map_or_else(CookieLine::Broken, CookieLine::Cookie)
    }
}

/// Reads a line: domain, whether subdomains are included, path, whether https is needed, expiry date, name, value.
fn cookie(line: &str) -> Result<Cookie, &'static str> {
    let (http_only, fields) = line.strip_prefix(HTTP_ONLY).map_or((false, line), |rest| (true, rest));
    let fields: Vec<&str> = fields.split('\t').collect();
    let (domain, subdomains, path, secure, date, name, value) = match fields[..] {
        [domain, subdomains, path, secure, date, name, value] => {
            (domain, subdomains, path, secure, date, name, value)
        }
        // Some programs drop the tab before an empty value.
        [domain, subdomains, path, secure, date, name] => (domain, subdomains, path, secure, date, name, ""),
        _ => return Err("expected 7 fields separated by tabs"),
    };
    let domain = Host::parse(domain.trim_start_matches('.')).map_err(|_| "the domain is not a host name")?;
    let subdomains = flag(subdomains).ok_or("expected TRUE or FALSE in the second field")?;
    let key = Key {
        subdomains: subdomains && is_site(&domain),
        domain: domain.to_string(),
        path: path.to_owned(),
        name: name.to_owned(),
    };
    if !path.starts_with('/') || !is_clean(path) {
        return Err("the path does not start with `/`");
    }
    let secure = flag(secure).ok_or("expected TRUE or FALSE in the fourth field")?;
    // Some programs write nothing for a cookie without a date, some write fractions of a second.
    let seconds = date.split('.').next().filter(|seconds| !seconds.is_empty()).unwrap_or("0");
    let expires: i64 = seconds.parse().map_err(|_| "the expiry date is not a number of seconds")?;
    if !is_pair(name, value) {
        return Err("no cookie can have this name or value");
    }
    let expires = (expires > 0).then_some(expires);
    Ok(Cookie { key, value: value.to_owned(), secure, http_only, expires })
}

fn flag(field: &str) -> Option<bool> {
    [("TRUE", true), ("FALSE", false)]
        .into_iter()
        .find_map(|(word, flag)| field.eq_ignore_ascii_case(word).then_some(flag))
}

impl fmt::Display for Cookie {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cookie { key: Key { domain, subdomains, path, name }, value, secure, http_only, expires } = self;
        let mark = if *http_only { HTTP_ONLY } else { "" };
        let dot = if *subdomains { "." } else { "" };
        let flag = |is_set: bool| if is_set { "TRUE" } else { "FALSE" };
        let (subdomains, secure, expires) = (flag(*subdomains), flag(*secure), expires.unwrap_or(0));
        write!(to, "{mark}{dot}{domain}\t{subdomains}\t{path}\t{secure}\t{expires}\t{name}\t{value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;
    use std::time::Duration;

    const CURL: &str = "# Netscape HTTP Cookie File\n\
        # https://curl.se/docs/http-cookies.html\n\
        # This file was generated by libcurl! Edit at your own risk.\n\
        \n\
        #HttpOnly_.example.com\tTRUE\t/\tTRUE\t1900000000\tsession\tabc\n\
        example.com\tFALSE\t/x\tFALSE\t0\tplain\ta=b c\n\
        .example.com\tTRUE\t/\tFALSE\t1700000000\told\t1\n\
        127.0.0.1\tFALSE\t/\tFALSE\t1900000000\tempty\t\n";

    fn now() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_hours(500_000)
    }

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn jar(text: impl AsRef<[u8]>) -> (tempfile::TempDir, Result<CookieJar, CookieError>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cookies.txt");
        fs::write(&path, text).unwrap();
        let jar = CookieJar::open(&path, now);
        (folder, jar)
    }

    fn sent(jar: &CookieJar, at: &str) -> String {
        jar.header(&url(at)).unwrap_or_default()
    }

    fn set(jar: &CookieJar, at: &str, header: &str) {
        jar.set(&url(at), std::iter::once(header.as_bytes()));
    }

    #[test]
    fn a_file_of_curl_is_read_and_written_back() {
        let (_folder, jar) = jar(CURL);
        let jar = jar.unwrap();
        assert_eq!(jar.problems(), []);
        assert_eq!(sent(&jar, "https://www.example.com/"), "session=abc");
        assert_eq!(sent(&jar, "https://example.com/x/1"), "plain=a=b c; session=abc");
        assert_eq!(sent(&jar, "http://example.com/x"), "plain=a=b c");
        assert_eq!(sent(&jar, "http://127.0.0.1/"), "empty=");
        jar.save().unwrap();
        assert_eq!(fs::read_to_string(&jar.path).unwrap(), CURL, "nothing changed");

        set(&jar, "https://example.com/x/1", "plain=; Max-Age=0");
        set(&jar, "https://example.com/", "session=def; Domain=example.com; Secure; HttpOnly; Max-Age=60");
        set(&jar, "https://other.test/a/b", "new=1");
        jar.save().unwrap();
        let expected = "# Netscape HTTP Cookie File\n\
            # https://curl.se/docs/http-cookies.html\n\
            # This file was generated by libcurl! Edit at your own risk.\n\
            \n\
            127.0.0.1\tFALSE\t/\tFALSE\t1900000000\tempty\t\n\
            #HttpOnly_.example.com\tTRUE\t/\tTRUE\t1800000060\tsession\tdef\n\
            other.test\tFALSE\t/a\tFALSE\t0\tnew\t1\n";
        assert_eq!(fs::read_to_string(&jar.path).unwrap(), expected);
        let again = CookieJar::open(&jar.path, now).unwrap();
        assert_eq!(sent(&again, "https://www.example.com/"), "session=def");
        assert_eq!(sent(&again, "https://other.test/a/c"), "new=1");
    }

    #[test]
    fn a_file_that_is_not_there_is_made_when_there_is_something_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.txt");
        let jar = CookieJar::open(&path, now).unwrap();
        jar.save().unwrap();
        assert!(!path.exists());
        set(&jar, "https://a.test/", "a=1");
        jar.save().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{TITLE}a.test\tFALSE\t/\tFALSE\t0\ta\t1\n"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        let nowhere = CookieJar::open(&folder.path().join("none/cookies.txt"), now).unwrap_err();
        assert!(matches!(nowhere, CookieError::Read { .. }));
        let folder = CookieJar::open(folder.path(), now).unwrap_err();
        assert!(matches!(folder, CookieError::Read { .. }));
    }

    #[test]
    fn what_others_write_meanwhile_stays() {
        let (_folder, jar) = jar(CURL);
        let jar = jar.unwrap();
        set(&jar, "https://a.test/", "a=1");
        let other = "b.test\tFALSE\t/\tFALSE\t0\tb\t2\n";
        fs::write(&jar.path, format!("{CURL}{other}")).unwrap();
        jar.save().unwrap();
        let text = fs::read_to_string(&jar.path).unwrap();
        assert!(text.contains(other) && text.contains("a.test\t") && text.contains("session\tabc"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_what_is_written() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (folder, jar) = jar(CURL);
        let path = jar.unwrap().path;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        let jar = CookieJar::open(&link, now).unwrap();
        set(&jar, "https://a.test/", "a=1");
        jar.save().unwrap();
        assert!(link.is_symlink() && fs::read_to_string(&path).unwrap().contains("a.test"));
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn lines_that_are_not_cookies_are_named_and_stay() {
        let broken = [
            "a.test FALSE / FALSE 0 a secret",
            "a b\tFALSE\t/\tFALSE\t0\ta\tsecret",
            "a.test\tmaybe\t/\tFALSE\t0\ta\tsecret",
            "a.test\tFALSE\tx\tFALSE\t0\ta\tsecret",
            "a.test\tFALSE\t/\t\t0\ta\tsecret",
            "a.test\tFALSE\t/\tFALSE\tsoon\ta\tsecret",
            "a.test\tFALSE\t/\tFALSE\t0\t\tsecret",
            "a.test\tFALSE\t/\tFALSE\t0\ta\tse;cret",
            "a.test\tFALSE\t/\tFALSE\t0\ta\tsecret\t",
        ];
        let good = "a.test\tFALSE\t/\tFALSE\t0\ta\t1";
        let text = format!("{good}\r\n{}\n", broken.join("\n"));
        let (_folder, jar) = jar(text.as_bytes());
        let jar = jar.unwrap();
        assert_eq!(sent(&jar, "https://a.test/"), "a=1");
        let lines: Vec<_> = jar.problems().iter().map(|problem| problem.line).collect();
        assert_eq!(lines, (2..=10).collect::<Vec<_>>());
        let message = jar.problems()[0].to_string();
        let expected = format!(
            "{}, line 2: expected 7 fields separated by tabs; the line is ignored",
            jar.path.display()
        );
        assert_eq!(message, expected);
        assert!(!jar.problems().iter().any(|problem| problem.to_string().contains("secret")));
        set(&jar, "https://a.test/", "a=2");
        jar.save().unwrap();
        let expected = format!("{}\n{good}\n", broken.join("\n")).replace("a\t1", "a\t2");
        assert_eq!(fs::read_to_string(&jar.path).unwrap(), expected);
    }

    #[test]
    fn files_of_other_programs_are_read() {
        let text = "\u{feff}# HTTP Cookie File\r\n\
            .a.test\tTRUE\t/\tFALSE\t\tpython\t1\r\n\
            a.test\ttrue\t/\tfalse\t1900000000.25\tbrowser\t2\r\n\
            .a.test\tTRUE\t/\tFALSE\t-1\tdriver\t3\r\n\
            a.test\tFALSE\t/\tFALSE\t0\tblank\r\n\
            .com\tTRUE\t/\tFALSE\t0\tsuffix\t5\r\n";
        let (_folder, jar) = jar(text);
        let jar = jar.unwrap();
        assert_eq!(jar.problems(), []);
        assert_eq!(sent(&jar, "https://a.test/"), "python=1; browser=2; driver=3; blank=");
        assert_eq!(sent(&jar, "https://www.a.test/"), "python=1; browser=2; driver=3");
        assert_eq!(sent(&jar, "https://example.com/"), "");
    }

    #[test]
    fn a_file_of_something_else_is_not_touched() {
        for text in ["<!DOCTYPE html>\n<p>text\n", "{\"cookies\": []}", "\u{0}\u{1}"] {
            let refused = jar(text).1.unwrap_err();
            assert!(matches!(refused, CookieError::NotCookies { .. }), "{text}");
        }
        for text in ["", "\n", "# a comment", "# Netscape HTTP Cookie File\nbroken"] {
            assert!(jar(text).1.is_ok(), "{text}");
        }
    }

    #[test]
    fn cookies_are_not_shown() {
        let (_folder, jar) = jar(CURL);
        let shown = format!("{:?}", jar.unwrap());
        assert!(
            shown.contains("cookies.txt") && shown.contains("cookies: 4") && !shown.contains("abc"),
            "{shown}"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_lines(bytes: Vec<u8>, line in "#?(HttpOnly_)?[.a-z]{0,4}(\t(TRUE|FALSE|/|[0-9.]{0,20}|[a-z]?)){0,8}\n?") {
            for text in [bytes.as_slice(), line.as_bytes()] {
                let mut cookies = Cookies::default();
                for line in lines(text) {
                    if let CookieLine::Cookie(cookie) = CookieLine::of(line) {
                        let written = cookie.to_string();
                        let CookieLine::Cookie(again) = CookieLine::of(written.as_bytes()) else {
                            panic!("{written}");
                        };
                        prop_assert!(again == cookie);
                        cookies.hold(cookie);
                    }
                }
                let _ = merged(text, &cookies, 0);
            }
        }
    }
}
