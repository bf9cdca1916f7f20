//! Made-up sites, where addresses say nothing and only the words of the pages do.
//!
//! Models that see stored pages alone learn the number in the address, since pagers of stored pages count. Here every scheme of
//! addresses leads to next pages and to other articles alike ([`sites`]). There are two worlds: models learn in one and are
//! judged in the other ([`measure`]). They share no skeleton, no text, no host name, and as few words as the languages allow.
//!
//! ```text
//! World, seed, index ─→ language, theme, family ─→ pages + labels + the document that a reader wants
//! ```

mod address;
mod draw;
mod families;
mod maker;
pub mod measure;
mod pager;
mod prose;
mod site;
mod skeletons;
mod theme;
mod words;

pub use prose::QuotedText;
pub use site::{FAMILIES, MadeUpPage, MadeUpSite, SiteFamily, TOLD_BY, WantedDocument, World};

use crate::dataset::DataSet;
use draw::Draw;
use maker::SiteMaker;
use prose::Quotations;
use words::Languages;

/// Makes sites, as many of each family as of any other, but for one.
///
/// `texts` are quoted in the training world only. Equal arguments give equal sites.
pub fn sites(world: World, count: usize, seed: u64, texts: &[QuotedText]) -> Vec<MadeUpSite> {
    let (languages, quotations) = (Languages::read(), Quotations::of(world, texts));
    (0..count).filter_map(|index| site(world, (seed, index), (&languages, &quotations))).collect()
}

fn site(
    world: World,
    (seed, index): (u64, usize),
    (languages, quotations): (&Languages, &Quotations<'_>),
) -> Option<MadeUpSite> {
    let family = FAMILIES[index % FAMILIES.len()];
    let clutter = family.clutter(Draw::new(seed).apart(&format!("clutter {index}")).below(100));
    let mut maker = SiteMaker::new(world, (seed, index), (languages, quotations), (family.shape(), clutter));
    let wanted = family.make(&mut maker);
    maker.finish(family, &wanted)
}

/// Returns all labelled pages of some sites as a data set in memory.
pub fn training_set(sites: &[MadeUpSite]) -> DataSet {
    let pages: Vec<&MadeUpPage> = sites.iter().flat_map(|site| &site.pages).collect();
    let labels = pages.iter().map(|page| page.label.clone()).collect();
    let responses = pages.iter().map(|page| page.response()).collect();
    DataSet::in_memory("made-up".to_owned(), labels, responses)
}

#[cfg(test)]
mod tests;
