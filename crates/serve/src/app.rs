//! What all requests share.

use crate::articles::Articles;
use crate::error::Problem;
use crate::frame::Frames;
use crate::history::History;
use crate::sets::Sets;
use crate::token::Token;
use crate::work::Work;
use axum::http::StatusCode;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tsugi::{Http, HttpOptions, Tsugi, Url};
use tsugi_page::address;

/// What a server needs to know.
#[derive(Debug)]
pub struct ServeOptions {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Names of this machine, besides `localhost`, by which clients may ask.
    pub hosts: Vec<String>,
    /// The folder for what was read and annotated. It is created if it is missing.
    pub data: PathBuf,
    /// The secret that allows writing.
    pub token: Token,
    /// How pages are fetched.
    pub http: HttpOptions,
    /// The models and the rules.
    pub tsugi: Tsugi,
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) tsugi: Arc<Tsugi>,
    pub(crate) http: Arc<Http>,
    pub(crate) work: Work,
    pub(crate) history: History,
    pub(crate) articles: Articles,
    pub(crate) sets: Sets,
    pub(crate) frames: Frames,
    pub(crate) token: Token,
    pub(crate) hosts: Vec<String>,
    /// Whether others than the programs of this machine can connect. Then reading needs the token as well.
    pub(crate) is_open: bool,
}

/// The state of every handler.
pub(crate) type Shared = Arc<App>;

/// Reads the address of a web page. A user name and password are dropped, and so is the fragment.
pub(crate) fn web_url(text: &str) -> Result<Url, Problem> {
    const LONGEST: usize = 8_192;
    let url = text.trim().parse().ok().filter(|_| text.len() <= LONGEST).filter(address::is_web);
    let url = url.ok_or_else(|| {
        Problem::new(StatusCode::BAD_REQUEST, "bad-url", "`url` must be an http or https address")
    })?;
    Ok(address::without_userinfo(&address::without_fragment(&url)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_the_web() {
        assert_eq!(web_url(" https://u:p@a.test/x#y ").unwrap().as_str(), "https://a.test/x");
        for text in ["", "a.test", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"] {
            assert_eq!(web_url(text).unwrap_err().word, "bad-url", "{text}");
        }
        assert!(web_url(&format!("https://a.test/{}", "x".repeat(10_000))).is_err());
    }
}
