//! The requests of the annotating page, and their answers.

use super::annotation::{Annotation, PageLabel};
use super::comparison::{SetAgreement, compare};
use super::roles::{self, PageBlock};
use super::rule::{RuleTrial, learn_and_try};
use super::sets::{FolderName, MadeSet, QueuedPage, SavedAnnotation};
use super::site_style::SiteStyle;
use crate::app::{App, SharedApp};
use crate::error::{ApiError, Posted, Queried};
use crate::explain::ExplainFacts;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tsugi::page::{NodeId, NodeKind};
use tsugi::{Page, Url};

#[derive(Debug, Serialize)]
pub(super) struct SetList {
    sets: Vec<SetSummary>,
}

#[derive(Debug, Serialize)]
struct SetSummary {
    name: FolderName,
    pages: usize,
    /// Who annotated how many pages.
    people: BTreeMap<String, usize>,
    /// The files that cannot be read, below the folder of the set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<String>,
}

pub(super) async fn sets(State(app): State<SharedApp>) -> Result<Json<SetList>, ApiError> {
    app.run(|app, _| {
        let sets = &app.sets;
        let summary = |name| -> Result<SetSummary, ApiError> {
            let (mut people, mut damaged) = (BTreeMap::new(), Vec::new());
            for person in sets.people(&name)? {
                let saved = sets.saved(&name, &person)?;
                people.insert(person.as_str().to_owned(), saved.pages.len());
                damaged.extend(saved.damaged);
            }
            let pages = sets.queue(&name).map(|queue| queue.len());
            if pages.is_err() {
                damaged.push("queue.json".to_owned());
            }
            Ok(SetSummary { pages: pages.unwrap_or_default(), name, people, damaged })
        };
        Ok(SetList { sets: sets.names()?.into_iter().map(summary).collect::<Result<_, _>>()? })
    })
    .await
    .map(Json)
}

#[derive(Debug, Serialize)]
pub(super) struct Queue {
    pages: Vec<QueueLine>,
    /// What is damaged in the archive of a new set, or in the files of the person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
}

#[derive(Debug, Serialize)]
struct QueueLine {
    /// Whether the person who asks has said what is content and which link leads on. `None` for a new set.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<bool>,
    doubt: f64,
    /// Whether that person has said the role of every block. `None` for a new set.
    #[serde(skip_serializing_if = "Option::is_none")]
    roles_done: Option<bool>,
    title: Option<String>,
    url: Url,
    words: String,
}

impl Queue {
    /// `saved` are the pages of the person who asks; a new set has none.
    fn of(
        pages: Vec<QueuedPage>,
        problems: Vec<String>,
        saved: Option<&BTreeMap<Url, SavedAnnotation>>,
    ) -> Queue {
        let is = |url: &Url, what: fn(&Annotation) -> bool| {
            Some(saved?.get(url).is_some_and(|saved| what(&saved.annotation)))
        };
        let line = |QueuedPage { url, title, words, doubt }| QueueLine {
            done: is(&url, |said| !said.roles_only),
            doubt: f64::from(doubt),
            roles_done: is(&url, |said| roles::are_whole(&said.blocks)),
            title,
            url,
            words,
        };
        Queue { pages: pages.into_iter().map(line).collect(), problems }
    }
}

pub(super) async fn create(
    State(app): State<SharedApp>,
    Path(set): Path<String>,
    body: Bytes,
) -> Result<Json<Queue>, ApiError> {
    let set = FolderName::read(&set)?;
    app.run(move |app, _| {
        let MadeSet { queue, problems } = app.sets.create(&set, &body, &app.tsugi)?;
        Ok(Queue::of(queue, problems, None))
    })
    .await
    .map(Json)
}

