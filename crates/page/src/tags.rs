//! Names of HTML elements and attributes as small numbers, and properties of elements.

use markup5ever::{LocalName, local_name};

macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$other_doc:meta])* $other:ident,)+ } $($variant:ident = $name:tt;)+) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the variants are the names")]
        #[repr(u8)]
        pub enum $type {
            $($(#[$other_doc])* $other,)+
            $($variant,)+
        }

        impl $type {
            pub(crate) fn of(name: &LocalName) -> $type {
                match *name {
                    $(local_name!($name) => $type::$variant,)+
                    _ => $type::Other,
                }
            }
        }
    };
}

names! {
    /// The name of an element that is or was part of HTML.
    ///
    /// Elements of SVG and `MathML` go by their local names, too: an `a` of SVG is [`Tag::A`]; see
    /// [`Page::is`](crate::Page::is) and [`Page::namespace`](crate::Page::namespace).
    Tag {
        /// Not an element.
        None,
        /// An element of another name.
        Other,
    }
    A = "a"; Abbr = "abbr"; Acronym = "acronym"; Address = "address"; Applet = "applet"; Area = "area";
    Article = "article"; Aside = "aside"; Audio = "audio"; B = "b"; Base = "base"; Basefont = "basefont";
    Bdi = "bdi"; Bdo = "bdo"; Bgsound = "bgsound"; Big = "big"; Blockquote = "blockquote"; Body = "body";
    Br = "br"; Button = "button"; Canvas = "canvas"; Caption = "caption"; Center = "center"; Cite = "cite";
    Code = "code"; Col = "col"; Colgroup = "colgroup"; Data = "data"; Datalist = "datalist"; Dd = "dd";
    Del = "del"; Details = "details"; Dfn = "dfn"; Dialog = "dialog"; Dir = "dir"; Div = "div"; Dl = "dl";
    Dt = "dt"; Em = "em"; Embed = "embed"; Fieldset = "fieldset"; Figcaption = "figcaption";
    Figure = "figure"; Font = "font"; Footer = "footer"; Form = "form"; Frame = "frame";
    Frameset = "frameset"; H1 = "h1"; H2 = "h2"; H3 = "h3"; H4 = "h4"; H5 = "h5"; H6 = "h6"; Head = "head";
    Header = "header"; Hgroup = "hgroup"; Hr = "hr"; Html = "html"; I = "i"; Iframe = "iframe"; Img = "img";
    Input = "input"; Ins = "ins"; Isindex = "isindex"; Kbd = "kbd"; Keygen = "keygen"; Label = "label";
    Legend = "legend"; Li = "li"; Link = "link"; Listing = "listing"; Main = "main"; Map = "map";
    Mark = "mark"; Marquee = "marquee"; Math = "math"; Menu = "menu"; Meta = "meta"; Meter = "meter";
    Nav = "nav"; Nobr = "nobr"; Noembed = "noembed"; Noframes = "noframes"; Noscript = "noscript";
    Object = "object"; Ol = "ol"; Optgroup = "optgroup"; Option = "option"; Output = "output"; P = "p";
    Param = "param"; Picture = "picture"; Plaintext = "plaintext"; Pre = "pre"; Progress = "progress";
    Q = "q"; Rb = "rb"; Rp = "rp"; Rt = "rt"; Rtc = "rtc"; Ruby = "ruby"; S = "s"; Samp = "samp"; Script = "script";
    Search = "search"; Section = "section"; Select = "select"; Slot = "slot"; Small = "small";
    Source = "source"; Span = "span"; Strike = "strike"; Strong = "strong"; Style = "style"; Sub = "sub";
    Summary = "summary"; Sup = "sup"; Svg = "svg"; Table = "table"; Tbody = "tbody"; Td = "td";
    Template = "template"; Textarea = "textarea"; Tfoot = "tfoot"; Th = "th"; Thead = "thead";
    Time = "time"; Title = "title"; Tr = "tr"; Track = "track"; Tt = "tt"; U = "u"; Ul = "ul"; Use = "use";
    Var = "var"; Video = "video"; Wbr = "wbr"; Xmp = "xmp";
}

