use crate::json_ld::StatedArticle;
use crate::listing;
use crate::names;
use crate::said::{Said, Source};
use crate::survey::{BylineArea, LONGEST, MetadataSurvey, has_class_word};
use crate::title::SiteNames;
use crate::words::{self, WordGroup};
use std::ops::Range;
use tsugi_page::lexicon::Memo;
use tsugi_page::{Attr, NodeId, Page, Tag, text};

const MOST_MARKS: usize = 40;
/// A list with more names than this is an index of authors, or names all authors of the site.
const MOST_MARKED: usize = 3;
const MOST_IN_CLASSES: usize = 6;

#[derive(Clone, Copy)]
pub(crate) struct Bylines<'s, 'p> {
    pub(crate) survey: &'s MetadataSurvey<'p>,
    pub(crate) near: &'s BylineArea,
    /// Names that never count as authors.
    pub(crate) site: &'s SiteNames,
}

impl Bylines<'_, '_> {
    pub(crate) fn authors(self, article: &StatedArticle, is_front: bool) -> Option<Said<Vec<String>>> {
        /// Each of these elements lists all authors.
        const LISTS: [&str; 5] =
            ["parsely-author", "sailthru.author", "byl", "article:author", "cxenseparse:author"];
        let sure = self
            .said(article.authors.clone(), Source::JsonLd)
            .or_else(|| self.of_meta("citation_author"))
            .or_else(|| LISTS.iter().find_map(|name| self.of_meta_list(name)))
            .or_else(|| self.said(article.parsely.authors.clone(), Source::Meta));
        // On a front page, bylines belong to other articles.
        if sure.is_some() || is_front {
            return sure;
        }
        self.shown_or_told().or_else(|| self.said(article.authors_elsewhere.clone(), Source::JsonLd)).or_else(
            || {
                // An organisation signs what no person does.
                let signed = names::several(article.signed.iter().cloned());
                (!signed.is_empty()).then(|| Said::new(signed, Source::Organisation))
            },
        )
    }

    fn shown_or_told(self) -> Option<Said<Vec<String>>> {
        /// Each of these elements names one author.
        const SINGLE: [&str; 5] =
            ["citation_author", "dc.contributor.author", "dcterms.creator", "dc.creator", "dc:creator"];
        let shown = self.marked().or_else(|| self.in_lines());
        let told = ["author", "authors"].iter().find_map(|name| self.of_meta_list(name));
        match (told.or_else(|| SINGLE.iter().find_map(|name| self.of_meta(name))), shown) {
            // Templates often fill `meta name=author` with the name of the site or its owner.
            (Some(told), Some(shown)) => {
                let is_shown = |name: &String| {
                    shown.value.iter().any(|other| other.to_lowercase() == name.to_lowercase())
                };
                Some(if told.value.iter().any(is_shown) { told } else { shown })
            }
            (told, shown) => told.or(shown),
        }
    }

    fn people(self, names: Vec<String>) -> Vec<String> {
        let is_person = |name: &String| !self.site.has(name) && !words::has(WordGroup::Organisation, name);
        names::several(names.into_iter()).into_iter().filter(is_person).collect()
    }

    fn said(self, names: Vec<String>, by: Source) -> Option<Said<Vec<String>>> {
        let names = self.people(names);
        (!names.is_empty()).then(|| Said::new(names, by))
    }

    fn of_meta(self, name: &str) -> Option<Said<Vec<String>>> {
        let values = self.survey.all(&[name]).filter(|value| value.len() <= LONGEST);
        self.said(values.map(str::to_owned).collect(), Source::Meta)
    }

    fn of_meta_list(self, name: &str) -> Option<Said<Vec<String>>> {
        let values = self.survey.all(&[name]).filter(|value| value.len() <= LONGEST && !is_profile(value));
        self.said(values.flat_map(names::apart).collect(), Source::Meta)
    }

