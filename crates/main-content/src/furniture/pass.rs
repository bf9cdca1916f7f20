//! The pass over the nodes of content.

use super::hidden::{self, Hidden};
use super::nodes::{characters, is_block, lies_in};
use super::words::{FurnitureLabel, FurnitureNames, plain};
use crate::tails::{Tail, words_of};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::lexicon::Memo;
use tsugi_page::walk::Step;
use tsugi_page::{Attr, Content, NodeId, NodeKind, Page, Tag, Totals, address, text};

const LABEL: u32 = 40; // Maximum number of characters in the label of a link or button.
const PARTS: u32 = 20; // Maximum number of elements in a label.
const BAR: u32 = 200; // Maximum number of characters in a bar of buttons.

pub(super) struct Pass<'p> {
    page: &'p Page,
    content: &'p Content,
    total: u32,
    /// What style sheets hide.
    unseen: Vec<NodeId>,
    pub(super) out: Vec<NodeId>,
    pub(super) texts: Vec<NodeId>,
    /// Lines like `Posts: 12`: the element around the line, the line, its label.
    figures: Vec<(NodeId, NodeId, FurnitureLabel)>,
    /// Lines like `#12` at posts, and such links to the posts themselves.
    numbers: Vec<(NodeId, u32)>,
    /// Links and buttons that may be for what is above them.
    actions: Vec<Action>,
    /// The number of the open line, and those of `texts`.
    line: usize,
    lines: Vec<usize>,
    /// The ends of the open heading and the open code element.
    heading: Option<(NodeId, usize)>,
    code_end: usize,
    names: Memo<'p, FurnitureNames>,
}

