//! Synthetic histories of a stored page: changes around its text, and changes of the text itself.

use tsugi_dates::mentions;
use tsugi_page::{Edits, NodeId, NodeKind, Page, escaped, text};
use tsugi_training::random::mix;

pub(super) const SNAPSHOTS: usize = 5;

named_enum! {
    pub(crate) enum ChangeKind, as_str -> &'static str {
        None: "none",
        Advertisement: "advertisement",
        /// Pages that others read, comments.
        Sidebar: "sidebar",
        /// Links to the latest pages of the site.
        LatestNews: "latest-news",
        /// The date, the time since, or a counter of readers.
        Date: "date",
        /// The main text.
        Body: "body",
    }
}

#[derive(Debug, Clone)]
pub(super) struct HistoryDraw {
    seed: u64,
    count: usize,
}

impl HistoryDraw {
    pub(super) fn new(seed: u64, index: usize) -> HistoryDraw {
        HistoryDraw { seed: mix(seed, index), count: 0 }
    }

    /// A number below `end`, 0 where that is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.count += 1;
        let drawn = mix(self.seed, self.count) % u64::try_from(end.max(1)).unwrap_or(1);
        usize::try_from(drawn).unwrap_or(0)
    }

    fn of<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> Option<&'a T> {
        from.get(self.below(from.len())).copied()
    }
}

/// Texts of a site's pages, from which synthetic texts are made.
#[derive(Debug, Default)]
pub(super) struct Lender {
    /// Titles of pages, and lines as short as titles.
    titles: Vec<String>,
    sentences: Vec<String>,
}

impl Lender {
    pub(super) fn of<'a>(pages: impl Iterator<Item = &'a Page>) -> Lender {
        let mut lender = Lender::default();
        for page in pages {
            lender.titles.extend(page.title().map(|title| text::fold(&title)));
            for line in page.text(NodeId::DOCUMENT).lines().filter(|line| mentions(line).is_empty()).take(400)
            {
                match line.chars().count() {
                    15..=60 => lender.titles.push(line.to_owned()),
                    61..=400 => lender.sentences.push(line.to_owned()),
                    _ => {}
                }
            }
        }
        lender
    }

    fn title(&self, draw: &mut HistoryDraw) -> String {
        let title = self.titles.get(draw.below(self.titles.len())).map_or("Snow in June", String::as_str);
        escaped(title)
    }

    /// A sentence without markup that is on no page: the first half of one, and the second of another.
    fn sentence(&self, draw: &mut HistoryDraw) -> String {
        let mut half = |second: bool| {
            let sentence = self.sentences.get(draw.below(self.sentences.len()));
            let sentence = sentence.map_or(
                "The ferries stayed in the harbour until noon, since nobody had a shovel.",
                String::as_str,
            );
            let middle = sentence.char_indices().nth(sentence.chars().count() / 2).map_or(0, |(at, _)| at);
            let cut = sentence[middle..].find(' ').map_or(middle, |space| middle + space);
            if second { &sentence[cut..] } else { &sentence[..cut] }
        };
        [half(false), half(true)].concat()
    }
}

/// The surroundings of a text at one time, as seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AroundContent {
    pub(super) advertisement: u64,
    pub(super) sidebar: u64,
    pub(super) news: u64,
    /// Days since a first one.
    pub(super) date: u64,
}

/// Places and forms of the parts around the text: the same in all snapshots of a history.
#[derive(Debug, Clone)]
pub(super) struct SiteTemplate {
    seed: u64,
    /// The node around the content beside which markup may stand.
    anchors: Vec<NodeId>,
    /// Where a dateline stands inside of the content: before this node.
    inner: Option<NodeId>,
    /// An own list of the page, outside of its content, whose texts may change.
    own_list: Vec<NodeId>,
}

