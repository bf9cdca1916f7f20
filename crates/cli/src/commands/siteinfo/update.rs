//! `tsugi siteinfo update` and `show`: fetch, check and store the dump of Wedata.

use crate::args::SiteinfoUpdateArguments;
use crate::exit::Exit;
use crate::output::{Output, complain, refuse, write_file};
use crate::source::{http_options, without_password};
use anyhow::{Context, bail};
use data_encoding::HEXLOWER;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use tsugi::Http;
use tsugi_fetch::HeldFile;
use tsugi_page::{Url, address};
use tsugi_siteinfo::Siteinfo;

/// The name of the stored dump for `--rules`; a file of this name is given as `./wedata`.
pub(crate) const FETCHED: &str = "wedata";

/// The address of the dump that clients of AutoPagerize use. It has plain HTTP only.
const WEDATA: &str = "http://wedata.net/databases/AutoPagerize/items_all.json";

/// Printed if the stored dump is the newest.
const UNCHANGED: &str = "unchanged since it was fetched";

/// File names of the dump, verbatim, and of its origin.
const DUMP: &str = "wedata.json";
const ABOUT: &str = "wedata.about.json";

/// The origin of a dump.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    /// The address it was fetched from, before redirects.
    from: String,
    /// The time it was fetched, in UTC.
    fetched: String,
    etag: Option<String>,
    last_modified: Option<String>,
    /// SHA-1 of the dump, since the two files are not written atomically.
    sha1: String,
}

/// A dump on disk.
struct HeldDump {
    path: PathBuf,
    json: Vec<u8>,
    /// `None` if the file is missing, or about another dump.
    about: Option<About>,
}

impl HeldDump {
    /// Reads the stored dump; returns `None` if there is none.
    fn read(folder: &Path) -> anyhow::Result<Option<HeldDump>> {
        let path = folder.join(DUMP);
        let json = match fs::read(&path) {
            Ok(json) => json,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read `{}`", path.display())),
        };
        let about = fs::read(folder.join(ABOUT)).ok();
        let about = about.and_then(|about| serde_json::from_slice::<About>(&about).ok());
        let about = about.filter(|about| about.sha1 == digest(&json));
        Ok(Some(HeldDump { path, json, about }))
    }

    /// Returns the conditions for a request; none if the dump is from another address.
    fn conditions(&self, from: &Url) -> HeldFile {
        let about = self.about.as_ref().filter(|about| about.from == from.as_str());
        about.map_or_else(HeldFile::default, |about| HeldFile {
            etag: about.etag.clone(),
            last_modified: about.last_modified.clone(),
        })
    }

    /// Describes the dump.
    fn describe(&self) -> anyhow::Result<String> {
        let siteinfo = Siteinfo::read(&self.json).with_context(|| {
            format!("`{}` is not siteinfo; run `tsugi siteinfo update`", self.path.display())
        })?;
        let usable = siteinfo.items().len();
        let mut text = format!("dump     {}\n", self.path.display());
        let _ = writeln!(text, "items    {}, {usable} usable", usable + siteinfo.problems().len());
        if let Some(newest) = newest(&self.json) {
            let _ = writeln!(text, "newest   {newest}");
        }
        if let Some(about) = &self.about {
            let _ = writeln!(text, "fetched  {} from {}", about.fetched, about.from);
        }
        Ok(text)
    }
}

