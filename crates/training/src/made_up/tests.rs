//! Tests of made-up sites.

use super::skeletons::SKELETONS;
use super::*;
use crate::label::{PageLabel, url_key};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::Url;
use tsugi_page::address::registrable_domain;

/// Five of each family.
const COUNT: usize = 5 * FAMILIES.len();

fn made(world: World) -> Vec<MadeUpSite> {
    sites(world, COUNT, 7, &[])
}

#[test]
fn equal_arguments_give_equal_sites() {
    assert_eq!(made(World::Judging), made(World::Judging));
    assert_ne!(made(World::Judging), sites(World::Judging, COUNT, 8, &[]));
}

#[test]
fn families_are_balanced() {
    let mut counts: BTreeMap<SiteFamily, usize> = BTreeMap::new();
    for site in made(World::Training) {
        *counts.entry(site.family).or_default() += 1;
    }
    assert_eq!(counts.len(), FAMILIES.len());
    assert!(counts.values().all(|count| *count == 5), "{counts:?}");
}

#[test]
fn worlds_share_no_host_no_skeleton_and_no_text() {
    let hosts = |sites: &[MadeUpSite]| -> BTreeSet<String> {
        sites
            .iter()
            .flat_map(|site| &site.pages)
            .map(|page| registrable_domain(&page.url).to_owned())
            .collect()
    };
    let paragraphs = |sites: &[MadeUpSite]| -> BTreeSet<String> {
        let texts =
            sites.iter().flat_map(|site| &site.pages).map(|page| page.response().page()).collect::<Vec<_>>();
        let lines = texts.iter().flat_map(|page| {
            page.text_of(&[tsugi_page::NodeId::DOCUMENT]).lines().map(str::to_owned).collect::<Vec<_>>()
        });
        lines.filter(|line| line.chars().count() > 60).collect()
    };
    let (training, judging) = (made(World::Training), made(World::Judging));
    assert!(hosts(&training).is_disjoint(&hosts(&judging)));
    assert!(paragraphs(&training).is_disjoint(&paragraphs(&judging)));
    assert!(paragraphs(&training).len() > 1_000);
    let names = |world| {
        SKELETONS.iter().filter(move |of| of.world == world).map(|of| of.name).collect::<BTreeSet<_>>()
    };
    assert!(names(World::Training).is_disjoint(&names(World::Judging)));
    assert!(names(World::Training).len() >= 12 && names(World::Judging).len() >= 8);
}

#[test]
fn every_site_has_its_own_domain() {
    let sites = made(World::Training);
    let domains: BTreeSet<&str> = sites.iter().map(|site| registrable_domain(&site.start)).collect();
    assert_eq!(domains.len(), sites.len());
}

#[test]
fn wanted_pages_are_stored_once_and_have_text() {
    for world in [World::Training, World::Judging] {
        for site in made(world) {
            let keys: BTreeSet<String> = site.pages.iter().map(|page| url_key(page.url.as_str())).collect();
            assert_eq!(keys.len(), site.pages.len(), "{} {}", site.start, site.variant);
            for url in [&site.start].into_iter().chain(&site.wanted.pages).chain(&site.wanted.instead) {
                let page = site.page(url).unwrap_or_else(|| panic!("{url} is not stored"));
                let page = page.response().page();
                assert!(
                    page.text_of(&[tsugi_page::NodeId::DOCUMENT]).chars().count() > 100,
                    "{url}: {}",
                    site.variant
                );
            }
        }
    }
}