impl SiteTemplate {
    /// Finds the places of a page; `None` if it has none. `content` is its labelled content.
    pub(super) fn of(page: &Page, content: &[NodeId], seed: u64) -> Option<SiteTemplate> {
        let anchors: Vec<NodeId> = [content.first(), content.last()]
            .into_iter()
            .flatten()
            .filter_map(|node| {
                let mut chain = std::iter::once(*node).chain(page.ancestors(*node));
                chain.find(|id| page.parent(*id).is_some_and(|parent| may_hold(page, parent)))
            })
            .collect();
        if anchors.len() < 2 {
            return None;
        }
        let first = content.first().filter(|node| may_hold(page, **node));
        let inner = first.and_then(|node| page.child_elements(*node).next());
        let sidebar = page.elements().find(|id| {
            let is_outside =
                !content.iter().any(|node| page.contains(*node, *id) || page.contains(*id, *node));
            is_outside && names_a_sidebar(page, *id)
        });
        let mut own_list: Vec<NodeId> = Vec::new();
        if let Some(sidebar) = sidebar {
            own_list.extend(page.subtree(sidebar).filter(|id| is_shown_text(page, *id)).take(40));
        }
        if own_list.len() < 3 {
            own_list.clear();
        }
        Some(SiteTemplate { seed, anchors, inner, own_list })
    }

    /// Adds the parts around the text to the changes of a page.
    pub(super) fn edit(&self, page: &Page, lender: &Lender, around: AroundContent, edits: &mut Edits) {
        let mut forms = HistoryDraw::new(self.seed, 0);
        let body = page.first("body").and_then(|body| page.children(body).find(|id| page.is_element(*id)));
        let advertisement = advertisement(&mut forms, around.advertisement);
        // Above all, above the text, below the text.
        match (forms.below(3), body) {
            (0, Some(first)) => put(&mut edits.before, first, &advertisement),
            (1, _) => put(&mut edits.before, self.anchors[0], &advertisement),
            _ => put(&mut edits.behind, self.anchors[1], &advertisement),
        }
        let news = latest_news(&mut forms, around.news, page, lender);
        if forms.below(2) == 0 {
            put(&mut edits.before, self.anchors[0], &news);
        } else {
            put(&mut edits.behind, self.anchors[1], &news);
        }
        if self.own_list.is_empty() || forms.below(4) == 0 {
            put(&mut edits.behind, self.anchors[1], &sidebar(&mut forms, around.sidebar, lender));
        } else {
            let mut draw = HistoryDraw::new(around.sidebar, 1);
            // The heading stays. Titles are few on small sites: the number makes the list another one each time.
            for (at, node) in self.own_list.iter().skip(1).enumerate() {
                let number = draw.below(10_000);
                if at == 0 {
                    edits.instead.insert(*node, format!("{} ({number})", lender.title(&mut draw)));
                } else if number.is_multiple_of(2) {
                    edits.instead.insert(*node, lender.title(&mut draw));
                }
            }
        }
        let date = dateline(&mut forms, around.date, page.lang().unwrap_or_default());
        match (self.inner, forms.below(2)) {
            (Some(inner), 0) => put(&mut edits.before, inner, &date),
            _ => put(&mut edits.before, self.anchors[0], &date),
        }
    }
}

fn may_hold(page: &Page, id: NodeId) -> bool {
    const HOLDERS: [&str; 8] = ["body", "div", "section", "main", "article", "td", "center", "aside"];
    HOLDERS.iter().any(|tag| page.is(id, tag))
}

fn names_a_sidebar(page: &Page, id: NodeId) -> bool {
    const WORDS: [&str; 6] = ["sidebar", "widget", "recent", "popular", "related", "ranking"];
    let names = ["class", "id"].into_iter().filter_map(|name| page.attribute(id, name));
    names.map(str::to_lowercase).any(|name| WORDS.iter().any(|word| name.contains(word)))
}

fn is_shown_text(page: &Page, id: NodeId) -> bool {
    let length = page.data(id).trim().chars().count();
    let hidden = page.ancestors(id).any(|above| page.class(above).hidden);
    page.kind(id) == NodeKind::Text && !hidden && (4..200).contains(&length)
}

