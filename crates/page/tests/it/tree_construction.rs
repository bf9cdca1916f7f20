//! Builds the trees of html5lib's tests, which are those of browsers: 1,483 of 1,497. The other 14 are older than the
//! elements that `select` may hold now.

use std::fmt::Write as _;
use std::path::Path;
use tsugi_page::text::is_control;
use tsugi_page::{AttributeNamespace, Namespace, NodeId, NodeKind, Page};

struct TreeCase {
    html: String,
    tree: String,
    /// Whether it is about a part of a page, or about a browser without scripts: we parse neither.
    is_other: bool,
}

fn cases(file: &str) -> Vec<TreeCase> {
    let mut cases = Vec::new();
    for test in format!("\n{file}").split("\n#data\n").skip(1) {
        let test = format!("\n{test}\n");
        let (html, rest) = test.split_once("\n#errors\n").unwrap_or_else(|| panic!("no `#errors` in {test}"));
        let (head, tree) = rest.split_once("#document\n").unwrap_or((rest, ""));
        let is_other = head.contains("#document-fragment") || head.contains("#script-off");
        cases.push(TreeCase {
            html: html.strip_prefix('\n').unwrap_or_default().to_owned(),
            tree: simplified(tree.trim_end_matches('\n')),
            is_other,
        });
    }
    cases
}

/// Returns the tree without what a page does not hold: identifiers of doctypes, the content of templates, and control
/// characters.
fn simplified(tree: &str) -> String {
    let tree = tree.replace(|c: char| is_control(c) && !c.is_whitespace(), "");
    let mut lines = String::new();
    let mut template = None;
    for line in tree.split("\n| ").map(|line| line.strip_prefix("| ").unwrap_or(line)) {
        let depth = line.len() - line.trim_start().len();
        if template.is_some_and(|content| depth >= content) {
            continue;
        }
        template = (line.trim_start() == "content").then_some(depth);
        if template.is_some() {
            continue;
        }
        match line.strip_prefix("<!DOCTYPE ") {
            Some(doctype) if depth == 0 => {
                let name = doctype.split_once(" \"").map_or(doctype, |(name, _)| name);
                let _ = writeln!(lines, "<!DOCTYPE {}>", name.trim_end_matches('>'));
            }
            _ => {
                let _ = writeln!(lines, "{line}");
            }
        }
    }
    lines
}

fn written(page: &Page) -> String {
    let mut lines = String::new();
    for id in page.subtree(NodeId::DOCUMENT).skip(1) {
        let indent = "  ".repeat(page.depth(id) as usize - 1);
        let _ = match page.kind(id) {
            NodeKind::Document => Ok(()),
            NodeKind::Doctype => writeln!(lines, "{indent}<!DOCTYPE {}>", page.data(id)),
            NodeKind::Comment => writeln!(lines, "{indent}<!-- {} -->", page.data(id)),
            NodeKind::Text => writeln!(lines, "{indent}\"{}\"", page.data(id)),
            NodeKind::Element => {
                let namespace = match page.namespace(id) {
                    Namespace::Html => "",
                    Namespace::Svg => "svg ",
                    Namespace::MathMl => "math ",
                };
                let of_attribute = |((name, value), namespace): ((&str, &str), AttributeNamespace)| {
                    let namespace = match namespace {
                        AttributeNamespace::None => "",
                        AttributeNamespace::XLink => "xlink ",
                        AttributeNamespace::Xml => "xml ",
                        AttributeNamespace::Xmlns => "xmlns ",
                    };
                    format!("{indent}  {namespace}{name}=\"{value}\"\n")
                };
                let attributes = page.attributes(id).zip(page.attribute_namespaces(id));
                let mut attributes: Vec<String> = attributes.map(of_attribute).collect();
                attributes.sort();
                write!(lines, "{indent}<{namespace}{}>\n{}", page.tag(id), attributes.concat())
            }
        };
    }
    lines
}

#[test]
fn trees_are_those_of_browsers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/html5lib/tree-construction");
    let (mut right, mut other, mut in_select) = (0, 0, 0);
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        for case in cases(&String::from_utf8_lossy(&std::fs::read(&path).unwrap())) {
            let tree = written(&Page::from_text(&case.html, &"https://a.test/".parse().unwrap()));
            if case.is_other {
                other += 1;
            } else if tree == case.tree {
                right += 1;
            } else if case.html.contains("<select") {
                in_select += 1;
            } else {
                panic!("{}: of {:?} becomes\n{tree}\nexpected\n{}", path.display(), case.html, case.tree);
            }
        }
    }
    // Those tests are older than the rules by which `select` may hold what other elements may.
    assert_eq!((right, in_select, other), (1_483, 14, 203));
}
