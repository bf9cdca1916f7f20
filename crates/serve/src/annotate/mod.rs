//! Labelling: sets of pages, the models' drafts, annotations of people (content, next link, roles of blocks), how far these agree,
//! and rules learned from them.
//!
//! The rest of the server knows [`routes`] and [`Sets`](sets::Sets) alone. Labelling builds on the explainer (facts,
//! frames), never the other way round.

mod agreement;
mod annotation;
mod comparison;
mod requests;
mod roles;
mod rule;
pub(crate) mod sets;
mod site_style;

use crate::app::{MAX_ARCHIVE, SharedApp};
use crate::web::{self, HTML, SCRIPT, WebFile};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

const FILES: [WebFile; 4] = [
    ("/annotate", HTML, include_str!("../web/annotate.html")),
    ("/static/annotate.js", SCRIPT, include_str!("../web/annotate.js")),
    ("/static/marks.js", SCRIPT, include_str!("../web/marks.js")),
    ("/static/roles.js", SCRIPT, include_str!("../web/roles.js")),
];

pub(crate) fn routes() -> Router<SharedApp> {
    Router::new()
        .route("/api/sets", get(requests::sets))
        .route("/api/sets/{set}", get(requests::queue).delete(requests::delete))
        .route("/api/sets/{set}", post(requests::create).layer(DefaultBodyLimit::max(MAX_ARCHIVE)))
        .route("/api/sets/{set}/page", post(requests::page))
        .route("/api/sets/{set}/style", post(requests::style))
        .route("/api/sets/{set}/labels", post(requests::save))
        .route("/api/sets/{set}/labels/{person}", get(requests::export))
        .route("/api/sets/{set}/agreement", get(requests::agreement))
        .route("/api/sets/{set}/rule", post(requests::learn_rule))
        .merge(web::files(&FILES))
}