/// Fetches the dump, checks it, and replaces the stored one.
pub(crate) fn run(arguments: &SiteinfoUpdateArguments) -> anyhow::Result<Exit> {
    let from = arguments.from.as_deref().unwrap_or(WEDATA);
    let url = from.parse::<Url>().ok().filter(address::is_web);
    let Some(url) = url else {
        let from = without_password(from);
        return Ok(refuse(&format!("`{from}` is not an http(s) address; pass files directly to `--rules`")));
    };
    let options = http_options(&arguments.network, [url.clone()])?;
    let url = address::without_userinfo(&url);
    let folder = folder()?;
    let mut held = HeldDump::read(&folder)?;
    let conditions = held.as_ref().map_or_else(HeldFile::default, |held| held.conditions(&url));
    let failed = || match &held {
        Some(_) => "cannot fetch the dump; keeping the stored one",
        None => "cannot fetch the dump; try again later, or use a mirror with `--from`",
    };
    let download =
        Http::new(options).and_then(|http| http.download(&url, &conditions)).with_context(failed)?;
    let about = |json: &[u8]| About {
        from: url.to_string(),
        fetched: format!("{:.0}", Timestamp::now()),
        etag: download.held.etag.clone(),
        last_modified: download.held.last_modified.clone(),
        sha1: digest(json),
    };
    let json = match (download.body, held) {
        (None, None) => bail!("the server reports an unchanged dump, but none is stored"),
        (None, Some(held)) => return say(UNCHANGED, &held),
        (Some(json), Some(mut held)) if held.json == json => {
            // The stored origin may be missing, or another address.
            let about = about(&json);
            write_file(&folder.join(ABOUT), &serde_json::to_vec_pretty(&about)?)?;
            held.about = Some(about);
            return say(UNCHANGED, &held);
        }
        (Some(json), before) => {
            held = before;
            json
        }
    };
    let kept = if held.is_some() { "; keeping the stored dump" } else { "" };
    let siteinfo =
        Siteinfo::read(&json).with_context(|| format!("response from `{url}` is not a dump{kept}"))?;
    let usable = siteinfo.items().len();
    if usable == 0 {
        bail!("response from `{url}` has no usable items{kept}");
    }
    // A stored dump that cannot be read is not worth keeping.
    let before = held.as_ref().and_then(|held| Siteinfo::read(&held.json).ok());
    let before = before.map_or(0, |before| before.items().len());
    if usable.saturating_mul(2) < before && !arguments.force {
        bail!(
            "dump from `{url}` has {usable} usable items, less than half of the {before} in the stored dump; \
             pass `--force` to use it"
        );
    }
    // Do not keep two parsed dumps in memory.
    drop(siteinfo);
    let about = about(&json);
    fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create the folder `{}`", folder.display()))?;
    write_file(&folder.join(DUMP), &json)?;
    write_file(&folder.join(ABOUT), &serde_json::to_vec_pretty(&about)?)?;
    let held = HeldDump { path: folder.join(DUMP), json, about: Some(about) };
    say(if before == 0 { "fetched" } else { "updated" }, &held)
}

/// Shows the stored dump, without network access.
pub(crate) fn show() -> anyhow::Result<Exit> {
    let folder = folder()?;
    let Some(held) = HeldDump::read(&folder)? else {
        complain(&missing(&folder));
        return Ok(Exit::NothingFound);
    };
    print(&held.describe()?)?;
    Ok(Exit::Done)
}

/// Reads the stored dump.
pub(crate) fn fetched() -> anyhow::Result<Siteinfo> {
    let folder = folder()?;
    let Some(held) = HeldDump::read(&folder)? else { bail!(missing(&folder)) };
    let siteinfo = Siteinfo::read(&held.json)
        .with_context(|| format!("`{}` is not siteinfo; run `tsugi siteinfo update`", held.path.display()))?;
    // The user did not write the dump: one line is enough.
    if !siteinfo.problems().is_empty() {
        complain(&format!("{FETCHED}: skipped {} unusable items", siteinfo.problems().len()));
    }
    Ok(siteinfo)
}

fn missing(folder: &Path) -> String {
    format!(
        "no dump in `{}`; run `tsugi siteinfo update` (for a file of this name, pass `./{FETCHED}`)",
        folder.display()
    )
}

fn say(what: &str, held: &HeldDump) -> anyhow::Result<Exit> {
    print(&format!("{what}\n{}", held.describe()?))?;
    Ok(Exit::Done)
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = Output::screen();
    out.write_all(text.as_bytes())?;
    out.finish()
}

/// Returns the folder for user data: in `$XDG_DATA_HOME`, or the system's equivalent.
fn folder() -> anyhow::Result<PathBuf> {
    let system = choose_native_strategy().context("cannot find a home folder to store the dump in")?;
    Ok(system.data_dir().join("tsugi"))
}

/// Returns the newest `updated_at` of the items.
fn newest(json: &[u8]) -> Option<Timestamp> {
    #[derive(Deserialize)]
    struct Item {
        updated_at: Option<String>,
    }
    let items: Vec<serde_json::Value> = serde_json::from_slice(json).ok()?;
    let dates = items.into_iter().filter_map(|item| Item::deserialize(item).ok()?.updated_at);
    dates.filter_map(|date| date.parse().ok()).max()
}

fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha1::digest(bytes))
}