impl<'p> Pass<'p> {
    pub(super) fn new(page: &'p Page, content: &'p Content) -> Pass<'p> {
        let total = characters(page, content);
        Pass {
            page,
            content,
            total,
            unseen: hidden::by_sheets(page, content, total),
            out: Vec::new(),
            texts: Vec::new(),
            figures: Vec::new(),
            numbers: Vec::new(),
            actions: Vec::new(),
            line: 0,
            lines: Vec::new(),
            heading: None,
            code_end: 0,
            names: Memo::new(),
        }
    }

    /// Walks through the content. Without `all`, only hidden text and marks at headings are removed.
    pub(super) fn walk(&mut self, all: bool) {
        let page = self.page;
        for root in &self.content.nodes {
            let mut walk = page.walk(*root);
            while let Some(step) = walk.next() {
                let (Step::Enter(id) | Step::Leave(id)) = step;
                self.line += usize::from(is_break(page, id));
                if step == Step::Leave(id) {
                    continue;
                }
                match page.kind(id) {
                    NodeKind::Text if !page.data(id).bytes().all(|byte| byte.is_ascii_whitespace()) => {
                        self.texts.push(id);
                        self.lines.push(self.line);
                    }
                    NodeKind::Element => {
                        if page.class(id).hidden || self.content.without.binary_search(&id).is_ok() {
                            walk.skip_children();
                        } else if self.unseen.binary_search(&id).is_ok() || self.goes(id, all) {
                            self.out.push(id);
                            walk.skip_children();
                        }
                    }
                    _ => {}
                }
            }
        }
        self.judge_figures();
        self.judge_numbers();
        if all {
            self.judge_actions();
            self.judge_heads();
        }
    }

    fn goes(&mut self, id: NodeId, all: bool) -> bool {
        let page = self.page;
        let tag = html_tag(page, id);
        if is_heading(tag) {
            self.heading = Some((id, page.subtree_end(id)));
        } else if matches!(tag, Tag::Pre | Tag::Code | Tag::Math | Tag::Svg) {
            self.code_end = self.code_end.max(page.subtree_end(id));
        }
        let (mut names, mut hidden, mut href, mut is_button) =
            (FurnitureNames::empty(), None, None, tag == Tag::Button);
        for (name, value) in page.known_attributes(id) {
            match name {
                Attr::Class | Attr::Id => names |= self.names.get(value, FurnitureNames::of),
                Attr::Hidden | Attr::AriaHidden | Attr::Style => hidden = hidden.or(Hidden::of(name, value)),
                Attr::Href => href = Some(value),
                Attr::Role => is_button |= value.eq_ignore_ascii_case("button"),
                _ => {}
            }
        }
        if let Some(hidden) = hidden
            && hidden::goes(page, id, hidden, names, self.total)
        {
            return true;
        }
        if id.index() < self.code_end {
            return false;
        }
        let href = href.filter(|_| tag == Tag::A);
        if self.is_mark(id, href, names) {
            return true;
        }
        all && (self.is_unseen_label(id)
            || self.is_bar(id, names)
            || self.is_advertisement(id)
            || (is_button || href.is_some()) && self.is_action(id, href.filter(|_| !is_button))
            || self.is_signature(id, names)
            || self.is_figure(id)
            || self.is_number(id, href))
    }

    /// Or is a heading itself.
    fn is_in_heading(&self, id: NodeId) -> bool {
        self.heading.is_some_and(|(_, end)| id.index() < end)
    }

    /// Returns `true` if one of so many elements around it is named as a post.
    fn is_in_post(&self, id: NodeId, levels: usize) -> bool {
        let of_post = |id: NodeId| FurnitureNames::of_element(self.page, id).intersects(FurnitureNames::POST);
        self.page.ancestors(id).take(levels).any(of_post)
    }

    fn is_unseen_label(&self, id: NodeId) -> bool {
        const NAMES: [&str; 5] =
            ["screen-reader-text", "sr-only", "visually-hidden", "visuallyhidden", "screenreader-only"];
        let page = self.page;
        let class = page.value(id, Attr::Class).unwrap_or_default();
        let is_named = class.split_ascii_whitespace().any(|class| NAMES.contains(&class));
        let characters = page.totals(id).characters;
        // The only words of a heading or link are its text.
        let is_all = || page.parent(id).is_none_or(|parent| page.totals(parent).characters == characters);
        is_named && (1..=2 * LABEL).contains(&characters) && !is_all()
    }

    fn is_mark(&self, id: NodeId, href: Option<&str>, names: FurnitureNames) -> bool {
        let is_named = names.intersects(FurnitureNames::MARK);
        let heading = self.heading.filter(|(heading, end)| id.index() < *end && id != *heading);
        let leads_here = || href.is_some_and(|href| self.leads_here(href));
        if !(is_named || heading.is_some() && (self.page.is_tag(id, Tag::Button) || leads_here())) {
            return false;
        }
        let Totals { characters, elements, .. } = self.page.totals(id);
        if characters > 3 * LABEL || elements > PARTS {
            return false;
        }
        let label = self.page.text(id);
        // A site may use a letter as its mark.
        let is_sign = !label.chars().any(char::is_alphanumeric)
            || is_named
                && label
                    .chars()
                    .filter(|c| c.is_alphanumeric())
                    .eq(label.chars().find(|c| c.is_alphabetic()));
        let Some((heading, _)) = heading else {
            return is_sign && !label.is_empty() && leads_here();
        };
        // A mark is not the whole heading.
        let has_more = self.page.totals(heading).characters > characters;
        let says = FurnitureLabel::of(&label)
            | if is_named { FurnitureLabel::at_start(&label) } else { FurnitureLabel::empty() };
        has_more && (is_sign || says.contains(FurnitureLabel::MARK))
    }

    /// Returns `true` for the address of a place on the page.
    fn leads_here(&self, href: &str) -> bool {
        href.trim_start().starts_with('#')
            || href.contains('#')
                && self
                    .page
                    .resolve(href)
                    .is_some_and(|url| url == address::without_fragment(self.page.url()))
    }

    fn is_bar(&self, id: NodeId, names: FurnitureNames) -> bool {
        if !names.intersects(
            FurnitureNames::SHARE | FurnitureNames::EDIT | FurnitureNames::RESPOND | FurnitureNames::FIGURES,
        ) {
            return false;
        }
        let totals = self.page.totals(id);
        if totals.characters > BAR || totals.elements > 10 * PARTS {
            return false;
        }
        if totals.characters == 0 {
            return names.intersects(FurnitureNames::SHARE) && self.is_row_of_links(id);
        }
        if names.intersects(FurnitureNames::EDIT | FurnitureNames::FIGURES) {
            return true;
        }
        if names.intersects(FurnitureNames::RESPOND) {
            return self.page.subtree(id).any(|id| self.page.is_tag(id, Tag::Form));
        }
        2 * totals.link_characters >= totals.characters
            || self
                .page
                .text(id)
                .lines()
                .all(|line| FurnitureLabel::of(line).contains(FurnitureLabel::ACTION))
    }

    fn is_row_of_links(&self, id: NodeId) -> bool {
        let page = self.page;
        let links = page.subtree(id).filter(|id| page.is_link(*id)).count();
        let mut images = page.subtree(id).filter(|id| page.is_tag(*id, Tag::Img));
        links > 1 && images.all(|image| page.ancestors(image).take(PARTS as usize).any(|id| page.is_link(id)))
    }

    fn label_of_image(&self, id: NodeId) -> Option<String> {
        let page = self.page;
        let mut images = page.subtree(id).take(PARTS as usize).filter(|id| page.is_tag(*id, Tag::Img));
        let image = images.next()?;
        let words = [Attr::Alt, Attr::Title].into_iter().filter_map(|name| page.value(image, name));
        words.map(text::fold).find(|words| !words.is_empty())
    }

    fn is_action(&mut self, id: NodeId, href: Option<&str>) -> bool {
        let page = self.page;
        let characters = page.totals(id).characters;
        if characters == 0 {
            return self
                .label_of_image(id)
                .is_some_and(|label| FurnitureLabel::of(&label).contains(FurnitureLabel::ACTION));
        }
        if characters > LABEL || self.is_in_heading(id) {
            return false;
        }
        let label = text::fold(page.string_value(id));
        let says = FurnitureLabel::of(&label);
        if !says.contains(FurnitureLabel::ACTION) {
            let leads_here = href.is_some_and(|href| self.leads_here(href));
            if leads_here && FurnitureLabel::at_start(&label).contains(FurnitureLabel::MARK) {
                self.actions.push(Action { id, line: self.line, is_gone: false });
            }
            return false;
        }
        let is_gone = self.is_certain_action(id, &label, href);
        let leads_away = || {
            let url = href.and_then(|href| page.resolve(href));
            url.is_some_and(|url| !address::same_host(&url, page.url()))
        };
        if is_gone || !leads_away() {
            self.actions.push(Action { id, line: self.line, is_gone });
        }
        is_gone
    }

    fn is_certain_action(&self, id: NodeId, label: &str, href: Option<&str>) -> bool {
        let page = self.page;
        let Some(href) = href else { return true };
        // `Print` may also be a word of a sentence, or the name of a chapter.
        let block =
            page.ancestors(id).find(|id| is_block(page, *id)).map(|id| page.totals(id)).unwrap_or_default();
        let is_sentence = block.characters > BAR
            || block.characters.saturating_sub(block.link_characters) > block.link_characters.max(12);
        !is_sentence && (label.contains(' ') || acts(href))
    }

    /// Cells, items and headings may be about advertisements.
    fn is_advertisement(&self, id: NodeId) -> bool {
        let page = self.page;
        let Totals { characters, elements, .. } = page.totals(id);
        let is_other =
            |id: NodeId| page.class(id).cell || page.is_tag(id, Tag::Li) || is_heading(html_tag(page, id));
        (2..=LABEL + PARTS).contains(&characters)
            && elements <= PARTS
            && page.class(id).line
            && !self.is_in_heading(id)
            && FurnitureLabel::of(page.string_value(id)).contains(FurnitureLabel::ADVERTISEMENT)
            && !page.subtree(id).any(is_other)
    }

    // It stays for now: a single one may be a name.
    fn is_number(&mut self, id: NodeId, href: Option<&str>) -> bool {
        let page = self.page;
        let is_short = (2..=7).contains(&page.totals(id).characters) && page.totals(id).elements <= 4;
        if !is_short || self.is_in_heading(id) {
            return false;
        }
        let number = page.string_value(id).trim().strip_prefix('#').and_then(|number| number.parse().ok());
        let Some(number) = number else { return false };
        let is_line = || {
            page.class(id).line
                && !page.is_tag(id, Tag::P)
                && !page.subtree(id).any(|id| is_heading(html_tag(page, id)))
        };
        if (is_line() || href.is_some_and(|href| self.leads_here(href))) && self.is_in_post(id, 8) {
            self.numbers.push((id, number));
        }
        false
    }

    fn judge_numbers(&mut self) {
        // The elements around one number are pushed before it.
        self.numbers.dedup_by_key(|(_, number)| *number);
        let steps = self.numbers.windows(2).filter(|pair| pair[0].1 + 1 == pair[1].1).count();
        if steps > 0 && 2 * steps >= self.numbers.len() {
            for (id, _) in &self.numbers {
                self.out.push(*id);
                self.out.extend(self.sign_beside(*id));
            }
        }
    }

    /// Returns the sign that parts a node from the rest of its line.
    fn sign_beside(&self, id: NodeId) -> Option<NodeId> {
        let end = self.page.subtree_end(id);
        let (first, behind) = (
            self.texts.partition_point(|text| *text < id),
            self.texts.partition_point(|text| text.index() < end),
        );
        let line = *self.lines.get(first)?;
        let beside = [Some(behind), first.checked_sub(1)].into_iter().flatten();
        let mut beside = beside.filter(|at| self.lines.get(*at) == Some(&line)).map(|at| self.texts[at]);
        beside.find(|text| !self.page.data(*text).contains(char::is_alphanumeric))
    }

    /// Lines of nothing but links for what is above them go if each says what at least two others in such a place say:
    /// `Reply | Quote` below each post. So do the signs between those that have gone.
    fn judge_actions(&mut self) {
        const LEAST: usize = 3;
        const NEAR: usize = 3; // Number of elements around a link that tell its place.
        if self.actions.is_empty() {
            return;
        }
        let page = self.page;
        let gone = self.actions.iter().filter(|action| action.is_gone);
        let mut parts: Vec<(usize, NodeId, PartOfLine)> =
            gone.map(|action| (action.line, action.id, PartOfLine::Gone)).collect();
        parts.extend(self.lines.iter().zip(&self.texts).map(|(line, text)| {
            let (id, part) = PartOfLine::of(page, *text, &self.actions);
            (*line, id, part)
        }));
        parts.sort_by_key(|(line, ..)| *line);
        let lines = parts.chunk_by(|(one, ..), (other, ..)| one == other);
        let is_of_actions = |line: &&[(usize, NodeId, PartOfLine)]| {
            line.iter().all(|(.., part)| *part != PartOfLine::Word)
                && line.iter().any(|(.., part)| *part != PartOfLine::Sign)
        };
        let lines: Vec<_> = lines.filter(is_of_actions).collect();
        let place = |id: NodeId| page.ancestors(id).take(NEAR).map(|above| page.known_tag(above)).collect();
        let key = |id: NodeId| -> (String, Vec<Tag>) { (plain(page.string_value(id)), place(id)) };
        let parts = lines.iter().copied().flatten();
        let actions = parts.filter(|(.., part)| *part == PartOfLine::Action).map(|(_, id, _)| *id);
        let mut times: BTreeMap<_, usize> = actions.map(|id| (key(id), 0)).collect();
        // The model may have left out some of the links.
        let inside = self.content.nodes.iter().flat_map(|root| page.subtree(*root));
        let links = inside.filter(|id| page.is_link(*id) || page.is_tag(*id, Tag::Button));
        for link in links.filter(|id| page.totals(*id).characters <= LABEL) {
            if let Some(times) = times.get_mut(&key(link)) {
                *times += 1;
            }
        }
        let goes = |(_, id, part): &(usize, NodeId, PartOfLine)| {
            *part != PartOfLine::Action || times.get(&key(*id)).is_some_and(|times| *times >= LEAST)
        };
        for line in lines.into_iter().filter(|line| line.iter().all(goes)) {
            self.out.extend(line.iter().map(|(_, id, _)| *id));
        }
    }

    /// Heads of what is no content, such as `Read also` above links to other articles, go with it.
    fn judge_heads(&mut self) {
        let page = self.page;
        let end = |id: NodeId| page.characters_before(id) + page.totals(id).characters;
        for (at, id) in self.texts.iter().enumerate() {
            let next = self.texts.get(at + 1);
            let rest = || page.ancestors(*id).last().map_or(0, end);
            let goes_on = next.map_or_else(rest, |next| page.characters_before(*next));
            if goes_on > end(*id)
                && let Some(line) = page.ancestors(*id).find(|id| page.class(*id).line)
                && page.totals(line).characters <= LABEL
                && end(line) == end(*id)
                && lies_in(page, &self.content.nodes, line)
                && is_head(page.string_value(line))
            {
                self.out.push(line);
            }
        }
    }

    fn is_signature(&self, id: NodeId, names: FurnitureNames) -> bool {
        let page = self.page;
        if !names.intersects(FurnitureNames::SIGNATURE) || !page.class(id).line {
            return false;
        }
        4 * page.totals(id).characters < self.total.max(1)
            && (names.intersects(FurnitureNames::POST) || self.is_in_post(id, 6))
    }

    // It stays for now: others decide whether it goes.
    fn is_figure(&mut self, id: NodeId) -> bool {
        let page = self.page;
        let totals = page.totals(id);
        if totals.characters > 2 * LABEL || totals.characters < 4 || totals.elements > 8 {
            return false;
        }
        let text = page.string_value(id).trim_start();
        let Some(at) = text.find([':', '：']).filter(|at| *at <= LABEL as usize) else { return false };
        let label = FurnitureLabel::of(&text[..at]);
        if label.intersects(FurnitureLabel::FIGURE | FurnitureLabel::DETAIL)
            && let Some(parent) = page.parent(id)
        {
            self.figures.push((parent, id, label));
        }
        false
    }

    fn judge_figures(&mut self) {
        let mut by_parent: BTreeMap<NodeId, Vec<(NodeId, FurnitureLabel)>> = BTreeMap::new();
        for (parent, id, label) in self.figures.drain(..) {
            by_parent.entry(parent).or_default().push((id, label));
        }
        let is_sure = |lines: &Vec<(NodeId, FurnitureLabel)>| {
            lines.iter().any(|(_, label)| label.contains(FurnitureLabel::FIGURE))
        };
        let authors: BTreeSet<NodeId> =
            by_parent.iter().filter(|(_, lines)| is_sure(lines)).map(|(parent, _)| *parent).collect();
        for (parent, lines) in by_parent {
            if authors.contains(&parent) && (lines.len() > 1 || authors.len() > 1) {
                self.out.extend(lines.into_iter().map(|(id, _)| id));
            }
        }
    }
}