    fn marked(self) -> Option<Said<Vec<String>>> {
        let own: Vec<NodeId> = self.survey.authors.iter().copied().filter(|id| self.is_own(*id)).collect();
        let close = own.iter().copied().filter(|id| self.near.has(*id)).collect();
        self.said(self.names_in(close), Source::Markup).or_else(|| self.by_class()).or_else(|| {
            let found = self.said(self.names_in(own), Source::Markup);
            found.filter(|found| found.value.len() <= MOST_MARKED)
        })
    }

    fn names_in(self, marks: Vec<NodeId>) -> Vec<String> {
        let marks = self.survey.page.outermost(marks);
        marks.into_iter().flat_map(|id| named(self.survey, id, true)).collect()
    }

    fn by_class(self) -> Option<Said<Vec<String>>> {
        let page = self.survey.page;
        let mut marks = self.marks_in(self.near.around.clone());
        // Prefer elements after the headline to those before it.
        marks.sort_by_key(|id| (id.index() < self.near.headline, id.index()));
        marks.extend(self.marks_in(self.near.close.clone()));
        let mut found: Vec<String> = Vec::new();
        let mut last: Option<(usize, Option<&str>)> = None;
        for id in marks {
            let class = page.attribute(id, "class");
            // Authors of one article are side by side and marked alike.
            if let Some((end, of)) = last
                && (id.index() > end + 20 || of != class)
            {
                break;
            }
            let names = self.people(named(self.survey, id, false));
            if !names.is_empty() {
                last = Some((page.subtree_end(id), class));
                found.extend(names);
            }
        }
        self.said(found, Source::Byline).filter(|found| found.value.len() <= MOST_IN_CLASSES)
    }

    fn marks_in(self, range: Range<usize>) -> Vec<NodeId> {
        let page = self.survey.page;
        let nodes = page.subtree(NodeId::DOCUMENT).skip(range.start).take(range.len());
        let mut known = Memo::new();
        let mut is_marked = |id: NodeId| names_of(page, id).any(|name| known.get(name, marks_authors));
        let marks = nodes.filter(|id| page.is_element(*id) && !is_large(page, *id) && is_marked(*id));
        page.outermost(marks.take(MOST_MARKS).filter(|id| self.is_own(*id)).collect())
    }

    fn is_own(self, id: NodeId) -> bool {
        !self.survey.is_aside(id) && !in_list(self.survey.page, id)
    }

    fn in_lines(self) -> Option<Said<Vec<String>>> {
        let behind = self.near.headline.max(self.near.around.start)..self.near.around.end;
        let lines = [behind, self.near.close.clone()].into_iter().flat_map(|range| self.survey.texts(range));
        lines
            .filter(|(_, line)| words::behind(WordGroup::By, line.trim_start()).is_some())
            .filter(|(id, _)| !self.survey.is_aside(*id))
            .find_map(|(id, line)| self.said(names_of_line(self.survey.page, id, line), Source::Byline))
    }
}

fn is_profile(value: &str) -> bool {
    let value = value.trim();
    value.contains("://") || value.starts_with("www.") || value.starts_with("//")
}

fn names_of(page: &Page, id: NodeId) -> impl Iterator<Item = &str> {
    let named = [Attr::Class, Attr::Id].into_iter().filter_map(move |name| page.value(id, name));
    named.chain(page.attribute(id, "data-testid")).filter(|name| name.len() < 600)
}

fn marks_authors(names: &str) -> bool {
    names.split_ascii_whitespace().any(|name| {
        has_class_word(name, |word| words::is_lower(WordGroup::AuthorMark, word))
            && !has_class_word(name, |word| words::is_lower(WordGroup::NoAuthorMark, word))
    })
}

/// Returns `true` if an author belongs to one of several similar parts of the page, each with its own author.
fn in_list(page: &Page, id: NodeId) -> bool {
    let own = marks_of(page, id);
    let holds =
        |part| page.subtree(part).take(400).any(|id| page.is_element(id) && marks_of(page, id) == own);
    (own.1.is_some() || own.2.is_some()) && listing::is_repeated(page, id, &holds)
}