names! {
    /// The name of an attribute that features read.
    Attr {
        /// Another name.
        Other,
    }
    Accesskey = "accesskey"; Action = "action"; Align = "align"; Alt = "alt"; AriaCurrent = "aria-current";
    AriaDisabled = "aria-disabled"; AriaHidden = "aria-hidden"; AriaLabel = "aria-label";
    AriaModal = "aria-modal"; AriaSelected = "aria-selected"; Class = "class"; Content = "content";
    Datetime = "datetime"; Dir = "dir"; Disabled = "disabled"; Height = "height"; Hidden = "hidden";
    Href = "href"; HttpEquiv = "http-equiv"; Id = "id"; Itemprop = "itemprop"; Itemtype = "itemtype";
    Lang = "lang"; Name = "name"; Onclick = "onclick"; Placeholder = "placeholder"; Property = "property";
    Rel = "rel"; Role = "role"; Src = "src"; Srcset = "srcset"; Start = "start"; Style = "style";
    Target = "target"; Title = "title"; Type = "type"; Value = "value"; Width = "width";
    XmlLang = "xml:lang";
}

/// Properties of an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a name")]
pub struct TagClass {
    /// Block-level in HTML 4.01 (its `%block;`, and the parts of tables and lists).
    pub block: bool,
    /// Starts and ends a line when rendered: block-level by the HTML standard's rendering section.
    pub line: bool,
    /// Has no end tag and no content.
    pub void: bool,
    /// Has no visible text: `script`, `style`, `noscript`, `template`; `video`, `audio` and `canvas`, whose text is for
    /// browsers without them; what only describes a drawing of SVG.
    pub hidden: bool,
    /// Its text is serialised verbatim.
    pub raw_text: bool,
    /// `a`.
    pub link: bool,
    /// A table cell, or a text of a drawing: spaces separate it from what is around it.
    pub cell: bool,
    /// Shows its text as it is written, in code: `pre` and its like, or by its style.
    pub pre: bool,
    /// Shows the line breaks of its text, by its style.
    pub lines: bool,
    /// Stands apart from the element or text before it, although no white space does: labels of a row, links of a menu.
    pub apart: bool,
    /// The label of a tab, at the beginning of its panel.
    pub label: bool,
}

/// A [`TagClass`] in two bytes, since pages have up to two million nodes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TagBits(u16);

impl TagBits {
    pub(crate) const fn of(class: TagClass) -> TagBits {
        let TagClass { block, line, void, hidden, raw_text, link, cell, pre, lines, apart, label } = class;
        let all = [block, line, void, hidden, raw_text, link, cell, pre, lines, apart, label];
        let (mut bits, mut at) = (0, 0);
        while at < all.len() {
            bits |= (all[at] as u16) << at;
            at += 1;
        }
        TagBits(bits)
    }

    #[inline]
    pub(crate) fn class(self) -> TagClass {
        let has = |bit: u16| self.0 >> bit & 1 != 0;
        TagClass {
            block: has(0),
            line: has(1),
            void: has(2),
            hidden: has(3),
            raw_text: has(4),
            link: has(5),
            cell: has(6),
            pre: has(7),
            lines: has(8),
            apart: has(9),
            label: has(10),
        }
    }

    pub(crate) fn change(&mut self, change: impl FnOnce(&mut TagClass)) {
        let mut class = self.class();
        change(&mut class);
        *self = TagBits::of(class);
    }
}

macro_rules! classes {
    ($($field:ident: $($tag:ident)+;)+) => {{
        let mut classes = [TagClass::NONE; Tag::Xmp as usize + 1];
        $($(classes[Tag::$tag as usize].$field = true;)+)+
        let mut bits = [TagBits(0); Tag::Xmp as usize + 1];
        let mut at = 0;
        while at < classes.len() {
            classes[at].line |= classes[at].block && !classes[at].cell;
            bits[at] = TagBits::of(classes[at]);
            at += 1;
        }
        bits
    }};
}

