//! Ends that are none, and ways on that are no plain links.

use super::split::{End, FURTHER, Stored};
use crate::made_up::address::Scheme;
use crate::made_up::maker::{LabelDraft, Noise, SiteMaker, WantedPaths};
use crate::made_up::pager::{OnwardLink, PagerStep, Steps, Way};
use crate::made_up::prose::escaped;
use crate::made_up::site::{MadeUpPage, TOLD_BY};
use crate::made_up::theme::Parts;

/// What a site answers past its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PastEnd {
    LastAgain,
    FirstAgain,
    /// “Nothing more”, and a pager that counts on.
    EmptyWithPager,
    Empty,
    /// A page that says so, with another title.
    SoftError,
}

const PAST_ENDS: [PastEnd; 6] = [
    PastEnd::LastAgain,
    PastEnd::LastAgain,
    PastEnd::FirstAgain,
    PastEnd::EmptyWithPager,
    PastEnd::Empty,
    PastEnd::SoftError,
];

const NUMBERED: [Scheme; 4] = [Scheme::PathNumber, Scheme::Query, Scheme::DashFile, Scheme::DotFile];

const TRACKING: [&str; 5] = [
    "utm_source=pager&utm_medium=link",
    "fbclid=IwAR2kd83hGdk0s3",
    "gclid=Cj0KCQjw8",
    "utm_campaign=next",
    "mc_cid=7a9d2e11f0",
];

impl Stored {
    /// Returns what a reader wants of it.
    fn wanted(&self) -> WantedPaths {
        WantedPaths {
            instead: self.whole.iter().cloned().collect(),
            ..WantedPaths::whole(self.paths.clone())
        }
    }
}

