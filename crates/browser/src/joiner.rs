//! Following next links, and the document of the pages.

use crate::answers::MarkupTree;
use crate::appended::Appended;
use crate::boundary::{object, response};
use crate::tree::trees;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use tsugi::document::{EpubOptions, stitch};
use tsugi::page::{Relation, UnavailableKind};
use tsugi::{Document, Following, Format, JoinOptions, Part, Tsugi, Url};
use wasm_bindgen::prelude::*;

/// `FollowOptions` of `types.d.ts`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FollowOptions {
    max_pages: Option<NonZeroUsize>,
    min_score: Option<f32>,
    relation: Option<RelationWord>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RelationWord {
    Page,
    Chapter,
}

pub(crate) fn join_options(options: &JsValue) -> Result<JoinOptions, JsError> {
    let options = if options.is_undefined() || options.is_null() {
        FollowOptions::default()
    } else {
        let json =
            js_sys::JSON::stringify(options).map_err(|_| JsError::new("the options are no plain object"))?;
        serde_json::from_str(&String::from(json))?
    };
    let relation = options.relation.map(|word| match word {
        RelationWord::Page => Relation::Page,
        RelationWord::Chapter => Relation::Chapter,
    });
    let join = JoinOptions::default().min_score(options.min_score)?.relation(relation);
    Ok(match options.max_pages {
        Some(pages) => join.max_pages(pages.get()),
        None => join,
    })
}

const FINISHED: &str = "the document is finished";

/// A document that is being joined. It names the page that it wants, and the caller gives that page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Joiner(Option<Following>);

impl Joiner {
    pub(crate) fn new(tsugi: &Tsugi, start: Url, options: &JoinOptions) -> Joiner {
        Joiner(Some(tsugi.follow(start, options)))
    }

    fn following(&mut self) -> Result<&mut Following, JsError> {
        self.0.as_mut().ok_or_else(|| JsError::new(FINISHED))
    }

    fn parts(&self) -> &[Part] {
        self.0.as_ref().map_or(&[], Following::parts)
    }
}

#[wasm_bindgen]
impl Joiner {
    /// The address of the page to give next; `undefined` once the sequence has ended.
    #[wasm_bindgen(getter)]
    pub fn wanted(&self) -> Option<String> {
        Some(self.0.as_ref()?.wanted()?.to_string())
    }

    /// The number of pages that belong to the sequence so far.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.parts().len()
    }

    /// The addresses of the pages so far.
    #[wasm_bindgen(getter)]
    pub fn pages(&self) -> Vec<String> {
        self.parts().iter().map(|part| part.page.url().to_string()).collect()
    }

    /// Why the sequence has ended; `null` while a page is wanted.
    ///
    /// # Errors
    ///
    /// Only if the engine is broken.
    #[wasm_bindgen(getter, unchecked_return_type = "Stopped | null")]
    pub fn stopped(&self) -> Result<JsValue, JsError> {
        object(&self.0.as_ref().and_then(Following::stopped).map(JsStopped::of))
    }

    /// Gives the wanted page. `url` is its address after redirects.
    ///
    /// # Errors
    ///
    /// If `url` is no address, or the document is finished.
    pub fn give(
        &mut self,
        bytes: Vec<u8>,
        url: &str,
        #[wasm_bindgen(js_name = contentType)] content_type: Option<String>,
    ) -> Result<(), JsError> {
        let response = response(bytes, url, content_type)?;
        self.following()?.give(Ok(response));
        Ok(())
    }

    /// Reports that the wanted page is unavailable. The word `robots` means that the site forbids it.
    ///
    /// # Errors
    ///
    /// If the document is finished.
    pub fn miss(&mut self, word: &str, message: String) -> Result<(), JsError> {
        self.following()?.miss(UnavailableKind::named(word), message);
        Ok(())
    }

    /// Returns the part of the page at `index`, counted from 0, to add below the page before; `null` if there is no such
    /// page.
    ///
    /// # Errors
    ///
    /// Only if the engine is broken.
    #[wasm_bindgen(unchecked_return_type = "Appended | null")]
    pub fn appended(&self, index: usize) -> Result<JsValue, JsError> {
        let pair = index.checked_sub(1).and_then(|before| self.parts().get(before..=index));
        let appended = match pair {
            Some([before, after]) => Some(Appended::of(before, after)),
            _ => None,
        };
        object(&appended)
    }

    /// Returns the document of the pages so far.
    ///
    /// # Errors
    ///
    /// If there is no page, or the document is finished already.
    pub fn finish(&mut self) -> Result<FinishedDocument, JsError> {
        let following = self.0.take().ok_or_else(|| JsError::new(FINISHED))?;
        let joined = following.finish().map_err(JsError::from)?;
        Ok(FinishedDocument(stitch(joined)))
    }
}

