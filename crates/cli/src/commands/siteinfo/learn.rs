//! `tsugi siteinfo learn`: learns an item for a site from its pages.

use crate::args::{ContentTeacher, LearnArguments, RuleFormat};
use anyhow::{Context, anyhow, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use tsugi::fetch::chain;
use tsugi::page::{Content, Evidence, NodeId};
use tsugi::page::{NodeKind, address};
use tsugi::rules::export;
use tsugi::rules::learn::{Learned, Observed, PageCheck, check, learn, spread};
use tsugi::{Archive, Fetch, JoinOptions, Page, Response, StopReason, Tsugi, Url};
use tsugi_site_blocks::{Extensions, SelectorRules};
use tsugi_terminal::detection::Detection;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{
    Output, complain, counted, error_line, misuse_of_output, plain, refuse, write_file,
};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::{
    SourceArgument, WebClient, http_options, open_archive, open_file, web_address, without_password,
};

/// Most pages to fetch for a URL: enough for most articles, and less than a minute of requests.
const PAGES_OF_A_URL: NonZeroUsize = NonZeroUsize::new(10).expect("10 is not zero");

/// Most characters of a page's text to show.
const SHOWN: usize = 60;

/// Most pages of a host to learn from. More teach little, and all are in memory at once.
const PAGES_OF_A_HOST: usize = 20;

pub(crate) fn run(arguments: &LearnArguments) -> anyhow::Result<Exit> {
    if let Some(misuse) = misuse(arguments) {
        return Ok(refuse(&misuse));
    }
    let tsugi = Detection::of_models(&arguments.models).load()?;
    let mut given = GivenPages::default();
    let urls = arguments.sources.iter().filter_map(|source| web_address(source));
    let web = WebClient::new(http_options(&arguments.network, urls)?);
    for source in &arguments.sources {
        if let Err(error) = given.add(source, arguments, &web, &tsugi) {
            complain(&format!("{}: {}", without_password(source), error_line(error.as_ref())));
            given.failed += 1;
        }
    }
    if arguments.format == RuleFormat::Fivefilters && given.sites.len() > 1 && !names_folder(arguments) {
        return Ok(refuse(&format!(
            "site configs are for one host, but the pages are from {}; pass a folder with -o",
            given.sites.len()
        )));
    }
    let GivenPages { sites, archives, mut failed, .. } = given;
    if sites.is_empty() {
        return Ok(if failed > 0 { Exit::Failed } else { Exit::NothingFound });
    }
    let most = arguments.max_pages.map_or(PAGES_OF_A_HOST, NonZeroUsize::get);
    let pages = sites.values().map(|site| site.places.len() as u64).sum();
    let reader = SiteReader { archives: &archives, tsugi: &tsugi, teacher: arguments.content };
    let progress = Progress::new("pages", Some(pages));
    let (mut learned, mut differ) = (Vec::new(), false);
    for site in sites.into_values() {
        let host = site.host.clone();
        match reader.learn(site, most, &progress) {
            Ok(of_site) => {
                let agrees = report(&host, &of_site, arguments.content);
                differ |= !agrees;
                if agrees || !arguments.strict {
                    learned.push((host, of_site.learned));
                } else {
                    complain(&format!("{host}: item dropped because of --strict"));
                }
            }
            Err(error) => {
                complain(&format!("{host}: nothing learned: {}", chain(error.as_ref())));
                failed += 1;
            }
        }
    }
    progress.finish();
    // If nothing was learned, keep the old file.
    if learned.is_empty() {
        return Ok(Exit::NothingFound);
    }
    write_rules(arguments, &learned)?;
    Ok(if failed > 0 || differ { Exit::PartlyFailed } else { Exit::Done })
}

fn misuse(arguments: &LearnArguments) -> Option<String> {
    let output = arguments.output.as_deref()?;
    if arguments.format != RuleFormat::Fivefilters && output.is_dir() {
        return Some(format!("`{}` is a folder; pass a file with -o", output.display()));
    }
    misuse_of_output(Some(output), &arguments.sources)
}

/// Returns `true` if -o names a folder: an existing one, or a name that ends with a separator.
fn names_folder(arguments: &LearnArguments) -> bool {
    arguments.output.as_deref().is_some_and(|output| {
        let ends_open = output.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
        output.is_dir() || (ends_open && !output.exists())
    })
}

#[derive(Debug, Default)]
struct GivenPages {
    sites: BTreeMap<String, SitePages>,
    archives: Vec<Archive>,
    /// The pages of the articles that were followed.
    followed: BTreeSet<String>,
    /// Number of sources and records that could not be read.
    failed: usize,
}

#[derive(Debug)]
struct SitePages {
    /// The host without `www.`, with its port if it has one.
    host: String,
    places: Vec<PagePlace>,
    /// Number of addresses that were followed to its pages.
    starts: usize,
}

#[derive(Debug)]
enum PagePlace {
    Here(Box<Observed>),
    Archive(usize, Url),
    /// In a file that contains this address.
    File(PathBuf, Url),
}

impl GivenPages {
    fn add(
        &mut self,
        source: &str,
        arguments: &LearnArguments,
        web: &WebClient,
        tsugi: &Tsugi,
    ) -> anyhow::Result<()> {
        match SourceArgument::of(source)? {
            SourceArgument::Web(url) => {
                // A later page of an article that was followed is no other article.
                if self.followed.contains(&address::page_key(&url)) {
                    return Ok(());
                }
                let most = arguments.max_pages.unwrap_or(PAGES_OF_A_URL);
                for (at, observed) in follow(&url, most, web, tsugi)?.into_iter().enumerate() {
                    let url = observed.page.url().clone();
                    self.followed.insert(address::page_key(&url));
                    let site = self.place(&url, PagePlace::Here(Box::new(observed)));
                    site.starts += usize::from(at == 0);
                }
            }
            SourceArgument::Archive(path) => {
                let archive = open_archive(&path)?;
                self.failed += archive.problems().len();
                let at = self.archives.len();
                // Archives also contain errors, images, and redirects to other records.
                let is_page = |url: &&Url| archive.fetch(url).is_ok_and(|response| response.url == **url);
                for url in archive.urls().filter(is_page) {
                    self.place(url, PagePlace::Archive(at, url.clone()));
                }
                self.archives.push(archive);
            }
            SourceArgument::Stdin => bail!("rules cannot be learned from stdin; name a file"),
            SourceArgument::File(path) => {
                let page = read_file(&path)?.page();
                let url = own_address(&page).ok_or_else(|| {
                    anyhow!("unknown address: the page has no canonical link and no `og:url`")
                })?;
                self.place(&url, PagePlace::File(path, url.clone()));
            }
        }
        Ok(())
    }

    fn place(&mut self, url: &Url, place: PagePlace) -> &mut SitePages {
        let host = address::host_key(url);
        let site = self.sites.entry(host.clone()).or_insert_with(|| SitePages {
            host,
            places: Vec::new(),
            starts: 0,
        });
        site.places.push(place);
        site
    }
}

fn follow(url: &Url, most: NonZeroUsize, web: &WebClient, tsugi: &Tsugi) -> anyhow::Result<Vec<Observed>> {
    let options = JoinOptions::default().max_pages(most.get());
    let http = web.http()?;
    let joined = tsugi
        .reassemble(url, &options, |url| http.fetch(url).map_err(|error| error.into_unavailable(url)))?;
    let (pages, stopped) = (joined.parts.len(), &joined.stopped);
    complain(&format!("{url}: {}; stopped: {} ({})", counted(pages, "page"), stopped.reason, stopped.detail));
    // A link refused because of the page behind it is not one to learn.
    let refused = matches!(stopped.reason, StopReason::NotAContinuation | StopReason::Loop);
    let observed = joined.parts.into_iter().enumerate().map(|(at, part)| Observed {
        next: part.next.filter(|_| !refused || at + 1 < pages),
        content: part.content,
        ..tsugi.observe(part.page)
    });
    Ok(observed.collect())
}

fn read_file(path: &Path) -> anyhow::Result<Response> {
    let (url, files) = open_file(path)?;
    Ok(files.fetch(&url)?)
}

/// Returns the web address that a saved page declares.
fn own_address(page: &Page) -> Option<Url> {
    let attribute = |id, name| page.attribute(id, name).unwrap_or_default();
    let is_canonical = |id| {
        page.is(id, "link")
            && attribute(id, "rel")
                .split_ascii_whitespace()
                .any(|word| word.eq_ignore_ascii_case("canonical"))
    };
    let is_og = |id| page.is(id, "meta") && attribute(id, "property").eq_ignore_ascii_case("og:url");
    let comments = page.subtree(NodeId::DOCUMENT).filter(|id| page.kind(*id) == NodeKind::Comment);
    let saved = comments.map(|id| page.data(id)).find_map(saved_from);
    let canonical = page.elements().find(|id| is_canonical(*id)).map(|id| attribute(id, "href"));
    let og = page.elements().find(|id| is_og(*id)).map(|id| attribute(id, "content"));
    let named = [saved, canonical, og].into_iter().flatten();
    let url = named.filter_map(|named| named.trim().parse().ok()).find(address::is_web)?;
    Some(address::without_userinfo(&address::without_fragment(&url)))
}

/// Reads the comment that browsers add to saved pages: `saved from url=(0022)https://a.test/1`.
fn saved_from(comment: &str) -> Option<&str> {
    let (_, rest) = comment.split_once("saved from url=(")?;
    rest.split_once(')').map(|(_, url)| url.trim())
}

#[derive(Debug)]
struct LearnedSite {
    learned: Learned,
    pages: usize,
    /// Number of addresses that were followed to the pages.
    starts: usize,
    /// Checks on all pages.
    checks: Vec<PageCheck>,
}

#[derive(Debug)]
struct SiteReader<'a> {
    archives: &'a [Archive],
    tsugi: &'a Tsugi,
    teacher: ContentTeacher,
}

