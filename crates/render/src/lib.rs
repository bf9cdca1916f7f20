//! Draws web pages that only scripts show, and goes on in pages whose next part is behind a button or comes by scrolling.
//!
//! A [`Drawer`] starts a Chromium, Chrome, Edge or Brave that is installed ([`find_browser`]), when the first page needs it. The
//! browser has no network of its own: it is told of a proxy that does not exist and of no name server. Each of its requests is
//! stopped, asked by [`Http::relay`](tsugi_fetch::Http::relay) under the rules for pages, and answered. So no byte passes by the
//! guard, and a request that is not stopped fails.
//!
//! The browser has a profile of its own, which is deleted, and its sandbox. It is spoken to through a pipe; when the pipe closes,
//! however this process ends, it ends too. Media, fonts, trackers and service workers are not loaded. Pages get no downloads,
//! permissions, dialogs or windows.
//!
//! ```text
//! Response ─open→ browser ⇄ requests ⇄ Http ─settled→ tree, written as HTML → Response
//!                    └─ press a control, or scroll ─settled→ what is new → Response
//! ```
//!
//! # Examples
//!
//! ```no_run
//! use std::sync::Arc;
//! use tsugi_fetch::{Fetch, Http, HttpOptions};
//! use tsugi_render::{Drawer, DrawerOptions, find_browser};
//! let http = Arc::new(Http::new(HttpOptions::new("my-reader/1.0"))?);
//! let answer = http.fetch(&"https://example.com/app".parse()?)?;
//! let browser = find_browser(None, &std::env::var_os("PATH").unwrap_or_default())?;
//! let mut drawer = Drawer::new(DrawerOptions::new(browser), http);
//! let drawn = drawer.draw(&answer, &|page| String::from_utf8_lossy(&page.body).into_owned(), &|| false)?;
//! println!("{}", String::from_utf8_lossy(&drawn.page.body));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod connection;
mod drawer;
mod error;
mod find;
mod press;
mod process;
mod relay;
mod rules;
mod shared;

pub use drawer::{ContentOf, Drawer, DrawerOptions, Drawn, IsGone};
pub use error::RenderError;
pub use find::find_browser;
pub use press::{Handle, forbidden};
pub use shared::SharedBrowser;
