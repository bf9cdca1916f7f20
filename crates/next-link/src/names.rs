//! What `class`, `id` and other names in the markup mean.

use super::lexicon::{Lexicon, Memo};
use std::sync::LazyLock;
use tsugi_page::{Attr, NodeId, Page};

/// Meanings found in names, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Names(u32);

impl Names {
    pub(crate) const NEXT: Names = Names(1);
    pub(crate) const PREVIOUS: Names = Names(1 << 1);
    pub(crate) const RIGHT: Names = Names(1 << 2);
    pub(crate) const LEFT: Names = Names(1 << 3);
    pub(crate) const FIRST: Names = Names(1 << 4);
    pub(crate) const LAST: Names = Names(1 << 5);
    pub(crate) const CURRENT: Names = Names(1 << 6);
    pub(crate) const DISABLED: Names = Names(1 << 7);
    pub(crate) const PAGER: Names = Names(1 << 8);
    pub(crate) const PAGE: Names = Names(1 << 9);
    pub(crate) const NAVIGATION: Names = Names(1 << 10);
    pub(crate) const POST: Names = Names(1 << 11);
    pub(crate) const COMMENT: Names = Names(1 << 12);
    pub(crate) const SIDE: Names = Names(1 << 13);
    pub(crate) const MENU: Names = Names(1 << 14);
    pub(crate) const CRUMBS: Names = Names(1 << 15);
    pub(crate) const FOOTER: Names = Names(1 << 16);
    pub(crate) const HEADER: Names = Names(1 << 17);
    pub(crate) const CONTENTS: Names = Names(1 << 18);
    pub(crate) const RELATED: Names = Names(1 << 19);
    pub(crate) const SHARE: Names = Names(1 << 20);
    pub(crate) const CALENDAR: Names = Names(1 << 21);
    pub(crate) const TAG: Names = Names(1 << 22);
    pub(crate) const SLIDER: Names = Names(1 << 23);
    pub(crate) const SORT: Names = Names(1 << 24);
    pub(crate) const MORE: Names = Names(1 << 25);
    pub(crate) const OLDER: Names = Names(1 << 26);
    pub(crate) const NEWER: Names = Names(1 << 27);
    pub(crate) const CHAPTER: Names = Names(1 << 28);
    pub(crate) const ARCHIVE: Names = Names(1 << 29);
    pub(crate) const LOAD: Names = Names(1 << 30);
    pub(crate) const HIDDEN: Names = Names(1 << 31);
    pub(crate) const NONE: Names = Names(0);

    /// Says whether one of the meanings of `other` is among these.
    pub(crate) const fn has(self, other: Names) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn or(self, other: Names) -> Names {
        Names(self.0 | other.0)
    }
}

/// Parts of names, by meaning. A name is split at signs, digits and before capitals.
const PARTS: &[(Names, &str)] = &[
    (
        Names::NEXT,
        "next nxt nextlink nextpostslink nextpage pagenext nextbutton nextbtn forward following suivant siguiente weiter tsugi",
    ),
    (
        Names::PREVIOUS,
        "prev previous prv prevlink previouspostslink prevpage pageprev prevbutton prevbtn back backward precedent anterior mae",
    ),
    (Names::RIGHT, "right arrowright rightarrow rarr chevronright east"),
    (Names::LEFT, "left arrowleft leftarrow larr chevronleft west"),
    (Names::FIRST, "first start begin"),
    (Names::LAST, "last end lastpage"),
    (
        Names::CURRENT,
        "current active selected on here thispage cur curr now activepage currentpage pagecurrent iscurrent isactive",
    ),
    (Names::DISABLED, "disabled disable inactive nolink off unavailable invisible"),
    (
        Names::PAGER,
        "pagination pager paging paginator paginate pagenavi pagenav paginated pagelinks pagelink pageflip pagebar pagenumbers pagenumber \
         pageno pagenum pagelist pages pagnav pagin pagenation pageing paginacion paginacao pagecounter multipage postpages wppagenavi \
         pageturn seitennavigation blogpager pgnav pagebox pagesnav navpages",
    ),
    (Names::PAGE, "page pg numbers paged"),
    (Names::NAVIGATION, "nav navigation navi navbar navlinks relbar rellinks navlink navheader navfooter"),
    (Names::POST, "post posts entry article story single adjacent neighbour neighbor"),
    (Names::COMMENT, "comment comments reply replies disqus respond"),
    (Names::SIDE, "sidebar side widget widgets aside secondary rail"),
    (Names::MENU, "menu menus dropdown mainmenu submenu topnav mainnav"),
    (Names::CRUMBS, "breadcrumb breadcrumbs crumb crumbs"),
    (Names::FOOTER, "footer foot bottom colophon"),
    (Names::HEADER, "header head masthead top banner"),
    (Names::CONTENTS, "toc toctree contents tableofcontents sphinxsidebar chapters summary treeview outline"),
    (Names::RELATED, "related recommend recommended recommendations similar popular recent trending ranking"),
    (Names::SHARE, "share sharing social facebook twitter"),
    (Names::CALENDAR, "calendar month week datepicker"),
    (Names::TAG, "tag tags tagcloud category categories cat label labels"),
    (Names::SLIDER, "slider slide carousel slick swiper flickity gallery lightbox rotator owl"),
    (Names::SORT, "sort sorting order orderby filter filters sortable"),
    (Names::MORE, "more readmore morelink seemore viewmore continue"),
    (Names::OLDER, "older"),
    (Names::NEWER, "newer"),
    (Names::CHAPTER, "chapter section lesson episode part"),
    (Names::ARCHIVE, "archive archives history"),
    (Names::HIDDEN, "hidden hide hiddenlink invisible"),
    (Names::LOAD, "load loadmore infinite infinitescroll ajax"),
];