fn marks_of(page: &Page, id: NodeId) -> (Tag, Option<&str>, Option<&str>) {
    (page.known_tag(id), page.attribute(id, "class"), page.attribute(id, "rel"))
}

fn is_large(page: &Page, id: NodeId) -> bool {
    page.string_value(id).len() > 1500 || page.subtree_end(id) - id.index() > 120
}

/// If `is_name`, the markup calls the element a name, and a single word is enough.
fn named(survey: &MetadataSurvey<'_>, id: NodeId, is_name: bool) -> Vec<String> {
    let page = survey.page;
    let is_meta = page.known_tag(id) == Tag::Meta;
    // A header cell names a column.
    if page.known_tag(id) == Tag::Th || is_large(page, id) || survey.is_hidden(id) && !is_meta {
        return Vec::new();
    }
    if is_meta {
        return page.attribute(id, "content").map(names::apart).unwrap_or_default();
    }
    // Prefer the item's `itemprop=name`.
    let inner = page.subtree(id).skip(1).filter(|id| page.is_element(*id) && is_item_name(page, *id));
    let found = fitting(inner.take(10).flat_map(|id| names::apart(&item_name(page, id))), is_name);
    if !found.is_empty() {
        return found;
    }
    let links: Vec<NodeId> = page.subtree(id).filter(|id| page.known_tag(*id) == Tag::A).take(20).collect();
    let profiles = links.iter().filter(|id| leads_to_profile(page, **id));
    let found = fitting(profiles.flat_map(|id| shown_names(page, *id)), is_name);
    if !found.is_empty() {
        return found;
    }
    let found = names::of_byline(&page.text(id), true);
    if !found.is_empty() {
        return found;
    }
    if is_name {
        return fitting(shown_names(page, id), is_name);
    }
    fitting(links.iter().flat_map(|id| shown_names(page, *id)), is_name)
}

fn fitting(names: impl IntoIterator<Item = String>, is_name: bool) -> Vec<String> {
    let names = names::several(names.into_iter()).into_iter();
    let is_short_name = |name: &str| names::is_plausible(name) && name.chars().count() <= 40;
    names.filter(|name| names::is_person(name) || (is_name && is_short_name(name))).collect()
}

fn shown_names(page: &Page, id: NodeId) -> Vec<String> {
    names::apart(&text::fold(&page.text(id)))
}

fn is_item_name(page: &Page, id: NodeId) -> bool {
    [("itemprop", "name"), ("class", "fn"), ("class", "p-name")].into_iter().any(|(attribute, word)| {
        let words = page.attribute(id, attribute);
        words.is_some_and(|words| words.split_whitespace().any(|found| found == word))
    })
}

fn item_name(page: &Page, id: NodeId) -> String {
    let value = page.attribute(id, "content").or_else(|| page.attribute(id, "value"));
    let value = value.filter(|_| page.known_tag(id) == Tag::Meta);
    value.map_or_else(|| text::fold(&page.text(id)), text::fold)
}

fn leads_to_profile(page: &Page, id: NodeId) -> bool {
    let href = page.attribute(id, "href").unwrap_or_default().to_lowercase();
    words::entries(WordGroup::ProfileAddress).iter().any(|part| href.contains(part))
}

fn names_of_line(page: &Page, id: NodeId, line: &str) -> Vec<String> {
    let own = names::of_byline(line, false);
    if !own.is_empty() || line.trim().chars().count() > 20 {
        return own;
    }
    let around = page.ancestors(id).take(2).take_while(|above| !is_large(page, *above));
    let mut names = around.map(|above| names::of_byline(from(&page.text(above), line), false));
    names.find(|names| !names.is_empty()).unwrap_or_default()
}

fn from<'t>(text: &'t str, start: &str) -> &'t str {
    text.find(text::fold(start).as_str()).map_or("", |at| &text[at..])
}
