//! Books, manuals, lists, threads and galleries.

use crate::made_up::address::Scheme;
use crate::made_up::maker::{SiteMaker, Story, WantedPaths, steps_at};
use crate::made_up::pager::{OnwardLink, PagerStep, Way};
use crate::made_up::prose::escaped;
use crate::made_up::theme::Parts;
use std::fmt::Write as _;

/// Ways between the chapters of a book.
const CHAPTER_WAYS: [Way; 6] = [Way::Words, Way::Words, Way::Words, Way::Arrow, Way::TitleLink, Way::Icon];

impl SiteMaker<'_> {
    fn chapter_titles(&mut self, story: &Story, count: usize) -> Vec<String> {
        let (numbered, titled) = (self.draw.of_100(45), self.draw.of_100(70));
        let in_han = matches!(self.language().code, "zh" | "ja") && self.draw.apart("han numbers").of_100(50);
        self.note(if numbered { "numbered" } else { "no numbers" });
        let title = |maker: &mut Self, at: usize| {
            let in_han = "一二三四五六七八九十".chars().nth(at).filter(|_| in_han);
            let number = in_han.map_or_else(|| (at + 1).to_string(), String::from);
            let number = maker.word("chapter").replace("{n}", &number);
            let title = maker.writer.title(&mut maker.draw, &story.topic);
            match (numbered, titled) {
                (true, true) => format!("{number}: {title}"),
                (true, false) => number,
                (false, _) => title,
            }
        };
        (0..count).map(|at| title(self, at)).collect()
    }

    /// Returns what the page of a chapter says: the book's name stands above its title.
    fn chapter(&mut self, path: &str, book: &Story, title: &str) -> Parts {
        let mut parts = self.parts(path, book);
        parts.title = match self.draw.apart("book title").below(10) {
            0..5 => format!("{title} - {}", book.title),
            5..8 => format!("{}: {title}", book.title),
            _ => title.to_owned(),
        };
        title.clone_into(&mut parts.heading);
        title.clone_into(&mut parts.headline);
        parts.is_article = false;
        parts.opens = false;
        parts.day = None;
        parts.top = format!(
            "<p{}><a href=\"/contents\">{}</a></p>",
            self.theme.named("crumbs"),
            escaped(&book.title)
        );
        let paragraphs = self.draw.between(4, 9);
        let paragraphs = self.writer.article(&mut self.draw, &book.topic, paragraphs).1;
        parts.body = self.body(&paragraphs);
        parts
    }

    fn contents_link(&self, parts: &mut Parts) {
        if self.draw.apart("contents link").of_100(60) {
            let _ = write!(parts.bottom, " <a href=\"/contents\">{}</a>", self.word("contents"));
        }
    }

    /// A book, one page a chapter.
    pub(super) fn book(&mut self) -> WantedPaths {
        let count = self.draw.between(3, 6);
        let scheme = self.drawn_scheme();
        let paths = self.paths(scheme, count).pages;
        let key = *self.draw.pick(&["next_chapter", "next_chapter", "next"]);
        let back = if key == "next" { "previous" } else { "previous_chapter" };
        let way = *self.draw.pick(&CHAPTER_WAYS);
        let pager = self.pager(way, self.word(key), self.word(back));
        let end = self.last_chapter_link();
        self.chapters(&paths, (way, &pager), "book", &end)
    }

    fn last_chapter_link(&mut self) -> OnwardLink {
        match self.draw.below(4) {
            0 => OnwardLink::Greyed,
            1 => OnwardLink::To(PagerStep {
                url: "/contents".to_owned(),
                title: self.word("contents").to_owned(),
            }),
            _ => OnwardLink::Nothing,
        }
    }

    fn chapters(
        &mut self,
        paths: &[String],
        (way, pager): (Way, &crate::made_up::pager::Pager),
        kind: &'static str,
        end: &OnwardLink,
    ) -> WantedPaths {
        let book = self.story(1);
        let titles = self.chapter_titles(&book, paths.len());
        let all = self.steps(paths, &titles, 0);
        for (at, path) in paths.iter().enumerate() {
            let end = if way == Way::TitleLink { &OnwardLink::Nothing } else { end };
            let steps = steps_at(&all, at, end, None, true);
            let mut parts = self.chapter(path, &book, &titles[at]);
            let placed = pager.placed(&self.theme, self.language(), &steps);
            let headers = self.place(&mut parts, placed);
            self.contents_link(&mut parts);
            let next = paths.get(at + 1).map(String::as_str);
            self.put(path, &parts, headers, &Self::in_sequence(next, (&paths[0], at), "chapter", kind));
        }
        WantedPaths::whole(paths.to_vec())
    }

    /// A book whose chapters have two pages each.
    pub(super) fn book_of_parts(&mut self) -> WantedPaths {
        let chapters = self.draw.between(2, 3);
        let scheme = self.drawn_scheme();
        let firsts = self.paths(scheme, chapters).pages;
        let paths: Vec<String> =
            firsts.iter().flat_map(|first| [first.clone(), second_part(first)]).collect();
        let (page, chapter, back) = match self.draw.below(20) {
            0..7 => ("next", "next", ["previous", "previous"]),
            7..11 => ("next_chapter", "next_chapter", ["previous_chapter", "previous_chapter"]),
            _ => ("next_page", "next_chapter", ["previous_page", "previous_chapter"]),
        };
        self.note(if page == chapter { "same words" } else { "page, then chapter" });
        let all_count = self.draw.apart("all parts count").of_100(40);
        let pagers = [
            self.pager(Way::Words, self.word(page), self.word(back[0])),
            self.pager(Way::Words, self.word(chapter), self.word(back[1])),
        ];
        let book = self.story(1);
        let titles = self.chapter_titles(&book, chapters);
        let titles: Vec<String> = titles.iter().flat_map(|title| [title.clone(), title.clone()]).collect();
        let all = self.steps(&paths, &titles, 0);
        for (at, path) in paths.iter().enumerate() {
            let steps = steps_at(&all, at, &OnwardLink::Nothing, None, true);
            let title = match at % 2 {
                0 if all_count => format!("{} (1/2)", titles[at]),
                0 => titles[at].clone(),
                _ => format!("{} (2/2)", titles[at]),
            };
            let mut parts = self.chapter(path, &book, &title);
            let placed = pagers[at % 2].placed(&self.theme, self.language(), &steps);
            let headers = self.place(&mut parts, placed);
            self.contents_link(&mut parts);
            let next = paths.get(at + 1).map(String::as_str);
            let relation = if at % 2 == 0 { "page" } else { "chapter" };
            self.put(path, &parts, headers, &Self::in_sequence(next, (&paths[0], at), relation, "book"));
        }
        WantedPaths::whole(paths)
    }

    /// A manual, whose sections have titles.
    pub(super) fn manual(&mut self) -> WantedPaths {
        let count = self.draw.between(3, 6);
        let scheme = self.drawn_scheme();
        let paths = self.paths(scheme, count).pages;
        let way = *self.draw.pick(&[Way::Words, Way::TitleLink, Way::TitleLink, Way::Arrow, Way::Icon]);
        let pager = self.pager(way, self.word("next"), self.word("previous"));
        self.chapters(&paths, (way, &pager), "doc", &OnwardLink::Nothing)
    }

    /// An archive with older entries.
    pub(super) fn listing(&mut self) -> WantedPaths {
        let count = self.draw.between(3, 5);
        let scheme = self.drawn_scheme();
        let paths = self.paths(scheme, count).pages;
        let way = *self.draw.pick(&[Way::Words, Way::Words, Way::NumbersAndWords, Way::Numbers, Way::Arrow]);
        let key = *self.draw.pick(&["older", "older", "next_page", "next"]);
        let pager =
            self.pager(way, self.word(key), self.word(if key == "older" { "newer" } else { "previous" }));
        let story = self.story(1);
        let name = if self.draw.of_100(50) { self.word("archive").to_owned() } else { story.title.clone() };
        let titles = vec![name.clone(); count];
        let all = self.steps(&paths, &titles, 0);
        for (at, path) in paths.iter().enumerate() {
            let steps = steps_at(&all, at, &OnwardLink::Nothing, None, true);
            let mut parts = self.parts(path, &story);
            (parts.title, parts.heading, parts.headline) = (name.clone(), name.clone(), name.clone());
            (parts.author, parts.day, parts.is_article, parts.opens) = (None, None, false, false);
            parts.body = self.teasers(&story);
            let placed = pager.placed(&self.theme, self.language(), &steps);
            let headers = self.place(&mut parts, placed);
            let next = paths.get(at + 1).map(String::as_str);
            self.put(path, &parts, headers, &Self::in_sequence(next, (&paths[0], at), "page", "listing"));
        }
        WantedPaths::whole(paths)
    }

    fn teasers(&mut self, story: &Story) -> String {
        let mut list = String::new();
        for _ in 0..self.draw.between(5, 9) {
            let (title, text) = (
                self.writer.title(&mut self.draw, &story.topic),
                self.writer.paragraph(&mut self.draw, &story.topic),
            );
            let (path, day) = (self.draw.hex(7), self.day());
            let _ = writeln!(
                list,
                "<div{}><h3><a href=\"/{path}\">{}</a></h3><small>{}.{}.{}</small><p>{} <a href=\"/{path}\">{}</a></p></div>",
                self.theme.named("widget"),
                escaped(&title),
                day.of_month,
                day.month,
                day.year,
                escaped(&text),
                self.word("read_more")
            );
        }
        list
    }

    /// A thread of a forum.
    pub(super) fn thread(&mut self) -> WantedPaths {
        let count = self.draw.between(2, 5);
        let scheme = self.drawn_scheme();
        let paths = self.paths(scheme, count).pages;
        let way = *self.draw.pick(&[
            Way::Numbers,
            Way::NumbersAndWords,
            Way::NumbersAndWords,
            Way::Words,
            Way::Arrow,
        ]);
        let key = *self.draw.pick(&["next", "next_page"]);
        let mut pager = self.pager(way, self.word(key), self.word("previous"));
        if self.draw.of_100(40) {
            pager.counter = Some(self.word("page_of").to_owned());
        }
        let story = self.story(1);
        let titles = vec![story.title.clone(); count];
        let all = self.steps(&paths, &titles, 0);
        for (at, path) in paths.iter().enumerate() {
            let steps = steps_at(&all, at, &OnwardLink::Nothing, None, true);
            let mut parts = self.parts(path, &story);
            (parts.author, parts.day, parts.is_article, parts.opens) = (None, None, false, false);
            parts.body = self.posts(&story);
            let placed = pager.placed(&self.theme, self.language(), &steps);
            let headers = self.place(&mut parts, placed);
            let next = paths.get(at + 1).map(String::as_str);
            self.put(path, &parts, headers, &Self::in_sequence(next, (&paths[0], at), "page", "thread"));
        }
        WantedPaths::whole(paths)
    }

    fn posts(&mut self, story: &Story) -> String {
        let mut posts = String::new();
        let form = self.draw.apart("posts").below(3);
        for _ in 0..self.draw.between(4, 8) {
            let (name, text) =
                (self.writer.name(&mut self.draw), self.writer.paragraph(&mut self.draw, &story.topic));
            let (name, text, number) = (escaped(&name), escaped(&text), self.draw.between(1, 900));
            let _ = match form {
                0 => writeln!(
                    posts,
                    "<table width=\"100%\"><tr><td width=\"120\"><b>{name}</b><br>{number}</td><td>{text}</td></tr></table>"
                ),
                1 => writeln!(
                    posts,
                    "<article{}><header><a href=\"/user/{number}\">{name}</a></header><div>{text}</div></article>",
                    self.theme.named("comment")
                ),
                _ => writeln!(
                    posts,
                    "<div{}><p><a href=\"/user/{number}\">{name}</a>:</p><p>{text}</p></div>",
                    self.theme.named("comment")
                ),
            };
        }
        posts
    }

    /// A gallery, whose last picture leads to the next gallery on some sites.
    pub(super) fn gallery(&mut self) -> WantedPaths {
        let count = self.draw.between(3, 6);
        let scheme = self.drawn_scheme();
        let paths = self.paths(scheme, count + 1).pages;
        let way = *self.draw.pick(&[Way::Arrow, Way::Icon, Way::Words]);
        let mut pager = self.pager(way, self.word("next"), self.word("previous"));
        pager.counter = Some((*self.draw.pick(&["{n}/{m}", "{n} / {m}", "({n}/{m})"])).to_owned());
        let story = self.story(1);
        let onward = if self.draw.of_100(50) {
            let other = self.other_story(&story);
            let mut parts = self.parts(&paths[count], &other);
            parts.body = self.picture(&other, 1);
            self.put_single(&paths[count], &parts, Vec::new());
            self.note("next gallery");
            OnwardLink::To(PagerStep { url: paths[count].clone(), title: other.title })
        } else {
            OnwardLink::Nothing
        };
        let paths = paths[..count].to_vec();
        let titles = vec![story.title.clone(); count];
        let all = self.steps(&paths, &titles, 0);
        for (at, path) in paths.iter().enumerate() {
            let steps = steps_at(&all, at, &onward, None, true);
            let mut parts = self.parts(path, &story);
            parts.body = self.picture(&story, at + 1);
            let placed = pager.placed(&self.theme, self.language(), &steps);
            let headers = self.place(&mut parts, placed);
            let next = paths.get(at + 1).map(String::as_str);
            self.put(path, &parts, headers, &Self::in_sequence(next, (&paths[0], at), "page", "gallery"));
        }
        WantedPaths::whole(paths)
    }

    fn picture(&mut self, story: &Story, number: usize) -> String {
        let caption = self.writer.paragraph(&mut self.draw, &story.topic);
        let file = self.draw.hex(8);
        format!(
            "<figure><img src=\"/img/{file}.jpg\" alt=\"{number}\" width=\"900\" height=\"600\"><figcaption>{}</figcaption></figure>",
            escaped(&caption)
        )
    }

    /// A mailing list, whose messages are linked by date and by thread.
    pub(super) fn mail(&mut self) -> WantedPaths {
        let scheme = *self.draw.pick(&[
            Scheme::ArticleFiles,
            Scheme::RunningIds,
            Scheme::DashFile,
            Scheme::PathNumber,
            Scheme::Hashes,
        ]);
        let paths = self.paths(scheme, 6).pages;
        let (thread, others) = (self.story(1), [self.story(1), self.story(1)]);
        // Which messages belong to the thread. By date, another subject follows the first one.
        let in_thread: &[usize] = if self.draw.of_100(50) { &[0, 2, 4] } else { &[0, 2, 3, 5] };
        let form = self.draw.below(4);
        self.note(["brackets", "list", "by date", "in thread"][form]);
        let by_date_alone = form == 2;
        // “Next message: the subject”, as Pipermail has it, and no dates.
        let (says_subjects, has_days) =
            (self.draw.apart("mail subjects").of_100(40), self.draw.apart("mail days").of_100(60));
        let subjects: Vec<String> = (0..paths.len())
            .map(|at| match in_thread.iter().position(|of| *of == at) {
                Some(0) => thread.title.clone(),
                Some(_) => format!("Re: {}", thread.title),
                None => others[at % 2].title.clone(),
            })
            .collect();
        for (at, path) in paths.iter().enumerate() {
            let story = if in_thread.contains(&at) { &thread } else { &others[at % 2] };
            let subject = subjects[at].clone();
            let mut parts = self.parts(path, story);
            (parts.title, parts.heading, parts.headline) = (subject.clone(), subject.clone(), subject);
            parts.author = Some(self.writer.name(&mut self.draw));
            parts.day = Some(thread.day.shifted(at, false)).filter(|_| has_days);
            (parts.is_article, parts.opens) = (false, false);
            parts.body = self.message(story);
            let place = in_thread.iter().position(|of| *of == at);
            let next = place.and_then(|place| in_thread.get(place + 1)).copied();
            let back = place.and_then(|place| in_thread.get(place.checked_sub(1)?)).copied();
            let by_date = (at.checked_sub(1), Some(at + 1).filter(|at| *at < paths.len()));
            let words = &MAIL_WORDS[self.world as usize][form];
            let link = |to: Option<usize>, words: &str| match to {
                None => words.to_owned(),
                Some(to) if says_subjects => {
                    format!("{words}: <a href=\"{}\">{}</a>", escaped(&paths[to]), escaped(&subjects[to]))
                }
                Some(to) => format!("<a href=\"{}\">{words}</a>", escaped(&paths[to])),
            };
            let links = mail_links(words, form, by_date, (back, next), link);
            if self.draw.apart("mail place").of_100(50) {
                parts.top = links;
            } else {
                parts.bottom = links;
            }
            let next = next.filter(|_| !by_date_alone).map(|next| paths[next].as_str());
            let place = place.unwrap_or(0);
            self.put(
                path,
                &parts,
                Vec::new(),
                &Self::in_sequence(next, (&paths[0], place), "page", "thread"),
            );
        }
        let wanted: Vec<String> = in_thread.iter().map(|at| paths[*at].clone()).collect();
        WantedPaths::whole(if by_date_alone { wanted[..1].to_vec() } else { wanted })
    }

    fn message(&mut self, story: &Story) -> String {
        let mut text = String::from("<pre>");
        for _ in 0..self.draw.between(2, 4) {
            let sentence = self.writer.paragraph(&mut self.draw, &story.topic);
            for line in sentence.split(' ').collect::<Vec<_>>().chunks(11) {
                let _ = writeln!(text, "{}", escaped(&line.join(" ")));
            }
            text.push('\n');
        }
        text + "</pre>"
    }
}

