//! Designs of made-up sites: a skeleton, a vocabulary of classes, what the head says, and what surrounds the text.

use super::address::{plain_word, slug};
use super::draw::{Draw, hash};
use super::prose::{Writer, capitalised, escaped};
use super::site::World;
use super::skeletons::{Design, Shape};
use super::words::Languages;
use std::fmt::Write as _;

/// A calendar day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) year: usize,
    pub(super) month: usize,
    pub(super) of_month: usize,
}

impl Day {
    fn iso(self) -> String {
        format!("{}-{:02}-{:02}", self.year, self.month, self.of_month)
    }

    /// Returns a day that is some days later or earlier, within its month.
    pub(super) fn shifted(self, days: usize, back: bool) -> Day {
        let day =
            if back { (self.of_month + 56 - days % 28 - 1) % 28 } else { (self.of_month + days - 1) % 28 };
        Day { of_month: day + 1, ..self }
    }
}

/// How elements are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    Words,
    Ids,
    Blocks,
    Utilities,
    Hashes,
    None,
}

const NAMINGS: [Naming; 8] = [
    Naming::Words,
    Naming::Words,
    Naming::Words,
    Naming::Ids,
    Naming::Blocks,
    Naming::Utilities,
    Naming::Hashes,
    Naming::None,
];

/// Words that elements are named with. The worlds take turns.
const ROLES: [(&str, &str); 25] = [
    ("wrap", "wrapper container page-wrap site-frame outer shell"),
    ("header", "header masthead site-header topbar head banner"),
    ("brand", "brand logo site-title sitename logotype name"),
    ("menu", "nav navigation main-menu topnav primary-nav links"),
    ("main", "main content primary center maincol middle"),
    ("article", "post story entry text-item article piece"),
    ("title", "title headline entry-title story-title post-title heading"),
    ("byline", "byline meta post-meta credits info authorline"),
    ("body", "entry-content article-body post-body story-text content-body copy"),
    ("pager", "pagination page-nav pager paging post-pagination pages"),
    ("next", "next nav-next next-link forward page-next fwd"),
    ("prev", "prev nav-prev previous-link backward page-prev bwd"),
    ("current", "current active selected here on now"),
    ("side", "sidebar secondary aside rail widgets column"),
    ("widget", "widget box block module panel section"),
    ("related", "related more-stories recommended also see-also suggestions"),
    ("foot", "footer bottom site-footer colophon foot end"),
    ("crumbs", "breadcrumb path trail breadcrumbs where youarehere"),
    ("share", "share social sharing sharebar share-links spread"),
    ("tags", "tags topics labels keywords tag-list subjects"),
    ("box", "author-box bio about-author vcard profile writer"),
    ("comments", "comments responses discussion replies thread talk"),
    ("comment", "comment reply response message c-item remark"),
    ("lead", "lead intro hero standfirst opener deck"),
    ("date", "date posted published when timestamp day"),
];

/// What the canonical link names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Canonical {
    Own,
    First,
    None,
}

/// How much stands around the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Clutter {
    Bare,
    Usual,
    Crowded,
}

/// The design of one site.
#[derive(Debug)]
pub(super) struct Theme {
    pub(super) design: Design,
    pub(super) site: String,
    pub(super) clutter: Clutter,
    world: World,
    draw: Draw,
    naming: Naming,
    canonical: Canonical,
    menu: Vec<(String, String)>,
    foot: Vec<(String, String)>,
    /// Other articles of the site: paths and headlines.
    others: Vec<(String, String)>,
    lang: String,
    is_right_to_left: bool,
    labels: ThemeLabels,
}

#[derive(Debug)]
struct ThemeLabels {
    home: &'static str,
    by: &'static str,
    related: &'static str,
    popular: &'static str,
    contact: &'static str,
    search: &'static str,
    read_more: &'static str,
}

