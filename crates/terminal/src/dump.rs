//! The dump of Wedata that `tsugi siteinfo update` stores.

use crate::output::complain;
use anyhow::{Context, bail};
use data_encoding::HEXLOWER;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tsugi::Url;
use tsugi::fetch::HeldFile;
use tsugi::rules::Siteinfo;

/// The name of the stored dump for `--rules`; a file of this name is given as `./wedata`.
pub const FETCHED: &str = "wedata";

/// The file of the dump, verbatim, in the [`folder`].
pub const DUMP: &str = "wedata.json";
/// The file of its origin.
pub const ABOUT: &str = "wedata.about.json";

/// The origin of a dump.
#[derive(Debug, Serialize, Deserialize)]
pub struct DumpOrigin {
    /// The address it was fetched from, before redirects.
    pub from: String,
    /// The time it was fetched, in UTC.
    pub fetched: String,
    /// `ETag` of the response.
    pub etag: Option<String>,
    /// `Last-Modified` of the response.
    pub last_modified: Option<String>,
    /// SHA-1 of the dump, since the two files are not written atomically.
    pub sha1: String,
}

/// A dump on disk.
#[derive(Debug)]
pub struct HeldDump {
    /// Its file.
    pub path: PathBuf,
    /// The dump, verbatim.
    pub json: Vec<u8>,
    /// Its origin; `None` if the file is missing, or about another dump.
    pub about: Option<DumpOrigin>,
}

impl HeldDump {
    /// Reads the stored dump; returns `None` if there is none.
    pub fn read(folder: &Path) -> anyhow::Result<Option<HeldDump>> {
        let path = folder.join(DUMP);
        let json = match fs::read(&path) {
            Ok(json) => json,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read `{}`", path.display())),
        };
        let about = fs::read(folder.join(ABOUT)).ok();
        let about = about.and_then(|about| serde_json::from_slice::<DumpOrigin>(&about).ok());
        let about = about.filter(|about| about.sha1 == digest(&json));
        Ok(Some(HeldDump { path, json, about }))
    }

    /// Returns the conditions for a request; none if the dump is from another address.
    pub fn conditions(&self, from: &Url) -> HeldFile {
        let about = self.about.as_ref().filter(|about| about.from == from.as_str());
        about.map_or_else(HeldFile::default, |about| HeldFile {
            etag: about.etag.clone(),
            last_modified: about.last_modified.clone(),
        })
    }

    /// Describes the dump.
    pub fn describe(&self) -> anyhow::Result<String> {
        let siteinfo = Siteinfo::read_dump(&self.json).with_context(|| {
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

/// Reads the stored dump.
pub fn fetched() -> anyhow::Result<Siteinfo> {
    let folder = folder()?;
    let Some(held) = HeldDump::read(&folder)? else { bail!(missing(&folder)) };
    let siteinfo = Siteinfo::read_dump(&held.json)
        .with_context(|| format!("`{}` is not siteinfo; run `tsugi siteinfo update`", held.path.display()))?;
    // The user did not write the dump: one line is enough.
    if !siteinfo.problems().is_empty() {
        complain(&format!("{FETCHED}: skipped {} unusable items", siteinfo.problems().len()));
    }
    Ok(siteinfo)
}

/// Returns the message for a dump that is not there.
pub fn missing(folder: &Path) -> String {
    format!(
        "no dump in `{}`; run `tsugi siteinfo update` (for a file of this name, pass `./{FETCHED}`)",
        folder.display()
    )
}

/// Returns the folder for user data: in `$XDG_DATA_HOME`, or the system's equivalent.
pub fn folder() -> anyhow::Result<PathBuf> {
    let system = choose_native_strategy().context("cannot find a home folder to store the dump in")?;
    Ok(system.data_dir().join("tsugi"))
}

fn newest(json: &[u8]) -> Option<Timestamp> {
    #[derive(Deserialize)]
    struct DatedItem {
        updated_at: Option<String>,
    }
    let items: Vec<serde_json::Value> = serde_json::from_slice(json).ok()?;
    let dates = items.into_iter().filter_map(|item| DatedItem::deserialize(item).ok()?.updated_at);
    dates.filter_map(|date| date.parse().ok()).max()
}

/// Returns the SHA-1 of bytes, in hex.
pub fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha1::digest(bytes))
}