impl SiteReader<'_> {
    /// Learns from some pages of a host, evenly spread, and checks the others.
    fn learn(&self, site: SitePages, most: usize, progress: &Progress) -> anyhow::Result<LearnedSite> {
        let mut unread = Vec::new();
        let places = site.places;
        let chosen = spread(places.len(), most);
        let (mut some, mut others) = (Vec::new(), Vec::new());
        for (at, place) in places.into_iter().enumerate() {
            if chosen.contains(&at) { some.push(place) } else { others.push(place) }
        }
        let mut seen = BTreeSet::new();
        let mut observed: Vec<Observed> = Vec::new();
        let mut read = |place, unread: &mut Vec<String>| {
            progress.step();
            match self.observe(place, unread) {
                Some(one) if address::host_key(one.page.url()) != site.host => None,
                Some(one) if !seen.insert(address::page_key(one.page.url())) => {
                    complain(&format!("{}: {}: duplicate page; using the first", site.host, one.page.url()));
                    None
                }
                one => one,
            }
        };
        observed.extend(some.into_iter().filter_map(|place| read(place, &mut unread)));
        let rules = match self.teacher {
            ContentTeacher::Model => None,
            ContentTeacher::Rules if observed.len() == 1 => {
                bail!("learning content by rules requires at least two pages")
            }
            ContentTeacher::Rules => Some(rules_of(&observed)),
        };
        let see_content = |observed: &mut Observed| {
            if let Some(rules) = &rules {
                observed.content = rules.kept(&observed.page).content(&observed.page);
            }
        };
        observed.iter_mut().for_each(see_content);
        let learned = learn(&observed.iter().collect::<Vec<_>>(), self.tsugi.threshold());
        let learned = learned.map_err(|error| match unread.first() {
            Some(first) if observed.is_empty() => anyhow!("{error}: {first}"),
            _ => error.into(),
        })?;
        let pages = observed.len();
        drop(observed);
        let mut checks = learned.checks.clone();
        for place in others {
            if let Some(mut observed) = read(place, &mut unread) {
                see_content(&mut observed);
                checks.push(check(&learned.item, &observed, self.tsugi.threshold()));
            }
        }
        Ok(LearnedSite { learned, pages, starts: site.starts, checks })
    }

    /// Reads a page, without its content if rules are to find that. Errors go into `unread`.
    fn observe(&self, place: PagePlace, unread: &mut Vec<String>) -> Option<Observed> {
        let response = match place {
            PagePlace::Here(observed) => return Some(*observed),
            PagePlace::Archive(at, url) => self.archives[at].fetch(&url).map_err(|error| chain(&error)),
            PagePlace::File(path, url) => match read_file(&path) {
                Ok(response) => Ok(Response { url, ..response }),
                Err(error) => Err(chain(error.as_ref())),
            },
        };
        let page = response.map_err(|why| unread.push(why)).ok()?.page();
        Some(match self.teacher {
            ContentTeacher::Model => self.tsugi.observe(page),
            ContentTeacher::Rules => {
                Observed { content: Content::nothing(Evidence::Site), ..self.tsugi.observe(page) }
            }
        })
    }
}

