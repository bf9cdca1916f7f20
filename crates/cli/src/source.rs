//! What a SOURCE is: a URL, an HTML file, or an archive.

use crate::args::NetworkArguments;
use crate::output::complain;
use anyhow::{Context, anyhow};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;
use tsugi::{Archive, Fetch, FetchError, Files, Http, HttpOptions, file_url};
use tsugi_fetch::{CacheFolder, Guard, Record, chain, records};
use tsugi_page::{Url, address};

/// Where a page, or many, can be had.
#[derive(Debug)]
pub(crate) enum Source {
    /// A page on the web.
    Web(Url),
    /// An HTML file.
    File(PathBuf),
    /// A WARC archive.
    Archive(PathBuf),
}

impl Source {
    /// Tells what an argument is.
    pub(crate) fn of(argument: &str) -> anyhow::Result<Source> {
        if let Ok(url) = argument.parse::<Url>()
            && address::is_web(&url)
        {
            return Ok(Source::Web(address::without_fragment(&url)));
        }
        let path = PathBuf::from(argument);
        let mut head = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(5).read_to_end(&mut head))
            .with_context(|| format!("`{argument}` is no http(s) URL, and no file that can be read"))?;
        let is_archive = head.starts_with(&[0x1f, 0x8b]) || head == b"WARC/";
        Ok(if is_archive { Source::Archive(path) } else { Source::File(path) })
    }
}

/// The web as a run sees it: one client for all sources, so that they take turns at each host and share what was
/// learned of sites. It is set up at the first use: files and archives need none.
#[derive(Debug)]
pub(crate) struct Web {
    options: HttpOptions,
    http: OnceLock<Result<Http, FetchError>>,
}

impl Web {
    pub(crate) fn new(options: HttpOptions) -> Web {
        Web { options, http: OnceLock::new() }
    }

    /// The client.
    pub(crate) fn http(&self) -> anyhow::Result<&Http> {
        let http = self.http.get_or_init(|| Http::new(self.options.clone()));
        http.as_ref().map_err(|error| anyhow!(chain(error)))
    }
}

/// How pages are asked for over HTTP.
pub(crate) fn http_options(arguments: &NetworkArguments) -> HttpOptions {
    let defaults = HttpOptions::default();
    HttpOptions {
        user_agent: arguments.user_agent.clone().unwrap_or(defaults.user_agent),
        total_timeout: arguments.timeout,
        max_body: arguments.max_body << 20,
        guard: if arguments.allow_private { Guard::anywhere() } else { Guard::public() },
        robots: !arguments.ignore_robots,
        delay: arguments.delay,
        retries: arguments.retries,
        cache: arguments.cache.clone().map(|path| CacheFolder { path, now }),
        ..defaults
    }
}

#[expect(clippy::disallowed_methods, reason = "a cache has to know how old its answers are")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// The address of a source's page, and the means to fetch it and those after it.
pub(crate) fn open<'a>(source: &Source, web: &'a Web) -> anyhow::Result<(Url, Box<dyn Fetch + 'a>)> {
    match source {
        Source::Web(url) => Ok((url.clone(), Box::new(web.http()?))),
        Source::File(path) => {
            let (url, files) = open_file(path)?;
            Ok((url, Box::new(files)))
        }
        Source::Archive(path) => Err(names_no_page(path)),
    }
}

/// The address of a file, and the means to read it and those below its folder.
pub(crate) fn open_file(path: &Path) -> anyhow::Result<(Url, Files)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = Files::below(folder.unwrap_or(Path::new(".")))
        .with_context(|| format!("cannot read the folder of `{}`", path.display()))?;
    Ok((file_url(path)?, files))
}

/// Says that an archive is no page.
pub(crate) fn names_no_page(path: &Path) -> anyhow::Error {
    anyhow!("`{}` is an archive; name a page of it and give the archive with --pages", path.display())
}

/// Hands every record of an archive to `visit`. `broken` is told what is no record; returns how much that is.
pub(crate) fn visit_records(
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

/// Opens an archive; records that cannot be read are listed.
pub(crate) fn open_archive(path: &Path) -> anyhow::Result<Archive> {
    let archive = Archive::open(path).with_context(|| format!("`{}` cannot be used", path.display()))?;
    for problem in archive.problems() {
        complain(&format!("{}: {problem}", path.display()));
    }
    Ok(archive)
}
