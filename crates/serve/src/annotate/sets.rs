//! Sets of pages to annotate, below `DIR/sets`.
//!
//! ```text
//! SET/pages.warc.gz                   the pages
//! SET/queue.json                      their addresses, the most uncertain first
//! SET/by/WHO/pages/KEY.json           WHO's annotation of a page
//! SET/by/WHO/{pages.warc.gz,labels.jsonl}   the same as a data set
//! ```
//!
//! Every file appears whole or not at all, so a killed server loses nothing that it reported as saved.

use super::annotation::{Annotation, PageLabel};
use crate::error::ApiError;
use crate::history::{found, write};
use crate::token::{hex, is_word_character, random_name};
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tsugi::fetch::{ArchiveWriter, NewFile, Readers, records};
use tsugi::page::Page;
use tsugi::pipeline::locked;
use tsugi::{Archive, Fetch, Tsugi, Url};

const MOST_PAGES: usize = 2_000;

/// The name of a set or a person: at most 40 letters, digits, `-` and `_`. It can name nothing but a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct FolderName(String);

impl FolderName {
    pub(crate) fn read(text: &str) -> Result<FolderName, ApiError> {
        if (1..=40).contains(&text.len()) && text.chars().all(is_word_character) {
            Ok(FolderName(text.to_owned()))
        } else {
            Err(ApiError::bad("a name has 1 to 40 letters, digits, `-` and `_`"))
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct QueuedPage {
    pub(super) url: Url,
    pub(super) title: Option<String>,
    /// How unsure the models are, in [0, 1].
    pub(super) doubt: f32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedAnnotation {
    pub(super) url: Url,
    pub(super) annotation: Annotation,
    pub(super) label: PageLabel,
}

#[derive(Debug)]
pub(crate) struct Sets {
    folder: PathBuf,
    /// Held while a person's files are written.
    writing: Mutex<()>,
}

impl Sets {
    /// Opens the folder of the sets, or creates it.
    pub(crate) fn open(folder: &Path) -> io::Result<Sets> {
        fs::create_dir_all(folder)?;
        Ok(Sets { folder: folder.to_owned(), writing: Mutex::new(()) })
    }

    fn path(&self, set: &FolderName) -> PathBuf {
        self.folder.join(set.as_str())
    }

    fn archive_path(&self, set: &FolderName) -> PathBuf {
        self.path(set).join("pages.warc.gz")
    }

    pub(super) fn names(&self) -> io::Result<Vec<FolderName>> {
        Ok(names(&self.folder)?
            .into_iter()
            .filter(|set| self.path(set).join("queue.json").exists())
            .collect())
    }

    pub(super) fn people(&self, set: &FolderName) -> io::Result<Vec<FolderName>> {
        names(&self.path(set).join("by"))
    }

    /// Makes a set of the pages of an archive, the first of each address.
    pub(super) fn create(
        &self,
        set: &FolderName,
        archive: &Path,
        tsugi: &Tsugi,
    ) -> Result<Vec<QueuedPage>, ApiError> {
        if self.path(set).exists() {
            return Err(ApiError::bad(format!("there is a set `{}` already", set.as_str())));
        }
        let read = records(archive).map_err(|error| ApiError::bad(tsugi::fetch::chain(&error)))?;
        fs::create_dir_all(self.path(set))?;
        let made = self.fill(set, read.flatten().filter_map(|record| record.response.ok()), tsugi);
        if made.is_err() {
            fs::remove_dir_all(self.path(set))?;
        }
        made
    }

    fn fill(
        &self,
        set: &FolderName,
        pages: impl Iterator<Item = tsugi::Response>,
        tsugi: &Tsugi,
    ) -> Result<Vec<QueuedPage>, ApiError> {
        let file = NewFile::create(&self.archive_path(set), Readers::Owner)?;
        let mut writer = ArchiveWriter::new(BufWriter::new(file));
        let date = jiff::Timestamp::now().to_string();
        let (mut seen, mut queue) = (BTreeSet::new(), Vec::new());
        for response in pages {
            if !seen.insert(response.url.to_string()) {
                continue;
            }
            if queue.len() == MOST_PAGES {
                return Err(ApiError::bad(format!("a set has at most {MOST_PAGES} pages")));
            }
            writer.write(&response, &date)?;
            queue.push(queued(&response.page(), tsugi));
        }
        if queue.is_empty() {
            return Err(ApiError::bad("the file holds no pages; expected a WARC archive"));
        }
        writer.finish()?.into_inner().map_err(io::Error::from)?.finish()?;
        queue.sort_by(|one, other| other.doubt.total_cmp(&one.doubt).then_with(|| one.url.cmp(&other.url)));
        let json = serde_json::to_vec(&queue).map_err(io::Error::from)?;
        write(&self.path(set).join("queue.json"), &json)?;
        Ok(queue)
    }

    pub(super) fn queue(&self, set: &FolderName) -> Result<Vec<QueuedPage>, ApiError> {
        let bytes = found(fs::read(self.path(set).join("queue.json")), no_such_set)?;
        Ok(serde_json::from_slice(&bytes).map_err(io::Error::from)?)
    }

    pub(crate) fn archive(&self, set: &FolderName) -> Result<Archive, ApiError> {
        Archive::open(&self.archive_path(set)).map_err(|_| no_such_set())
    }

    pub(super) fn page(&self, set: &FolderName, url: &Url) -> Result<Page, ApiError> {
        let response = self.archive(set)?.fetch(url);
        Ok(response.map_err(|_| ApiError::not_found("the set has no such page"))?.page())
    }

    fn person_path(&self, set: &FolderName, person: &FolderName) -> PathBuf {
        self.path(set).join("by").join(person.as_str())
    }

    /// Saves an annotation, and renews the person's data set.
    pub(super) fn save(
        &self,
        set: &FolderName,
        person: &FolderName,
        saved: &SavedAnnotation,
    ) -> Result<(), ApiError> {
        let folder = self.person_path(set, person);
        let _writing = locked(&self.writing);
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
            lines.push_str(&serde_json::to_string(&saved.label).map_err(io::Error::from)?);
            lines.push('\n');
        }
        Ok(write(&folder.join("labels.jsonl"), lines.as_bytes())?)
    }

    pub(super) fn saved(
        &self,
        set: &FolderName,
        person: &FolderName,
    ) -> Result<BTreeMap<Url, SavedAnnotation>, ApiError> {
        let mut saved = BTreeMap::new();
        let folder = match fs::read_dir(self.person_path(set, person).join("pages")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(saved),
            folder => folder?,
        };
        for file in folder {
            let path = file?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                let one: SavedAnnotation =
                    serde_json::from_slice(&fs::read(path)?).map_err(io::Error::from)?;
                saved.insert(one.url.clone(), one);
            }
        }
        Ok(saved)
    }

    pub(super) fn upload(&self) -> io::Result<PathBuf> {
        Ok(self.folder.join(format!(".upload-{}", random_name()?)))
    }
}

/// Returns the folders whose names are names of sets or people.
fn names(folder: &Path) -> io::Result<Vec<FolderName>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(FolderName::read(&entry?.file_name().to_string_lossy()).ok());
    }
    names.sort();
    Ok(names)
}

fn no_such_set() -> ApiError {
    ApiError::not_found("there is no such set")
}

/// Measures how unsure the models are about a page: about its next link or its content, whichever is less sure.
fn queued(page: &Page, tsugi: &Tsugi) -> QueuedPage {
    let look = tsugi.look(page);
    let link = look.best().map_or(0.0, |link| link.score);
    let sure = link.max(1.0 - link).min(look.shown_content().score());
    QueuedPage {
        url: page.url().clone(),
        title: look.metadata().title.map(|said| said.value),
        doubt: 1.0 - sure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_path() {
        for text in ["", ".", "..", "a/b", "a b", "ä", &"x".repeat(41)] {
            assert!(FolderName::read(text).is_err(), "{text}");
        }
        assert!(FolderName::read("set-1_a").is_ok());
    }
}
