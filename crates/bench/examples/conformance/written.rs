//! A page as XML, for an XML parser to build the same tree.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use tsugi_page::walk::Step;
use tsugi_page::xpath::XPathNode;
use tsugi_page::{AttributeNamespace, Namespace, NodeId, NodeKind, Page};

pub(crate) struct Written {
    pub(crate) xml: String,
    /// Kind and size of each node that the reader builds.
    pub(crate) nodes: Vec<(char, usize)>,
    places: Vec<Option<usize>>,
}

impl Written {
    pub(crate) fn of(page: &Page) -> Written {
        let mut written =
            Written { xml: String::new(), nodes: Vec::new(), places: vec![None; page.node_count()] };
        let named: BTreeSet<&str> = page.elements().map(|id| page.tag(id)).collect();
        written.xml.push_str("<!DOCTYPE html [");
        for name in named {
            let _ = write!(written.xml, "<!ATTLIST {} id ID #IMPLIED>", xml_name(name));
        }
        written.xml.push_str("]>");
        for step in page.walk(NodeId::DOCUMENT) {
            match step {
                Step::Enter(id) => written.open(page, id),
                Step::Leave(id) if page.is_element(id) => {
                    let _ = write!(written.xml, "</{}>", xml_name(page.tag(id)));
                }
                Step::Leave(_) => {}
            }
        }
        written
    }

    fn open(&mut self, page: &Page, id: NodeId) {
        let data = || allowed(page.data(id));
        match page.kind(id) {
            NodeKind::Document | NodeKind::Doctype => return,
            NodeKind::Text => {
                let text = data();
                escape(&text, &mut self.xml);
                let before = page.previous_sibling(id).filter(|id| page.kind(*id) == NodeKind::Text);
                if let Some(place) = before.and_then(|id| self.places[id.index()]) {
                    self.nodes[place].1 += text.chars().count();
                    self.places[id.index()] = Some(place);
                    return;
                }
                self.nodes.push(('t', text.chars().count()));
            }
            NodeKind::Comment => {
                let text = data().replace("--", "-\u{2010}").replace('\r', "\n");
                // A last hyphen would make the end `--->`.
                let text = text.strip_suffix('-').map(|text| format!("{text}\u{2010}")).unwrap_or(text);
                let _ = write!(self.xml, "<!--{text}-->");
                self.nodes.push(('c', text.chars().count()));
            }
            NodeKind::Element => {
                self.element(page, id);
                self.nodes.push(('e', attributes(page, id).count()));
            }
        }
        self.places[id.index()] = Some(self.nodes.len() - 1);
    }

    fn element(&mut self, page: &Page, id: NodeId) {
        let _ = write!(self.xml, "<{}", xml_name(page.tag(id)));
        let namespace = page.namespace(id);
        let outer = page.parent(id).map_or(Namespace::Html, |parent| page.namespace(parent));
        if namespace != outer {
            let uri = match namespace {
                Namespace::Html => "",
                Namespace::Svg => "http://www.w3.org/2000/svg",
                Namespace::MathMl => "http://www.w3.org/1998/Math/MathML",
            };
            let _ = write!(self.xml, " xmlns=\"{uri}\"");
        }
        if page.attribute_namespaces(id).any(|namespace| namespace == AttributeNamespace::XLink) {
            self.xml.push_str(" xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
        }
        let mut names = BTreeSet::new();
        for (index, (name, value, namespace)) in attributes(page, id).enumerate() {
            let mut written = match namespace {
                AttributeNamespace::XLink => format!("xlink:{}", xml_name(name)),
                AttributeNamespace::Xml => format!("xml:{}", xml_name(name)),
                AttributeNamespace::None | AttributeNamespace::Xmlns => xml_name(name),
            };
            if !names.insert(written.clone()) {
                written = format!("{written}.{index}");
            }
            let _ = write!(self.xml, " {written}=\"");
            let mut value = allowed(value);
            // An ID loses spaces at its ends and in runs; other white space stays.
            if name == "id" && (value.starts_with(' ') || value.ends_with(' ') || value.contains("  ")) {
                value = value.replace(' ', "\t");
            }
            escape(&value, &mut self.xml);
            self.xml.push('"');
        }
        self.xml.push('>');
    }

    pub(crate) fn places(&self, page: &Page, nodes: &[XPathNode<'_>]) -> Vec<String> {
        let place = |node: &XPathNode<'_>| match node {
            XPathNode::Node(id) => self.places[id.index()].map(|place| place.to_string()),
            XPathNode::Attribute { owner, name, .. } => {
                let index = attributes(page, *owner).position(|(held, ..)| held == *name)?;
                self.places[owner.index()].map(|place| format!("{place}@{index}"))
            }
        };
        let mut places: Vec<String> = nodes.iter().filter_map(place).collect();
        places.dedup();
        places
    }
}

/// The attributes of an element but for declarations, which are none in XPath's data model.
fn attributes(page: &Page, id: NodeId) -> impl Iterator<Item = (&str, &str, AttributeNamespace)> {
    let attributes = page.attributes(id).zip(page.attribute_namespaces(id));
    attributes
        .map(|((name, value), namespace)| (name, value, namespace))
        .filter(|(.., namespace)| *namespace != AttributeNamespace::Xmlns)
}

/// A name that XML takes for a plain name; others become one that no expression names.
fn xml_name(name: &str) -> String {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let plain = |c: char| first(c) || c.is_ascii_digit() || matches!(c, '-' | '.');
    let fit = name.starts_with(first) && name.chars().all(plain) && !name.starts_with("xmlns");
    if fit {
        return name.to_owned();
    }
    name.chars().fold("no.".to_owned(), |mut text, c| {
        if plain(c) {
            text.push(c);
        } else {
            let _ = write!(text, ".{:x}", u32::from(c));
        }
        text
    })
}

pub(crate) fn allowed(text: &str) -> String {
    let forbidden = |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if forbidden(c) { '\u{fffd}' } else { c }).collect()
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            // Line ends would become spaces in attributes.
            '\n' => out.push_str("&#10;"),
            _ => out.push(c),
        }
    }
}
