//! Who wrote a page.

use crate::json_ld::Article;
use crate::listing;
use crate::names;
use crate::said::{Said, Source};
use crate::survey::{Near, Survey, class_words};
use crate::words::{self, Group};
use tsugi_page::{NodeId, Tag, text};

/// Maximum number of marked elements examined around the headline.
const MOST_MARKS: usize = 40;

/// Finds the authors of the page. `sites` lists names of the site, which never count as authors.
///
/// JSON-LD and the `meta` elements of a single article come first, then `meta name=author`. Templates often fill the
/// latter with the name of the site or its owner, so a byline that names somebody else takes precedence.
pub(crate) fn authors(
    survey: &Survey<'_>,
    article: &Article,
    near: &Near,
    is_site: &dyn Fn(&str) -> bool,
    is_front: bool,
) -> Option<Said<Vec<String>>> {
    let people = |names: Vec<String>| -> Vec<String> {
        let of_people = |name: &String| !is_site(name) && !words::has(Group::Organisation, name);
        names::several(names.into_iter()).into_iter().filter(of_people).collect()
    };
    let said = |names: Vec<String>, by: Source| {
        let names = people(names);
        (!names.is_empty()).then(|| Said::new(names, by))
    };
    // Each of these elements names one author; the later ones list all authors in one value.
    let single = ["citation_author", "dc.contributor.author", "dcterms.creator", "dc.creator", "dc:creator"];
    let all = ["parsely-author", "sailthru.author", "byl", "article:author", "cxenseparse:author"];
    let of_meta = |name: &str, split: bool| {
        let values = survey.all(&[name]).filter(|value| value.len() <= crate::survey::LONGEST);
        let values: Vec<String> = if split {
            values
                .flat_map(|value| if is_page_name(value) { Vec::new() } else { names::apart(value) })
                .collect()
        } else {
            values.map(str::to_owned).collect()
        };
        said(values, Source::Meta)
    };
    let sure = said(article.authors.clone(), Source::JsonLd)
        .or_else(|| of_meta("citation_author", false))
        .or_else(|| all.iter().find_map(|name| of_meta(name, true)))
        .or_else(|| said(article.parsely.authors.clone(), Source::Meta));
    // On a front page, bylines belong to other articles.
    if sure.is_some() || is_front {
        return sure;
    }
    let seen = marked(survey, near, &people).or_else(|| bylines(survey, near, &people));
    let unsure = ["author", "authors"]
        .iter()
        .find_map(|name| of_meta(name, true))
        .or_else(|| single.iter().find_map(|name| of_meta(name, false)));
    match (unsure, seen) {
        (Some(unsure), Some(seen)) => {
            let lower = |names: &[String]| names.iter().map(|name| name.to_lowercase()).collect::<Vec<_>>();
            let (told, shown) = (lower(&unsure.value), lower(&seen.value));
            Some(if told.iter().any(|name| shown.contains(name)) { unsure } else { seen })
        }
        (unsure, seen) => unsure.or(seen),
    }
}

/// Returns `true` if a value is the address of a profile, not a name.
fn is_page_name(value: &str) -> bool {
    let value = value.trim();
    value.contains("://") || value.starts_with("www.") || value.starts_with("//")
}

/// Reads the elements that the markup marks as the author.
fn marked(
    survey: &Survey<'_>,
    near: &Near,
    people: &dyn Fn(Vec<String>) -> Vec<String>,
) -> Option<Said<Vec<String>>> {
    let page = survey.page;
    let article: Vec<NodeId> =
        survey.authors.iter().copied().filter(|id| !survey.is_aside(*id) && !in_list(survey, *id)).collect();
    let around: Vec<NodeId> = article.iter().copied().filter(|id| near.has(*id)).collect();
    let group = |marks: Vec<NodeId>| {
        let marks = page.outermost(marks);
        people(marks.into_iter().flat_map(|id| named(survey, id, true)).collect())
    };
    let found = group(around);
    if !found.is_empty() {
        return Some(Said::new(found, Source::Markup));
    }
    if let Some(found) = by_class(survey, near, people) {
        return Some(found);
    }
    // A long list is an index of authors.
    let found = group(article);
    (1..=3).contains(&found.len()).then(|| Said::new(found, Source::Markup))
}

