//! Arguments of everything that asks the web.

use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use tsugi::fetch::AllowedPlace;

/// How pages are fetched
///
/// A site is asked for its `robots.txt` first, and for one page at a time.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network options")]
pub struct NetworkArguments {
    /// Send this header to the sites of the sources; can be repeated
    ///
    /// The header goes to no other site, and over https only if the source is https. Its value appears in no message and
    /// no archive.
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = header, hide_short_help = true)]
    pub headers: Vec<String>,
    /// Send the cookies of this file (Netscape format), and save those that sites set
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub cookie_jar: Option<PathBuf>,
    /// User-Agent header to send; for many pages, put a contact address into it
    ///
    /// A site that is asked too much can then write to you instead of shutting you out. For example,
    /// `--user-agent "tsugi (+mailto:you@example.org)"`. Rules for `tsugi` in `robots.txt` apply in any case.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = concat!("tsugi/", env!("CARGO_PKG_VERSION")),
        hide_short_help = true
    )]
    pub user_agent: String,
    /// Wait at least this long between two requests to one host
    ///
    /// A longer `Crawl-delay` of the site takes precedence.
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds, hide_short_help = true)]
    pub delay: Duration,
    /// Retries per page after a transient failure
    ///
    /// Transient failures are: no connection, a time-out, and status 408, 425, 429, 500, 502, 503 or 504. Retries wait
    /// 0.5 s, 1 s, 2 s and so on, or as long as the server asks for, up to 60 s.
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(0..=10), hide_short_help = true)]
    pub retries: u32,
    /// Time limit per page, including redirects, excluding politeness delays
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = positive_seconds, hide_short_help = true)]
    pub timeout: Duration,
    /// Size limit per page in MiB, as sent and after decompression
    #[arg(long, value_name = "MIB", default_value = "20", value_parser = clap::value_parser!(u64).range(1..=1024), hide_short_help = true)]
    pub max_body: u64,
    /// Keep responses in this folder for as long as their servers allow, and reuse them
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub cache: Option<PathBuf>,
    /// Fetch pages that `robots.txt` disallows; for your own sites
    #[arg(long, hide_short_help = true)]
    pub ignore_robots: bool,
    /// Connect to this private host, address or network too; can be repeated
    ///
    /// For example, `localhost`, `192.168.1.7` or `10.0.0.0/8`; commas separate several. A named host may have any
    /// private address, but no other name of that address is asked. Link-local addresses, where clouds keep the secrets
    /// of their machines, are never asked.
    #[arg(long, value_name = "HOST|CIDR", value_delimiter = ',', hide_short_help = true)]
    pub allow_private: Vec<AllowedPlace>,
}

fn header(line: &str) -> Result<String, tsugi::fetch::HeaderError> {
    tsugi::fetch::SiteHeaders::new([line], []).map(|_| line.to_owned())
}

/// Reads a pause or a time limit: 0 to 3600 seconds.
///
/// # Errors
///
/// The text is no such number.
pub fn seconds(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 3600.0;
    let value = text.parse().ok().filter(|value| (0.0..=LONGEST).contains(value));
    let value = value.and_then(|value| Duration::try_from_secs_f64(value).ok());
    value.ok_or_else(|| format!("expected a number of seconds from 0 to {LONGEST}"))
}

fn positive_seconds(text: &str) -> Result<Duration, String> {
    let value = seconds(text)?;
    if value.is_zero() { Err("expected more than 0 seconds".to_owned()) } else { Ok(value) }
}
