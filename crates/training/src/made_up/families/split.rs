//! Articles that are split over pages.

use crate::made_up::address::{Paths, SCHEMES, Scheme, WORDLESS};
use crate::made_up::maker::{LabelDraft, SiteMaker, Story, steps_at};
use crate::made_up::pager::{OnwardLink, Pager, PagerStep, Way};
use crate::made_up::prose::escaped;
use crate::made_up::theme::Parts;

/// What the pages of an article show to be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    SameTitle,
    /// “… part 2 of 3”.
    PartInTitle,
    /// “… (2/3)”.
    FractionInTitle,
    /// The same title, and a heading of the section below it.
    SectionHeading,
    /// The section's title, with the article's in the page's title and above.
    SectionTitle,
}

const IDENTITIES: [Identity; 7] = [
    Identity::SameTitle,
    Identity::SameTitle,
    Identity::SameTitle,
    Identity::PartInTitle,
    Identity::FractionInTitle,
    Identity::SectionHeading,
    Identity::SectionTitle,
];

/// Where the link of the last page leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Nothing,
    Greyed,
    Same,
    Home,
    Contents,
    /// Another article, which is stored.
    NextArticle,
    /// The next address of the scheme.
    Further,
}

const ENDS: [End; 6] = [End::Nothing, End::Nothing, End::Greyed, End::Same, End::Home, End::Contents];

/// An article to be split.
#[derive(Debug)]
pub(super) struct Split {
    pub(super) pages: usize,
    pub(super) scheme: Scheme,
    pub(super) identity: Identity,
    pub(super) pager: Pager,
    pub(super) end: End,
    pub(super) has_back: bool,
}

/// A split article whose pages are stored.
#[derive(Debug)]
pub(super) struct Stored {
    /// The paths of the pages as links name them.
    pub(super) paths: Vec<String>,
    pub(super) story: Story,
    /// The parts of the pages, as stored.
    pub(super) parts: Vec<Parts>,
    /// The paths of the scheme, some of them after the end.
    pub(super) scheme: Paths,
    /// The path of a page with the whole text, if there is one.
    pub(super) whole: Option<String>,
}

/// How many paths after the last page are drawn.
pub(super) const FURTHER: usize = 5;