/// What a page says.
#[derive(Debug, Default, Clone)]
pub(super) struct Parts {
    pub(super) url: String,
    pub(super) title: String,
    pub(super) heading: String,
    /// The article's own name, for data in the head.
    pub(super) headline: String,
    pub(super) author: Option<String>,
    pub(super) day: Option<Day>,
    pub(super) first_url: Option<String>,
    pub(super) head: String,
    pub(super) top: String,
    pub(super) body: String,
    pub(super) bottom: String,
    pub(super) below: String,
    pub(super) after: String,
    /// An article, not a list or a page of a book.
    pub(super) is_article: bool,
    /// The page opens an article: picture and standfirst may stand before the text.
    pub(super) opens: bool,
}

impl Theme {
    pub(super) fn new(
        world: World,
        draw: &Draw,
        (languages, writer): (&Languages, &Writer<'_>),
        shape: Shape,
        clutter: Clutter,
    ) -> Theme {
        let mut draw = draw.apart("theme");
        let language = writer.language;
        let topic = writer.topic(&mut draw);
        let label = |key: &str, draw: &mut Draw| *draw.pick(languages.wordings(language, key, world));
        let labels = ThemeLabels {
            home: label("home", &mut draw),
            by: label("by", &mut draw),
            related: label("related", &mut draw),
            popular: label("popular", &mut draw),
            contact: label("contact", &mut draw),
            search: label("search", &mut draw),
            read_more: label("read_more", &mut draw),
        };
        let entries = match clutter {
            Clutter::Bare => draw.between(0, 3),
            Clutter::Usual => draw.between(3, 9),
            Clutter::Crowded => draw.between(12, 40),
        };
        let menu = (0..entries).map(|_| {
            let name = plain_word(&mut draw, world);
            (format!("/{name}/"), capitalised(&writer.term(&mut draw, &topic)))
        });
        let menu = menu.collect();
        let foot = (0..=entries / 2)
            .map(|_| (format!("/{}", slug(&mut draw, world)), writer.title(&mut draw, &topic)));
        let mut foot: Vec<(String, String)> = foot.collect();
        foot.push(("/contact".to_owned(), labels.contact.to_owned()));
        let others = (0..24)
            .map(|_| (format!("/{}", slug(&mut draw, world)), writer.title(&mut draw, &topic)))
            .collect();
        Theme {
            design: Design::drawn(world, shape, &mut draw),
            site: capitalised(&plain_word(&mut draw, world))
                + " "
                + &capitalised(&plain_word(&mut draw, world)),
            clutter,
            world,
            naming: *draw.pick(&NAMINGS),
            canonical: *draw.pick(&[
                Canonical::Own,
                Canonical::Own,
                Canonical::First,
                Canonical::None,
                Canonical::None,
            ]),
            menu,
            foot,
            others,
            lang: language.code.to_owned(),
            is_right_to_left: language.is_right_to_left,
            labels,
            draw,
        }
    }

    /// Returns the attribute that names an element, with a space before it, or nothing.
    pub(super) fn named(&self, role: &str) -> String {
        let mut draw = self.draw.apart(role);
        let words = ROLES.iter().find(|(name, _)| *name == role).map_or(role, |(_, words)| words);
        let words: Vec<&str> = words.split(' ').skip(self.world as usize).step_by(2).collect();
        let word = *draw.pick(if words.is_empty() { &["x"] } else { &words });
        match self.naming {
            Naming::Words => format!(" class=\"{word}\""),
            Naming::Ids if matches!(role, "comment" | "next" | "prev" | "current" | "widget") => {
                format!(" class=\"{word}\"")
            }
            Naming::Ids => format!(" id=\"{word}\""),
            Naming::Blocks => {
                let block = self.draw.apart("block").pick(&["c", "o", "app", "m", "ui", "s"]).to_owned();
                format!(" class=\"{block}-{word}__{}\"", draw.pick(&["el", "inner", "root", "part"]))
            }
            Naming::Utilities => {
                let all = [
                    "flex", "mt-4", "px-2", "text-sm", "grid", "gap-3", "w-full", "border", "rounded",
                    "md:p-6", "font-bold",
                ];
                let chosen: Vec<&str> = (0..draw.between(2, 5)).map(|_| *draw.pick(&all)).collect();
                format!(" class=\"{}\"", chosen.join(" "))
            }
            Naming::Hashes => format!(
                " class=\"{}{}\"",
                self.draw.apart("block").pick(&["css-", "_", "sc-", "jss"]),
                draw.token(6)
            ),
            Naming::None => String::new(),
        }
    }

    /// Returns the whole page.
    pub(super) fn page(&self, parts: &Parts) -> String {
        let mut page = self.head(parts);
        let mut rest = &*self.design.html;
        while let Some((before, after)) = rest.split_once('{') {
            let (slot, after) = after.split_once('}').unwrap_or((after, ""));
            page.push_str(before);
            page.push_str(&self.slot(slot, parts));
            rest = after;
        }
        page.push_str(rest);
        if self.design.html.starts_with("<body") {
            page.push_str("</html>\n");
        }
        page
    }

    fn head(&self, parts: &Parts) -> String {
        let mut draw = self.draw.apart("head");
        let doctype = *draw.pick(&[
            "<!DOCTYPE html>\n",
            "<!doctype html>",
            "",
            "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n",
        ]);
        let lang = if draw.of_100(75) { format!(" lang=\"{}\"", self.lang) } else { String::new() };
        let direction = if self.is_right_to_left { " dir=\"rtl\"" } else { "" };
        let title = match draw.below(6) {
            0 => escaped(&parts.title),
            1 => format!("{} - {}", escaped(&parts.title), self.site),
            2 => format!("{} | {}", escaped(&parts.title), self.site),
            3 => format!("{}: {}", self.site, escaped(&parts.title)),
            4 => format!("{} — {}", escaped(&parts.title), self.site),
            _ => format!("{} « {}", escaped(&parts.title), self.site),
        };
        let mut head =
            format!("{doctype}<html{lang}{direction}><head><meta charset=\"utf-8\"><title>{title}</title>");
        let canonical = match self.canonical {
            Canonical::Own => Some(&parts.url),
            Canonical::First => parts.first_url.as_ref().or(Some(&parts.url)),
            Canonical::None => None,
        };
        if let Some(url) = canonical {
            let _ = write!(head, "<link rel=\"canonical\" href=\"{}\">", escaped(url));
        }
        self.describe(&mut head, parts);
        head + &parts.head + "</head>\n"
    }

    fn describe(&self, head: &mut String, parts: &Parts) {
        let headline = escaped(&parts.headline);
        if self.keeps("graph", 50) {
            let kind = if parts.is_article { "article" } else { "website" };
            let _ = write!(
                head,
                "<meta property=\"og:title\" content=\"{headline}\"><meta property=\"og:type\" content=\"{kind}\"><meta property=\"og:url\" content=\"{}\"><meta property=\"og:site_name\" content=\"{}\">",
                escaped(&parts.url),
                self.site
            );
        }
        let (Some(author), Some(day)) = (&parts.author, parts.day) else { return };
        if self.keeps("author meta", 35) {
            let _ = write!(
                head,
                "<meta name=\"author\" content=\"{}\"><meta name=\"date\" content=\"{}\">",
                escaped(author),
                day.iso()
            );
        }
        if self.keeps("data", 35) && parts.is_article {
            let kind = *self.draw.apart("data").pick(&["NewsArticle", "Article", "BlogPosting"]);
            let data = serde_json::json!({
                "@context": "https://schema.org", "@type": kind, "headline": parts.headline,
                "datePublished": day.iso(), "author": {"@type": "Person", "name": author}, "url": parts.url,
            });
            let _ = write!(head, "<script type=\"application/ld+json\">{data}</script>");
        }
    }

    fn slot(&self, slot: &str, parts: &Parts) -> String {
        let crowded = self.clutter >= Clutter::Crowded;
        let usual = self.clutter >= Clutter::Usual;
        match slot {
            "site" => escaped(&self.site),
            "heading" => escaped(&parts.heading),
            "body" => parts.body.clone(),
            "top" => parts.top.clone(),
            "bottom" => parts.bottom.clone(),
            "below" => parts.below.clone(),
            "after" => parts.after.clone(),
            "byline" => self.byline(parts),
            "menu" => self.menu(),
            "foot" => self.list("foot", &self.foot),
            "crumbs" if usual && self.keeps("crumbs", 60) => self.crumbs(parts),
            "lead" if parts.opens && self.keeps("lead", 40) => format!(
                "<img src=\"/img/{}.jpg\" width=\"800\" height=\"450\" alt=\"\">",
                hash(&parts.headline) % 9999
            ),
            "search" if usual && self.keeps("search", 60) => format!(
                "<form action=\"/search\" method=\"get\"><input name=\"q\"><button>{}</button></form>",
                self.labels.search
            ),
            "share" if usual && self.keeps("share", 55) => self.share(parts),
            "tags" if usual && self.keeps("tags", 50) => self.tags(parts),
            "box" if crowded && self.keeps("box", 60) => self.author_box(parts),
            "news" if crowded && self.keeps("news", 60) => format!(
                "<form method=\"post\" action=\"/subscribe\"><input type=\"email\" name=\"mail\"><button>{}</button></form>",
                escaped(&self.others[0].1)
            ),
            "related" if usual && self.keeps("related", 70) => {
                self.related("related", self.labels.related, parts)
            }
            "side" if usual && self.keeps("side", 80) => {
                let popular = self.related("side", self.labels.popular, parts);
                if crowded { popular + &self.related("widget", self.labels.related, parts) } else { popular }
            }
            role => role.strip_prefix('.').map_or_else(String::new, |role| self.named(role)),
        }
    }

    /// Returns `true` if the site has a part that so many of 100 sites have.
    fn keeps(&self, part: &str, of_100: usize) -> bool {
        self.draw.apart(part).apart("keeps").of_100(of_100)
    }

    fn menu(&self) -> String {
        let home = if self.keeps("home", 70) {
            format!("<a href=\"/\">{}</a> ", self.labels.home)
        } else {
            String::new()
        };
        let separator = *self.draw.apart("menu").pick(&[" ", " | ", " · ", "<br>"]);
        if self.keeps("menu list", 50) {
            return format!("{home}{}", self.list("menu", &self.menu));
        }
        let links: Vec<String> = self
            .menu
            .iter()
            .map(|(path, name)| format!("<a href=\"{path}\">{}</a>", escaped(name)))
            .collect();
        home + &links.join(separator)
    }

    fn list(&self, role: &str, links: &[(String, String)]) -> String {
        if links.is_empty() {
            return String::new();
        }
        let items: String = links
            .iter()
            .map(|(path, name)| format!("<li><a href=\"{path}\">{}</a></li>", escaped(name)))
            .collect::<Vec<_>>()
            .concat();
        format!("<ul{}>{items}</ul>", self.named(role))
    }

    fn crumbs(&self, parts: &Parts) -> String {
        let section = self.menu.first().map_or(("/", "…"), |(path, name)| (path.as_str(), name.as_str()));
        let last = if self.keeps("crumb title", 50) {
            format!(" › {}", escaped(&parts.headline))
        } else {
            String::new()
        };
        format!(
            "<p{}><a href=\"/\">{}</a> › <a href=\"{}\">{}</a>{last}</p>",
            self.named("crumbs"),
            self.labels.home,
            section.0,
            escaped(section.1)
        )
    }

    fn byline(&self, parts: &Parts) -> String {
        let Some(day) = parts.day else { return String::new() };
        let mut draw = self.draw.apart("byline");
        let date = match draw.below(5) {
            0 => day.iso(),
            1 => format!("{}.{}.{}", day.of_month, day.month, day.year),
            2 => format!(
                "<time datetime=\"{}\">{:02}/{:02}/{}</time>",
                day.iso(),
                day.of_month,
                day.month,
                day.year
            ),
            3 => format!("<time datetime=\"{0}\">{0}</time>", day.iso()),
            _ => format!(
                "{}-{:02}-{:02} {:02}:{:02}",
                day.year,
                day.month,
                day.of_month,
                day.of_month % 23,
                day.month * 4
            ),
        };
        let author = parts.author.as_ref().map_or_else(String::new, |author| {
            let name = escaped(author);
            let link = format!(
                "<a href=\"/authors/{}\"{}>{name}</a>",
                hash(author) % 997,
                draw.pick(&["", " rel=\"author\""])
            );
            format!("{} {}", self.labels.by, if draw.of_100(50) { link } else { name })
        });
        match draw.below(4) {
            0 => format!("<p{}>{author} · {date}</p>", self.named("byline")),
            1 => format!("<div{}><span>{author}</span><span>{date}</span></div>", self.named("byline")),
            2 => format!("<p><i>{author}, {date}</i></p>"),
            _ => format!("<div{}>{date}</div><div>{author}</div>", self.named("date")),
        }
    }

    fn share(&self, parts: &Parts) -> String {
        let target = escaped(&parts.url);
        format!(
            "<div{}><a href=\"https://social.example/share?u={target}\">f</a> <a href=\"https://birds.example/post?u={target}\">t</a> <a href=\"mailto:?body={target}\">@</a></div>",
            self.named("share")
        )
    }

    fn tags(&self, parts: &Parts) -> String {
        let mut draw = self.draw.apart(&parts.headline);
        let tags: Vec<String> = (0..draw.between(2, 5))
            .map(|_| plain_word(&mut draw, self.world))
            .map(|tag| format!("<a rel=\"tag\" href=\"/tag/{tag}\">{tag}</a>"))
            .collect();
        format!("<p{}>{}</p>", self.named("tags"), tags.join(", "))
    }

    fn author_box(&self, parts: &Parts) -> String {
        parts.author.as_ref().map_or_else(String::new, |author| {
            format!(
                "<div{}><img src=\"/img/a{}.jpg\" alt=\"\"><b>{}</b></div>",
                self.named("box"),
                hash(author) % 997,
                escaped(author)
            )
        })
    }

    /// Returns a list of other articles, with teasers on some sites, that may change from page to page.
    fn related(&self, role: &str, label: &str, parts: &Parts) -> String {
        let place = if self.keeps("changes", 50) { parts.url.as_str() } else { "" };
        let mut draw = self.draw.apart(role).apart(place);
        let mut others = self.others.clone();
        draw.shuffle(&mut others);
        others.truncate(if self.clutter >= Clutter::Crowded { 9 } else { 4 });
        let level = if self.keeps("heading", 60) { "h3" } else { "h4" };
        let list = if self.keeps("teasers", 25) {
            others
                .iter()
                .map(|(path, name)| {
                    format!(
                        "<div><a href=\"{path}\"><b>{0}</b></a><p>{0} … <a href=\"{path}\">{1}</a></p></div>",
                        escaped(name),
                        self.labels.read_more
                    )
                })
                .collect::<Vec<_>>()
                .concat()
        } else {
            let list = self.list("widget", &others);
            // A list of articles that has this one, without a link, looks like the contents of a split one.
            let own = format!("</li><li><b>{}</b></li>", escaped(&parts.headline));
            if self.keeps("own title", 25) { list.replacen("</li>", &own, 1) } else { list }
        };
        format!("<div{}><{level}>{label}</{level}>{list}</div>", self.named(role))
    }
}
