//! Arguments of what draws pages with a browser.

use clap::{Args, ValueEnum};
#[cfg(feature = "browser")]
use std::path::PathBuf;

/// When a browser draws a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BrowserUse {
    #[cfg_attr(not(feature = "browser"), default)]
    Never,
    #[cfg_attr(feature = "browser", default)]
    Auto,
    Always,
}

/// How pages are drawn that only scripts show
///
/// A Chromium, Chrome, Edge or Brave that is installed is started with a profile of its own. All that it asks for is fetched under
/// the network options, and for documents under `robots.txt`. It presses only what leads to the next page.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Browser options")]
pub(crate) struct BrowserArguments {
    /// Let a browser draw pages: never, auto (those that need it), always
    ///
    /// A page needs it if it shows almost nothing without scripts, or if its next page is behind a button. Then the browser presses
    /// the button, or scrolls, and what is new becomes the next page.
    #[cfg(feature = "browser")]
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        hide_possible_values = true,
        default_value = "auto",
        hide_short_help = true
    )]
    pub(crate) browser: BrowserUse,
    /// Program of the browser [default: the first one on the PATH]
    #[cfg(feature = "browser")]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) browser_path: Option<PathBuf>,
}
