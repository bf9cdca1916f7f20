//! What a SOURCE is: a URL, an HTML file, stdin, or an archive.

use crate::arguments::NetworkArguments;
use crate::output::{complain, make_folder_of, tell};
use crate::progress::Narrator;
use anyhow::{Context, anyhow, bail};
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;
use tsugi::fetch::{
    CacheFolder, CookieJar, Guard, Record, SiteHeaders, Store, chain, given_page, looks_like_archive, records,
};
use tsugi::fetch::{HttpOptions, file_url};
use tsugi::page::{Url, address};
use tsugi::{Archive, Fetch, FetchError, Files, Http, Response};

/// Where to get a page, or many.
#[derive(Debug)]
pub enum SourceArgument {
    /// A page on the web.
    Web(Url),
    /// An HTML file.
    File(PathBuf),
    /// The page on stdin.
    Stdin,
    /// A WARC archive.
    Archive(PathBuf),
}

impl SourceArgument {
    /// Returns what an argument names: a URL, a file, or the host and path of a page without `https://`.
    pub fn of(argument: &str) -> anyhow::Result<SourceArgument> {
        if argument == "-" {
            return Ok(SourceArgument::Stdin);
        }
        if let Some(url) = web_address(argument) {
            if !has_scheme(argument) {
                tell(&format!("{argument}: there is no such file; trying {url}"));
            }
            return Ok(SourceArgument::Web(address::without_userinfo(&address::without_fragment(&url))));
        }
        let path = PathBuf::from(argument);
        let is_archive = looks_like_archive(&path).with_context(|| {
            format!("`{}` is neither an http(s) URL nor a readable file", without_password(argument))
        })?;
        Ok(if is_archive { SourceArgument::Archive(path) } else { SourceArgument::File(path) })
    }
}

/// Returns what the user typed as it may be shown: `****` replaces the user name and password of an address.
pub fn without_password(typed: &str) -> String {
    if let Ok(mut url) = typed.parse::<Url>()
        && url.has_host()
    {
        if url.username().is_empty() && url.password().is_none() {
            return typed.to_owned();
        }
        if url.set_username("****").is_ok() && url.set_password(None).is_ok() {
            return url.into();
        }
    }
    // No address, but it may be meant as one.
    let start = typed.find("://").map_or(0, |at| at + 3);
    match typed[start..].rsplit_once('@') {
        Some((login, host)) if start > 0 || login.contains(':') => format!("{}****@{host}", &typed[..start]),
        _ => typed.to_owned(),
    }
}

/// Returns the address that an argument is: an http(s) URL, or the host and path of a page if no file has that name.
///
/// It may hold a user name and password, for [`http_options`] only.
pub fn web_address(argument: &str) -> Option<Url> {
    match argument.parse().ok().filter(address::is_web) {
        None if !has_scheme(argument) && !Path::new(argument).exists() => page_of_host(argument),
        url => url,
    }
}

fn has_scheme(argument: &str) -> bool {
    argument.contains("://")
}

/// Returns the address of a host and path without a scheme: https for a host with a public suffix (`example.com/article`), http for
/// this machine and for addresses of numbers (`localhost:8080`, `127.0.0.1:8080/article`), whose servers rarely have certificates.
fn page_of_host(text: &str) -> Option<Url> {
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    if is_machine(host) {
        return format!("http://{text}").parse().ok();
    }
    let url: Url = format!("https://{text}").parse().ok()?;
    let is_host = text.starts_with(|c: char| c.is_alphanumeric()) && url.username().is_empty();
    (is_host && address::has_public_suffix(&url)).then_some(url)
}

/// Returns `true` for `localhost` and for IP addresses, with a port or without: in full, as a file may be called `1`.
fn is_machine(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let is_v6 = |text: &str| text.starts_with('[') && text.ends_with(']');
    let is_v6 = [host, name].into_iter().any(is_v6);
    is_v6 || name.parse::<Ipv4Addr>().is_ok() || name.eq_ignore_ascii_case("localhost")
}

/// One HTTP client for all sources of a run, so that they take turns at each host and share what is known of sites. It is
/// set up when it is first needed: files and archives need none.
#[derive(Debug)]
pub struct WebClient {
    options: HttpOptions,
    http: OnceLock<Result<Arc<Http>, FetchError>>,
}

impl WebClient {
    /// Keeps the options; requests are told with --verbose.
    pub fn new(mut options: HttpOptions) -> WebClient {
        options.watch = Narrator::if_wanted();
        WebClient { options, http: OnceLock::new() }
    }

    /// Writes the cookies that sites set to the jar, if there is one.
    pub fn save_cookies(&self) -> anyhow::Result<()> {
        save_cookies(&self.options)
    }

