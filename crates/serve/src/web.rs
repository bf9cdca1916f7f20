//! The pages of the application and their files, inside the program.

use crate::app::Shared;
use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Every file: its path, its media type, and its text.
const FILES: [(&str, &str, &str); 12] = [
    ("/", HTML, include_str!("web/read.html")),
    ("/explain", HTML, include_str!("web/explain.html")),
    ("/annotate", HTML, include_str!("web/annotate.html")),
    ("/static/annotate.js", SCRIPT, include_str!("web/annotate.js")),
    ("/static/marks.js", SCRIPT, include_str!("web/marks.js")),
    ("/static/explain.js", SCRIPT, include_str!("web/explain.js")),
    ("/static/frame.js", SCRIPT, include_str!("web/frame.js")),
    ("/static/style.css", CSS, include_str!("web/style.css")),
    ("/static/api.js", SCRIPT, include_str!("web/api.js")),
    ("/static/article.js", SCRIPT, include_str!("web/article.js")),
    ("/static/read.js", SCRIPT, include_str!("web/read.js")),
    ("/static/theme.js", SCRIPT, include_str!("web/theme.js")),
];

pub(crate) fn routes() -> Router<Shared> {
    FILES.into_iter().fold(Router::new(), |router, (path, media, text)| {
        let file = move || async move { ([(header::CONTENT_TYPE, media)], text).into_response() };
        router.route(path, get(file))
    })
}
