//! A labelled page as the link models see it.

use crate::label::{PageLabel, url_key};
use crate::made_up::TOLD_BY;
use crate::random::mix;
use std::collections::BTreeMap;
use tsugi_next_link::Described;
use tsugi_page::{Page, Relation};
use tsugi_scoring::Fnv1a64;

/// A page whose next page is known, described once for any number of trainings.
#[derive(Debug, Clone)]
pub struct LinkPage {
    pub(crate) group: usize,
    /// The software that made its markup, if it is known; see `software`.
    pub(crate) software: Option<u64>,
    pub(crate) described: Described,
    /// By candidate: `true` if it leads to a labelled next page.
    pub(crate) is_next: Vec<bool>,
    /// `true` if the page has a next page, among the candidates or not.
    pub(crate) has_next: bool,
    pub(crate) relation: Option<Relation>,
    /// `true` for a page that only teaches; see [`DataSet::only_teaches`](crate::dataset::DataSet::only_teaches).
    pub(crate) only_teaches: bool,
}

impl LinkPage {
    /// Describes a page; `None` if its next page is not known, or only the page behind its link shows that it has none.
    pub fn of(page: &Page, label: &PageLabel, group: usize) -> Option<LinkPage> {
        if !label.knows_next() || label.others.contains_key(TOLD_BY) {
            return None;
        }
        let described = Described::of(page);
        let right = label.next_keys();
        let relation = match label.relation.as_deref() {
            Some("page") => Some(Relation::Page),
            Some("chapter") => Some(Relation::Chapter),
            _ => None,
        };
        Some(LinkPage {
            group,
            is_next: described.urls.iter().map(|url| right.contains(&url_key(url.as_str()))).collect(),
            has_next: !right.is_empty(),
            relation,
            software: software(label),
            only_teaches: false,
            described,
        })
    }
}

/// Returns a number for the software that made a page, if its label names it: a generator of manuals, or the theme that it
/// was rendered with. The sites of one share their markup.
fn software(label: &PageLabel) -> Option<u64> {
    let generator = || label.others.get("generator").and_then(|name| name.as_str());
    let name = match &label.source {
        Some(source) if label.is_rendered() => source,
        // `Docusaurus v3.9.2` and `sphinx-furo` without what follows the name.
        _ => generator()?.split(|c: char| !c.is_alphabetic()).next()?,
    };
    Some(Fnv1a64::new().closed(&name.to_ascii_lowercase()).finish())
}

/// Deals pages into `folds` parts, so that neither a group nor a software is in two of them; returns the part of each page. A
/// group counts as made by the first software that is known of its pages.
pub(crate) fn parts_by_software<'p>(
    pages: impl Iterator<Item = &'p LinkPage> + Clone,
    folds: u64,
    seed: u64,
) -> Vec<u64> {
    let mut software_of_group = BTreeMap::new();
    for page in pages.clone() {
        if let Some(software) = page.software {
            software_of_group.entry(page.group).or_insert(software);
        }
    }
    let of = |page: &LinkPage| match software_of_group.get(&page.group) {
        Some(software) => mix(seed ^ software, 0),
        None => mix(seed, page.group),
    };
    pages.map(|page| of(page) % folds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(group: usize, label: PageLabel) -> LinkPage {
        let label = PageLabel { labels: vec!["next".into()], ..label };
        let page = Page::from_text("<a href=/2>2</a>", &"https://a.test/".parse().unwrap());
        LinkPage::of(&page, &label, group).unwrap()
    }

    fn by(generator: &str) -> PageLabel {
        let others = [("generator".to_owned(), generator.into())].into();
        PageLabel { others, ..PageLabel::default() }
    }

    #[test]
    fn neither_a_group_nor_a_software_is_in_two_parts() {
        let theme = |name: &str| PageLabel {
            source: Some(format!("rendered: WordPress 6.1, {name}")),
            ..PageLabel::default()
        };
        let pages: Vec<LinkPage> = (0..40)
            .flat_map(|group| {
                let named = match group % 4 {
                    0 => by(if group % 8 == 0 { "Docusaurus v3.9.2" } else { "docusaurus" }),
                    1 => theme("blix"),
                    2 => theme("rubric"),
                    _ => PageLabel::default(),
                };
                [page(group, PageLabel::default()), page(group, named)]
            })
            .collect();
        let parts = parts_by_software(pages.iter(), 4, 1);
        assert!(parts.chunks(2).all(|of_group| of_group[0] == of_group[1]));
        for kind in 0..3 {
            assert!(parts.iter().skip(2 * kind).step_by(8).all(|part| *part == parts[2 * kind]));
        }
        let unknown: Vec<u64> = parts.iter().skip(6).step_by(8).copied().collect();
        assert!(
            (0..4).all(|part| unknown.contains(&part)),
            "sites without a name are dealt one by one: {unknown:?}"
        );
    }
}
