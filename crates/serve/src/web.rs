//! The pages of the application and their files, inside the program. They are plain JavaScript modules, without framework
//! and build step.

use crate::app::SharedApp;
use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const CSS: &str = "text/css; charset=utf-8";
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";

pub(crate) type WebFile = (&'static str, &'static str, &'static str);

const ICON: &str = "image/svg+xml";

const FILES: [WebFile; 18] = [
    ("/", HTML, include_str!("web/read.html")),
    ("/read", HTML, include_str!("web/read.html")),
    ("/docs", HTML, include_str!("web/docs.html")),
    ("/favicon.ico", ICON, include_str!("web/icon.svg")),
    ("/static/icon.svg", ICON, include_str!("web/icon.svg")),
    ("/static/manifest.webmanifest", "application/manifest+json", include_str!("web/manifest.webmanifest")),
    ("/static/docs.js", SCRIPT, include_str!("web/docs.js")),
    ("/static/library.js", SCRIPT, include_str!("web/library.js")),
    ("/static/place.js", SCRIPT, include_str!("web/place.js")),
    ("/explain", HTML, include_str!("web/explain.html")),
    ("/static/explain.js", SCRIPT, include_str!("web/explain.js")),
    ("/static/frame.js", SCRIPT, include_str!("web/frame.js")),
    ("/static/style.css", CSS, include_str!("web/style.css")),
    ("/static/api.js", SCRIPT, include_str!("web/api.js")),
    ("/static/article.js", SCRIPT, include_str!("web/article.js")),
    ("/static/read.js", SCRIPT, include_str!("web/read.js")),
    ("/static/theme.js", SCRIPT, include_str!("web/theme.js")),
    // The interface for programs. Tests compare it with the routes and their answers.
    ("/openapi.json", "application/json", include_str!("openapi.json")),
];

pub(crate) fn routes() -> Router<SharedApp> {
    files(&FILES)
}

pub(crate) fn files(files: &[WebFile]) -> Router<SharedApp> {
    files.iter().fold(Router::new(), |router, &(path, media, text)| {
        let file = move || async move { ([(header::CONTENT_TYPE, media)], text).into_response() };
        router.route(path, get(file))
    })
}
