//! Labelled pages as rows of the thesis' features.

use super::split::is_first;
use tsugi_next_link::paper::baseline::{NextWord, is_next_by_text};
use tsugi_next_link::paper::{Candidates, PaperLinks, features};
use tsugi_page::{NodeId, Page, Url};
use tsugi_scoring::Matrix;
use tsugi_training::dataset::{Complaint, DataDigest, DataSet, DataSetError};
use tsugi_training::label::{PageLabel, url_key};
use tsugi_training::sites::SiteGroups;

/// A labelled page.
#[derive(Debug, Default)]
pub struct PageExample {
    pub(crate) set: usize,
    pub(crate) label: usize,
    pub(crate) group: usize,
    pub(crate) of_wedata: bool,
    pub(crate) is_first: bool,
    /// Its links, if its next page is known.
    pub links: Option<LinkExample>,
    /// Its elements, if its content is known.
    pub content: Option<ContentExample>,
}

/// The link candidates of a labelled page.
#[derive(Debug, Default)]
pub struct LinkExample {
    pub(crate) rows: Matrix<PaperLinks>,
    pub(crate) urls: Vec<Url>,
    /// By candidate: the first tag that leads there.
    pub(crate) first_tags: Vec<NodeId>,
    /// By candidate: `true` if it leads to a labelled next page.
    pub is_next: Vec<bool>,
    /// By candidate: `true` if the thesis' baseline takes it, with NEXT in any case.
    pub(crate) by_text: Vec<bool>,
    /// The same with NEXT in capitals alone.
    pub(crate) by_capitals: Vec<bool>,
    /// Characters of the page's text ÷ those of its markup.
    pub(crate) text_share: f32,
    /// `true` if the page has a next page, among the candidates or not.
    pub(crate) has_next: bool,
}

/// The content of a labelled page.
#[derive(Debug)]
pub struct ContentExample {
    pub(crate) page: Page,
    /// The labelled content nodes, outermost only.
    pub(crate) gold: Vec<NodeId>,
    /// The tag of the labelled next-page link: the first one with its address.
    pub(crate) next: Option<NodeId>,
}

impl LinkExample {
    fn of(page: &Page, candidates: &Candidates, label: &PageLabel) -> Option<LinkExample> {
        let right = label.next_keys();
        let urls = &candidates.urls;
        let by_text = |word| -> Vec<bool> {
            (0..urls.len()).map(|at| is_next_by_text(page, candidates, at, word)).collect()
        };
        Some(LinkExample {
            rows: features(page, candidates).ok()?,
            is_next: urls.iter().map(|url| right.contains(&url_key(url.as_str()))).collect(),
            by_text: by_text(NextWord::AnyCase),
            by_capitals: by_text(NextWord::Capitals),
            text_share: text_share(page),
            has_next: !right.is_empty(),
            first_tags: (0..urls.len()).map(|at| candidates.first_tag(at)).collect(),
            urls: urls.clone(),
        })
    }
}

/// The labelled pages of some data sets.
#[derive(Debug)]
pub struct PaperExamples {
    /// The pages, in the order of the data sets and their archives.
    pub pages: Vec<PageExample>,
    /// Problems with pages and labels that are not used.
    pub complaints: Vec<Complaint>,
    /// A digest of all pages and labels.
    pub digest: String,
    /// The groups of pages that stay on one side.
    pub groups: SiteGroups,
}

impl PaperExamples {
    /// Reads the data sets; `progress` is called after every page.
    ///
    /// # Errors
    ///
    /// [`DataSetError`] if an archive cannot be opened. Pages and labels that cannot be used are complaints.
    pub fn read(sets: &[DataSet], mut progress: impl FnMut()) -> Result<PaperExamples, DataSetError> {
        let groups = SiteGroups::of(sets);
        let mut digest = DataDigest::default();
        let (mut pages, mut complaints) = (Vec::new(), Vec::new());
        for (set_index, set) in sets.iter().enumerate() {
            let mut selecting_nothing = Vec::new();
            let of_archive = set.visit(Some(&mut digest), |label_index, page| {
                progress();
                let label = &set.labels()[label_index];
                let candidates = Candidates::of(&page);
                let links =
                    if label.knows_next() { LinkExample::of(&page, &candidates, label) } else { None };
                let content = match content_of(page, &candidates, label) {
                    Ok(content) => content,
                    Err(what) => {
                        selecting_nothing.push(set.complaint(label_index, what));
                        None
                    }
                };
                pages.push(PageExample {
                    set: set_index,
                    label: label_index,
                    group: groups.group(set_index, label_index),
                    of_wedata: label.is_of_wedata(),
                    is_first: is_first(label),
                    links,
                    content,
                });
            })?;
            complaints.extend(of_archive);
            complaints.extend(selecting_nothing);
        }
        Ok(PaperExamples { pages, complaints, digest: digest.finish(), groups })
    }
}

fn content_of(
    page: Page,
    candidates: &Candidates,
    label: &PageLabel,
) -> Result<Option<ContentExample>, String> {
    if !label.knows_content() {
        return Ok(None);
    }
    let gold = label.some_content_nodes(&page)?;
    let next = label.next_tag(candidates);
    Ok(Some(ContentExample { page, gold, next }))
}

/// Returns the characters of a page's text ÷ those of its markup.
fn text_share(page: &Page) -> f32 {
    let characters = page.totals(NodeId::DOCUMENT).characters.max(1);
    characters as f32 / page.markup_characters(NodeId::DOCUMENT).max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_text_is_that_of_the_whole_markup() {
        let page = Page::from_text("<p>abcd", &"https://a.test/".parse().unwrap());
        // <html><head></head><body><p>abcd</p></body></html>
        assert_eq!(text_share(&page), 4.0 / 50.0);
    }
}
