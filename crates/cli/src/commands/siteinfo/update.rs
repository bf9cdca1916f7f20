//! `tsugi siteinfo update` and `show`: fetch, check and store the dump of Wedata.

use crate::args::SiteinfoUpdateArguments;
use anyhow::{Context, bail};
use jiff::Timestamp;
use std::fs;
use std::io::Write as _;
use tsugi::fetch::HeldFile;
use tsugi::page::address;
use tsugi::rules::Siteinfo;
use tsugi::{Http, Url};
use tsugi_terminal::dump::{ABOUT, DUMP, DumpOrigin, HeldDump, digest, folder, missing};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, refuse, write_file};
use tsugi_terminal::source::{http_options, without_password};

/// The address of the dump that clients of AutoPagerize use. It has plain HTTP only.
const WEDATA: &str = "http://wedata.net/databases/AutoPagerize/items_all.json";

const UNCHANGED: &str = "unchanged since it was fetched";

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
    let about = |json: &[u8]| DumpOrigin {
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
        Siteinfo::read_dump(&json).with_context(|| format!("response from `{url}` is not a dump{kept}"))?;
    let usable = siteinfo.items().len();
    if usable == 0 {
        bail!("response from `{url}` has no usable items{kept}");
    }
    // A stored dump that cannot be read is not worth keeping.
    let before = held.as_ref().and_then(|held| Siteinfo::read_dump(&held.json).ok());
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

pub(crate) fn show() -> anyhow::Result<Exit> {
    let folder = folder()?;
    let Some(held) = HeldDump::read(&folder)? else {
        complain(&missing(&folder));
        return Ok(Exit::NothingFound);
    };
    print(&held.describe()?)?;
    Ok(Exit::Done)
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
