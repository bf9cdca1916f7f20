//! Why a page was not drawn.

use std::io;
use std::path::PathBuf;

/// Why a browser did not draw a page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// No browser was found.
    #[error(
        "there is no Chromium, Chrome, Edge or Brave; install one (Debian: `apt install chromium`), or name it"
    )]
    NotFound,
    /// The named file is no program.
    #[error("`{}` is not a program", path.display())]
    NotAProgram {
        /// The file.
        path: PathBuf,
    },
    /// The system has no way to start it that is known here.
    #[error("browsers are started on Linux, macOS and other Unix systems only")]
    Unsupported,
    /// The browser could not be started.
    #[error("`{}` cannot be started: {said}", path.display())]
    Start {
        /// The program.
        path: PathBuf,
        /// What it said last, or what the system said.
        said: String,
    },
    /// The browser ended, or no longer answers.
    #[error("the browser {what}")]
    Gone {
        /// What it did: a phrase with a verb.
        what: &'static str,
    },
    /// The browser refused a command.
    #[error("the browser refused `{command}`: {said}")]
    Refused {
        /// The command of its protocol.
        command: &'static str,
        /// Why.
        said: String,
    },
    /// The page shows no document: an error of the browser.
    #[error("the browser shows no page: {said}")]
    NoPage {
        /// What it said.
        said: String,
    },
    /// Nobody waits for the page any more.
    #[error("nobody waits for the page any more")]
    Unwanted,
    /// The control that leads on must not be pressed.
    #[error("{0}")]
    NotPressed(String),
    /// What leads on failed.
    #[error("{0}")]
    Broken(String),
    /// Going on brought nothing new.
    #[error("{0}")]
    NothingMore(String),
    /// The system refused a file or a pipe.
    #[error("the browser's files cannot be used")]
    Io(#[from] io::Error),
}