impl SiteMaker<'_> {
    /// A split article.
    pub(super) fn split_by(&mut self, ways: &[Way], end: Option<End>, has_back: Option<bool>) -> WantedPaths {
        let way = *self.draw.pick(ways);
        let mut split = self.drawn_split(way);
        if let Some(end) = end {
            split.end = end;
        }
        split.has_back = has_back.unwrap_or(split.has_back);
        self.put_split(&split).wanted()
    }

    /// A split article whose pagers have noise in their addresses.
    pub(super) fn noise(&mut self) -> WantedPaths {
        self.noise = if self.draw.of_100(50) {
            Noise::Tracking(self.draw.pick::<&'static str>(&TRACKING))
        } else {
            Noise::Session {
                key: self.draw.pick::<&'static str>(&["sid", "PHPSESSID", "session"]),
                is_fresh: self.draw.of_100(50),
            }
        };
        self.note(format!("{:?}", self.noise));
        self.split_by(&[Way::Words, Way::Words, Way::NumbersAndWords], None, None)
    }

    /// A split article, after whose last page the pager counts on.
    pub(super) fn soft_end(&mut self) -> WantedPaths {
        let way = *self.draw.pick(&[Way::Words, Way::Words, Way::Arrow, Way::Icon]);
        let mut split = self.drawn_split(way);
        (split.end, split.scheme) = (End::Further, *self.draw.pick(&NUMBERED));
        split.pager.counter = None;
        if self.draw.of_100(50) {
            split.identity = super::split::Identity::SameTitle;
        }
        let stored = self.put_split(&split);
        let past = *self.draw.pick(&PAST_ENDS);
        self.note(format!("{past:?}"));
        let all: Vec<PagerStep> = stored
            .scheme
            .pages
            .iter()
            .map(|path| PagerStep { url: path.clone(), title: stored.story.title.clone() })
            .collect();
        for at in split.pages..split.pages + FURTHER {
            let counts_on = past != PastEnd::Empty && past != PastEnd::SoftError;
            let onward = all
                .get(at + 1)
                .filter(|_| counts_on)
                .map_or(OnwardLink::Nothing, |step| OnwardLink::To(step.clone()));
            let steps = Steps { all: &all, at, onward, has_back: split.has_back, paths: None };
            let mut parts = self.past_end(past, &stored);
            parts.url = self.absolute(&all[at].url);
            let placed = split.pager.placed(&self.theme, self.language(), &steps);
            let headers = self.place(&mut parts, placed);
            self.put_single(&all[at].url, &parts, headers);
            if let Some(page) = self.pages.last_mut().filter(|_| counts_on) {
                page.label.others.insert(TOLD_BY.to_owned(), "pair".into());
            }
        }
        if let Some(last) = self.last_page(&stored) {
            last.label.others.insert(TOLD_BY.to_owned(), "pair".into());
        }
        stored.wanted()
    }

    fn last_page(&mut self, stored: &Stored) -> Option<&mut MadeUpPage> {
        let place = u32::try_from(stored.paths.len()).ok();
        self.pages.iter_mut().find(|page| page.label.position == place)
    }

    fn past_end(&mut self, past: PastEnd, stored: &Stored) -> Parts {
        let again = if past == PastEnd::FirstAgain { stored.parts.first() } else { stored.parts.last() };
        let mut parts = again.cloned().unwrap_or_default();
        (parts.top, parts.bottom, parts.below, parts.head) = Default::default();
        match past {
            PastEnd::LastAgain | PastEnd::FirstAgain => parts.body.push_str(&self.changing_line()),
            PastEnd::EmptyWithPager | PastEnd::Empty => {
                parts.body = format!("<p>{}</p>{}", self.word("nothing"), self.changing_line());
            }
            PastEnd::SoftError => {
                (parts.title, parts.heading) = ("404".to_owned(), self.word("nothing").to_owned());
                (parts.headline, parts.author, parts.day) = ("404".to_owned(), None, None);
                parts.body =
                    format!("<p>{}</p><p><a href=\"/\">{}</a></p>", self.word("nothing"), self.word("home"));
            }
        }
        parts.opens = past == PastEnd::FirstAgain;
        parts
    }

    /// Returns a line that is another one on every page.
    fn changing_line(&mut self) -> String {
        match self.draw.below(4) {
            0 => format!("<p><small>{} ms</small></p>", self.draw.between(3, 900)),
            1 => format!("<p># {}</p>", self.draw.between(1_000, 99_999)),
            2 => {
                let topic = self.topic();
                format!("<p><i>{}</i></p>", escaped(&self.writer.sentence(&mut self.draw, &topic)))
            }
            _ => String::new(),
        }
    }

    /// A split article, whose last link leads to a page that is not there.
    pub(super) fn missing_end(&mut self) -> WantedPaths {
        let mut split = self.drawn_split(Way::Words);
        (split.end, split.scheme) = (End::Further, *self.draw.pick(&NUMBERED));
        split.pager.counter = None;
        // Whether a page is missing, or there never was one, only the site knows.
        let stored = self.put_split(&split);
        // No page tells that its link is dead, and there is no pair to tell it.
        if let Some(last) = self.last_page(&stored) {
            last.label.labels.clear();
        }
        WantedPaths { complete: None, ..stored.wanted() }
    }

    /// A split article, between whose pages pages stand that send the reader on.
    pub(super) fn refresh_stubs(&mut self) -> WantedPaths {
        let way = *self.draw.pick(&[Way::Words, Way::Words, Way::Arrow]);
        let split = self.drawn_split(way);
        let split = super::split::Split { end: End::Nothing, ..split };
        let stored = self.put_split(&split);
        let mut optional = Vec::new();
        for (at, path) in (1..).zip(&stored.paths[1..]) {
            let stub = format!("/go/{}", self.draw.hex(8));
            let (seconds, escaped) = (self.draw.below(4), escaped(path));
            let text = self.word("moving");
            let html = format!(
                "<html><head><meta http-equiv=\"refresh\" content=\"{seconds}; url={escaped}\"><title>…</title></head><body><p>{text}</p><p><a href=\"{escaped}\">{escaped}</a></p></body></html>"
            );
            self.put_html(&stub, html, Vec::new(), &LabelDraft { kind: "stub", ..LabelDraft::default() });
            self.lead_over(at, (path, &stub));
            optional.push(stub);
        }
        WantedPaths { optional, ..stored.wanted() }
    }

    /// Rewrites the links to a path on the page at a place of the article, from 1.
    fn lead_over(&mut self, at: u32, (path, stub): (&str, &str)) {
        let is_it = |page: &&mut MadeUpPage| page.label.position == Some(at);
        if let Some(page) = self.pages.iter_mut().find(is_it) {
            page.html =
                page.html.replace(&format!("href=\"{}\"", escaped(path)), &format!("href=\"{stub}\""));
            // Where the link leads is no page of the article.
            page.label.labels.clear();
            page.label.next = None;
        }
    }

    /// An article whose first page offers the whole text on one page, and no other way on.
    pub(super) fn single_page(&mut self) -> WantedPaths {
        let paths = self.paths(Scheme::Slugs, 1).pages;
        let count = self.draw.between(9, 18);
        let story = self.story(count);
        let whole = self.put_whole(&paths[0], &story);
        let says = self.draw.of_100(50);
        let mut parts = self.parts(&paths[0], &story);
        parts.body = self.body(&story.paragraphs[..count / 3]);
        let counter = self.word("page_of").replace("{n}", "1").replace("{m}", "3");
        let counter = if says { format!("<span>{counter}</span> ") } else { String::new() };
        parts.bottom = format!(
            "<p{}>{counter}<a href=\"{whole}\">{}</a></p>",
            self.theme.named("pager"),
            self.word("single_page")
        );
        self.put_single(&paths[0], &parts, Vec::new());
        self.note(if says { "counted" } else { "not counted" });
        WantedPaths { start: Some(paths[0].clone()), ..WantedPaths::whole(vec![whole]) }
    }

    /// Returns the first page of an article that is longer, with a pager.
    fn put_beginning(&mut self, pager: &str) -> WantedPaths {
        let scheme = self.drawn_scheme();
        let paths = self.paths(scheme, 1).pages;
        let paragraphs = self.draw.between(4, 8);
        let story = self.story(paragraphs);
        let mut parts = self.parts(&paths[0], &story);
        let pager = format!("<div{}>{pager}</div>", self.theme.named("pager"));
        if self.draw.of_100(60) {
            parts.bottom = pager;
        } else {
            parts.below = pager;
        }
        self.put_single(&paths[0], &parts, Vec::new());
        WantedPaths::partial(paths)
    }

    /// An article whose next page only a script fetches.
    pub(super) fn script_button(&mut self) -> WantedPaths {
        let (next, form) = (self.word("next_page"), self.draw.below(4));
        self.note(format!("script {form}"));
        let counter = self.word("page_of").replace("{n}", "1").replace("{m}", "3");
        let button = match form {
            0 => format!("<button type=\"button\" data-page=\"2\">{next}</button>"),
            1 => format!("<a href=\"javascript:void(0)\" onclick=\"load(2)\">{next}</a>"),
            2 => format!("<a href=\"#\" class=\"js-load\" data-offset=\"2\">{next}</a>"),
            _ => format!("<span role=\"button\" tabindex=\"0\">{next}</span>"),
        };
        let button = if self.draw.of_100(50) { format!("{counter} {button}") } else { button };
        self.put_beginning(&button)
    }

    /// An article that says how many pages it has, and leads to none of them.
    pub(super) fn says_more(&mut self) -> WantedPaths {
        let form = *self.draw.pick(&["page_of", "page_of", "part_of"]);
        let pages = self.draw.between(2, 6);
        let said = self.word(form).replace("{n}", "1").replace("{m}", &pages.to_string());
        self.note(form);
        self.put_beginning(&said)
    }

    /// An article that goes on at another host.
    pub(super) fn off_site(&mut self) -> WantedPaths {
        let host =
            self.origin.split_once("://").map_or("", |(_, host)| host).trim_start_matches("www.").to_owned();
        let other = match self.draw.below(3) {
            0 => format!("https://m.{host}"),
            1 => format!("https://archive.{host}"),
            _ => format!("https://{}-more.example", host.trim_end_matches(".example")),
        };
        let paths = self.paths(Scheme::PathNumber, 2).pages;
        let paragraphs = self.draw.between(4, 8);
        let story = self.story(2 * paragraphs);
        let next = self.word("next_page");
        let target = format!("{other}{}", paths[1]);
        let mut parts = self.parts(&paths[0], &story);
        parts.body = self.body(&story.paragraphs[..paragraphs]);
        parts.bottom = format!(
            "<p{}><a href=\"{target}\"{}>{next}</a></p>",
            self.theme.named("pager"),
            self.theme.named("next")
        );
        let labelled =
            LabelDraft { next: Some(&target), ..Self::in_sequence(None, (&paths[0], 0), "page", "article") };
        self.put(&paths[0], &parts, Vec::new(), &labelled);
        let mut second = self.parts(&target, &story);
        second.body = self.body(&story.paragraphs[paragraphs..]);
        self.put(&target, &second, Vec::new(), &Self::in_sequence(None, (&paths[0], 1), "page", "article"));
        WantedPaths::partial(paths[..1].to_vec())
    }
}
