//! Labelled pages as two sequences of blocks.

use crate::block_crf::{BlockTree, TreeBlockColumns};
use tsugi_page::{NodeId, NodeKind, Page};
use tsugi_scoring::Matrix;
use tsugi_training::content::GoldTexts;
use tsugi_training::dataset::{Complaint, DataDigest, DataSet, DataSetError};
use tsugi_training::label::PageLabel;
use tsugi_training::sites::SiteGroups;

/// A page whose content is known, cut into blocks.
#[derive(Debug)]
pub struct CrfPage {
    /// The data set, and its label there.
    pub set: usize,
    pub(crate) label: usize,
    pub(crate) group: usize,
    pub(crate) page: Page,
    pub(crate) reference: String,
    pub(super) texts: BlockSequence,
    pub(super) parents: BlockSequence,
    pub(super) kinds: Vec<PageKind>,
}

#[derive(Debug)]
pub(super) struct BlockSequence {
    pub(super) rows: Matrix<TreeBlockColumns>,
    pub(super) labels: Vec<bool>,
}

named_enum! {
    /// A property of pages whose text the second judgement may change much, told by address, markup and labelled content.
    ///
    /// # Source
    ///
    /// Fujita et al., table 2. The paper sorted six pages by eye. Pages for phones are hard to tell by markup today, so that
    /// flat pages, which the paper says those are, stand beside them.
    pub(crate) enum PageKind, name -> &'static str {
        /// More than half of the content's characters are in a table inside a table.
        NestedTables: "content in nested tables",
        Phone: "for phones, by the address",
        Flat: "flat: at most two blocks around a text",
        /// More than half of the content's characters are in `li`.
        Lists: "content in `li`",
    }
}

impl PageKind {
    /// The kinds that a page is of; `content` are its texts that are content.
    fn of_page(page: &Page, tree: &BlockTree, content: impl Iterator<Item = NodeId>) -> Vec<PageKind> {
        let (mut all, mut in_tables, mut in_lists) = (0, 0, 0);
        for id in content {
            let characters = page.totals(id).characters;
            let around = |tag: &str| page.ancestors(id).filter(|around| page.is(*around, tag)).count();
            all += characters;
            in_tables += if around("table") > 1 { characters } else { 0 };
            in_lists += if around("li") > 0 { characters } else { 0 };
        }
        let mut depths: Vec<usize> = Vec::with_capacity(tree.blocks().len());
        for block in tree.blocks() {
            depths.push(block.parent.map_or(0, |parent| depths[parent] + 1));
        }
        let is_flat =
            tree.blocks().iter().zip(&depths).all(|(block, depth)| !block.holds_text || *depth <= FLAT);
        let is = |kind: &PageKind| match kind {
            PageKind::NestedTables => in_tables * 2 > all,
            PageKind::Phone => is_for_phones(page),
            PageKind::Flat => is_flat,
            PageKind::Lists => in_lists * 2 > all,
        };
        PageKind::ALL.into_iter().filter(is).collect()
    }
}

/// Blocks around the text of a page that counts as flat, at most.
const FLAT: usize = 2;

impl CrfPage {
    /// Cuts a page; `None` if its content is not known for sure. The error tells the mistake in the label.
    pub(super) fn of(
        page: Page,
        label: &PageLabel,
        (set, at): (usize, usize),
        group: usize,
    ) -> Result<Option<CrfPage>, String> {
        if !label.knows_content() && !label.knows_text() {
            return Ok(None);
        }
        let tree = BlockTree::of(&page);
        let leaves = tree.leaves().iter().filter(|(id, _)| page.kind(*id) == NodeKind::Text);
        let (ids, blocks): (Vec<_>, Vec<usize>) = leaves.copied().unzip();
        let Some(gold) = GoldTexts::of(&page, label, &ids)? else { return Ok(None) };
        // By block, of its own texts: words, and how many of them are content.
        let mut own = vec![(0.0, 0.0); tree.blocks().len()];
        for ((words, covered), block) in gold.texts.iter().zip(&gold.covered).zip(&blocks) {
            own[*block].0 += words.len() as f64;
            own[*block].1 += words.len() as f64 * f64::from(*covered);
        }
        let words = own_or_below(&tree, own);
        // The paper's labels are blocks, ours cut elsewhere: a block is content if more than half of its own words are,
        // one without words of its own (a parent block, or signs alone) if more than half of those below it are.
        let sequence = |holds_text: bool| {
            let numbers = tree.sequence(holds_text);
            let is_content = |at: &usize| words[*at].1 * 2.0 > words[*at].0;
            let labels = numbers.iter().map(is_content).collect();
            let rows = tree.rows(&page, &numbers).map_err(|error| error.to_string())?;
            Ok::<_, String>(BlockSequence { rows, labels })
        };
        let (texts, parents) = (sequence(true)?, sequence(false)?);
        let covered = |at: usize| gold.covered[at] > 0.5;
        let kinds =
            PageKind::of_page(&page, &tree, (0..ids.len()).filter(|at| covered(*at)).map(|at| ids[at]));
        let reference = match &label.text {
            Some(text) => text.clone(),
            None => page.text_of(&label.some_content_nodes(&page)?),
        };
        Ok(Some(CrfPage { set, label: at, group, page, reference, texts, parents, kinds }))
    }
}

/// By block: the sums over its own texts, or over all that stands below it where its own are nothing. `own` holds how much
/// the texts of a block are, and how much of that is content.
pub(super) fn own_or_below(tree: &BlockTree, own: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut below = own.clone();
    for at in (0..below.len()).rev() {
        if let Some(parent) = tree.blocks()[at].parent {
            below[parent].0 += below[at].0;
            below[parent].1 += below[at].1;
        }
    }
    own.into_iter().zip(below).map(|(own, below)| if own.0 > 0.0 { own } else { below }).collect()
}

