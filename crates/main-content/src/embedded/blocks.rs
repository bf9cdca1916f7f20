//! Renders lists of blocks, as editors store them, as HTML.
//!
//! `ProseMirror`, Slate, Draft.js, Portable Text, Contentful, Editor.js, Gutenberg and Medium use different names for
//! the same things: an object has a kind, and contains either text or a list of objects.

use super::budget::{DataBudget, ELEMENT, GLANCE};
use super::text::{is_html, markup};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use tsugi_page::escaped;

const DEEPEST: usize = 60; // Maximum nesting depth of rendered blocks.
const LONGEST_KIND: usize = 80; // Maximum number of bytes of a kind, and of a style.
const LONGEST_ADDRESS: usize = 8 << 10; // Maximum number of bytes of the address of an image.

const KINDS: [&str; 9] =
    ["type", "_type", "nodeType", "blockName", "name", "__typename", "tag", "tagName", "kind"];
const CHILDREN: [&str; 10] = [
    "content", "children", "nodes", "blocks", "items", "innerBlocks", "spans", "paragraphs", "elements",
    "body",
];
const TEXTS: [&str; 10] =
    ["text", "value", "content", "html", "innerHTML", "rendered", "body", "markdown", "literal", "caption"];
const FIELDS: [&str; 5] = ["data", "attributes", "attrs", "fields", "props"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockRole {
    Heading(u8),
    Paragraph,
    List,
    Item,
    Quote,
    Code,
    Image,
    Break,
    /// A part of a paragraph.
    Inline,
    Group,
    Unknown,
}

/// Blocks of a value, whose objects may be stored elsewhere in it (`__ref`).
pub(super) struct EditorBlocks<'v> {
    root: &'v Value,
    budget: &'v DataBudget,
}