impl SiteMaker<'_> {
    /// Draws a scheme of addresses. Next pages and other articles have the same ones.
    pub(super) fn drawn_scheme(&mut self) -> Scheme {
        if self.draw.of_100(40) { *self.draw.pick(&WORDLESS) } else { *self.draw.pick(&SCHEMES) }
    }

    /// Draws an article with pages that lead on in some way.
    pub(super) fn drawn_split(&mut self, way: Way) -> Split {
        let mut identity = *self.draw.pick(&IDENTITIES);
        if matches!(way, Way::TitleLink | Way::TitleList) {
            identity = *self.draw.pick(&[Identity::SectionHeading, Identity::SectionTitle]);
        }
        let next = if self.draw.of_100(55) { self.word("next_page") } else { self.word("next") };
        let previous =
            if next == self.word("next_page") { self.word("previous_page") } else { self.word("previous") };
        let mut pager = self.pager(way, next, previous);
        // Sections with titles of their own need a number to be known as parts.
        if self.draw.of_100(30) || (identity == Identity::SectionTitle && way != Way::TitleList) {
            pager.counter = Some(self.word("page_of").to_owned());
        }
        let scheme = if way == Way::Form { Scheme::Query } else { self.drawn_scheme() };
        let has_words = matches!(way, Way::Words | Way::Arrow | Way::Icon | Way::NumbersAndWords);
        Split {
            pages: self.draw.between(2, 5),
            scheme,
            identity,
            pager,
            end: if has_words { *self.draw.pick(&ENDS) } else { End::Nothing },
            has_back: self.draw.of_100(70),
        }
    }

    /// Stores the pages of a split article.
    pub(super) fn put_split(&mut self, split: &Split) -> Stored {
        let paths = self.paths(split.scheme, split.pages + FURTHER);
        let per_page = self.draw.between(3, 7);
        let story = self.story(split.pages * per_page);
        let texts = self.cut(&story, split.pages);
        let sections: Vec<String> =
            (0..split.pages).map(|_| self.writer.title(&mut self.draw, &story.topic)).collect();
        let end = self.end_of(split, &paths, &story);
        self.note(format!(
            "{:?}, {:?}, {} pages, back {}",
            split.identity, split.end, split.pages, split.has_back
        ));
        let whole = self.draw.of_100(10).then(|| self.put_whole(&paths.pages[0], &story));
        let mut stored = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let all = self.steps(&paths.pages[..split.pages], &sections, at);
            let steps = steps_at(&all, at, &end, Some(&paths), split.has_back);
            let mut parts = self.parts(&paths.pages[at], &story);
            parts.body = self.body(text);
            parts.first_url = Some(self.absolute(&paths.pages[0]));
            self.identify(&mut parts, split, &story, (at, &sections[at]));
            let headers = split.pager.placed(&self.theme, self.language(), &steps);
            let headers = self.place(&mut parts, headers);
            if let Some(whole) = &whole {
                let link = format!(" <a href=\"{}\">{}</a>", escaped(whole), self.word("single_page"));
                parts.bottom.push_str(&link);
            }
            let next = all.get(at + 1).map(|step| step.url.clone());
            let labelled = LabelDraft {
                next: next.as_deref(),
                relation: Some("page"),
                sequence: Some((&paths.pages[0], at + 1)),
                is_fair: true,
                kind: "article",
            };
            let path = if at == 0 { paths.pages[0].clone() } else { self.noisy(&paths.pages[at], at - 1) };
            self.put(&path, &parts, headers, &labelled);
            stored.push((path, parts));
        }
        let (stored, parts) = stored.into_iter().unzip();
        Stored { paths: stored, story, parts, scheme: paths, whole }
    }

    /// Stores a page with the whole text, and returns its path.
    pub(super) fn put_whole(&mut self, first: &str, story: &Story) -> String {
        let joint = if first.contains('?') { '&' } else { '?' };
        let query = *self.draw.pick(&["view=all", "print=1", "full=1", "single", "onepage=true"]);
        let path = format!("{first}{joint}{query}");
        let mut parts = self.parts(&path, story);
        parts.first_url = Some(self.absolute(first));
        self.put_single(&path, &parts, Vec::new());
        path
    }

    pub(super) fn steps(&self, paths: &[String], titles: &[String], on: usize) -> Vec<PagerStep> {
        let step =
            |(path, title): (&String, &String)| PagerStep { url: self.noisy(path, on), title: title.clone() };
        paths.iter().zip(titles).map(step).collect()
    }

    /// Deals paragraphs to pages. On some sites a page ends within a sentence.
    fn cut(&mut self, story: &Story, pages: usize) -> Vec<Vec<String>> {
        let per_page = story.paragraphs.len().div_ceil(pages).max(1);
        let mut texts: Vec<Vec<String>> = story.paragraphs.chunks(per_page).map(<[String]>::to_vec).collect();
        texts.resize(pages, vec![String::new()]);
        if self.draw.of_100(25) && self.language().has_spaces() {
            for at in 1..pages {
                if let Some(last) = texts[at - 1].last_mut()
                    && let Some((head, tail)) = halves(last)
                {
                    *last = head;
                    texts[at].insert(0, tail);
                }
            }
        }
        // Some sites say the end of a page again on the next one.
        let mut again = self.draw.apart("again");
        if again.of_100(12) {
            let count = again.between(1, 2);
            let end = |text: &Vec<String>| text[text.len() - count.min(text.len() / 2)..].to_vec();
            let ends: Vec<Vec<String>> = texts.iter().map(end).collect();
            for (text, end) in texts.iter_mut().skip(1).zip(ends) {
                text.splice(0..0, end);
            }
        }
        texts
    }

    fn identify(&self, parts: &mut Parts, split: &Split, story: &Story, (at, section): (usize, &String)) {
        let own = self.draw.apart("marks");
        let mut own = own;
        let marks_first = own.of_100(50);
        let mark = |text: String| if at == 0 && !marks_first { story.title.clone() } else { text };
        match split.identity {
            Identity::SameTitle => {
                if own.of_100(25) && at > 0 {
                    let number = self.word("page_of").replace("{n}", &(at + 1).to_string());
                    parts.title =
                        format!("{} - {}", story.title, number.replace("{m}", &split.pages.to_string()));
                }
            }
            Identity::PartInTitle => {
                let part = self
                    .word("part_of")
                    .replace("{n}", &(at + 1).to_string())
                    .replace("{m}", &split.pages.to_string());
                let joint = *own.pick(&[", ", ": ", " – ", " | "]);
                parts.heading = mark(format!("{}{joint}{part}", story.title));
                parts.title.clone_from(&parts.heading);
            }
            Identity::FractionInTitle => {
                let fraction = mark(format!("{} ({}/{})", story.title, at + 1, split.pages));
                parts.title.clone_from(&fraction);
                if own.of_100(60) {
                    parts.heading = fraction;
                }
            }
            Identity::SectionHeading => parts.body = format!("<h2>{}</h2>\n{}", escaped(section), parts.body),
            Identity::SectionTitle => {
                parts.title = format!("{}: {section}", story.title);
                parts.heading.clone_from(section);
                parts.body =
                    format!("<p{}>{}</p>\n{}", self.theme.named("lead"), escaped(&story.title), parts.body);
            }
        }
        if at > 0 {
            parts.opens = false;
            if own.of_100(45) {
                (parts.author, parts.day) = (None, None);
            }
        }
    }

    /// Returns the last link, and stores the article that it leads to.
    fn end_of(&mut self, split: &Split, paths: &Paths, story: &Story) -> OnwardLink {
        let last = split.pages - 1;
        let to = |url: &str, title: &str| {
            OnwardLink::To(PagerStep { url: url.to_owned(), title: title.to_owned() })
        };
        match split.end {
            End::Nothing => OnwardLink::Nothing,
            End::Greyed => OnwardLink::Greyed,
            End::Same => to(&self.noisy(&paths.pages[last], last), &story.title),
            End::Home => self.back_to("/", "home"),
            End::Contents => self.back_to("/contents", "contents"),
            End::Further => to(&self.noisy(&paths.pages[split.pages], last), self.word("next")),
            End::NextArticle => {
                let other = self.other_story(story);
                let path = paths.pages[split.pages].clone();
                let parts = self.parts(&path, &other);
                self.put_single(&path, &parts, Vec::new());
                to(&path, &other.title)
            }
        }
    }

    /// Returns a link to a page of the site that has a name: by that name, or by the words for the next page.
    fn back_to(&mut self, url: &str, key: &str) -> OnwardLink {
        let step = PagerStep { url: url.to_owned(), title: self.word(key).to_owned() };
        if self.draw.of_100(50) { OnwardLink::Named(step) } else { OnwardLink::To(step) }
    }

    /// Returns another story of the site: about the same topic, by the same author or on the same day, now and then.
    pub(super) fn other_story(&mut self, story: &Story) -> Story {
        let paragraphs = self.draw.between(4, 9);
        let topic = if self.draw.of_100(70) { story.topic.clone() } else { self.topic() };
        let mut other = self.story_about(&topic, paragraphs);
        if self.draw.of_100(50) {
            other.author.clone_from(&story.author);
        }
        let (days, back) = (self.draw.between(1, 9), self.draw.of_100(50));
        other.day = if self.draw.of_100(30) { story.day } else { story.day.shifted(days, back) };
        other
    }
}

fn halves(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split(' ').collect();
    let middle = words.len() / 2;
    (middle > 3).then(|| {
        (words[..middle].join(" ").trim_end_matches(['.', ',', '?']).to_owned(), words[middle..].join(" "))
    })
}