/// Returns `true` if an address is that of a page for phones alone: a host such as `m.` or `sp.`, a folder such as `/mobile/`.
fn is_for_phones(page: &Page) -> bool {
    let host = page.url().host_str().unwrap_or_default();
    let by_host =
        matches!(host.split('.').next(), Some("m" | "sp" | "i" | "k" | "mobile" | "wap" | "touch" | "smart"));
    let mut folders = page.url().path_segments().into_iter().flatten().take(2);
    by_host || folders.any(|folder| matches!(folder, "m" | "sp" | "i" | "mobile" | "wap" | "smp"))
}

/// The labelled pages of some data sets, cut into blocks.
#[derive(Debug)]
pub struct CrfExamples {
    /// The pages whose content is known.
    pub pages: Vec<CrfPage>,
    /// Problems with pages and labels that are not used.
    pub complaints: Vec<Complaint>,
    pub(crate) digest: String,
    pub(crate) groups: SiteGroups,
}

impl CrfExamples {
    /// Reads the data sets at the places `learned`, whose labels should mean the same by content: chains know no
    /// conventions. `progress` is called after every page.
    ///
    /// # Errors
    ///
    /// [`DataSetError`] if an archive cannot be opened. Pages and labels that cannot be used are complaints.
    ///
    /// # Panics
    ///
    /// If there is no data set at a place of `learned`.
    pub fn read(
        sets: &[DataSet],
        learned: &[usize],
        mut progress: impl FnMut(),
    ) -> Result<CrfExamples, DataSetError> {
        let groups = SiteGroups::of(sets);
        let mut digest = DataDigest::default();
        let (mut pages, mut complaints) = (Vec::new(), Vec::new());
        for &set_index in learned {
            let set = &sets[set_index];
            let mut problems = Vec::new();
            let of_archive = set.visit(Some(&mut digest), |at, page| {
                progress();
                let label = &set.labels()[at];
                match CrfPage::of(page, label, (set_index, at), groups.group(set_index, at)) {
                    Ok(page) => pages.extend(page),
                    Err(what) => problems.push(set.complaint(at, what)),
                }
            })?;
            complaints.extend(of_archive);
            complaints.extend(problems);
        }
        Ok(CrfExamples { pages, complaints, digest: digest.finish(), groups })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(url: &str, html: &str, label: &PageLabel) -> CrfPage {
        CrfPage::of(Page::from_text(html, &url.parse().unwrap()), label, (0, 0), 0).unwrap().unwrap()
    }

    #[test]
    fn chains_learn_from_the_named_data_sets_alone() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets");
        let sets = [(); 2].map(|()| DataSet::open(std::path::Path::new(folder)).unwrap());
        let examples = CrfExamples::read(&sets, &[1], || ()).unwrap();
        assert!(!examples.pages.is_empty() && examples.pages.iter().all(|page| page.set == 1));
    }

    fn of_nodes(expression: &str) -> PageLabel {
        let content = vec![expression.to_owned()];
        PageLabel { content, labels: vec!["content".into()], ..PageLabel::default() }
    }

    #[test]
    fn blocks_are_labelled_by_more_than_half_of_their_words() {
        let html =
            "<div>Home About</div><div id=a><p>Snow fell in June.<p>It was gone by noon.<p>Share this</div>";
        let label = PageLabel {
            text: Some("Snow fell in June. It was gone by noon.".into()),
            ..PageLabel::default()
        };
        let page = cut("https://a.test/", html, &label);
        assert_eq!(page.texts.labels, [false, true, true, false]);
        // `body`: 9 of 13 words; the `div` around the paragraphs: 9 of 11.
        assert_eq!(page.parents.labels, [true, true]);
        assert_eq!(page.reference, "Snow fell in June. It was gone by noon.");
        let page = cut("https://a.test/", html, &of_nodes("//div[@id='a']"));
        assert_eq!(page.texts.labels, [false, true, true, true]);
        assert_eq!(page.reference, "Snow fell in June.\nIt was gone by noon.\nShare this");
        // A text block of signs alone is as what stands in it.
        let signs = "<div id=a>*<p>Snow fell in June.</div><p>Home</p>";
        assert_eq!(cut("https://a.test/", signs, &of_nodes("//div")).texts.labels, [true, true, false]);
        let empty = cut("https://a.test/", "<p><img></p>", &label);
        assert!(empty.texts.labels.is_empty() && empty.parents.labels.is_empty());
        let unknown = CrfPage::of(Page::from_text(html, page.page.url()), &PageLabel::default(), (0, 0), 0);
        assert!(unknown.unwrap().is_none());
    }

    #[test]
    fn pages_of_the_papers_kinds_are_told() {
        let tables = "<table><td><table><td>one two three</table><td>four</table>";
        let page = cut("https://a.test/", tables, &of_nodes("//td"));
        assert_eq!(page.kinds, [PageKind::NestedTables, PageKind::Flat]);
        let lists = "<div><div><div><ul><li>one two<li>three</ul>four</div></div></div>";
        let page = cut("http://m.a.test/", lists, &of_nodes("//div"));
        assert_eq!(page.kinds, [PageKind::Phone, PageKind::Lists]);
        assert!(cut("http://a.test/sp/1.html", lists, &of_nodes("//div")).kinds.contains(&PageKind::Phone));
        assert!(
            !cut("http://a.test/news/1.html", lists, &of_nodes("//div")).kinds.contains(&PageKind::Phone)
        );
    }
}