/// `Stopped` of `types.d.ts`.
#[derive(Debug, Serialize)]
struct JsStopped {
    reason: &'static str,
    at: String,
    detail: String,
    complete: bool,
}

impl JsStopped {
    fn of(stopped: &tsugi::Stopped) -> JsStopped {
        JsStopped {
            reason: stopped.reason.as_str(),
            at: stopped.at.to_string(),
            detail: stopped.detail.clone(),
            complete: stopped.complete,
        }
    }
}

/// A document.
#[wasm_bindgen(js_name = Joined)]
#[derive(Debug)]
pub struct FinishedDocument(Document);

#[derive(Debug, Serialize)]
struct PageTree<'a> {
    url: &'a str,
    tree: Vec<MarkupTree>,
}

impl FinishedDocument {
    fn written(&self, format: Format) -> Result<String, JsError> {
        let mut bytes = Vec::new();
        self.0.write(format, &mut bytes)?;
        Ok(String::from_utf8(bytes)?)
    }
}

#[wasm_bindgen(js_class = Joined)]
impl FinishedDocument {
    /// The title, without page number.
    #[wasm_bindgen(getter)]
    pub fn title(&self) -> Option<String> {
        self.0.title.clone()
    }

    /// The language, as a BCP 47 tag.
    #[wasm_bindgen(getter)]
    pub fn lang(&self) -> Option<String> {
        self.0.lang.clone()
    }

    /// The text of all pages.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.0.text.clone()
    }

    /// Returns the object that `tsugi join -f json` writes.
    ///
    /// # Errors
    ///
    /// Only if the engine is broken.
    #[wasm_bindgen(js_name = toJSON, unchecked_return_type = "any")]
    pub fn to_json(&self) -> Result<JsValue, JsError> {
        js_sys::JSON::parse(&self.0.json_line()).map_err(|_| JsError::new("the document is no JSON"))
    }

    /// Returns the document as Markdown.
    ///
    /// # Errors
    ///
    /// Only if the engine is broken.
    pub fn markdown(&self) -> Result<String, JsError> {
        self.written(Format::Markdown)
    }

    /// Returns the document as one HTML file, without anything active in it.
    ///
    /// # Errors
    ///
    /// Only if the engine is broken.
    pub fn html(&self) -> Result<String, JsError> {
        self.written(Format::Html)
    }

    /// Returns the document as EPUB 3, without images. `modified` is the time to write into it: `2026-05-01T08:00:00Z`.
    ///
    /// # Errors
    ///
    /// If it exceeds the limits of ZIP.
    #[expect(clippy::needless_pass_by_value, reason = "what comes from JavaScript is owned")]
    pub fn epub(&self, modified: Option<String>) -> Result<Vec<u8>, JsError> {
        let options = EpubOptions { modified: modified.as_deref(), ..EpubOptions::default() };
        let mut bytes = Vec::new();
        self.0.write_epub(&options, &mut bytes)?;
        Ok(bytes)
    }

    /// Returns the pages as trees of allowed elements.
    ///
    /// # Errors
    ///
    /// Only if the engine is broken.
    #[wasm_bindgen(unchecked_return_type = "{ url: string; tree: Tree[] }[]")]
    pub fn trees(&self) -> Result<JsValue, JsError> {
        let pages = self.0.pages.iter().enumerate().map(|(index, page)| PageTree {
            url: page.url.as_str(),
            tree: self.0.page_tree(index).as_ref().map(trees).unwrap_or_default(),
        });
        object(&pages.collect::<Vec<_>>())
    }
}
