//! `tsugi siteinfo update` and `show`: the dump of Wedata, fetched, checked and held.

use crate::args::SiteinfoUpdateArguments;
use crate::exit::Exit;
use crate::output::{complain, refuse, write_file};
use crate::source::http_options;
use anyhow::{Context, bail};
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

/// What `--rules` calls the fetched dump; a file of this name is given as `./wedata`.
pub(crate) const FETCHED: &str = "wedata";

/// Where the dump is: the address that the clients of AutoPagerize use. It answers over plain HTTP only.
const WEDATA: &str = "http://wedata.net/databases/AutoPagerize/items_all.json";

/// What is said where there is no other dump than the one that is held.
const UNCHANGED: &str = "not changed since it was fetched";

/// The dump as it came, and what is known of it.
const DUMP: &str = "wedata.json";
const ABOUT: &str = "wedata.about.json";

/// What is known of a dump beside what stands in it.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    /// Where it was fetched from, before redirects.
    from: String,
    /// When, in UTC.
    fetched: String,
    etag: Option<String>,
    last_modified: Option<String>,
    /// SHA-1 of the dump: the two files are written one after the other.
    sha1: String,
}

/// A dump on disk.
struct HeldDump {
    path: PathBuf,
    json: Vec<u8>,
    /// `None` where the file is missing, or about another dump.
    about: Option<About>,
}

impl HeldDump {
    /// Reads what is held; `None` where there is nothing.
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

    /// What to ask an address with; nothing where the dump came from another one.
    fn conditions(&self, from: &Url) -> HeldFile {
        let about = self.about.as_ref().filter(|about| about.from == public(from));
        about.map_or_else(HeldFile::default, |about| HeldFile {
            etag: about.etag.clone(),
            last_modified: about.last_modified.clone(),
        })
    }

    /// Says what is held.
    fn describe(&self) -> anyhow::Result<String> {
        let siteinfo = Siteinfo::read(&self.json).with_context(|| {
            format!("`{}` is broken; `tsugi siteinfo update` fetches it anew", self.path.display())
        })?;
        let usable = siteinfo.items().len();
        let mut text = format!("dump     {}\n", self.path.display());
        let _ = writeln!(text, "items    {}, {usable} of them usable", usable + siteinfo.problems().len());
        if let Some(newest) = newest(&self.json) {
            let _ = writeln!(text, "newest   {newest}");
        }
        if let Some(about) = &self.about {
            let _ = writeln!(text, "fetched  {} from {}", about.fetched, about.from);
        }
        Ok(text)
    }
}

/// Fetches the dump, checks it, and puts it in the place of the one that is held.
pub(crate) fn run(arguments: &SiteinfoUpdateArguments) -> anyhow::Result<Exit> {
    let from = arguments.from.as_deref().unwrap_or(WEDATA);
    let url = from.parse::<Url>().ok().filter(address::is_web);
    let Some(url) = url else {
        return Ok(refuse(&format!("`{from}` is no http(s) address; a file is given to `--rules` as it is")));
    };
    let folder = folder()?;
    let mut held = HeldDump::read(&folder)?;
    let conditions = held.as_ref().map_or_else(HeldFile::default, |held| held.conditions(&url));
    let failed = || match &held {
        Some(_) => "the dump cannot be fetched; the one that is held stays",
        None => "the dump cannot be fetched; try again later, or name a mirror with `--from`",
    };
    let download = Http::new(http_options(&arguments.network, [])?)
        .and_then(|http| http.download(&url, &conditions))
        .with_context(failed)?;
    let about = |json: &[u8]| About {
        from: public(&url),
        fetched: format!("{:.0}", Timestamp::now()),
        etag: download.held.etag.clone(),
        last_modified: download.held.last_modified.clone(),
        sha1: digest(json),
    };
    let json = match (download.body, held) {
        (None, None) => bail!("the server says that nothing has changed, but nothing is held"),
        (None, Some(held)) => return say(UNCHANGED, &held),
        (Some(json), Some(mut held)) if held.json == json => {
            // What is known of it may be missing, or be of another address.
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
    let kept = if held.is_some() { "; the dump that is held stays" } else { "" };
    let siteinfo =
        Siteinfo::read(&json).with_context(|| format!("what `{url}` answered is no dump{kept}"))?;
    let usable = siteinfo.items().len();
    if usable == 0 {
        bail!("what `{url}` answered has no usable item{kept}");
    }
    // One that cannot be read has nothing to lose.
    let before = held.as_ref().and_then(|held| Siteinfo::read(&held.json).ok());
    let before = before.map_or(0, |before| before.items().len());
    if usable.saturating_mul(2) < before && !arguments.force {
        bail!(
            "what `{url}` answered has {usable} usable items, the dump that is held {before}: less than half; \
             `--force` takes it all the same"
        );
    }
    // Two dumps of strangers are read one after the other, not side by side.
    drop(siteinfo);
    let about = about(&json);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    write_file(&folder.join(DUMP), &json)?;
    write_file(&folder.join(ABOUT), &serde_json::to_vec_pretty(&about)?)?;
    let held = HeldDump { path: folder.join(DUMP), json, about: Some(about) };
    say(if before == 0 { "fetched" } else { "updated" }, &held)
}

/// An address without the name and password that it was asked with.
fn public(url: &Url) -> String {
    let mut url = url.clone();
    // Addresses that cannot have them have none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

/// Shows what is held, without the network.
pub(crate) fn show() -> anyhow::Result<Exit> {
    let folder = folder()?;
    let Some(held) = HeldDump::read(&folder)? else {
        complain(&missing(&folder));
        return Ok(Exit::NothingFound);
    };
    print(&held.describe()?)?;
    Ok(Exit::Done)
}

/// Reads the dump that is held.
pub(crate) fn fetched() -> anyhow::Result<Siteinfo> {
    let folder = folder()?;
    let Some(held) = HeldDump::read(&folder)? else { bail!(missing(&folder)) };
    let siteinfo = Siteinfo::read(&held.json).with_context(|| {
        format!("`{}` is no siteinfo; `tsugi siteinfo update` fetches it anew", held.path.display())
    })?;
    // Who fetched a dump did not write it: one line is enough.
    if !siteinfo.problems().is_empty() {
        complain(&format!("{FETCHED}: {} items cannot be used, passed over", siteinfo.problems().len()));
    }
    Ok(siteinfo)
}

fn missing(folder: &Path) -> String {
    format!(
        "no dump is held in `{}`; run `tsugi siteinfo update` (a file of this name is `./{FETCHED}`)",
        folder.display()
    )
}

fn say(what: &str, held: &HeldDump) -> anyhow::Result<Exit> {
    print(&format!("{what}\n{}", held.describe()?))?;
    Ok(Exit::Done)
}

fn print(text: &str) -> anyhow::Result<()> {
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// The folder for data of the user: `$XDG_DATA_HOME`, or where the system keeps such.
fn folder() -> anyhow::Result<PathBuf> {
    let system = choose_native_strategy().context("no home folder is known to keep the dump in")?;
    Ok(system.data_dir().join("tsugi"))
}

/// The newest `updated_at` of the items.
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
    format!("{:x}", Sha1::digest(bytes))
}