    /// Returns the client.
    pub fn http(&self) -> anyhow::Result<&Arc<Http>> {
        let http = self.http.get_or_init(|| Http::new(self.options.clone()).map(Arc::new));
        http.as_ref().map_err(|error| anyhow!(chain(error)))
    }
}

/// Works out how to fetch over HTTP; own headers go to the sites of `sources`, and their user names and passwords to
/// their origins.
pub fn http_options(
    arguments: &NetworkArguments,
    sources: impl IntoIterator<Item = Url>,
) -> anyhow::Result<HttpOptions> {
    let sources: Vec<Url> = sources.into_iter().collect();
    Ok(HttpOptions::new(&arguments.user_agent)
        .headers(SiteHeaders::new(arguments.headers.iter().map(String::as_str), &sources)?)
        .total_timeout(arguments.timeout)
        .max_body(arguments.max_body << 20)
        .guard(arguments.allow_private.iter().cloned().fold(Guard::public(), Guard::and))
        .robots(!arguments.ignore_robots)
        .delay(arguments.delay)
        .retries(arguments.retries)
        .cookies(arguments.cookie_jar.as_deref().map(open_cookies).transpose()?)
        .cache(arguments.cache.clone().map(|path| CacheFolder { path, now })))
}

/// Opens an archive to keep responses in, or creates one; says what is wrong with it.
pub fn open_store(path: &Path) -> anyhow::Result<Arc<Store>> {
    let software = concat!("tsugi/", env!("CARGO_PKG_VERSION"));
    make_folder_of(path)?;
    let store = Store::open(path, software, record_time)
        .with_context(|| format!("cannot keep responses in `{}`", path.display()))?;
    for problem in store.problems() {
        complain(&format!("{}: {problem}", path.display()));
    }
    if store.cut() > 0 {
        complain(&format!("{}: removed {} bytes of an incomplete record", path.display(), store.cut()));
    }
    Ok(Arc::new(store))
}

/// Returns the time of a record in UTC, to the microsecond, so that no two records of a URL are equal.
fn record_time() -> String {
    format!("{:.6}", jiff::Timestamp::now())
}

fn open_cookies(path: &Path) -> anyhow::Result<Arc<CookieJar>> {
    let jar = CookieJar::open(path, now)?;
    for problem in jar.problems() {
        complain(&problem.to_string());
    }
    Ok(Arc::new(jar))
}

/// Writes the cookies that sites set to the jar, if there is one.
pub fn save_cookies(options: &HttpOptions) -> anyhow::Result<()> {
    match &options.cookies {
        Some(jar) => Ok(jar.save()?),
        None => Ok(()),
    }
}

#[expect(clippy::disallowed_methods, reason = "the cache and cookies expire")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// Gets the page of a source, and the address that was asked for. `given` is the address of what a file or stdin holds.
pub fn page_of(
    source: &SourceArgument,
    given: Option<&Url>,
    web: &WebClient,
) -> anyhow::Result<(Url, Result<Response, FetchError>)> {
    match source {
        SourceArgument::Web(url) => Ok((url.clone(), web.http()?.fetch(url))),
        source => local_page(source, given),
    }
}

/// Reads the page in a file or on stdin, as if `given` had answered it; returns its address, too, without user name and
/// password.
pub fn local_page(
    source: &SourceArgument,
    given: Option<&Url>,
) -> anyhow::Result<(Url, Result<Response, FetchError>)> {
    let given = given.map(address::without_userinfo);
    match source {
        SourceArgument::File(path) => {
            let (url, files) = open_file(path)?;
            let response = files.fetch(&url);
            Ok(match given {
                Some(given) => (given.clone(), response.map(|file| Response { url: given, ..file })),
                None => (url, response),
            })
        }
        SourceArgument::Stdin => {
            let url = given.map_or_else(url_of_stdin, Ok)?;
            let response = given_page(io::stdin().lock(), Path::new("-"), &url);
            Ok((url, response))
        }
        SourceArgument::Archive(path) => Err(names_no_page(path)),
        SourceArgument::Web(url) => bail!("`{url}` is no file"),
    }
}

/// Returns the address of stdin if none is given: that of a file `-` in the current folder, so that links lead to the
/// files beside it.
fn url_of_stdin() -> anyhow::Result<Url> {
    let folder =
        file_url(Path::new(".")).context("the current folder has no address; give one with --url")?;
    Ok(format!("{folder}/-").parse()?)
}

/// Returns a reader of the files that links of stdin lead to if it has no address.
pub fn folder_of_stdin() -> anyhow::Result<Files> {
    Files::below(Path::new(".")).context("cannot read the current folder")
}

/// Returns the address of a file, and a reader of the files below its folder.
pub fn open_file(path: &Path) -> anyhow::Result<(Url, Files)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = Files::below(folder.unwrap_or(Path::new(".")))
        .with_context(|| format!("cannot read the folder of `{}`", path.display()))?;
    Ok((file_url(path)?, files))
}

