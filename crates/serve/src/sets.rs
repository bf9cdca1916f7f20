//! Sets of pages to annotate, below `DIR/sets`.
//!
//! ```text
//! SET/pages.warc.gz                   the pages
//! SET/queue.json                      their addresses, the most uncertain first
//! SET/by/WHO/pages/KEY.json           what WHO said about a page
//! SET/by/WHO/{pages.warc.gz,labels.jsonl}   the same as a data set
//! ```
//!
//! Every file appears whole or not at all, so a killed server loses nothing that it said was saved.

use crate::annotation::Annotation;
use crate::error::Problem;
use crate::history::write;
use crate::token::hex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tsugi::{Archive, Fetch, Tsugi, Url};
use tsugi_fetch::{ArchiveWriter, NewFile, Readers, records};
use tsugi_page::Page;

/// The most pages of a set.
const MOST_PAGES: usize = 2_000;

/// A name of a set or a person: letters, digits, `-` and `_`, at most 40. It can name nothing but a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Name(String);

impl Name {
    pub(crate) fn read(text: &str) -> Result<Name, Problem> {
        let is_one = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if (1..=40).contains(&text.len()) && text.chars().all(is_one) {
            Ok(Name(text.to_owned()))
        } else {
            Err(Problem::bad("a name has 1 to 40 letters, digits, `-` and `_`"))
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A page of a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Queued {
    pub(crate) url: Url,
    pub(crate) title: Option<String>,
    /// How unsure the models are, in [0, 1].
    pub(crate) doubt: f32,
}

/// What one person said about one page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) url: Url,
    pub(crate) annotation: Annotation,
    pub(crate) label: Value,
}

/// The sets of a server.
#[derive(Debug)]
pub(crate) struct Sets {
    folder: PathBuf,
    /// Held while files of a person are written.
    writing: Mutex<()>,
}

impl Sets {
    pub(crate) fn open(folder: &Path) -> io::Result<Sets> {
        fs::create_dir_all(folder)?;
        Ok(Sets { folder: folder.to_owned(), writing: Mutex::new(()) })
    }

    fn path(&self, set: &Name) -> PathBuf {
        self.folder.join(set.as_str())
    }

    fn archive_path(&self, set: &Name) -> PathBuf {
        self.path(set).join("pages.warc.gz")
    }

    /// Returns the names of all sets.
    pub(crate) fn names(&self) -> io::Result<Vec<Name>> {
        Ok(names(&self.folder)?
            .into_iter()
            .filter(|set| self.path(set).join("queue.json").exists())
            .collect())
    }

    /// Returns the people who annotated pages of a set.
    pub(crate) fn people(&self, set: &Name) -> io::Result<Vec<Name>> {
        names(&self.path(set).join("by"))
    }

    /// Makes a set of the pages of an archive. Each address counts once.
    pub(crate) fn create(&self, set: &Name, archive: &Path, tsugi: &Tsugi) -> Result<Vec<Queued>, Problem> {
        if self.path(set).exists() {
            return Err(Problem::bad(format!("there is a set `{}` already", set.as_str())));
        }
        let read = records(archive).map_err(|error| Problem::bad(tsugi_fetch::chain(&error)))?;
        fs::create_dir_all(self.path(set))?;
        let made = self.fill(set, read.flatten().filter_map(|record| record.response.ok()), tsugi);
        if made.is_err() {
            fs::remove_dir_all(self.path(set))?;
        }
        made
    }

    fn fill(
        &self,
        set: &Name,
        pages: impl Iterator<Item = tsugi::Response>,
        tsugi: &Tsugi,
    ) -> Result<Vec<Queued>, Problem> {
        let file = NewFile::create(&self.archive_path(set), Readers::Owner)?;
        let mut writer = ArchiveWriter::new(BufWriter::new(file));
        let date = jiff::Timestamp::now().to_string();
        let (mut seen, mut queue) = (BTreeSet::new(), Vec::new());
        for response in pages {
            if !seen.insert(response.url.to_string()) {
                continue;
            }
            if queue.len() == MOST_PAGES {
                return Err(Problem::bad(format!("a set has at most {MOST_PAGES} pages")));
            }
            writer.write(&response, &date)?;
            queue.push(queued(&response.page(), tsugi));
        }
        if queue.is_empty() {
            return Err(Problem::bad("the file holds no pages; expected a WARC archive"));
        }
        writer.finish()?.into_inner().map_err(io::Error::from)?.finish()?;
        queue.sort_by(|one, other| other.doubt.total_cmp(&one.doubt).then_with(|| one.url.cmp(&other.url)));
        let json = serde_json::to_vec(&queue).map_err(io::Error::from)?;
        write(&self.path(set).join("queue.json"), &json)?;
        Ok(queue)
    }

    /// Returns the pages of a set, the most uncertain first.
    pub(crate) fn queue(&self, set: &Name) -> Result<Vec<Queued>, Problem> {
        let bytes = found(fs::read(self.path(set).join("queue.json")), "there is no such set")?;
        Ok(serde_json::from_slice(&bytes).map_err(io::Error::from)?)
    }

    /// Returns the archive of a set.
    pub(crate) fn archive(&self, set: &Name) -> Result<Archive, Problem> {
        Archive::open(&self.archive_path(set)).map_err(|_| Problem::not_found("there is no such set"))
    }

    /// Returns a page of a set.
    pub(crate) fn page(&self, set: &Name, url: &Url) -> Result<Page, Problem> {
        let response = self.archive(set)?.fetch(url);
        Ok(response.map_err(|_| Problem::not_found("the set has no such page"))?.page())
    }

    fn person_path(&self, set: &Name, person: &Name) -> PathBuf {
        self.path(set).join("by").join(person.as_str())
    }

    /// Saves what a person says about a page, and renews the person's data set.
    pub(crate) fn save(&self, set: &Name, person: &Name, saved: &Saved) -> Result<(), Problem> {
        let folder = self.person_path(set, person);
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        fs::create_dir_all(folder.join("pages"))?;
        let key = hex(&Sha1::digest(saved.url.as_str()));
        let json = serde_json::to_vec(saved).map_err(io::Error::from)?;
        write(&folder.join("pages").join(format!("{key}.json")), &json)?;
        let pages = folder.join("pages.warc.gz");
        if !pages.exists() && fs::hard_link(self.archive_path(set), &pages).is_err() {
            // A file system without links holds the pages twice.
            write(&pages, &fs::read(self.archive_path(set))?)?;
        }
        let mut lines = String::new();
        for saved in self.saved(set, person)?.values() {
            lines.push_str(&saved.label.to_string());
            lines.push('\n');
        }
        Ok(write(&folder.join("labels.jsonl"), lines.as_bytes())?)
    }

    /// Returns what a person said, by address.
    pub(crate) fn saved(&self, set: &Name, person: &Name) -> Result<BTreeMap<Url, Saved>, Problem> {
        let mut saved = BTreeMap::new();
        let folder = match fs::read_dir(self.person_path(set, person).join("pages")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(saved),
            folder => folder?,
        };
        for file in folder {
            let path = file?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                let one: Saved = serde_json::from_slice(&fs::read(path)?).map_err(io::Error::from)?;
                saved.insert(one.url.clone(), one);
            }
        }
        Ok(saved)
    }

    /// Returns an unused name for an upload.
    pub(crate) fn upload(&self) -> io::Result<PathBuf> {
        Ok(self.folder.join(format!(".upload-{}", crate::token::random_name()?)))
    }
}

/// Returns the folders with names.
fn names(folder: &Path) -> io::Result<Vec<Name>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(Name::read(&entry?.file_name().to_string_lossy()).ok());
    }
    names.sort();
    Ok(names)
}

fn found<T>(read: io::Result<T>, missing: &str) -> Result<T, Problem> {
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Problem::not_found(missing)),
        read => Ok(read?),
    }
}

/// Returns how unsure the models are about a page: about its next link, or about its content.
fn queued(page: &Page, tsugi: &Tsugi) -> Queued {
    let look = tsugi.look(page);
    let link = look.best().map_or(0.0, |link| link.score);
    let sure = link.max(1.0 - link).min(look.shown_content().score);
    Queued { url: page.url().clone(), title: look.metadata().title.map(|said| said.value), doubt: 1.0 - sure }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_path() {
        for text in ["", ".", "..", "a/b", "a b", "ä", &"x".repeat(41)] {
            assert!(Name::read(text).is_err(), "{text}");
        }
        assert!(Name::read("set-1_a").is_ok());
    }
}