fn put(edits: &mut std::collections::BTreeMap<NodeId, String>, node: NodeId, markup: &str) {
    edits.entry(node).or_default().push_str(markup);
}

fn advertisement(forms: &mut HistoryDraw, seed: u64) -> String {
    const TEXTS: [&str; 14] = [
        "Warm coats for cold days. Free delivery until Sunday.",
        "Save 30% on all flights to the south",
        "Learn a language in three weeks",
        "The car that parks itself – test it now",
        "Compare insurances and save up to 400 a year",
        "Hosting from 1.99 a month. No set-up fee.",
        "Anzeige: Jetzt günstig Strom wechseln",
        "広告：話題の新商品が今だけ半額、送料無料でお届け",
        "限时优惠 全场五折 立即抢购",
        "Publicité : vos vacances à prix doux",
        "Реклама. Скидки до 50% на всю технику",
        "Oferta especial: dos por uno en gafas",
        "오늘만 특가! 무료 배송",
        "Work from home: apply today",
    ];
    let mut draw = HistoryDraw::new(seed, 2);
    let words = draw.of(&TEXTS.each_ref().map(|text| *text)).unwrap_or_default();
    let number = draw.below(10_000);
    match forms.below(6) {
        0 => format!("<div class=\"ad banner\"><a href=\"/ads/{number}\">{words}</a></div>"),
        1 => format!(
            "<ins class=\"adsbygoogle\" data-ad-slot=\"{number}\"><a href=\"https://ads.example/{number}\">{words}</a></ins>"
        ),
        2 => format!(
            "<div class=\"advertisement\"><iframe src=\"https://ads.example/{number}\"></iframe></div>"
        ),
        3 => format!(
            "<div id=\"sponsor\"><p>Sponsored</p><p>{words}</p><p><a href=\"/go/{number}\">Learn more</a></p></div>"
        ),
        4 => format!(
            "<div class=\"promo\"><a href=\"/go/{number}\"><img src=\"/b/{number}.gif\" alt=\"{words}\"></a></div>"
        ),
        _ => format!("<table class=\"adbox\"><tr><td><a href=\"/go/{number}\">{words}</a></td></tr></table>"),
    }
}

fn latest_news(forms: &mut HistoryDraw, seed: u64, page: &Page, lender: &Lender) -> String {
    let heading = match page.lang().unwrap_or_default().get(..2) {
        Some("ja") => "新着記事",
        Some("zh") => "最新文章",
        Some("ko") => "최신 글",
        Some("de") => "Neueste Beiträge",
        Some("fr") => "Derniers articles",
        Some("es") => "Últimas noticias",
        Some("ru") => "Последние новости",
        _ => "Latest news",
    };
    let mut draw = HistoryDraw::new(seed, 3);
    let count = 3 + forms.below(5);
    let (form, with_times) = (forms.below(3), forms.below(2) == 0);
    let items: Vec<String> = (0..count)
        .map(|_| {
            let (title, number) = (lender.title(&mut draw), draw.below(10_000));
            let time = if with_times {
                format!(" <span class=time>{} hours ago</span>", 2 + draw.below(20))
            } else {
                String::new()
            };
            let link = format!("<a href=\"/news/{number}\">{title}</a>{time}");
            if form == 0 { format!("<li>{link}</li>") } else { format!("<p>{link}</p>") }
        })
        .collect();
    let items = items.concat();
    match form {
        0 => format!("<div class=\"latest\"><h3>{heading}</h3><ul>{items}</ul></div>"),
        1 => format!("<section class=\"news-list\"><h2>{heading}</h2>{items}</section>"),
        _ => format!("<div class=\"box\"><div class=\"title\">{heading}</div>{items}</div>"),
    }
}