/// Learns selector rules from what is unique to each page.
///
/// CHOICE: the item is learned from what the rules keep, not made of the rules. The union of their XPath selects blocks with
/// everything inside, whether rules keep it or not: on `sites`, 114 items of all pages, its content was worse than that of
/// the learned item for 40, and better for 5.
fn rules_of(observed: &[Observed]) -> SelectorRules {
    let pages: Vec<&Page> = observed.iter().map(|observed| &observed.page).collect();
    SelectorRules::learn_from_unique(&pages, Extensions::BOTH)
}

/// Reports how the item compares with what it was learned from; returns `true` if they agree everywhere.
fn report(host: &str, of_site: &LearnedSite, teacher: ContentTeacher) -> bool {
    let LearnedSite { learned, pages, checks, .. } = of_site;
    let agree = checks.iter().filter(|check| check.agrees()).count();
    complain(&format!(
        "{host}: learned from {pages} page{}; item and {} agree on {agree} of {}",
        if *pages == 1 { "" } else { "s" },
        match teacher {
            ContentTeacher::Model => "models",
            ContentTeacher::Rules => "models, and rules for content,",
        },
        checks.len()
    ));
    for check in checks {
        if !learned.item.url.matches(check.url.as_str()) {
            complain(&format!("{host}: {}: the item's `url` does not match", check.url));
            continue;
        }
        if !check.same_next {
            let by_models = check.next_by_models.as_ref();
            let by_models =
                by_models.map_or("none".to_owned(), |(url, score)| format!("{url} (score {score:.3})"));
            let by_item = check.next_by_item.as_ref().map_or("none", Url::as_str);
            complain(&format!(
                "{host}: {}: next page: {by_models} by models, {by_item} by the item",
                check.url
            ));
        }
        if let Some(opening) = &check.opening {
            let shown: String = plain(opening).chars().take(SHOWN).collect();
            complain(&format!(
                "{host}: {}: the item's content begins with `{shown}`, which is no content for the models",
                check.url
            ));
        }
        if check.content < PageCheck::SAME_CONTENT {
            complain(&format!("{host}: {}: content agrees by only {:.2}", check.url, check.content));
        }
    }
    if of_site.starts == 1 && *pages > 1 {
        complain(&format!(
            "{host}: learned from one article; with the first page of another, the rule may fit more than `{}`",
            learned.item.url.source()
        ));
    }
    if !checks.iter().any(PageCheck::is_end) {
        complain(&format!("{host}: not checked on a last page, because none of the pages is one"));
    }
    agree == checks.len()
}