impl<'v> EditorBlocks<'v> {
    pub(super) fn of(root: &'v Value, budget: &'v DataBudget) -> EditorBlocks<'v> {
        EditorBlocks { root, budget }
    }

    /// Returns `true` for a list of blocks: most of its objects have a known kind, or it contains nothing but texts.
    pub(super) fn are_blocks(&self, list: &[Value]) -> bool {
        let is_known = |value: &Value| match self.object(value) {
            Some(object) => !matches!(role(object), BlockRole::Unknown | BlockRole::Group),
            None => {
                value.as_str().is_some_and(|text| text.len() >= 60 || text.split_whitespace().count() >= 5)
            }
        };
        let is_made_of_texts = list.iter().all(Value::is_string);
        let known = list.iter().take(64).filter(|value| is_known(value)).count();
        !list.is_empty() && known * 2 >= list.len().min(64) && (!is_made_of_texts || list.len() >= 2)
    }

    /// Renders a list of blocks; `None` if the budget does not suffice for all of them.
    pub(super) fn markup(&self, list: &[Value]) -> Option<String> {
        let mut out = String::new();
        self.write_list(list, 0, &mut out);
        (!self.budget.is_spent()).then_some(out)
    }

    /// Returns an object, which may be stored elsewhere; `None` if it is none, or if the budget is spent.
    fn object<'a>(&self, value: &'a Value) -> Option<&'a Map<String, Value>>
    where
        'v: 'a,
    {
        let object = value.as_object().filter(|_| self.budget.pay(GLANCE))?;
        match object.get("__ref").and_then(Value::as_str) {
            Some(place) => self.root.get(place)?.as_object(),
            None => Some(object),
        }
    }

    fn role_of(&self, value: &Value) -> Option<BlockRole> {
        self.object(value).map(role)
    }

    /// Pays for an element; returns `false` if it is not to be rendered.
    fn may_write(&self, depth: usize) -> bool {
        depth < DEEPEST && self.budget.pay(ELEMENT)
    }

    /// Pays for a text; returns an empty one if the budget is spent.
    fn paid<'a>(&self, text: &'a str) -> &'a str {
        if self.budget.pay_text(text) { text } else { "" }
    }

    fn write_list(&self, list: &[Value], depth: usize, out: &mut String) {
        let is_inline = |value: &Value| self.role_of(value) == Some(BlockRole::Inline);
        if !list.is_empty() && list.iter().all(is_inline) {
            out.push_str("<p>");
            self.write_inline_list(list, depth, out);
            out.push_str("</p>\n");
            return;
        }
        for value in list {
            self.write(value, depth + 1, out);
        }
    }

    fn write(&self, value: &Value, depth: usize, out: &mut String) {
        if !self.may_write(depth) {
            return;
        }
        match (value, self.object(value)) {
            (Value::String(text), _) => out.push_str(&markup(self.paid(text))),
            (Value::Array(list), _) => self.write_list(list, depth, out),
            (_, Some(object)) => self.write_object(object, depth, out),
            _ => {}
        }
    }

    fn write_object(&self, object: &Map<String, Value>, depth: usize, out: &mut String) {
        let role = role(object);
        let element = match role {
            BlockRole::Heading(level) => {
                ["h1", "h2", "h3", "h4", "h5", "h6"].get(usize::from(level) - 1).copied()
            }
            BlockRole::Image => {
                self.write_image(object, out);
                return;
            }
            BlockRole::Quote => Some("blockquote"),
            BlockRole::Code => Some("pre"),
            BlockRole::Item => Some("li"),
            BlockRole::List => Some(if is_ordered(object) { "ol" } else { "ul" }),
            BlockRole::Paragraph | BlockRole::Inline | BlockRole::Break => Some("p"),
            BlockRole::Group | BlockRole::Unknown => None,
        };
        let children = children(object);
        let mut roles = children.unwrap_or_default().iter().filter_map(|child| self.role_of(child));
        let holds_blocks = roles.any(|role| !matches!(role, BlockRole::Inline | BlockRole::Break));
        if let Some(list) = children.filter(|_| role == BlockRole::List) {
            let element = element.unwrap_or("ul");
            let _ = write!(out, "<{element}>");
            for item in list.iter().take_while(|_| self.budget.pay(ELEMENT)) {
                out.push_str("<li>");
                match self.blocks_in(item) {
                    Some(blocks) => self.write_list(blocks, depth + 1, out),
                    None => self.write_inline(item, depth + 1, out),
                }
                out.push_str("</li>\n");
            }
            let _ = writeln!(out, "</{element}>");
            return;
        }
        if holds_blocks || (element.is_none() && children.is_some()) {
            let wrapper = element.filter(|element| matches!(*element, "blockquote" | "li"));
            if let Some(wrapper) = wrapper {
                let _ = write!(out, "<{wrapper}>");
            }
            self.write_list(children.unwrap_or_default(), depth + 1, out);
            if let Some(wrapper) = wrapper {
                let _ = writeln!(out, "</{wrapper}>");
            }
            return;
        }
        let own = text(object).map(|text| self.paid(text));
        let Some(element) = element else {
            out.push_str(&own.map(markup).unwrap_or_default());
            return;
        };
        let Some(own) = own.filter(|_| children.is_none()) else {
            let _ = write!(out, "<{element}>");
            self.write_inline_list(children.unwrap_or_default(), depth + 1, out);
            let _ = writeln!(out, "</{element}>");
            return;
        };
        // Gutenberg and others store the block's own markup.
        if is_html(own) && element == "p" {
            let is_bare =
                !["<p", "<div", "<ul", "<h"].iter().any(|start| own.trim_start().starts_with(start));
            let _ = if is_bare { writeln!(out, "<p>{own}</p>") } else { writeln!(out, "{own}") };
        } else if element == "pre" {
            let _ = writeln!(out, "<pre>{}</pre>", escaped(own));
        } else {
            let _ = writeln!(out, "<{element}>{}</{element}>", inline_markup(own));
        }
    }

    /// Returns the children of an item, unless all are parts of a paragraph.
    fn blocks_in<'a>(&'a self, item: &'a Value) -> Option<&'a [Value]> {
        let is_block = |child| self.role_of(child).is_some_and(|role| role != BlockRole::Inline);
        self.object(item).and_then(children).filter(|list| list.iter().any(is_block))
    }

    fn write_inline_list(&self, list: &[Value], depth: usize, out: &mut String) {
        for value in list {
            self.write_inline(value, depth + 1, out);
        }
    }

    fn write_inline(&self, value: &Value, depth: usize, out: &mut String) {
        if !self.may_write(depth) {
            return;
        }
        match (value, self.object(value)) {
            (Value::String(text), _) => out.push_str(&inline_markup(self.paid(text))),
            (Value::Array(list), _) => self.write_inline_list(list, depth, out),
            (_, Some(object)) if role(object) == BlockRole::Break => out.push_str("<br>"),
            (_, Some(object)) => {
                let fields = || FIELDS.iter().filter_map(|name| object.get(*name));
                let address = ["href", "url", "uri"]
                    .iter()
                    .find_map(|name| {
                        object.get(*name).or_else(|| fields().find_map(|field| field.get(*name)))
                    })
                    .and_then(Value::as_str);
                if let Some(address) = address {
                    let _ = write!(out, "<a href=\"{}\">", escaped(self.paid(address)));
                }
                if let Some(list) = children(object) {
                    self.write_inline_list(list, depth, out);
                } else {
                    let text = text(object).map(|text| self.paid(text));
                    out.push_str(&text.map(inline_markup).unwrap_or_default());
                }
                if address.is_some() {
                    out.push_str("</a>");
                }
            }
            _ => {}
        }
    }

    fn write_image(&self, object: &Map<String, Value>, out: &mut String) {
        let found =
            own_or_in_fields(object, &["src", "url", "href", "source", "file", "image", "asset"], address_of);
        let text = |names: &[&str]| own_or_in_fields(object, names, Value::as_str).unwrap_or_default();
        if let Some(address) = found {
            let (address, alt) = (self.paid(address), self.paid(text(&["alt", "altText", "title"])));
            let _ = write!(out, "<figure><img src=\"{}\" alt=\"{}\">", escaped(address), escaped(alt));
            let caption = self.paid(text(&["caption"]));
            if !caption.is_empty() {
                let _ = write!(out, "<figcaption>{}</figcaption>", inline_markup(caption));
            }
            out.push_str("</figure>\n");
        }
    }
}