static BY_PART: LazyLock<Lexicon<Names>> = LazyLock::new(|| Lexicon::of(PARTS, Names::NONE, Names::or));

/// Longest attribute that is read, in bytes.
const MAX_NAME: usize = 256;

/// What a `class` or `id` says.
pub(crate) fn meaning(value: &str) -> Names {
    let mut names = Names::NONE;
    let by_part = &*BY_PART;
    each_part(value, |part| {
        if let Some(meaning) = by_part.get(part) {
            names = names.or(meaning);
        }
    });
    names
}

/// Hands each part of a name to `take`: split at signs, at digits and before capitals. Parts of ASCII names keep their
/// case, others are in lower case.
pub(crate) fn each_part(value: &str, mut take: impl FnMut(&str)) {
    let value = super::words::cut(value, MAX_NAME);
    if !value.is_ascii() {
        return each_part_of_any(value, take);
    }
    let bytes = value.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // Capitals, then small letters: the next capital begins another part.
        let from = at;
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        if from < at {
            take(&value[from..at]);
        } else {
            at += 1;
        }
    }
}

/// The same for names of any characters.
fn each_part_of_any(value: &str, mut take: impl FnMut(&str)) {
    let mut part = String::new();
    let mut after_small = false;
    for c in value.chars() {
        let is_letter = c.is_alphabetic();
        if (!is_letter || (after_small && c.is_uppercase())) && !part.is_empty() {
            take(&part);
            part.clear();
        }
        if c.is_ascii() && is_letter {
            part.push(c.to_ascii_lowercase());
        } else if is_letter {
            part.extend(c.to_lowercase());
        }
        after_small = c.is_lowercase();
    }
    if !part.is_empty() {
        take(&part);
    }
}

/// What was found of the values of a page's attributes.
#[derive(Debug)]
pub(crate) struct Known<'p> {
    names: Memo<'p, Names>,
    styles: Memo<'p, bool>,
}

impl<'p> Known<'p> {
    pub(crate) fn new() -> Known<'p> {
        Known { names: Memo::new(), styles: Memo::new() }
    }

    /// What the `class`, `id` and `role` of an element say, and whether it is hidden.
    pub(crate) fn of_element(&mut self, page: &'p Page, node: NodeId) -> Names {
        let mut names = Names::NONE;
        for (name, value) in page.known_attributes(node) {
            names = names.or(match name {
                Attr::Class | Attr::Role => self.names.get(value, meaning),
                // Ids hardly repeat.
                Attr::Id => meaning(value),
                Attr::Hidden => Names::HIDDEN,
                Attr::Style if self.styles.get(value, hides) => Names::HIDDEN,
                _ => Names::NONE,
            });
        }
        names
    }
}

/// Whether an inline style hides its element.
fn hides(style: &str) -> bool {
    let declares = |declaration: &str| {
        let (property, value) = declaration.split_once(':').unwrap_or((declaration, ""));
        let is = |name: &str, hidden: &str| {
            property.trim().eq_ignore_ascii_case(name)
                && value.trim_start().to_ascii_lowercase().starts_with(hidden)
        };
        is("display", "none") || is("visibility", "hidden")
    };
    super::words::cut(style, MAX_NAME).split(';').any(declares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_parts() {
        assert!(meaning("pagination-next").has(Names::NEXT) && meaning("pagination-next").has(Names::PAGER));
        assert!(meaning("nextPage").has(Names::NEXT) && meaning("nextPage").has(Names::PAGE));
        assert!(meaning("fa fa-chevron-right").has(Names::RIGHT));
        assert!(meaning("page_item2 isActive").has(Names::CURRENT));
        assert_eq!(meaning("context textnext2x onward"), Names::NONE, "parts are looked up whole");
        assert_eq!(meaning(""), Names::NONE);
        assert_eq!(meaning("überschrift Next"), Names::NEXT);
        assert!(hides("color: red; DISPLAY : none") && !hides("display: block; none: display"));
    }

    proptest::proptest! {
        #[test]
        fn parts_of_ascii_names_are_those_of_any(value in "[a-cA-C0-2 _.-]{0,24}") {
            let (mut parts, mut of_any) = (Vec::new(), Vec::new());
            each_part(&value, |part| parts.push(part.to_ascii_lowercase()));
            each_part_of_any(&value, |part| of_any.push(part.to_owned()));
            proptest::prop_assert_eq!(parts, of_any);
        }
    }
}
