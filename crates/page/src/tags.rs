//! Names of HTML elements and attributes as small numbers, and properties of elements.

use html5ever::{LocalName, local_name};

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
    Q = "q"; Rp = "rp"; Rt = "rt"; Ruby = "ruby"; S = "s"; Samp = "samp"; Script = "script";
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
    /// Has no visible text: `script`, `style`, `noscript`, `template`.
    pub hidden: bool,
    /// Its text is serialised verbatim.
    pub raw_text: bool,
    /// `a`.
    pub link: bool,
    /// A table cell.
    pub cell: bool,
}

impl Tag {
    pub(crate) fn class(self) -> TagClass {
        let block = self.is_block_level();
        let cell = matches!(self, Tag::Td | Tag::Th);
        TagClass {
            block,
            line: (block && !cell) || self.is_html5_block(),
            void: self.is_void(),
            hidden: matches!(self, Tag::Script | Tag::Style | Tag::Noscript | Tag::Template),
            raw_text: matches!(
                self,
                Tag::Script
                    | Tag::Style
                    | Tag::Noscript
                    | Tag::Iframe
                    | Tag::Noembed
                    | Tag::Noframes
                    | Tag::Plaintext
                    | Tag::Xmp
            ),
            link: self == Tag::A,
            cell,
        }
    }

    /// Returns `true` if elements of this name are block-level in HTML 4.01, including `body` and the parts of tables and
    /// lists.
    ///
    /// # Source
    ///
    /// HTML 4.01, section 7.5.3 and the DTD's `%block;`; `li`, `dt`, `dd` and the parts of tables contain blocks and
    /// render as such; Yoshida & Yamamoto (2009), section 3.4, counts `body`.
    fn is_block_level(self) -> bool {
        matches!(
            self,
            Tag::Address
                | Tag::Blockquote
                | Tag::Body
                | Tag::Center
                | Tag::Dd
                | Tag::Dir
                | Tag::Div
                | Tag::Dl
                | Tag::Dt
                | Tag::Fieldset
                | Tag::Form
                | Tag::Frameset
                | Tag::H1
                | Tag::H2
                | Tag::H3
                | Tag::H4
                | Tag::H5
                | Tag::H6
                | Tag::Hr
                | Tag::Isindex
                | Tag::Li
                | Tag::Menu
                | Tag::Noframes
                | Tag::Noscript
                | Tag::Ol
                | Tag::P
                | Tag::Pre
                | Tag::Table
                | Tag::Tbody
                | Tag::Td
                | Tag::Tfoot
                | Tag::Th
                | Tag::Thead
                | Tag::Tr
                | Tag::Ul
        )
    }

    fn is_html5_block(self) -> bool {
        matches!(
            self,
            Tag::Article
                | Tag::Aside
                | Tag::Caption
                | Tag::Details
                | Tag::Dialog
                | Tag::Figcaption
                | Tag::Figure
                | Tag::Footer
                | Tag::Header
                | Tag::Hgroup
                | Tag::Html
                | Tag::Legend
                | Tag::Main
                | Tag::Nav
                | Tag::Option
                | Tag::Search
                | Tag::Section
                | Tag::Summary
                | Tag::Title
                | Tag::Xmp
                | Tag::Listing
                | Tag::Plaintext
        )
    }

    fn is_void(self) -> bool {
        matches!(
            self,
            Tag::Area
                | Tag::Base
                | Tag::Basefont
                | Tag::Bgsound
                | Tag::Br
                | Tag::Col
                | Tag::Embed
                | Tag::Frame
                | Tag::Hr
                | Tag::Img
                | Tag::Input
                | Tag::Keygen
                | Tag::Link
                | Tag::Meta
                | Tag::Param
                | Tag::Source
                | Tag::Track
                | Tag::Wbr
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_their_classes() {
        let class = |name: &str| Tag::of(&LocalName::from(name)).class();
        assert!(class("div").block && class("td").block && class("body").block);
        assert!(!class("article").block && class("article").line, "HTML 4.01 has no article");
        assert!(!class("ins").block && !class("span").block);
        assert!(class("td").cell && !class("td").line);
        assert!(class("br").void && class("noscript").hidden && class("a").link);
    }

    #[test]
    fn names_are_known_whole() {
        assert_eq!(Tag::of(&LocalName::from("h1")), Tag::H1);
        assert_eq!(Tag::of(&LocalName::from("x-card")), Tag::Other);
        assert_eq!(Attr::of(&LocalName::from("aria-label")), Attr::AriaLabel);
        assert_eq!(Attr::of(&LocalName::from("data-x")), Attr::Other);
    }
}