/// Decides from an element's class whether it holds an author's name or a byline.
fn mark(survey: &Survey<'_>, id: NodeId) -> bool {
    let page = survey.page;
    let is_word = |word: &String| {
        matches!(
            word.as_str(),
            "author"
                | "authors"
                | "byline"
                | "bylines"
                | "contributor"
                | "contributors"
                | "writer"
                | "autor"
                | "auteur"
                | "autore"
                | "attribution"
                | "writers"
                | "reporter"
        )
    };
    // Parts of an author box that are not names.
    let is_other = |word: &String| {
        matches!(
            word.as_str(),
            "bio"
                | "avatar"
                | "image"
                | "img"
                | "photo"
                | "description"
                | "desc"
                | "social"
                | "follow"
                | "date"
                | "time"
                | "title"
                | "role"
                | "job"
                | "comment"
                | "more"
                | "posts"
                | "twitter"
                | "icon"
                | "count"
                | "email"
        )
    };
    let names = ["class", "id", "data-testid"].into_iter().filter_map(|name| page.attribute(id, name));
    let words: Vec<String> = names
        .filter(|name| name.len() < 600)
        .flat_map(|name| name.split_ascii_whitespace())
        .flat_map(|name| {
            let words = class_words(name);
            let counts = words.iter().any(is_word) && !words.iter().any(is_other);
            if counts { words } else { Vec::new() }
        })
        .collect();
    !words.is_empty()
}

fn by_class(
    survey: &Survey<'_>,
    near: &Near,
    people: &dyn Fn(Vec<String>) -> Vec<String>,
) -> Option<Said<Vec<String>>> {
    let page = survey.page;
    let in_range = |range: std::ops::Range<usize>| {
        let nodes = page.subtree(NodeId::DOCUMENT).skip(range.start).take(range.len());
        let marks = nodes.filter(|id| page.is_element(*id) && !is_large(survey, *id) && mark(survey, *id));
        page.outermost(
            marks.take(MOST_MARKS).filter(|id| !survey.is_aside(*id) && !in_list(survey, *id)).collect(),
        )
    };
    let mut marks = in_range(near.around.clone());
    // Prefer elements after the headline to those before it.
    marks.sort_by_key(|id| (id.index() < near.headline, id.index()));
    let mut found: Vec<String> = Vec::new();
    let mut last: Option<(usize, Option<&str>)> = None;
    for id in marks.into_iter().chain(in_range(near.close.clone())) {
        let class = page.attribute(id, "class");
        if let Some((end, of)) = last
            && (id.index() > end + 20 || of != class)
        {
            break;
        }
        let names = people(named(survey, id, false));
        if !names.is_empty() {
            last = Some((page.subtree_end(id), class));
            found.extend(names);
        }
    }
    // A long list names all authors of the site.
    let found = people(found);
    (1..=6).contains(&found.len()).then(|| Said::new(found, Source::Byline))
}

/// Returns `true` if an author belongs to one of several similar parts of the page, each with its own author.
fn in_list(survey: &Survey<'_>, id: NodeId) -> bool {
    let page = survey.page;
    let key = |id: NodeId| (page.known_tag(id), page.attribute(id, "class"), page.attribute(id, "rel"));
    let own = key(id);
    let is_marked = own.1.is_some() || own.2.is_some();
    let holds = |part: NodeId| page.subtree(part).take(400).any(|id| page.is_element(id) && key(id) == own);
    is_marked && listing::is_repeated(page, id, &holds)
}

/// Returns `true` if an element is too long, or has too many elements, for a byline.
fn is_large(survey: &Survey<'_>, id: NodeId) -> bool {
    survey.page.string_value(id).len() > 1500 || survey.page.subtree_end(id) - id.index() > 120
}

