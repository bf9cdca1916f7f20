//! Annotating: sets of pages, drafts, saving, agreement, and rules learned from what people said.

use crate::agreement::{Offered, Tally};
use crate::annotation::Annotation;
use crate::api::Queried;
use crate::app::{App, Shared};
use crate::error::Problem;
use crate::explain::facts;
use crate::sets::{Name, Saved};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use tsugi::{Content, Evidence, Fetch, NextLink, NodeId, Page, Relation, Url};
use tsugi_siteinfo::learn::{Observed, apply, learn};

/// The person whose word is the last.
const SETTLED: &str = "settled";

/// Pages of a site from which a rule is learned, at least.
const TEACHERS: usize = 3;

/// Pages on which a rule is tried.
const PREVIEWS: usize = 20;

/// Lists all sets, with the number of pages and who annotated how many.
pub(crate) async fn sets(State(app): State<Shared>) -> Result<Json<Value>, Problem> {
    let listed = move |app: &App| -> Result<Value, Problem> {
        let mut sets = Vec::new();
        for set in app.sets.names()? {
            let mut people = BTreeMap::new();
            for person in app.sets.people(&set)? {
                people.insert(person.as_str().to_owned(), app.sets.saved(&set, &person)?.len());
            }
            sets.push(json!({"name": set, "pages": app.sets.queue(&set)?.len(), "people": people}));
        }
        Ok(json!({ "sets": sets }))
    };
    run(app, listed).await
}

/// Does slow work and answers with JSON.
async fn run(
    app: Shared,
    work: impl FnOnce(&App) -> Result<Value, Problem> + Send + 'static,
) -> Result<Json<Value>, Problem> {
    let shared = Arc::clone(&app);
    Ok(Json(app.work.run(move |_| work(&shared)).await??))
}

/// Makes a set of the pages of an archive, which is the body.
pub(crate) async fn create(
    State(app): State<Shared>,
    Path(set): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Problem> {
    let set = Name::read(&set)?;
    run(app, move |app| {
        let upload = app.sets.upload()?;
        let made = fs::write(&upload, &body).map_err(Problem::from);
        let made = made.and_then(|()| app.sets.create(&set, &upload, &app.tsugi));
        fs::remove_file(&upload)?;
        Ok(json!({"pages": made?}))
    })
    .await
}

/// Who asks.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    person: String,
}

/// Returns the queue of a person.
pub(crate) async fn queue(
    State(app): State<Shared>,
    Path(set): Path<String>,
    asked: Queried<Asked>,
) -> Result<Json<Value>, Problem> {
    let (set, person) = (Name::read(&set)?, Name::read(&asked?.0.person)?);
    run(app, move |app| {
        let saved = app.sets.saved(&set, &person)?;
        let page = |page: crate::sets::Queued| {
            json!({"done": saved.contains_key(&page.url), "url": page.url, "title": page.title, "doubt": page.doubt})
        };
        Ok(json!({"pages": app.sets.queue(&set)?.into_iter().map(page).collect::<Vec<_>>()}))
    })
    .await
}

/// Which page somebody wants to annotate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WantedPage {
    person: String,
    url: Url,
}

/// Returns a page for annotation: its frame, its elements with their paths, the models' draft, and what was saved.
pub(crate) async fn page(
    State(app): State<Shared>,
    Path(set): Path<String>,
    wanted: Result<Json<WantedPage>, JsonRejection>,
) -> Result<Json<Value>, Problem> {
    let WantedPage { person, url } = wanted?.0;
    let (set, person) = (Name::read(&set)?, Name::read(&person)?);
    run(app, move |app| {
        let page = app.sets.page(&set, &url)?;
        let look = app.tsugi.look(&page);
        let mut answer = facts(&look);
        answer["frame"] = json!(app.frames.keep(&page)?);
        answer["paths"] = json!(paths(&page));
        let leads =
            |node: NodeId| Some((node.index(), page.resolve(page.attribute(node, "href")?)?.to_string()));
        let links = page.elements().filter(|node| page.is(*node, "a")).filter_map(leads);
        answer["hrefs"] = json!(links.collect::<Vec<_>>());
        answer["saved"] = json!(app.sets.saved(&set, &person)?.get(&url).map(|saved| &saved.annotation));
        Ok(answer)
    })
    .await
}

/// Returns the location path of every element of the page, by number.
fn paths(page: &Page) -> Vec<(usize, String)> {
    const STEPS: usize = 2_000_000;
    let nodes: Vec<NodeId> = page.elements().collect();
    let paths = page.location_paths(&nodes, STEPS).unwrap_or_default();
    nodes.into_iter().map(NodeId::index).zip(paths).collect()
}

/// What somebody says about a page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    person: String,
    url: Url,
    annotation: Annotation,
}

/// Saves what somebody says about a page. When it answers, the files are written.
pub(crate) async fn save(
    State(app): State<Shared>,
    Path(set): Path<String>,
    given: Result<Json<Given>, JsonRejection>,
) -> Result<Json<Value>, Problem> {
    let Given { person, url, annotation } = given?.0;
    let (set, person) = (Name::read(&set)?, Name::read(&person)?);
    run(app, move |app| {
        let label = annotation.label(&app.sets.page(&set, &url)?, person.as_str())?;
        app.sets.save(&set, &person, &Saved { url, annotation, label: label.clone() })?;
        Ok(label)
    })
    .await
}

