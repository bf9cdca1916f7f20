//! Sets of elements of HTML (HTML, sections 13.2.4.2 and 13.2.6.3).

use crate::tags::{Tag, TagSet};

macro_rules! tags {
    ($($tag:ident)+) => { &[$(Tag::$tag),+] };
}

/// Elements that end a scope; [`Tag::None`] stands for those of SVG and `MathML` that hold HTML.
pub(super) static SCOPE: TagSet =
    TagSet::of(tags!(None Applet Caption Html Table Td Th Marquee Object Select Template));
pub(super) static LIST_ITEM_SCOPE: TagSet = SCOPE.and(tags!(Ol Ul));
pub(super) static BUTTON_SCOPE: TagSet = SCOPE.and(tags!(Button));
pub(super) static TABLE_SCOPE: TagSet = TagSet::of(tags!(Html Table Template));

pub(super) static IMPLIED_END: TagSet = TagSet::of(tags!(Dd Dt Li Optgroup Option P Rb Rp Rt Rtc));
pub(super) static IMPLIED_END_IN_TABLES: TagSet =
    IMPLIED_END.and(tags!(Caption Colgroup Tbody Td Tfoot Th Thead Tr));

pub(super) static TABLE_BODY_CONTEXT: TagSet = TagSet::of(tags!(Tbody Tfoot Thead Template Html));
pub(super) static ROW_CONTEXT: TagSet = TagSet::of(tags!(Tr Template Html));
pub(super) static CELLS: TagSet = TagSet::of(tags!(Td Th));
pub(super) static TABLE_SECTIONS: TagSet = TagSet::of(tags!(Tbody Tfoot Thead));
/// Elements in which only other parts of the table may stand; everything else goes before the table.
pub(super) static FOSTERING: TagSet = TagSet::of(tags!(Table Tbody Tfoot Thead Tr));
pub(super) static HEADINGS: TagSet = TagSet::of(tags!(H1 H2 H3 H4 H5 H6));

pub(super) static SPECIAL: TagSet = TagSet::of(tags!(
    Address Applet Area Article Aside Base Basefont Bgsound Blockquote Body Br Button Caption Center Col Colgroup Dd
    Details Dir Div Dl Dt Embed Fieldset Figcaption Figure Footer Form Frame Frameset H1 H2 H3 H4 H5 H6 Head Header
    Hgroup Hr Html Iframe Img Input Isindex Li Link Listing Main Marquee Menu Meta Nav Noembed Noframes Noscript Object
    Ol P Param Plaintext Pre Script Section Select Source Style Summary Table Tbody Td Template Textarea Tfoot Th Thead
    Title Tr Track Ul Wbr Xmp
));
/// Elements that a list item does not reach through.
pub(super) static ITEM_BARRIERS: TagSet = SPECIAL.without(Tag::Address).without(Tag::Div).without(Tag::P);

/// Start tags that end SVG and `MathML` around them.
pub(super) static ENDS_FOREIGN: TagSet = TagSet::of(tags!(
    B Big Blockquote Body Br Center Code Dd Div Dl Dt Em Embed H1 H2 H3 H4 H5 H6 Head Hr I Img Li Listing Menu Meta
    Nobr Ol P Pre Ruby S Small Span Strong Strike Sub Sup Table Tt U Ul Var
));

/// Start tags that stand in the head wherever they come.
pub(super) static OF_HEAD: TagSet =
    TagSet::of(tags!(Base Basefont Bgsound Link Meta Noframes Script Style Template Title));
pub(super) static PARTS_OF_TABLE: TagSet = TagSet::of(tags!(Caption Col Colgroup Tbody Td Tfoot Th Thead Tr));
/// Start tags without meaning in the body.
pub(super) static IGNORED_IN_BODY: TagSet = PARTS_OF_TABLE.and(tags!(Frame Head));
/// End tags that close nothing within a table, unless a rule says so.
pub(super) static IGNORED_IN_TABLE: TagSet = PARTS_OF_TABLE.and(tags!(Body Html));

/// Elements that end a paragraph, and close without rules of their own.
pub(super) static BLOCKS: TagSet = TagSet::of(tags!(
    Address Article Aside Blockquote Center Details Dialog Dir Div Dl Fieldset Figcaption Figure Footer Header Hgroup
    Main Menu Nav Ol P Search Section Summary Ul
));
pub(super) static CLOSED_LIKE_BLOCKS: TagSet = BLOCKS.without(Tag::P).and(tags!(Button Listing Pre Select));
/// Elements that open again where another end tag has closed them, but for `a` and `nobr`, which hold none of their kind.
pub(super) static FORMATTING: TagSet = TagSet::of(tags!(B Big Code Em Font I S Small Strike Strong Tt U));
pub(super) static ALL_FORMATTING: TagSet = FORMATTING.and(tags!(A Nobr));
pub(super) static VOID_IN_BODY: TagSet = TagSet::of(tags!(Area Br Embed Img Keygen Wbr));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_they_name() {
        assert!(SPECIAL.has(Tag::Xmp) && SPECIAL.has(Tag::Address) && !SPECIAL.has(Tag::A));
        assert!(!ITEM_BARRIERS.has(Tag::Div) && ITEM_BARRIERS.has(Tag::Ul));
        assert!(BUTTON_SCOPE.has(Tag::Html) && BUTTON_SCOPE.has(Tag::Button) && !TABLE_SCOPE.has(Tag::None));
    }
}