/// Returns the names in an element marked as author or byline. If `is_name`, the markup calls the element a name, and
/// a single word is enough.
fn named(survey: &Survey<'_>, id: NodeId, is_name: bool) -> Vec<String> {
    let page = survey.page;
    // A header cell names a column.
    if page.known_tag(id) == Tag::Th
        || is_large(survey, id)
        || survey.is_hidden(id) && page.known_tag(id) != Tag::Meta
    {
        return Vec::new();
    }
    if page.known_tag(id) == Tag::Meta {
        return page.attribute(id, "content").map(names::apart).unwrap_or_default();
    }
    let has_word = |id: NodeId, name, word| {
        page.attribute(id, name)
            .is_some_and(|words: &str| words.split_whitespace().any(|found| found == word))
    };
    // Prefer the item's `itemprop=name`.
    let is_own_name = |id: &NodeId| {
        has_word(*id, "itemprop", "name") || has_word(*id, "class", "fn") || has_word(*id, "class", "p-name")
    };
    let own: Vec<NodeId> =
        page.subtree(id).skip(1).filter(|id| page.is_element(*id)).filter(is_own_name).take(10).collect();
    let fits = |name: &String| {
        names::is_person(name) || (is_name && names::is_plausible(name) && name.chars().count() <= 40)
    };
    if !own.is_empty() {
        let given = |id: &NodeId| {
            let content = page.attribute(*id, "content").or_else(|| page.attribute(*id, "value"));
            content
                .filter(|_| page.known_tag(*id) == Tag::Meta)
                .map_or_else(|| text::fold(&page.text(*id)), text::fold)
        };
        let given = own.iter().flat_map(|id| names::apart(&given(id)));
        let found = names::several(given).into_iter().filter(fits).collect::<Vec<_>>();
        if !found.is_empty() {
            return found;
        }
    }
    let links: Vec<NodeId> = page.subtree(id).filter(|id| page.known_tag(*id) == Tag::A).take(20).collect();
    let is_profile = |id: &NodeId| {
        let href = page.attribute(*id, "href").unwrap_or_default().to_lowercase();
        [
            "author", "/by/", "/staff/", "/people/", "/person/", "/profile", "/contributor", "/writer",
            "/journalist", "/user", "/team/", "/autor", "/auteur", "/redaktion/", "/reporter", "/columnist",
            "/bio",
        ]
        .iter()
        .any(|word| href.contains(word))
    };
    let of_links = |links: &mut dyn Iterator<Item = &NodeId>| -> Vec<String> {
        let texts: Vec<String> = links.flat_map(|id| names::apart(&text::fold(&page.text(*id)))).collect();
        names::several(texts.into_iter()).into_iter().filter(fits).collect()
    };
    let found = of_links(&mut links.iter().filter(|id| is_profile(id)));
    if !found.is_empty() {
        return found;
    }
    let shown = page.text(id);
    let found = names::of_byline(&shown, true);
    if !found.is_empty() {
        return found;
    }
    if is_name {
        let line = text::fold(&shown);
        return names::several(names::apart(&line).into_iter()).into_iter().filter(fits).collect();
    }
    of_links(&mut links.iter())
}

/// Reads lines near the headline that start with a byline word or end with a job title.
fn bylines(
    survey: &Survey<'_>,
    near: &Near,
    people: &dyn Fn(Vec<String>) -> Vec<String>,
) -> Option<Said<Vec<String>>> {
    let page = survey.page;
    let behind = near.headline.max(near.around.start)..near.around.end;
    for range in [behind, near.close.clone()] {
        for (id, data) in survey.texts(range) {
            let starts = || words::behind(Group::By, data.trim_start()).is_some();
            if !starts() || survey.is_aside(id) {
                continue;
            }
            // The name may be in the element after the word.
            let own = names::of_byline(data, false);
            let names = if own.is_empty() && data.trim().chars().count() <= 20 {
                let parent = page.parent(id).filter(|parent| !is_large(survey, *parent));
                let above =
                    parent.and_then(|parent| page.parent(parent)).filter(|above| !is_large(survey, *above));
                let from_there = |node: NodeId| names::of_byline(&behind_text(&page.text(node), data), false);
                let mut found = parent.map(from_there).unwrap_or_default();
                if found.is_empty() {
                    found = above.map(from_there).unwrap_or_default();
                }
                found
            } else {
                own
            };
            let names = people(names);
            if !names.is_empty() {
                return Some(Said::new(names, Source::Byline));
            }
        }
    }
    None
}

/// Returns the part of a text that starts where another text begins.
fn behind_text(text: &str, from: &str) -> String {
    let from = text::fold(from);
    text.find(from.as_str()).and_then(|at| text.get(at..)).unwrap_or_default().to_owned()
}
