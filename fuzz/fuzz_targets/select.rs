//! Selectors, XPath and location paths on any page.
//!
//! Input: a selector on the first line, an XPath expression on the second, then a page.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tsugi::page::NodeId;
use tsugi::{Page, Url};
use tsugi_fuzz::within_limits;
use tsugi_page::{NodeKind, Selector, XPath, xpath};

/// The most nodes of a page whose paths are checked, from both ends: each path is evaluated.
const MOST_PATHS: usize = 40;

static PLACE: LazyLock<Url> = LazyLock::new(|| "https://a.test/".parse().expect("an address"));

fuzz_target!(|data: &[u8]| within_limits(data.len(), || {
    let mut lines = data.splitn(3, |byte| *byte == b'\n');
    let mut line = || String::from_utf8_lossy(lines.next().unwrap_or_default());
    let (selector, expression) = (line(), line());
    let page = Page::parse(lines.next().unwrap_or_default(), &PLACE, None);
    let is_sorted = |nodes: &[NodeId]| nodes.is_sorted_by(|one, other| one < other);
    if let Ok(selector) = Selector::parse(&selector) {
        let nodes = page.select(&selector);
        assert!(is_sorted(&nodes) && nodes.iter().all(|id| page.kind(*id) == NodeKind::Element));
    }
    if let Ok(nodes) = XPath::parse(&expression).and_then(|expression| expression.nodes(&page)) {
        assert!(is_sorted(&nodes));
    }
    let nodes = || page.subtree(NodeId::DOCUMENT).filter(|id| page.kind(*id) != NodeKind::Doctype);
    let last = nodes().count().saturating_sub(MOST_PATHS);
    let chosen = nodes().enumerate().filter(|(at, _)| *at < MOST_PATHS || *at >= last).map(|(_, id)| id);
    let chosen: Vec<NodeId> = chosen.collect();
    let paths = page.location_paths(&chosen, usize::MAX).expect("paths within the limit");
    for (id, path) in chosen.into_iter().zip(paths) {
        assert_eq!(page.location_path(id), path);
        assert_eq!(page.at_location_path(&path), Some(id), "{path}");
        if path.len() <= xpath::MAX_LENGTH {
            let found = XPath::parse(&path).and_then(|path| path.nodes(&page));
            assert_eq!(found, Ok(vec![id]), "{path}");
        }
    }
}));