#[test]
fn labels_name_stored_pages_and_lead_through_the_document() {
    for world in [World::Training, World::Judging] {
        for site in made(world) {
            let set = training_set(std::slice::from_ref(&site));
            let complaints = set.visit(None, |_, _| ()).unwrap();
            assert_eq!(complaints, []);
            for page in &site.pages {
                assert!(page.label.source.as_ref().unwrap().starts_with("made up: "));
                if let Some(next) = &page.label.next {
                    assert!(set.label_of(next).is_some(), "{} leads to {next}: {}", page.url, site.variant);
                    assert!(page.label.knows_next());
                }
            }
            for pair in site.wanted.pages.windows(2) {
                let page = site.page(&pair[0]).unwrap();
                if page.label.knows_next() {
                    let next: Url = page.label.next.as_ref().unwrap().parse().unwrap();
                    assert_eq!(site.key(&next), site.key(&pair[1]), "{}", site.variant);
                }
            }
        }
    }
}

#[test]
fn ends_that_only_the_next_page_shows_are_told_as_such() {
    for site in made(World::Training).iter().filter(|site| site.family == SiteFamily::SoftEnd) {
        let last = site.page(site.wanted.pages.last().unwrap()).unwrap();
        assert_eq!(last.label.others[TOLD_BY], "pair");
        assert!(last.label.knows_next() && last.label.next.is_none());
        assert!(!site.page(&site.start).unwrap().label.others.contains_key(TOLD_BY));
    }
}

#[test]
fn articles_of_chains_have_no_next_page_but_link_to_another() {
    for site in made(World::Training).iter().filter(|site| site.family == SiteFamily::NextArticle) {
        assert!(site.pages.iter().all(|page| page.label.knows_next() && page.label.next.is_none()));
        let after = site.pages.iter().position(|page| page.url == site.start).unwrap() + 1;
        let url = &site.pages[after].url;
        let query = url.query().map_or_else(String::new, |query| format!("?{query}"));
        let target = format!("{}{query}", url.path()).replace('&', "&amp;");
        let start = &site.pages[after - 1];
        let in_header = start.headers.iter().any(|(_, value)| value.contains(&target));
        assert!(in_header || start.html.contains(&target), "{target} {}", site.variant);
    }
}

#[test]
fn quoted_texts_are_of_the_training_world_alone() {
    let line = |at: usize| {
        format!(
            "Sentence {at} was written by somebody and is long enough to be taken for a paragraph of prose, indeed."
        )
    };
    let text = (0..80).map(line).collect::<Vec<_>>().join("\n");
    let texts = [QuotedText { language: "en".to_owned(), text }];
    let quotes = |world| {
        let sites = sites(world, 2 * FAMILIES.len(), 1, &texts);
        sites
            .iter()
            .flat_map(|site| &site.pages)
            .filter(|page| page.html.contains("written by somebody"))
            .count()
    };
    assert!(quotes(World::Training) > 10);
    assert_eq!(quotes(World::Judging), 0);
}

#[test]
fn texts_of_labels_are_quoted_by_their_language() {
    let label = |lang: Option<&str>, text: Option<&str>, source: &str| PageLabel {
        lang: lang.map(str::to_owned),
        text: text.map(str::to_owned),
        source: Some(source.to_owned()),
        ..PageLabel::default()
    };
    let labels = [
        label(Some("pt-BR"), Some("Um texto."), "by hand"),
        label(None, Some("A text."), "by hand"),
        label(Some("en"), None, "by hand"),
        label(Some("en"), Some("A text."), "rendered: WordPress"),
    ];
    let quoted = QuotedText::of_labels(&labels);
    let of = |language: &str, text: &str| QuotedText { language: language.to_owned(), text: text.to_owned() };
    assert_eq!(quoted, [of("pt", "Um texto."), of("en", "A text.")]);
}

#[test]
fn every_scheme_leads_to_next_pages_and_to_other_articles() {
    let sites = sites(World::Training, 40 * FAMILIES.len(), 3, &[]);
    for scheme in address::SCHEMES {
        let of = |single: bool| {
            let name = format!("{scheme:?}");
            sites
                .iter()
                .filter(|site| {
                    site.family.is_of_single_articles() == single
                        && site.variant.split(", ").any(|part| part == name)
                })
                .count()
        };
        assert!(of(true) >= 5 && of(false) >= 5, "{scheme:?}: {} {}", of(true), of(false));
    }
}
