//! How the site of a page shows it: its style sheets, as text, and the addresses of its pictures.
//!
//! A frame asks nobody, so the annotating page hands both to it: texts, of which the frame makes style sheets without any
//! address, and pictures as bytes, each asked for by `/api/image`. No markup of the site and no `@import` is on this way.

use crate::work::Cancel;
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tsugi::document::image_address;
use tsugi::page::address;
use tsugi::{Http, Page, Url};

const MOST_SHEETS: usize = 32;

const MOST_IMAGES: usize = 100;

/// The most bytes of all style sheets.
const MOST_BYTES: usize = 4 << 20;

/// How long style sheets are fetched.
const TIME: Duration = Duration::from_secs(30);

#[derive(Debug, Serialize)]
pub(super) struct SiteStyle {
    /// The pictures: the number of the element in the frame, and the address.
    images: Vec<(usize, Url)>,
    /// The number of style sheets that could not be had, or were too many.
    missing: usize,
    sheets: Vec<StyleSheet>,
}

#[derive(Debug, Serialize)]
struct StyleSheet {
    /// For which media it is, as the page says.
    media: String,
    text: String,
}

impl SiteStyle {
    /// Fetches the style sheets of a page. A cancelled look is answered early.
    pub(super) fn of(page: &Page, http: &Http, cancel: &Cancel) -> SiteStyle {
        let until = Instant::now() + TIME;
        let mut found = SiteStyle { images: images(page), missing: 0, sheets: Vec::new() };
        let (mut seen, mut left) = (BTreeSet::new(), MOST_BYTES);
        for node in page.elements() {
            let fetched = |url: &Url| {
                let body = http.download_until(url, until, &|| cancel.is_set()).ok()?.body?;
                Some(String::from_utf8_lossy(&body).into_owned())
            };
            let text = if page.is(node, "style") {
                Some(page.children(node).map(|text| page.data(text)).collect())
            } else if page.is(node, "link") && is_sheet(page.attribute(node, "rel")) {
                let url = page.attribute(node, "href").and_then(|href| page.resolve(href));
                let Some(url) = url.filter(|url| address::is_web(url) && seen.insert(url.clone())) else {
                    continue;
                };
                if found.sheets.len() < MOST_SHEETS { fetched(&url) } else { None }
            } else {
                continue;
            };
            match text.filter(|text: &String| text.len() <= left && found.sheets.len() < MOST_SHEETS) {
                Some(text) => {
                    left -= text.len();
                    let media = page.attribute(node, "media").unwrap_or_default().to_owned();
                    found.sheets.push(StyleSheet { media, text });
                }
                None => found.missing += 1,
            }
        }
        found
    }
}

/// Returns `true` for a style sheet that is in use.
fn is_sheet(rel: Option<&str>) -> bool {
    let words: Vec<String> = rel.unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
    words.iter().any(|word| word == "stylesheet") && !words.iter().any(|word| word == "alternate")
}

fn images(page: &Page) -> Vec<(usize, Url)> {
    let source = |node| image_address(page, node)?.parse().ok().filter(address::is_web);
    let images = page.elements().filter(|node| page.is(*node, "img"));
    images.filter_map(|node| Some((node.index(), source(node)?))).take(MOST_IMAGES).collect()
}
