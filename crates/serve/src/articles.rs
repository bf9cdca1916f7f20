//! Joined articles by address, kept for a while: feed readers and language models ask for the same ones again and again.

use crate::error::ApiError;
use crate::given::JoinStart;
use crate::work::Cancel;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tsugi::pipeline::locked;
use tsugi::{Document, Format, Url};

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
    /// Why no page follows, in words.
    pub(crate) ended: String,
    pub(crate) text: String,
    pub(crate) html: String,
    pub(crate) markdown: String,
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
            ended: document.stopped.detail.clone(),
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
        self.text.len() + self.html.len() + self.markdown.len()
    }
}

#[derive(Debug)]
struct KeptArticle {
    /// As it was asked for; the article's own may differ.
    url: Url,
    since: Instant,
    article: Arc<JoinedArticle>,
}

/// The latest articles, the last one last.
#[derive(Debug, Default)]
pub(crate) struct Articles(Mutex<VecDeque<KeptArticle>>);

impl Articles {
    pub(crate) fn get(&self, start: &JoinStart, cancel: &Cancel) -> Result<Arc<JoinedArticle>, ApiError> {
        if let Some(kept) = self.kept(&start.url) {
            return Ok(kept);
        }
        // Without the lock: joining takes seconds. At worst two requests join the same article.
        let article = Arc::new(JoinedArticle::of(start.join(cancel, |_, _| ())?)?);
        if !cancel.is_set() {
            self.keep(start.url.clone(), Arc::clone(&article));
        }
        Ok(article)
    }

    fn kept(&self, url: &Url) -> Option<Arc<JoinedArticle>> {
        let articles = locked(&self.0);
        let kept = articles.iter().find(|kept| kept.url == *url && kept.since.elapsed() < FRESH)?;
        Some(Arc::clone(&kept.article))
    }

    fn keep(&self, url: Url, article: Arc<JoinedArticle>) {
        let mut articles = locked(&self.0);
        articles.retain(|kept| kept.url != url);
        articles.push_back(KeptArticle { url, since: Instant::now(), article });
        while articles.len() > MOST
            || articles.iter().map(|kept| kept.article.bytes()).sum::<usize>() > MOST_BYTES
        {
            articles.pop_front();
        }
    }
}