fn sidebar(forms: &mut HistoryDraw, seed: u64, lender: &Lender) -> String {
    let mut draw = HistoryDraw::new(seed, 4);
    let tag = if forms.below(2) == 0 { "aside" } else { "div" };
    let form = forms.below(3);
    let items: Vec<String> = (0..3 + forms.below(4))
        .map(|_| {
            let title = lender.title(&mut draw);
            let number = draw.below(10_000);
            let snippet: String = lender.sentence(&mut draw).chars().take(60).collect();
            match form {
                0 => format!("<li><a href=\"/p/{number}\">{title}</a></li>"),
                1 => format!(
                    "<li><b>user{number}</b> on <a href=\"/p/{number}\">{title}</a>: {}…</li>",
                    escaped(&snippet)
                ),
                _ => format!(
                    "<li><a href=\"/p/{number}\"><img src=\"/t/{number}.jpg\">{title}</a> ({number})</li>"
                ),
            }
        })
        .collect();
    let heading =
        ["Most read", "Recent comments", "Popular this week"].get(form).copied().unwrap_or_default();
    let items = items.concat();
    format!("<{tag} class=\"sidebar widget\"><h4>{heading}</h4><ul>{items}</ul></{tag}>")
}

fn dateline(forms: &mut HistoryDraw, day: u64, lang: &str) -> String {
    let (date, month) = (1 + day % 28, 1 + day / 28 % 12);
    let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ];
    let name = usize::try_from(month - 1).ok().and_then(|month| months.get(month)).copied().unwrap_or("May");
    let form = forms.below(5);
    let words = match (form, lang.get(..2)) {
        (0, Some("ja" | "zh")) => format!("2026年{month}月{date}日"),
        (0, Some("ko")) => format!("2026년 {month}월 {date}일"),
        (0, Some("de" | "ru" | "cs" | "pl")) => format!("{date:02}.{month:02}.2026"),
        (0, _) => format!("Updated: {name} {date}, 2026"),
        (1, Some("ja")) => format!("{}時間前", 1 + day % 20),
        (1, _) => format!("{} hours ago", 2 + day % 20),
        (2, _) => format!("{} views", 1000 + day * 37),
        (3, _) => format!("2026-{month:02}-{date:02} 14:{:02}", day % 60),
        (_, _) => format!("{date} {name} 2026 · {} comments", day % 90),
    };
    match forms.below(3) {
        0 => format!("<p class=\"date\">{words}</p>"),
        1 => format!("<div class=\"meta\"><span>{words}</span></div>"),
        _ => format!("<div class=\"posted\"><time>{words}</time></div>"),
    }
}

named_enum! {
    pub(super) enum BodyChange, as_str -> &'static str {
        Word: "word",
        Number: "number",
        Sentence: "sentence",
        Added: "added",
        Removed: "removed",
    }
}

/// Changes something of the labelled content that readers see; `None` if it holds nothing that could be changed.
pub(super) fn edit_body(
    page: &Page,
    content: &[NodeId],
    lender: &Lender,
    draw: &mut HistoryDraw,
) -> Option<(BodyChange, Edits)> {
    /// How often a change is drawn that cannot be seen: the old sentence again, a word that stands on a list of choices.
    const TRIES: usize = 10;
    let shown = |edits: &Edits| {
        Page::from_text(&page.edited_html(NodeId::DOCUMENT, edits), page.url()).text(NodeId::DOCUMENT)
    };
    let before = shown(&Edits::default());
    (0..TRIES).find_map(|_| {
        let mut edits = Edits::default();
        let change = try_to_edit(page, content, lender, draw, &mut edits)?;
        (shown(&edits) != before).then_some((change, edits))
    })
}