fn inline_markup(text: &str) -> String {
    if is_html(text) || text.contains("</") { text.to_owned() } else { escaped(text) }
}

fn own_or_in_fields<'a, T>(
    object: &'a Map<String, Value>,
    names: &[&str],
    take: impl Fn(&'a Value) -> Option<T>,
) -> Option<T> {
    let of = |object: &'a Map<String, Value>| names.iter().find_map(|name| object.get(*name).and_then(&take));
    of(object).or_else(|| FIELDS.iter().filter_map(|name| object.get(*name)?.as_object()).find_map(of))
}

fn children(object: &Map<String, Value>) -> Option<&[Value]> {
    own_or_in_fields(object, &CHILDREN, |value| value.as_array().filter(|list| !list.is_empty()))
        .map(Vec::as_slice)
}

fn text(object: &Map<String, Value>) -> Option<&str> {
    own_or_in_fields(object, &TEXTS, Value::as_str)
}

fn is_ordered(object: &Map<String, Value>) -> bool {
    let kinds = KINDS.iter().filter_map(|name| object.get(*name)?.as_str());
    let begins = |kind: &str| kind.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("ordered"));
    kinds.into_iter().any(|kind| begins(kind) || is_ordered_kind(kind))
        || own_or_in_fields(object, &["style", "listType", "format"], Value::as_str)
            .is_some_and(is_ordered_kind)
}

fn is_ordered_kind(text: &str) -> bool {
    ["ol", "ordered", "number", "numbered"].iter().any(|kind| text.eq_ignore_ascii_case(kind))
}

fn address_of(value: &Value) -> Option<&str> {
    let address =
        value.as_str().or_else(|| value.get("url")?.as_str()).or_else(|| value.get("src")?.as_str());
    address.filter(|address| address.len() <= LONGEST_ADDRESS && !address.contains(char::is_whitespace))
}

fn role(object: &Map<String, Value>) -> BlockRole {
    let kinds = KINDS.iter().filter_map(|name| object.get(*name)?.as_str());
    let mut named = kinds.map(|kind| named_role(kind, object)).filter(|role| *role != BlockRole::Unknown);
    let role = named.next().unwrap_or_else(|| {
        // Slate's leaves have a text and no kind.
        let is_leaf = object.get("text").is_some_and(Value::is_string);
        if is_leaf && object.len() <= 8 { BlockRole::Inline } else { BlockRole::Unknown }
    });
    let style = object.get("style").and_then(Value::as_str);
    match (role, style) {
        // In Portable Text, blocks have a style, and list items have a mark.
        (BlockRole::Paragraph, _) if object.get("listItem").is_some_and(Value::is_string) => BlockRole::Item,
        (BlockRole::Paragraph, Some(style)) => match named_role(style, object) {
            role @ (BlockRole::Heading(_) | BlockRole::Quote) => role,
            _ => BlockRole::Paragraph,
        },
        (role, _) => role,
    }
}