/// Reads a SOURCE whose page comes from an archive.
pub fn stored_page(source: &str) -> anyhow::Result<Url> {
    let url = source.parse().context("with --pages, SOURCE must be the URL of a stored page")?;
    Ok(address::without_userinfo(&url))
}

/// Returns the error for an archive where a page is expected.
pub fn names_no_page(path: &Path) -> anyhow::Error {
    anyhow!("`{}` is an archive; give it with --pages, and the URL of a page", path.display())
}

/// Hands every record of an archive to `visit`, and every problem to `broken`; returns the number of problems.
pub fn visit_records(
    path: &Path,
    broken: impl Fn(&str),
    mut visit: impl FnMut(Record) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    let mut count = 0;
    for record in records(path).with_context(|| format!("`{}` cannot be used", path.display()))? {
        match record {
            Ok(record) => visit(record)?,
            Err(problem) => {
                broken(&format!("{}: {problem}", path.display()));
                count += 1;
            }
        }
    }
    Ok(count)
}

/// Returns archives in order: those that are named, and those in folders that are named, sorted by name.
pub fn archives_of(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut archives = Vec::new();
    for path in paths {
        if !path.is_dir() {
            archives.push(path.clone());
            continue;
        }
        let list = || -> io::Result<Vec<PathBuf>> {
            std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
        };
        let mut listed = list().with_context(|| format!("cannot read the folder `{}`", path.display()))?;
        listed.retain(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
            [".warc", ".warc.gz"].iter().any(|ending| name.ends_with(ending)) && path.is_file()
        });
        if listed.is_empty() {
            bail!("the folder `{}` has no archive: no `*.warc` or `*.warc.gz` file", path.display());
        }
        listed.sort();
        archives.extend(listed);
    }
    Ok(archives)
}

/// Opens an archive, and lists the records that cannot be read.
pub fn open_archive(path: &Path) -> anyhow::Result<Archive> {
    let archive = Archive::open(path).with_context(|| format!("`{}` cannot be used", path.display()))?;
    for problem in archive.problems() {
        complain(&format!("{}: {problem}", path.display()));
    }
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_and_a_path_are_a_page_of_the_web() {
        for (argument, expected) in [
            ("example.com/article?p=1", Some("https://example.com/article?p=1")),
            ("example.com", Some("https://example.com/")),
            ("www.例え.jp/記事", Some("https://www.xn--r8jz45g.jp/%E8%A8%98%E4%BA%8B")),
            ("example.com:8080/a", Some("https://example.com:8080/a")),
            ("http://example.com/a", Some("http://example.com/a")),
            ("article.html", None),
            ("folder/article.com", None),
            ("../example.com/a", None),
            ("/example.com", None),
            ("user@example.com", None),
            ("mailto:user@example.com", None),
            ("ftp://example.com/a", None),
            ("localhost/a", Some("http://localhost/a")),
            ("localhost:8177", Some("http://localhost:8177/")),
            ("127.0.0.1:8177/x?p=1", Some("http://127.0.0.1:8177/x?p=1")),
            ("[::1]:8177/x", Some("http://[::1]:8177/x")),
            ("[::1]/x", Some("http://[::1]/x")),
            ("192.168.1.7", Some("http://192.168.1.7/")),
            ("[note].html", None),
            ("localhost.html", None),
            ("127.1", None),
            ("1", None),
            ("-", None),
            ("", None),
        ] {
            let found = web_address(argument);
            assert_eq!(found.as_ref().map(Url::as_str), expected, "{argument}");
        }
    }

    #[test]
    fn names_and_passwords_are_not_shown() {
        for (typed, expected) in [
            ("https://user:secret@a.test/1#x", "https://****@a.test/1#x"),
            ("http:/\\secret@a.test", "http://****@a.test/"),
            ("ftp://user:se@cret@a.test/", "ftp://****@a.test/"),
            ("https://user:secret/@a.test:x/", "https://****@a.test:x/"),
            ("user:secret@a.test/1", "****@a.test/1"),
            ("https://a.test/@user/1", "https://a.test/@user/1"),
            ("me@home.html", "me@home.html"),
            ("a:b", "a:b"),
            ("-", "-"),
            ("", ""),
        ] {
            assert_eq!(without_password(typed), expected, "{typed}");
        }
    }

    #[test]
    fn a_file_that_exists_is_no_host() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("example.com");
        std::fs::write(&file, "<p>x").unwrap();
        let argument = file.to_str().unwrap();
        assert!(web_address(argument).is_none());
        assert!(matches!(SourceArgument::of(argument), Ok(SourceArgument::File(_))));
    }
}
