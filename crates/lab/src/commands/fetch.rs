//! `tsugi-lab fetch`: pages to label, from the web into an archive.

use super::label::read_dumps;
use crate::arguments::FetchArguments;
use anyhow::Context;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tsugi::fetch::{Keep, Saved};
use tsugi::{Fetch, Http, Url};
use tsugi_page::address;
use tsugi_siteinfo::Siteinfo;
use tsugi_siteinfo::learn::spread;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::{complain, error_line, plain, refuse, tell};
use tsugi_terminal::progress::{Narrator, Progress};
use tsugi_terminal::source::{http_options, open_store, save_cookies};

pub(crate) fn run(arguments: &FetchArguments) -> anyhow::Result<Exit> {
    let mut urls = Vec::new();
    for typed in &arguments.urls {
        match typed.parse::<Url>().ok().filter(address::is_web) {
            Some(url) => urls.push(url),
            None => return Ok(refuse(&format!("`{}` is not an http(s) address", plain(typed)))),
        }
    }
    let dumps = read_dumps(&arguments.rules, false)?;
    let mut options = http_options(&arguments.network, urls.iter().cloned())?;
    options.watch = Narrator::if_wanted();
    if arguments.example_urls {
        urls.extend(dumps.iter().flat_map(example_urls));
    }
    let sites = by_site(urls, arguments.sites.map_or(usize::MAX, std::num::NonZeroUsize::get));
    if sites.is_empty() {
        tell("no item names an example that can be fetched");
        return Ok(Exit::NothingFound);
    }
    if let Some(folder) = arguments.output.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    let store = open_store(&arguments.output)?;
    let keep: Arc<dyn Keep> = store.clone();
    let http = options.clone().keep(keep).build()?;
    let pages = Saved::new(store.clone(), http);
    let progress = Progress::new("pages", None);
    let asking = Asking {
        pages: &pages,
        dumps: &dumps,
        follow: arguments.follow.get(),
        interrupt: Interrupt::catch(),
        progress: &progress,
        fetched: AtomicUsize::new(0),
        failed: AtomicUsize::new(0),
    };
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..arguments.jobs.get().min(sites.len()) {
            scope.spawn(|| {
                while let Some(site) = sites.get(next.fetch_add(1, Ordering::Relaxed)) {
                    asking.ask(site);
                }
            });
        }
    });
    let (fetched, failed) = (asking.fetched.into_inner(), asking.failed.into_inner());
    let came = asking.interrupt.came();
    progress.finish();
    store.sync()?;
    save_cookies(&options)?;
    tell(&format!(
        "{}: {fetched} pages of {} sites; {failed} failed",
        arguments.output.display(),
        sites.len()
    ));
    if came {
        tell("stopped; the same command goes on");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::of_batch(failed, fetched))
}

/// Returns the addresses that items name as examples, where the item is for the address. One of Wedata's fields may name
/// several, one a line.
fn example_urls(dump: &Siteinfo) -> Vec<Url> {
    let mut urls = Vec::new();
    for item in dump.items() {
        let named = item.example_url.as_deref().unwrap_or_default().split_whitespace();
        let parsed = named.filter_map(|named| named.parse::<Url>().ok());
        urls.extend(parsed.filter(|url| address::is_web(url) && item.url.matches(url.as_str())));
    }
    urls
}

/// Returns the addresses by site, at most `most` sites; no address is there twice.
fn by_site(urls: Vec<Url>, most: usize) -> Vec<Vec<Url>> {
    let mut sites: BTreeMap<String, Vec<Url>> = BTreeMap::new();
    for url in urls {
        let url = address::without_userinfo(&address::without_fragment(&url));
        let site = sites.entry(address::host_key(&url)).or_default();
        if !site.contains(&url) {
            site.push(url);
        }
    }
    let sites: Vec<Vec<Url>> = sites.into_values().collect();
    spread(sites.len(), most).into_iter().map(|at| sites[at].clone()).collect()
}

/// Asks sites for pages, each site by one thread.
struct Asking<'a> {
    pages: &'a Saved<Http>,
    dumps: &'a [Siteinfo],
    follow: usize,
    interrupt: Interrupt,
    progress: &'a Progress,
    fetched: AtomicUsize,
    failed: AtomicUsize,
}

impl Asking<'_> {
    fn ask(&self, site: &[Url]) {
        for url in site {
            let mut next = Some(url.clone());
            let mut before: Vec<Url> = Vec::new();
            while let Some(url) = next.take().filter(|url| !before.contains(url)) {
                if self.interrupt.came() {
                    return;
                }
                match self.pages.fetch(&url) {
                    Ok(response) => {
                        self.fetched.fetch_add(1, Ordering::Relaxed);
                        before.push(url);
                        if before.len() < self.follow {
                            let page = response.page();
                            let applied = self.dumps.iter().find_map(|dump| dump.apply(&page));
                            next = applied.map(|applied| address::without_fragment(&applied.next_url));
                        }
                    }
                    Err(error) => {
                        self.failed.fetch_add(1, Ordering::Relaxed);
                        complain(&plain(&format!("{url}: {}", error_line(&error))));
                    }
                }
                self.progress.step();
            }
        }
    }
}