fn named_role(kind: &str, object: &Map<String, Value>) -> BlockRole {
    if kind.len() > LONGEST_KIND {
        return BlockRole::Unknown;
    }
    let kind = kind.rsplit(['/', '.']).next().unwrap_or(kind);
    let kind: String = kind.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    let kind = kind.to_ascii_lowercase();
    let level = || {
        let stated = own_or_in_fields(object, &["level", "depth"], Value::as_u64);
        let stated = stated.and_then(|level| u8::try_from(level).ok());
        let by_name = kind.bytes().last().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
        let by_word = ["one", "two", "three", "four", "five", "six"].iter().zip(1..);
        let by_word = by_word.into_iter().find(|(word, _)| kind.ends_with(*word)).map(|(_, level)| level);
        by_name.or(stated).or(by_word).unwrap_or(2).clamp(1, 6)
    };
    match kind.as_str() {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "heading" | "header" | "subheading" | "subtitle" => {
            BlockRole::Heading(level())
        }
        _ if kind.starts_with("heading") || kind.starts_with("header") => BlockRole::Heading(level()),
        "paragraph" | "p" | "unstyled" | "block" | "textblock" | "richtext" | "normal" | "wysiwyg"
        | "html" | "markdown" | "freeform" | "paragraphblock" | "classic" | "rawhtml" => BlockRole::Paragraph,
        "text" | "span" | "textnode" | "link" | "a" | "hyperlink" | "strong" | "em" | "b" | "i" | "mark"
        | "inlinecode" | "emphasis" | "mention" | "textrun" => BlockRole::Inline,
        "list" | "bulletlist" | "orderedlist" | "unorderedlist" | "numberedlist" | "ul" | "ol" => {
            BlockRole::List
        }
        "listitem" | "li" | "unorderedlistitem" | "orderedlistitem" | "bulletedlistitem" | "uli" | "oli" => {
            BlockRole::Item
        }
        "blockquote" | "quote" | "pullquote" | "bq" => BlockRole::Quote,
        "code" | "codeblock" | "pre" | "preformatted" => BlockRole::Code,
        "image" | "img" | "figure" | "picture" | "photo" => BlockRole::Image,
        "hardbreak" | "br" | "linebreak" => BlockRole::Break,
        "doc" | "document" | "root" | "section" | "div" | "column" | "columns" | "group" | "fragment"
        | "table" | "tablerow" | "tablecell" | "tr" | "td" | "th" => BlockRole::Group,
        _ => BlockRole::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(value: &Value) -> String {
        let budget = DataBudget::new();
        let blocks = EditorBlocks::of(value, &budget);
        let list = value.as_array().unwrap();
        assert!(blocks.are_blocks(list), "{value}");
        blocks.markup(list).unwrap()
    }

    #[test]
    fn editors_of_many_kinds_say_the_same() {
        let expected = "<h2>Tides</h2>\n<p>They come.</p>\n";
        for value in [
            // ProseMirror, Slate, Portable Text, Contentful, Draft.js, Editor.js, Gutenberg, Medium.
            json!([{"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "Tides"}]},
                   {"type": "paragraph", "content": [{"type": "text", "text": "They "}, {"type": "text", "text": "come."}]}]),
            json!([{"type": "heading-two", "children": [{"text": "Tides"}]},
                   {"type": "paragraph", "children": [{"text": "They "}, {"text": "come.", "bold": true}]}]),
            json!([{"_type": "block", "style": "h2", "children": [{"_type": "span", "text": "Tides"}]},
                   {"_type": "block", "style": "normal", "children": [{"_type": "span", "text": "They come."}]}]),
            json!([{"nodeType": "heading-2", "content": [{"nodeType": "text", "value": "Tides"}]},
                   {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": "They come."}]}]),
            json!([{"type": "header-two", "text": "Tides"}, {"type": "unstyled", "text": "They come."}]),
            json!([{"type": "header", "data": {"level": 2, "text": "Tides"}},
                   {"type": "paragraph", "data": {"text": "They come."}}]),
            json!([{"blockName": "core/heading", "attributes": {"level": 2, "content": "Tides"}},
                   {"blockName": "core/paragraph", "attributes": {"content": "They come."}}]),
            json!([{"__typename": "Paragraph", "type": "H2", "text": "Tides"},
                   {"__typename": "Paragraph", "type": "P", "text": "They come."}]),
        ] {
            // An unknown kind beside a known one.
            assert_eq!(written(&value), expected, "{value}");
        }
    }

    #[test]
    fn lists_links_and_images_stay_what_they_are() {
        let value = json!([
            {"type": "bulletList", "content": [
                {"type": "listItem", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "one"}]}]}]},
            {"type": "list", "data": {"style": "ordered", "items": ["two", "<b>3</b>"]}},
            {"type": "paragraph", "children": [{"text": "see "}, {"type": "link", "url": "/x?a&b", "children": [{"text": "x"}]}]},
            {"type": "image", "data": {"file": {"url": "/i.png"}, "caption": "an image"}},
            {"type": "code", "text": "a < b"},
        ]);
        assert_eq!(
            written(&value),
            "<ul><li><p>one</p>\n</li>\n</ul>\n<ol><li>two</li>\n<li><b>3</b></li>\n</ol>\n\
             <p>see <a href=\"/x?a&amp;b\">x</a></p>\n\
             <figure><img src=\"/i.png\" alt=\"\"><figcaption>an image</figcaption></figure>\n\
             <pre>a &lt; b</pre>\n"
        );
    }
}
