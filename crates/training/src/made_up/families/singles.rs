//! Single articles, and what their links lead to.

use crate::made_up::maker::{LabelDraft, SiteMaker, Story, WantedPaths, steps_at};
use crate::made_up::pager::{OnwardLink, PagerStep, Way};
use crate::made_up::prose::escaped;
use crate::made_up::theme::Parts;
use std::fmt::Write as _;

/// What the articles of a chain have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Any,
    /// The next article is of the same author and day.
    SameDay,
    /// The next article is older.
    Older,
}

const CHAIN_WAYS: [Way; 10] = [
    Way::Words,
    Way::Words,
    Way::Words,
    Way::Words,
    Way::Arrow,
    Way::Icon,
    Way::TitleLink,
    Way::TitleLink,
    Way::HeadOnly,
    Way::Header,
];

impl SiteMaker<'_> {
    /// A chain of articles, each linked to the next. The reader starts at one of them.
    pub(super) fn next_article(&mut self, likeness: Likeness) -> WantedPaths {
        let count = self.draw.between(3, 9);
        let scheme = self.drawn_scheme();
        let paths = self.article_paths(scheme, count);
        let key = match likeness {
            Likeness::Older => *self.draw.pick(&["older", "next_article", "next"]),
            _ => *self.draw.pick(&["next", "next", "next_article", "next_post"]),
        };
        let back = if key == "older" { self.word("newer") } else { self.word("previous") };
        let way = *self.draw.pick(&CHAIN_WAYS);
        let pager = self.pager(way, self.word(key), back);
        self.note(format!("{key}, {likeness:?}"));
        let stories = self.chain(count, likeness);
        let all: Vec<PagerStep> = paths
            .iter()
            .zip(&stories)
            .map(|(path, story)| PagerStep { url: path.clone(), title: story.title.clone() })
            .collect();
        for (at, (path, story)) in paths.iter().zip(&stories).enumerate() {
            let steps = steps_at(&all, at, &OnwardLink::Nothing, None, true);
            let mut parts = self.parts(path, story);
            let placed = pager.placed(&self.theme, self.language(), &steps);
            let headers = self.place(&mut parts, placed);
            self.put_single(path, &parts, headers);
        }
        let start = self.draw.below(count - 1);
        WantedPaths::whole(vec![paths[start].clone()])
    }

    fn chain(&mut self, count: usize, likeness: Likeness) -> Vec<Story> {
        let paragraphs = self.draw.between(4, 9);
        let mut stories: Vec<Story> = vec![self.story(paragraphs)];
        while stories.len() < count {
            let last = stories[stories.len() - 1].clone();
            let mut other = self.other_story(&last);
            match likeness {
                Likeness::Any => {}
                Likeness::SameDay => (other.author, other.day) = (last.author.clone(), last.day),
                Likeness::Older => other.day = last.day.shifted(self.draw.between(1, 3), true),
            }
            stories.push(other);
        }
        stories
    }

    /// An article at whose end a title or a card leads to another one.
    pub(super) fn unlabelled_next(&mut self) -> WantedPaths {
        let scheme = self.drawn_scheme();
        let paths = self.article_paths(scheme, 3);
        let stories = self.chain(3, Likeness::Any);
        let form = self.draw.below(4);
        for (at, (path, story)) in paths.iter().zip(&stories).enumerate() {
            let mut parts = self.parts(path, story);
            if let (Some(url), Some(next)) = (paths.get(at + 1), stories.get(at + 1)) {
                parts.below = self.card(form, url, next);
            }
            self.put_single(path, &parts, Vec::new());
        }
        self.note(format!("card {form}"));
        WantedPaths::whole(vec![paths[0].clone()])
    }

    fn card(&self, form: usize, url: &str, next: &Story) -> String {
        let title = escaped(&next.title);
        let teaser: String =
            next.paragraphs.first().map_or_else(String::new, |text| text.chars().take(120).collect());
        match form {
            0 => format!("<p><a href=\"{url}\">{title}</a></p>"),
            1 => format!(
                "<a href=\"{url}\"{}><img src=\"/img/t.jpg\" alt=\"\"><h3>{title}</h3><p>{}…</p></a>",
                self.theme.named("widget"),
                escaped(&teaser)
            ),
            2 => format!(
                "<div{}><h2><a href=\"{url}\">{title}</a></h2><p>{}… <a href=\"{url}\">{}</a></p></div>",
                self.theme.named("related"),
                escaped(&teaser),
                self.word("read_more")
            ),
            _ => format!("<h4>{}</h4><a href=\"{url}\">{title} ›</a>", self.word("related")),
        }
    }

    /// An article that leads nowhere but to what stands around it.
    pub(super) fn single(&mut self) -> WantedPaths {
        let scheme = self.drawn_scheme();
        let paths = self.article_paths(scheme, 1);
        let paragraphs = self.draw.between(3, 14);
        let story = self.story(paragraphs);
        let parts = self.parts(&paths[0], &story);
        self.put_single(&paths[0], &parts, Vec::new());
        WantedPaths::whole(paths)
    }

    fn comment(&mut self, story: &Story) -> String {
        let text = self.writer.paragraph(&mut self.draw, &story.topic);
        let (name, days) = (self.writer.name(&mut self.draw), self.draw.between(0, 9));
        let day = story.day.shifted(days, false);
        format!(
            "<div{}><b>{}</b> <small>{}.{}.{}</small><p>{}</p></div>",
            self.theme.named("comment"),
            escaped(&name),
            day.of_month,
            day.month,
            day.year,
            escaped(&text)
        )
    }

    fn comments(&mut self, story: &Story, count: usize, pager: &str) -> String {
        let list: String = (0..count).map(|_| self.comment(story)).collect();
        format!("<div{}><h3>{}</h3>{list}{pager}</div>", self.theme.named("comments"), self.word("comments"))
    }

    /// An article whose comments are paged.
    pub(super) fn comment_pages(&mut self) -> WantedPaths {
        let scheme = self.drawn_scheme();
        let paths = self.paths(scheme, 3).pages;
        let story = {
            let paragraphs = self.draw.between(4, 9);
            self.story(paragraphs)
        };
        let pager = {
            let key = *self.draw.pick(&["next_page", "next", "more_comments", "older"]);
            let way = *self.draw.pick(&[Way::Words, Way::Words, Way::NumbersAndWords, Way::Numbers]);
            self.pager(way, self.word(key), self.word("previous"))
        };
        let form = self.draw.below(3);
        self.note(["comments alone", "comments below a teaser", "comments below the article"][form]);
        let all = self.steps(&paths, &vec![story.title.clone(); paths.len()], 0);
        for (at, path) in paths.iter().enumerate() {
            let steps = steps_at(&all, at, &OnwardLink::Nothing, None, true);
            let placed = pager.placed(&self.theme, self.language(), &steps);
            let pager = placed.links().to_owned();
            let mut parts = self.parts(path, &story);
            parts.head = placed.head;
            parts.first_url = Some(self.absolute(&paths[0]));
            if at > 0 && form < 2 {
                parts.body = if form == 0 { String::new() } else { self.body(&story.paragraphs[..1]) };
                parts.opens = false;
            }
            let count = self.draw.between(4, 9);
            parts.after = self.comments(&story, count, &pager);
            self.put_single(path, &parts, Vec::new());
        }
        WantedPaths::whole(vec![paths[0].clone()])
    }

    /// A single article, on whose page something else is paged: other stories, reviews, a calendar, videos.
    pub(super) fn other_pager(&mut self) -> WantedPaths {
        let scheme = self.drawn_scheme();
        let paths = self.paths(scheme, 3).pages;
        let paragraphs = self.draw.between(4, 10);
        let story = self.story(paragraphs);
        let key = *self.draw.pick(&["next_page", "next", "next", "older"]);
        let way = *self.draw.pick(&[
            Way::Words,
            Way::Words,
            Way::Arrow,
            Way::NumbersAndWords,
            Way::Numbers,
            Way::Select,
        ]);
        let pager = self.pager(way, self.word(key), self.word("previous"));
        let (thing, repeats) = (self.draw.below(4), self.draw.of_100(50));
        self.note(["other stories", "reviews", "calendar", "videos"][thing]);
        self.note(if repeats { "article again" } else { "list alone" });
        let all = self.steps(&paths, &vec![story.title.clone(); paths.len()], 0);
        for (at, path) in paths.iter().enumerate() {
            let steps = steps_at(&all, at, &OnwardLink::Nothing, None, true);
            let placed = pager.placed(&self.theme, self.language(), &steps);
            let pager = placed.links().to_owned();
            let list = self.other_list(thing, &story, at);
            let mut parts = self.parts(path, &story);
            let block = format!("<div{}>{list}{pager}</div>", self.theme.named("related"));
            if at > 0 && !repeats {
                self.make_listing(&mut parts, thing);
                parts.body = block;
            } else {
                parts.after = block;
            }
            self.put_single(path, &parts, Vec::new());
        }
        WantedPaths::whole(vec![paths[0].clone()])
    }

    fn make_listing(&self, parts: &mut Parts, thing: usize) {
        let name = self.word(if thing == 1 { "comments" } else { "related" });
        (parts.title, parts.heading, parts.headline) = (name.to_owned(), name.to_owned(), name.to_owned());
        (parts.author, parts.day, parts.is_article, parts.opens) = (None, None, false, false);
    }

    fn other_list(&mut self, thing: usize, story: &Story, at: usize) -> String {
        let mut list = format!("<h3>{}</h3>", self.word(if thing == 1 { "comments" } else { "related" }));
        match thing {
            0 => {
                for _ in 0..self.draw.between(4, 8) {
                    let title = self.writer.title(&mut self.draw, &story.topic);
                    let _ = write!(list, "<p><a href=\"/{}\">{}</a></p>", self.draw.hex(6), escaped(&title));
                }
            }
            1 => {
                for _ in 0..self.draw.between(3, 6) {
                    let review = self.comment(story);
                    let _ = write!(list, "{} {review}", "★".repeat(self.draw.between(1, 5)));
                }
            }
            2 => list = self.calendar(at),
            _ => {
                for _ in 0..self.draw.between(4, 8) {
                    let title = self.writer.title(&mut self.draw, &story.topic);
                    let id = self.draw.hex(6);
                    let _ = write!(
                        list,
                        "<a href=\"/video/{id}\"><img src=\"/thumb/{id}.jpg\" alt=\"\" width=\"160\">{}</a> {}:{:02} ",
                        escaped(&title),
                        self.draw.between(0, 9),
                        self.draw.between(0, 59)
                    );
                }
            }
        }
        list
    }

    fn calendar(&mut self, at: usize) -> String {
        let day = self.day();
        let mut table = format!("<table><caption>{} {}</caption><tr>", day.month + at, day.year);
        for number in 1..=28 {
            if number % 7 == 1 && number > 1 {
                table.push_str("</tr><tr>");
            }
            let linked = self.draw.of_100(20);
            let _ = if linked {
                write!(table, "<td><a href=\"/day/{number}\">{number}</a></td>")
            } else {
                write!(table, "<td>{number}</td>")
            };
        }
        table + "</tr></table>"
    }

    /// Returns the label of a page of a sequence.
    pub(super) fn in_sequence<'s>(
        next: Option<&'s str>,
        (name, at): (&'s str, usize),
        relation: &'static str,
        kind: &'static str,
    ) -> LabelDraft<'s> {
        LabelDraft { next, relation: Some(relation), sequence: Some((name, at + 1)), is_fair: true, kind }
    }
}