/// Compares all people of a set with whoever settled it, or, where nobody did, with each other.
pub(crate) async fn agreement(
    State(app): State<Shared>,
    Path(set): Path<String>,
) -> Result<Json<Value>, Problem> {
    let set = Name::read(&set)?;
    run(app, move |app| compare(app, &set)).await
}

fn compare(app: &App, set: &Name) -> Result<Value, Problem> {
    let (queue, archive) = (app.sets.queue(set)?, app.sets.archive(set)?);
    let mut people = Vec::new();
    for person in app.sets.people(set)? {
        let saved = app.sets.saved(set, &person)?;
        people.push((person, saved));
    }
    let mut tallies: BTreeMap<(usize, usize), Tally> = BTreeMap::new();
    let mut disagreements = Vec::new();
    for queued in queue {
        let who: Vec<usize> =
            (0..people.len()).filter(|at| people[*at].1.contains_key(&queued.url)).collect();
        if who.len() < 2 {
            continue;
        }
        let Ok(response) = archive.fetch(&queued.url) else { continue };
        let page = response.page();
        let offered = Offered::of(&page, &app.tsugi);
        let mut said = BTreeMap::new();
        for at in who {
            let named = people[at].1[&queued.url].annotation.on(&page)?;
            said.insert(at, offered.said(&page, &named));
        }
        for (first, of_first) in &said {
            for (second, of_second) in said.iter().filter(|(second, _)| *second != first) {
                tallies.entry((*first, *second)).or_default().add(&offered, of_first, of_second);
            }
        }
        let differ = said.values().zip(said.values().skip(1)).any(|(one, other)| one != other);
        let is_settled = said.keys().any(|at| people[*at].0.as_str() == SETTLED);
        if differ {
            let names: Vec<&str> = said.keys().map(|at| people[*at].0.as_str()).collect();
            disagreements.push(
                json!({"url": queued.url, "title": queued.title, "people": names, "settled": is_settled}),
            );
        }
    }
    let row = |((first, second), tally): (&(usize, usize), &Tally)| json!({"person": people[*first].0, "against": people[*second].0, "agreement": tally.result()});
    let rows: Vec<Value> = tallies.iter().map(row).collect();
    let is_settled = |row: &Value| row["against"] == SETTLED;
    let confirmed = rows.iter().any(is_settled);
    let rows: Vec<Value> = rows.into_iter().filter(|row| !confirmed || is_settled(row)).collect();
    Ok(json!({"confirmed": confirmed, "rows": rows, "disagreements": disagreements}))
}

/// From which pages to learn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lesson {
    person: String,
    host: String,
}

/// Learns a rule from what somebody said about pages of a site, and tries it on the site's other pages.
pub(crate) async fn learn_site(
    State(app): State<Shared>,
    Path(set): Path<String>,
    lesson: Result<Json<Lesson>, JsonRejection>,
) -> Result<Json<Value>, Problem> {
    let Lesson { person, host } = lesson?.0;
    let (set, person) = (Name::read(&set)?, Name::read(&person)?);
    run(app, move |app| {
        let saved = app.sets.saved(&set, &person)?;
        let is_here = |url: &Url| url.host_str() == Some(host.as_str());
        let mut observed = Vec::new();
        for one in saved.values().filter(|saved| is_here(&saved.url)) {
            observed.push(taught(app.sets.page(&set, &one.url)?, &one.annotation)?);
        }
        if observed.len() < TEACHERS {
            let message =
                format!("annotate at least {TEACHERS} pages of `{host}` first; there are {}", observed.len());
            return Err(Problem::bad(message));
        }
        let all: Vec<&Observed> = observed.iter().collect();
        let learned = learn(&all, 0.5).map_err(|error| Problem::bad(tsugi_fetch::chain(&error)))?;
        let archive = app.sets.archive(&set)?;
        let others = app.sets.queue(&set)?.into_iter().map(|queued| queued.url);
        let others = others.filter(|url| is_here(url) && !saved.contains_key(url)).take(PREVIEWS);
        let preview = |url: Url| {
            let page = archive.fetch(&url).ok()?.page();
            let (next, content) = apply(&learned.item, &page);
            let text: String = page.text_of_content(&content, &[]).chars().take(200).collect();
            Some(json!({"url": url, "next": next, "content": content.len(), "text": text}))
        };
        let agree = learned.checks.iter().filter(|check| check.agrees()).count();
        Ok(json!({
            "item": learned.item.to_json(),
            "taught": observed.len(),
            "agree": agree,
            "previews": others.filter_map(preview).collect::<Vec<_>>(),
        }))
    })
    .await
}

/// Returns what somebody said as if a model had found it, and were sure.
fn taught(page: Page, annotation: &Annotation) -> Result<Observed, Problem> {
    let named = annotation.on(&page)?;
    let next = named.next.map(|(node, url)| NextLink {
        url: tsugi_page::address::without_fragment(&url),
        node,
        relation: Relation::Page,
        score: 1.0,
        evidence: Evidence::Model,
    });
    let content =
        Content { nodes: named.content, without: named.without, score: 1.0, evidence: Evidence::Model };
    Ok(Observed { page, next, content })
}
