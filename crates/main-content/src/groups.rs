//! Groups of similar siblings: entries of lists, posts of threads, rows of tables.

use super::hash::Hasher;
use tsugi_page::{NodeId, Page, Tag};

/// Siblings with text that share tag and class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SiblingGroup {
    pub(crate) size: u32,
    pub(crate) tokens: u32,
    pub(crate) link_tokens: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupMember {
    pub(crate) group: usize,
    pub(crate) place: u32,
}

#[derive(Debug, Default)]
pub(crate) struct SiblingGroups {
    groups: Vec<SiblingGroup>,
    /// For each node: the index of its group plus one, or 0 without a group; its position in the group.
    of: Vec<(u32, u32)>,
}

pub(crate) struct Signatures {
    /// For each known tag: the hash of its name, computed on first use.
    tags: [Option<Hasher>; 256],
}

impl Default for Signatures {
    fn default() -> Self {
        Signatures { tags: [None; 256] }
    }
}

impl Signatures {
    /// Returns the signature of an element: its tag and its first classes, without digits.
    pub(crate) fn of(&mut self, page: &Page, id: NodeId, tag: Tag, classes: &str) -> u64 {
        let mut hasher = match tag {
            Tag::Other => Hasher::new(page.tag(id)),
            tag => *self.tags[tag as usize].get_or_insert_with(|| Hasher::new(page.tag(id))),
        };
        for byte in classes.trim_ascii_start().bytes().take_while(|byte| !byte.is_ascii_whitespace()) {
            if !byte.is_ascii_digit() {
                hasher.byte(byte);
            }
        }
        hasher.long()
    }
}

impl SiblingGroups {
    /// `with_text` is in document order; `tokens_of` returns the tokens and the link tokens of a subtree.
    pub(crate) fn find(
        page: &Page,
        with_text: &[NodeId],
        signatures: &[u64],
        tokens_of: impl Fn(NodeId) -> (u32, u32),
    ) -> SiblingGroups {
        let after = places_after(page, with_text);
        let mut found = SiblingGroups {
            groups: Vec::with_capacity(with_text.len()),
            of: vec![(0, 0); page.node_count()],
        };
        let mut children: Vec<(u64, NodeId)> = Vec::new();
        let all = (0, with_text.len());
        let inside = after.iter().enumerate().map(|(at, after)| (at + 1, *after));
        for (mut at, end) in std::iter::once(all).chain(inside) {
            children.clear();
            while at < end {
                let id = with_text[at];
                children.push((signatures[id.index()], id));
                at = after[at];
            }
            children.sort_unstable();
            for alike in children.chunk_by(|one, other| one.0 == other.0) {
                let mut group = SiblingGroup::default();
                let number = u32::try_from(found.groups.len() + 1).unwrap_or(u32::MAX);
                for (_, id) in alike {
                    let (tokens, link_tokens) = tokens_of(*id);
                    found.of[id.index()] = (number, group.size);
                    group.size += 1;
                    group.tokens += tokens;
                    group.link_tokens += link_tokens;
                }
                found.groups.push(group);
            }
        }
        found
    }

    pub(crate) fn of(&self, id: NodeId) -> Option<GroupMember> {
        let (number, place) = self.of[id.index()];
        Some(GroupMember { group: number.checked_sub(1)? as usize, place })
    }

    pub(crate) fn get(&self, number: usize) -> SiblingGroup {
        self.groups[number]
    }

    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }
}

/// Returns, for each element of a list in document order, the index of the first one after its subtree.
fn places_after(page: &Page, elements: &[NodeId]) -> Vec<usize> {
    let mut after = vec![elements.len(); elements.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, id) in elements.iter().enumerate() {
        while let Some((closed, _)) = open.pop_if(|(_, end)| *end <= id.index()) {
            after[closed] = at;
        }
        open.push((at, page.subtree_end(*id)));
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    #[test]
    fn siblings_that_look_alike_are_a_group() {
        let html = "<div><p class='post-1 x'>aa bb<p class=post-2>c<p>d<p class=post-3><b></b></div><p class=post-4>e";
        let page = page_of(html);
        let mut looks = Signatures::default();
        let mut signature =
            |id| looks.of(&page, id, page.known_tag(id), page.attribute(id, "class").unwrap_or(""));
        let signatures: Vec<u64> = page.subtree(NodeId::DOCUMENT).map(&mut signature).collect();
        let words = |id: NodeId| page.text(id).split_whitespace().count();
        let with_text: Vec<NodeId> = page.elements().filter(|id| words(*id) > 0).collect();
        let groups =
            SiblingGroups::find(&page, &with_text, &signatures, |id| (u32::try_from(words(id)).unwrap(), 0));
        let p: Vec<NodeId> = page.elements().filter(|id| page.is(*id, "p")).collect();
        let group = |id: NodeId| groups.of(id).map(|member| (groups.get(member.group).size, member.place));
        assert_eq!(group(p[0]), Some((2, 0)));
        assert_eq!(group(p[1]), Some((2, 1)));
        assert_eq!(group(p[2]), Some((1, 0)), "no class");
        assert_eq!(group(p[3]), None, "no text");
        assert_eq!(group(p[4]), Some((1, 0)), "another parent");
        assert_eq!(groups.get(groups.of(p[0]).unwrap().group).tokens, 3);
    }
}
