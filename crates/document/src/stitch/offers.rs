//! What a page that is not free to read offers instead of the rest of its article.

use tsugi_metadata::lacks_paid_parts;
use tsugi_page::{Content, NodeId, Page};

/// Parts of the names of such offers.
const NAMES: [&str; 7] =
    ["paywall", "pay-wall", "regwall", "subscribe", "subscription", "subscriber", "metering"];

/// The longest offer, in characters.
const LONGEST: u32 = 600;

/// Leaves out the offers in the content of an article that lacks what only subscribers may read.
pub(super) fn leave_out(page: &Page, content: &mut Content) {
    if !lacks_paid_parts(page, content) {
        return;
    }
    let inner = content.nodes.iter().flat_map(|root| page.subtree(*root).skip(1));
    let offers: Vec<NodeId> = inner.filter(|id| is_offer(page, *id)).collect();
    content.without.extend(offers);
    content.without = page.outermost(std::mem::take(&mut content.without));
}

fn is_offer(page: &Page, id: NodeId) -> bool {
    let says_so = |name: &str| {
        let names = page.attribute(id, name).unwrap_or_default().to_ascii_lowercase();
        NAMES.iter().any(|offer| names.contains(offer))
    };
    page.is_element(id)
        && page.totals(id).characters <= LONGEST
        && (says_so("class") || says_so("id"))
        && page.subtree(id).any(|id| page.is(id, "a") || page.is(id, "button"))
}
