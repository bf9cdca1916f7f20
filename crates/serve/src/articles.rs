//! Whole articles by address, joined once and kept for a while: feeds and tools ask for the same ones again and again.

use crate::error::Problem;
use crate::given::Start;
use crate::work::Cancel;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tsugi::{Document, Format, Url};

/// Articles that are kept.
const MOST: usize = 256;

/// The most text that is kept, in bytes of Markdown and HTML.
const MOST_BYTES: usize = 64 << 20;

/// How long an article is kept. Afterwards it may have changed.
const FRESH: Duration = Duration::from_hours(1);

/// A joined document without its trees.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Article {
    pub(crate) url: Url,
    pub(crate) title: Option<String>,
    pub(crate) authors: Vec<String>,
    pub(crate) published: Option<String>,
    pub(crate) lang: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) image: Option<Url>,
    pub(crate) pages: usize,
    /// Whether no page is missing, and why it ends.
    pub(crate) complete: bool,
    pub(crate) ended: String,
    pub(crate) text: String,
    pub(crate) html: String,
    pub(crate) markdown: String,
}

impl Article {
    fn of(document: Document) -> Result<Article, Problem> {
        if document.text.is_empty() {
            return Err(Problem::no_content());
        }
        let mut markdown = Vec::new();
        document.write(Format::Markdown, &mut markdown)?;
        Ok(Article {
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

/// An article, the address that was asked for, and when.
type Kept = (Url, Instant, Arc<Article>);

/// The articles that are kept, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Articles(Mutex<VecDeque<Kept>>);

impl Articles {
    /// Joins an article, or returns the one that is kept.
    ///
    /// # Errors
    ///
    /// If its first page cannot be fetched or has no content.
    pub(crate) fn get(&self, start: &Start, cancel: &Cancel) -> Result<Arc<Article>, Problem> {
        let fresh = |kept: &&Kept| kept.0 == start.url && kept.1.elapsed() < FRESH;
        if let Some((.., article)) = self.lock().iter().find(fresh) {
            return Ok(Arc::clone(article));
        }
        let article = Arc::new(Article::of(start.join(cancel, |_, _| ())?)?);
        if !cancel.is_set() {
            self.keep(start.url.clone(), Arc::clone(&article));
        }
        Ok(article)
    }

    fn keep(&self, url: Url, article: Arc<Article>) {
        let mut kept = self.lock();
        kept.retain(|(of, ..)| *of != url);
        kept.push_back((url, Instant::now(), article));
        while kept.len() > MOST
            || kept.iter().map(|(.., article)| article.bytes()).sum::<usize>() > MOST_BYTES
        {
            kept.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