pub(super) async fn delete(
    State(app): State<SharedApp>,
    Path(set): Path<String>,
) -> Result<StatusCode, ApiError> {
    let set = FolderName::read(&set)?;
    app.run(move |app, _| app.sets.delete(&set)).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PersonQuery {
    person: String,
}

pub(super) async fn queue(
    State(app): State<SharedApp>,
    Path(set): Path<String>,
    asked: Queried<PersonQuery>,
) -> Result<Json<Queue>, ApiError> {
    let (set, person) = (FolderName::read(&set)?, FolderName::read(&asked.0.person)?);
    app.run(move |app, _| {
        let saved = app.sets.saved(&set, &person)?;
        let queue = app.sets.queue(&set)?;
        Ok(Queue::of(queue, saved.damaged, Some(&saved.pages)))
    })
    .await
    .map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageRequest {
    person: String,
    url: Url,
}

/// A page to annotate. Elements have the numbers of its frame.
#[derive(Debug, Serialize)]
pub(super) struct PageToAnnotate {
    #[serde(flatten)]
    facts: ExplainFacts,
    /// Where links lead, by the number of the element.
    hrefs: Vec<(usize, String)>,
    /// The location path of every element, and of every text that is left out of the content, by its number.
    paths: Vec<(usize, String)>,
    saved: Option<Annotation>,
    text_blocks: Vec<PageBlock>,
}

impl PageToAnnotate {
    fn of(app: &App, page: &Page, saved: Option<Annotation>) -> Result<PageToAnnotate, ApiError> {
        let look = app.tsugi.look(page);
        let facts = ExplainFacts::of(&look, app.frames.keep(page)?);
        let without = saved.iter().flat_map(|saved| &saved.without);
        let mut left_out: Vec<NodeId> = without.filter_map(|path| page.at_location_path(path)).collect();
        left_out.extend(look.shown_content().without());
        let links = page.elements().filter(|node| page.is(*node, "a"));
        let hrefs = links.filter_map(|link| {
            Some((link.index(), page.resolve(page.attribute(link, "href")?)?.to_string()))
        });
        Ok(PageToAnnotate {
            facts,
            hrefs: hrefs.collect(),
            paths: paths(page, &left_out),
            saved,
            text_blocks: roles::blocks(page, &app.tsugi),
        })
    }
}

pub(super) async fn page(
    State(app): State<SharedApp>,
    Path(set): Path<String>,
    wanted: Posted<PageRequest>,
) -> Result<Json<PageToAnnotate>, ApiError> {
    let PageRequest { person, url } = wanted.0;
    let (set, person) = (FolderName::read(&set)?, FolderName::read(&person)?);
    app.run(move |app, _| {
        let page = app.sets.page(&set, &url)?;
        let saved = app.sets.saved(&set, &person)?.pages.remove(&url);
        PageToAnnotate::of(app, &page, saved.map(|saved| saved.annotation))
    })
    .await
    .map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StyleRequest {
    url: Url,
}

/// Answers with what the site's own look of a page needs. It asks the site, so it is asked for only if somebody wants it.
pub(super) async fn style(
    State(app): State<SharedApp>,
    Path(set): Path<String>,
    wanted: Posted<StyleRequest>,
) -> Result<Json<SiteStyle>, ApiError> {
    let set = FolderName::read(&set)?;
    app.run(move |app, cancel| Ok(SiteStyle::of(&app.sets.page(&set, &wanted.0.url)?, &app.http, cancel)))
        .await
        .map(Json)
}

fn paths(page: &Page, left_out: &[NodeId]) -> Vec<(usize, String)> {
    let is_text = |node: &NodeId| page.kind(*node) == NodeKind::Text;
    let mut nodes: Vec<NodeId> = page.elements().collect();
    nodes.extend(left_out.iter().copied().filter(is_text));
    let paths = page.location_paths(&nodes, roles::PATH_STEPS).unwrap_or_default();
    nodes.into_iter().map(NodeId::index).zip(paths).collect()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaveRequest {
    person: String,
    url: Url,
    annotation: Annotation,
}

/// Saves an annotation. When it answers, the files are written.
pub(super) async fn save(
    State(app): State<SharedApp>,
    Path(set): Path<String>,
    given: Posted<SaveRequest>,
) -> Result<Json<PageLabel>, ApiError> {
    let SaveRequest { person, url, annotation } = given.0;
    let (set, person) = (FolderName::read(&set)?, FolderName::read(&person)?);
    app.run(move |app, _| {
        let label = annotation.label(&app.sets.page(&set, &url)?, &app.tsugi, person.as_str())?;
        let saved = SavedAnnotation { url, annotation, label: label.clone() };
        app.sets.save(&set, &person, &saved)?;
        Ok(label)
    })
    .await
    .map(Json)
}

/// Answers with a person's labels, as a file of a data set.
pub(super) async fn export(
    State(app): State<SharedApp>,
    Path((set, person)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let (set, person) = (FolderName::read(&set)?, FolderName::read(&person)?);
    let name = format!("attachment; filename=\"{}-{}-labels.jsonl\"", set.as_str(), person.as_str());
    let labels = app.run(move |app, _| app.sets.labels(&set, &person)).await?;
    let headers =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, labels).into_response())
}

pub(super) async fn agreement(
    State(app): State<SharedApp>,
    Path(set): Path<String>,
) -> Result<Json<SetAgreement>, ApiError> {
    let set = FolderName::read(&set)?;
    app.run(move |app, _| compare(&app.sets, &app.tsugi, &set)).await.map(Json)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleRequest {
    person: String,
    host: String,
}

pub(super) async fn learn_rule(
    State(app): State<SharedApp>,
    Path(set): Path<String>,
    asked: Posted<RuleRequest>,
) -> Result<Json<RuleTrial>, ApiError> {
    let RuleRequest { person, host } = asked.0;
    let (set, person) = (FolderName::read(&set)?, FolderName::read(&person)?);
    app.run(move |app, _| learn_and_try(&app.sets, &set, &person, &host)).await.map(Json)
}