fn write_rules(arguments: &LearnArguments, learned: &[(String, Learned)]) -> anyhow::Result<()> {
    let output = arguments.output.as_deref();
    let rules: Vec<Value> = match arguments.format {
        RuleFormat::Fivefilters => return write_site_configs(arguments, learned),
        RuleFormat::Wedata => learned.iter().map(|(_, learned)| learned.item.to_json()).collect(),
        RuleFormat::Css => {
            for (host, learned) in learned {
                warn_of_css(host, learned);
            }
            learned.iter().map(|(_, learned)| export::css(learned)).collect()
        }
    };
    let mut json = serde_json::to_vec_pretty(&rules)?;
    json.push(b'\n');
    write_whole(output, &json)
}

/// Writes site configs: a file per host into a folder, else a single text.
fn write_site_configs(arguments: &LearnArguments, learned: &[(String, Learned)]) -> anyhow::Result<()> {
    let output = arguments.output.as_deref();
    let Some(folder) = output.filter(|_| names_folder(arguments)) else {
        let texts: Vec<String> =
            learned.iter().map(|(_, learned)| export::five_filters(&learned.item)).collect();
        return write_whole(output, texts.concat().as_bytes());
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    for (host, learned) in learned {
        let name = format!("{}.txt", host.replace([':', '[', ']'], "_"));
        write_file(&folder.join(name), export::five_filters(&learned.item).as_bytes())?;
    }
    Ok(())
}

fn write_whole(path: Option<&Path>, bytes: &[u8]) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    output.write_all(bytes)?;
    output.finish()
}

fn warn_of_css(host: &str, learned: &Learned) {
    let parts = [
        ("nextLink", &learned.next_link_css, &learned.item.next_link),
        ("pageElement", &learned.page_element_css, &learned.item.page_element),
    ];
    for (name, _, xpath) in parts.into_iter().filter(|(_, css, _)| css.is_none()) {
        let source = xpath.source();
        complain(&format!(
            "{host}: `{name}` is null: no CSS found that selects the same nodes as `{source}`"
        ));
    }
}