fn try_to_edit(
    page: &Page,
    content: &[NodeId],
    lender: &Lender,
    draw: &mut HistoryDraw,
    edits: &mut Edits,
) -> Option<BodyChange> {
    let is_text = |id: &NodeId| {
        let shown = page.kind(*id) == NodeKind::Text
            && !page.ancestors(*id).any(|above| page.class(above).hidden || page.is(above, "select"));
        shown && is_prose(page.data(*id))
    };
    let below = content.iter().flat_map(|node| page.subtree(*node));
    let texts: Vec<NodeId> = below.filter(is_text).collect();
    let target = *texts.get(draw.below(texts.len()))?;
    let data = page.data(target);
    let kind = BodyChange::ALL[draw.below(BodyChange::ALL.len())];
    // A paragraph, or what goes for one.
    let block =
        page.ancestors(target).find(|id| page.class(*id).line && (page.is(*id, "p") || page.is(*id, "li")));
    let block = block.filter(|block| content.iter().any(|node| page.contains(*node, *block)));
    match (kind, block) {
        (BodyChange::Added, Some(block)) => {
            let (tag, words) = (page.tag(block), escaped(&lender.sentence(draw)));
            put(&mut edits.behind, block, &format!("<{tag}>{words}</{tag}>"));
            return Some(kind);
        }
        (BodyChange::Removed, Some(block)) if texts.len() >= 3 && !content.contains(&block) => {
            edits.instead.insert(block, String::new());
            return Some(kind);
        }
        (BodyChange::Number, _) => {
            if let Some(changed) = with_other_number(data, draw) {
                edits.instead.insert(target, escaped(&changed));
                return Some(kind);
            }
        }
        (BodyChange::Sentence, _) => {
            let end = data.find(['.', '。', '!', '?', '！', '？']).map_or(data.len(), |end| end + 1);
            let end = if data.is_char_boundary(end) { end } else { data.len() };
            edits.instead.insert(target, escaped(&format!("{} {}", lender.sentence(draw), &data[end..])));
            return Some(kind);
        }
        _ => {}
    }
    let changed = with_other_word(data, &lender.sentence(draw), draw)?;
    edits.instead.insert(target, escaped(&changed));
    Some(BodyChange::Word)
}

/// Returns `true` if a text is prose, not a label or a date: 30 characters or more, half as many in scripts without spaces.
fn is_prose(data: &str) -> bool {
    let characters: usize = data.trim().chars().map(|c| if text::is_cjk(c) { 2 } else { 1 }).sum();
    characters >= 30 && data.chars().filter(|c| c.is_alphabetic()).count() >= 10
}

/// Changes a number that is no part of a date; only in long texts, since short ones count readers.
fn with_other_number(data: &str, draw: &mut HistoryDraw) -> Option<String> {
    if data.len() < 100 {
        return None;
    }
    let dates = mentions(data);
    let is_free = |at: &usize| !dates.iter().any(|found| found.range.contains(at));
    let digits: Vec<usize> =
        data.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).filter(is_free).collect();
    let at = *digits.get(draw.below(digits.len()))?;
    let old = data[at..].chars().next()?.to_digit(10)?;
    let new = (old + 1 + u32::try_from(draw.below(9)).ok()?) % 10;
    Some(format!("{}{new}{}", &data[..at], &data[at + 1..]))
}

/// Replaces a word by a word of another text; a character in scripts without spaces.
fn with_other_word(data: &str, other: &str, draw: &mut HistoryDraw) -> Option<String> {
    let mut parts: Vec<&str> = data.split(' ').collect();
    let words: Vec<&str> = other.split_whitespace().collect();
    let new = *words.get(draw.below(words.len()))?;
    let is_word = |at: &usize| parts[*at].chars().any(char::is_alphabetic) && parts[*at] != new;
    let places: Vec<usize> = (0..parts.len()).filter(is_word).collect();
    let at = *places.get(draw.below(places.len()))?;
    if parts.len() > 3 {
        parts[at] = new;
        return Some(parts.join(" "));
    }
    let mut characters: Vec<char> = data.chars().collect();
    let places: Vec<usize> = (0..characters.len()).filter(|at| characters[*at].is_alphabetic()).collect();
    let at = *places.get(draw.below(places.len()))?;
    characters[at] = if characters[at] == '次' { '前' } else { '次' };
    Some(characters.into_iter().collect())
}
