//! Limits of a page; what is beyond is dropped, with a note.

/// Deepest nesting of elements; deeper ones become siblings, as in Blink (`kMaximumHTMLParserDOMTreeDepth`).
pub const MAX_DEPTH: u32 = 512;
/// Most nodes, and most attributes, of a page; the rest is dropped. The limit for a shorter page is its length in bytes,
/// but at least 10,000. Only markup that makes the parser reopen elements over and over exceeds it.
pub const MAX_NODES: usize = 2_000_000;
/// Longest page, in bytes; the rest is dropped. Places in texts are 32-bit numbers, and a text may hold three bytes for a U+0000 of
/// the page.
pub(crate) const MAX_BYTES: usize = 512 << 20;
/// Most names of a page that HTML does not know; tags and attributes of others are dropped.
/// Names longer than seven bytes that HTML does not know are in lists that all pages share. Which list is known in advance,
/// so that a page could bring all of its names into one, and each is compared with all before it.
pub(crate) const MAX_NAMES: usize = 10_000;