/// Returns the address of the second page of a chapter.
fn second_part(first: &str) -> String {
    if let Some((path, query)) = first.split_once('?') {
        return format!("{path}?{query}&part=2");
    }
    match first.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') => format!("{stem}_2.{ending}"),
        _ => format!("{}_2", first.trim_end_matches('/')),
    }
}

/// What a mailing list calls its links.
struct MailWords {
    /// To the message before and after by date.
    date: [&'static str; 2],
    /// To the message before and after in the thread.
    thread: [&'static str; 2],
}

/// The words of each world, by form.
const MAIL_WORDS: [[MailWords; 4]; 2] = [
    [
        MailWords { date: ["Date Prev", "Date Next"], thread: ["Thread Prev", "Thread Next"] },
        MailWords {
            date: ["Previous by date", "Next by date"],
            thread: ["Previous by thread", "Next by thread"],
        },
        MailWords { date: ["Previous message", "Next message"], thread: ["", ""] },
        MailWords {
            date: ["Previous message", "Next message"],
            thread: ["Previous in thread", "Next in thread"],
        },
    ],
    [
        MailWords { date: ["earlier", "later"], thread: ["earlier in this thread", "later in this thread"] },
        MailWords {
            date: ["Chronological: back", "Chronological: forward"],
            thread: ["Discussion: back", "Discussion: forward"],
        },
        MailWords { date: ["Mail before this one", "Mail after this one"], thread: ["", ""] },
        MailWords { date: ["Last mail", "Following mail"], thread: ["Answered mail", "Following answer"] },
    ],
];

/// Two places that a message may link to: before and after.
type Around = (Option<usize>, Option<usize>);

/// Returns the links of a message: by date, and by thread unless the archive knows none.
fn mail_links(
    words: &MailWords,
    form: usize,
    date: Around,
    thread: Around,
    link: impl Fn(Option<usize>, &str) -> String,
) -> String {
    let mut links = vec![link(date.0, words.date[0]), link(date.1, words.date[1])];
    if !words.thread[1].is_empty() {
        links.extend([link(thread.0, words.thread[0]), link(thread.1, words.thread[1])]);
    }
    match form {
        0 => format!("[{}]", links.join("][")),
        3 => format!("<p>{}</p>", links.join(" | ")),
        _ => format!("<ul><li>{}</li></ul>", links.join("</li><li>")),
    }
}