/// A link or button that may be for what is above it.
#[derive(Debug, Clone, Copy)]
struct Action {
    id: NodeId,
    line: usize,
    is_gone: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartOfLine {
    Action,
    /// An action that has gone.
    Gone,
    Sign,
    Word,
}

impl PartOfLine {
    /// Returns what a text is, or the action that it is in. `actions` are in document order.
    fn of(page: &Page, text: NodeId, actions: &[Action]) -> (NodeId, PartOfLine) {
        let before = actions.partition_point(|action| action.id < text);
        match before.checked_sub(1).map(|at| actions[at].id) {
            Some(action) if page.contains(action, text) => (action, PartOfLine::Action),
            _ if page.data(text).contains(char::is_alphanumeric) => (text, PartOfLine::Word),
            _ => (text, PartOfLine::Sign),
        }
    }
}

fn is_break(page: &Page, id: NodeId) -> bool {
    page.class(id).line || page.class(id).cell || page.is_tag(id, Tag::Br)
}

fn html_tag(page: &Page, id: NodeId) -> Tag {
    if page.is_html(id) { page.known_tag(id) } else { Tag::Other }
}

/// Returns `true` if a line says what stands at the end of articles, and little else.
fn is_head(line: &str) -> bool {
    const WORDS: usize = 6;
    let words = words_of(line);
    words.len() <= WORDS && !Tail::of(&words).is_empty()
}

/// Captions and terms count, too.
fn is_heading(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::Dt | Tag::Caption | Tag::Figcaption
    )
}

fn acts(href: &str) -> bool {
    let href = href.trim();
    href.is_empty()
        || href.starts_with(['#', '?'])
        || href.starts_with("javascript:")
        || href.starts_with("mailto:")
        || href.contains('?')
        || ["/share?", "sharer", "/intent/", "/reply", "/edit", "/quote", "/report"]
            .iter()
            .any(|part| href.contains(part))
}
