//! Joined articles by address, kept for a while: feed readers and language models ask for the same ones again and again.

use crate::error::ApiError;
use crate::given::JoinStart;
use crate::words;
use crate::work::Cancel;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tsugi::pipeline::locked;
use tsugi::{Document, Format, StopReason, Url};

const MOST: usize = 256;

/// The most text to keep, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// How long an article is kept: it may change.
const FRESH: Duration = Duration::from_hours(1);

/// A joined document without its trees.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JoinedArticle {
    pub(crate) url: Url,
    pub(crate) title: Option<String>,
    pub(crate) authors: Vec<String>,
    pub(crate) published: Option<String>,
    pub(crate) lang: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) image: Option<Url>,
    pub(crate) pages: usize,
    pub(crate) complete: bool,
    /// How it ended, for readers.
    pub(crate) ended: String,
    /// Whether another try may bring more: the time was up, or a page could not be fetched.
    is_passing: bool,
    pub(crate) text: String,
    pub(crate) html: String,
    pub(crate) markdown: String,
    /// The Markdown of each page.
    pub(crate) page_markdown: Vec<String>,
}

impl JoinedArticle {
    fn of(document: Document) -> Result<JoinedArticle, ApiError> {
        if document.text.is_empty() {
            return Err(ApiError::no_content());
        }
        let mut markdown = Vec::new();
        document.write(Format::Markdown, &mut markdown)?;
        Ok(JoinedArticle {
            pages: document.pages.len(),
            complete: document.is_complete(),
            ended: words::of_end(&document),
            is_passing: is_passing(document.stopped.reason),
            page_markdown: (0..document.pages.len()).map(|at| document.page_markdown(at)).collect(),
            html: document.html(),
            markdown: String::from_utf8_lossy(&markdown).into_owned(),
            url: document.url,
            title: document.title,
            authors: document.authors,
            published: document.published,
            lang: document.lang,
            description: document.description,
            image: document.image,
            text: document.text,
        })
    }

    fn bytes(&self) -> usize {
        let pages: usize = self.page_markdown.iter().map(String::len).sum();
        self.text.len() + self.html.len() + self.markdown.len() + pages
    }

    /// Returns an article without pages of the web, for tests.
    #[cfg(test)]
    pub(crate) fn of_markdown(url: &str, markdown: &str, pages: &[&str]) -> JoinedArticle {
        JoinedArticle {
            url: url.parse().unwrap(),
            title: Some("Snow".to_owned()),
            authors: vec!["Ann".to_owned()],
            published: None,
            lang: None,
            description: None,
            image: None,
            pages: pages.len(),
            complete: true,
            ended: words::counted(pages.len()) + ", whole",
            is_passing: false,
            text: String::new(),
            html: String::new(),
            markdown: markdown.to_owned(),
            page_markdown: pages.iter().map(|&page| page.to_owned()).collect(),
        }
    }
}

fn is_passing(reason: StopReason) -> bool {
    matches!(reason, StopReason::MaxTime | StopReason::FetchFailed | StopReason::Interrupted)
}

#[derive(Debug)]
struct KeptArticle {
    /// As it was asked for; the article's own may differ.
    url: Url,
    /// The most pages that were asked for.
    max_pages: Option<usize>,
    since: Instant,
    article: Arc<JoinedArticle>,
}

impl KeptArticle {
    fn is_of(&self, start: &JoinStart) -> bool {
        self.url == start.url && self.max_pages == start.max_pages
    }
}

/// The latest articles, the last one last.
#[derive(Debug, Default)]
pub(crate) struct Articles(Mutex<VecDeque<KeptArticle>>);

impl Articles {
    /// Returns an article, joined now or a short while ago. `came` gets the number of each page that comes now.
    pub(crate) fn get(
        &self,
        start: &JoinStart,
        cancel: &Cancel,
        mut came: impl FnMut(usize),
    ) -> Result<Arc<JoinedArticle>, ApiError> {
        if let Some(kept) = self.kept(start) {
            return Ok(kept);
        }
        // Without the lock: joining takes seconds. At worst two requests join the same article.
        let article = Arc::new(JoinedArticle::of(start.join(cancel, |at, _| came(at + 1))?)?);
        if !cancel.is_set() && !article.is_passing {
            self.keep(start, Arc::clone(&article));
        }
        Ok(article)
    }

    fn kept(&self, start: &JoinStart) -> Option<Arc<JoinedArticle>> {
        let articles = locked(&self.0);
        let kept = articles.iter().find(|kept| kept.is_of(start) && kept.since.elapsed() < FRESH)?;
        Some(Arc::clone(&kept.article))
    }

    fn keep(&self, start: &JoinStart, article: Arc<JoinedArticle>) {
        let mut articles = locked(&self.0);
        articles.retain(|kept| !kept.is_of(start));
        let (url, max_pages) = (start.url.clone(), start.max_pages);
        articles.push_back(KeptArticle { url, max_pages, since: Instant::now(), article });
        while articles.len() > MOST
            || articles.iter().map(|kept| kept.article.bytes()).sum::<usize>() > MOST_BYTES
        {
            articles.pop_front();
        }
    }
}
