//! What a made-up site is: its kind, its pages, and the document that a reader wants.

use crate::label::PageLabel;
use serde::Serialize;
use tsugi_page::{Response, Url};

/// The field of a label that says what shows it right. `pair`: the page alone does not, because its link looks like one to a
/// next page; what it leads to shows it. Models of links can leave such pages out.
pub const TOLD_BY: &str = "told_by";

/// The world that a site is made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum World {
    /// Models learn from its sites.
    Training = 0,
    /// Models are judged by its sites.
    Judging = 1,
}

/// A made-up site.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeUpSite {
    /// The kind of site.
    pub family: SiteFamily,
    /// What was drawn: language, skeleton, addresses, way on, …
    pub variant: String,
    /// The stored pages.
    pub pages: Vec<MadeUpPage>,
    /// The page that a reader starts at.
    pub start: Url,
    /// The document that the reader wants.
    pub wanted: WantedDocument,
    /// Keys of queries that do not change the page.
    pub ignored: Vec<String>,
}

/// A page of a made-up site.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeUpPage {
    /// The address, as links name it.
    pub url: Url,
    /// The page.
    pub html: String,
    /// Headers of the answer, such as `Link`.
    pub headers: Vec<(String, String)>,
    /// The HTTP status.
    pub status: u16,
    /// The label.
    pub label: PageLabel,
}

/// The document that a reader of a site wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedDocument {
    /// Its pages, in order.
    pub pages: Vec<Url>,
    /// Pages that hold the whole text, and count as right alone.
    pub instead: Vec<Url>,
    /// Pages that may be among the others, such as one that sends the reader on.
    pub optional: Vec<Url>,
    /// Whether an honest document says that it is complete; `None` if nobody can know.
    pub complete: Option<bool>,
}

/// A kind of made-up site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteFamily {
    /// A split article.
    Split,
    /// A split article among much else.
    SplitCrowded,
    /// A split article, whose last link leads to another article.
    SplitThenNext,
    /// A split article without links back.
    NoLinkBack,
    /// A split article with icons and arrows.
    Icons,
    /// A book, one page a chapter.
    Book,
    /// A book with two pages a chapter.
    BookOfParts,
    /// A manual.
    Manual,
    /// An archive with older entries.
    Listing,
    /// A thread of a forum.
    Thread,
    /// A mailing list.
    Mail,
    /// A gallery.
    Gallery,
    /// A single article, whose next link leads to the next article.
    NextArticle,
    /// The same among much else.
    NextArticleCrowded,
    /// The same; the next article is older.
    OlderArticle,
    /// The same; the next article is of the same day and author.
    SameDayArticle,
    /// A single article with a title or a card at its end that leads to another one.
    UnlabelledNext,
    /// A single article with pages of comments.
    CommentPages,
    /// A single article on whose page something else is paged.
    OtherPager,
    /// A single article.
    Single,
    /// A split article whose pager counts on.
    SoftEnd,
    /// A split article whose last link is dead.
    MissingEnd,
    /// Numbers alone.
    Numbers,
    /// Numbers of other scripts.
    ScriptNumbers,
    /// A list of choices.
    Select,
    /// Forms.
    Forms,
    /// Links in the head alone.
    HeadOnly,
    /// Links in headers alone.
    LinkHeader,
    /// Pages between that send the reader on.
    RefreshStubs,
    /// A list of titles.
    TitleList,
    /// Links whose words are the title of the next section.
    TitleLink,
    /// Only a page with everything.
    SinglePage,
    /// A button without an address.
    ScriptButton,
    /// The next page is at another host.
    OffSite,
    /// “Page 1 of 3”, and no way on.
    SaysMore,
    /// Tracking keys and session names.
    Noise,
}

/// All families.
pub const FAMILIES: [SiteFamily; 36] = [
    SiteFamily::Split,
    SiteFamily::SplitCrowded,
    SiteFamily::SplitThenNext,
    SiteFamily::NoLinkBack,
    SiteFamily::Icons,
    SiteFamily::Book,
    SiteFamily::BookOfParts,
    SiteFamily::Manual,
    SiteFamily::Listing,
    SiteFamily::Thread,
    SiteFamily::Mail,
    SiteFamily::Gallery,
    SiteFamily::NextArticle,
    SiteFamily::NextArticleCrowded,
    SiteFamily::OlderArticle,
    SiteFamily::SameDayArticle,
    SiteFamily::UnlabelledNext,
    SiteFamily::CommentPages,
    SiteFamily::OtherPager,
    SiteFamily::Single,
    SiteFamily::SoftEnd,
    SiteFamily::MissingEnd,
    SiteFamily::Numbers,
    SiteFamily::ScriptNumbers,
    SiteFamily::Select,
    SiteFamily::Forms,
    SiteFamily::HeadOnly,
    SiteFamily::LinkHeader,
    SiteFamily::RefreshStubs,
    SiteFamily::TitleList,
    SiteFamily::TitleLink,
    SiteFamily::SinglePage,
    SiteFamily::ScriptButton,
    SiteFamily::OffSite,
    SiteFamily::SaysMore,
    SiteFamily::Noise,
];

impl SiteFamily {
    /// Returns the name of the family in reports.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Returns `true` if a reader of the site wants one page only.
    pub fn is_of_single_articles(self) -> bool {
        matches!(
            self,
            SiteFamily::NextArticle
                | SiteFamily::NextArticleCrowded
                | SiteFamily::OlderArticle
                | SiteFamily::SameDayArticle
                | SiteFamily::UnlabelledNext
                | SiteFamily::CommentPages
                | SiteFamily::OtherPager
                | SiteFamily::Single
        )
    }
}

impl MadeUpPage {
    /// Returns the answer of the server.
    pub fn response(&self) -> Response {
        let content_type = Some("text/html; charset=utf-8".to_owned());
        Response {
            status: self.status,
            content_type,
            link: self.headers.iter().find(|(name, _)| name == "Link").map(|(_, value)| value.clone()),
            ..Response::new(self.url.clone(), self.html.as_bytes())
        }
    }
}

impl MadeUpSite {
    /// Returns an address without what does not change the page.
    pub fn key(&self, url: &Url) -> String {
        let mut url = url.clone();
        url.set_fragment(None);
        if let Some(query) = url.query() {
            let is_kept = |pair: &&str| !self.ignored.iter().any(|key| pair.split('=').next() == Some(key));
            let kept: Vec<&str> = query.split('&').filter(is_kept).collect();
            let kept = kept.join("&");
            url.set_query((!kept.is_empty()).then_some(kept.as_str()));
        }
        url.to_string()
    }

    /// Returns the page of an address, if it is stored.
    pub fn page(&self, url: &Url) -> Option<&MadeUpPage> {
        let key = self.key(url);
        let exact = self.pages.iter().find(|page| page.url == *url);
        exact.or_else(|| self.pages.iter().find(|page| self.key(&page.url) == key))
    }
}