static CLASSES: [TagBits; Tag::Xmp as usize + 1] = classes! {
    // HTML 4.01, section 7.5.3 and the DTD's `%block;`. `li`, `dt`, `dd` and the parts of tables contain blocks and render
    // as such; Yoshida & Yamamoto (2009), section 3.4, counts `body`.
    block: Address Blockquote Body Center Dd Dir Div Dl Dt Fieldset Form Frameset H1 H2 H3 H4 H5 H6 Hr Isindex Li Menu
        Noframes Noscript Ol P Pre Table Tbody Td Tfoot Th Thead Tr Ul;
    // Besides those of HTML 4.01.
    line: Article Aside Caption Details Dialog Figcaption Figure Footer Header Hgroup Html Legend Listing Main Nav Option
        Plaintext Search Section Summary Title Xmp;
    void: Area Base Basefont Bgsound Br Col Embed Frame Hr Img Input Keygen Link Meta Param Source Track Wbr;
    hidden: Script Style Noscript Template Video Audio Canvas;
    raw_text: Script Style Noscript Iframe Noembed Noframes Plaintext Xmp;
    link: A;
    cell: Td Th;
    pre: Pre Listing Xmp Plaintext;
};

impl TagClass {
    const NONE: TagClass = TagClass {
        block: false,
        line: false,
        void: false,
        hidden: false,
        raw_text: false,
        link: false,
        cell: false,
        pre: false,
        lines: false,
        apart: false,
        label: false,
    };

    /// Returns the properties of an element of SVG.
    pub(crate) fn of_drawing(name: &LocalName) -> TagClass {
        match *name {
            local_name!("style")
            | local_name!("script")
            | local_name!("title")
            | local_name!("desc")
            | local_name!("metadata")
            | local_name!("defs")
            | local_name!("symbol") => TagClass { hidden: true, ..TagClass::NONE },
            local_name!("text") => TagClass { cell: true, ..TagClass::NONE },
            _ => TagClass::NONE,
        }
    }
}

impl Tag {
    pub(crate) fn bits(self) -> TagBits {
        CLASSES[self as usize]
    }
}

/// A set of elements by their names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TagSet([u64; 3]);

impl TagSet {
    pub(crate) const fn of(tags: &[Tag]) -> TagSet {
        TagSet([0; 3]).and(tags)
    }

    pub(crate) const fn and(&self, tags: &[Tag]) -> TagSet {
        let mut words = self.0;
        let mut at = 0;
        while at < tags.len() {
            let tag = tags[at] as usize;
            words[tag / 64] |= 1 << (tag % 64);
            at += 1;
        }
        TagSet(words)
    }

    pub(crate) const fn without(&self, tag: Tag) -> TagSet {
        let mut words = self.0;
        words[tag as usize / 64] &= !(1 << (tag as usize % 64));
        TagSet(words)
    }

    pub(crate) fn insert(&mut self, tag: Tag) {
        self.0[tag as usize / 64] |= 1 << (tag as usize % 64);
    }

    #[inline]
    pub(crate) const fn has(&self, tag: Tag) -> bool {
        self.0[tag as usize / 64] >> (tag as usize % 64) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_their_classes() {
        let class = |name: &str| Tag::of(&LocalName::from(name)).bits().class();
        assert!(class("div").block && class("td").block && class("body").block);
        assert!(!class("article").block && class("article").line, "HTML 4.01 has no article");
        assert!(!class("ins").block && !class("span").block);
        assert!(class("td").cell && !class("td").line);
        assert!(class("br").void && class("noscript").hidden && class("a").link);
    }

    #[test]
    fn bits_are_those_of_a_class() {
        for bit in 0..11 {
            let class = TagBits(1 << bit).class();
            assert_ne!(class, TagClass::NONE);
            assert_eq!(TagBits::of(class).0, 1 << bit);
        }
    }

    #[test]
    fn names_are_known_whole() {
        assert_eq!(Tag::of(&LocalName::from("h1")), Tag::H1);
        assert_eq!(Tag::of(&LocalName::from("x-card")), Tag::Other);
        assert_eq!(Attr::of(&LocalName::from("aria-label")), Attr::AriaLabel);
        assert_eq!(Attr::of(&LocalName::from("data-x")), Attr::Other);
    }
}
