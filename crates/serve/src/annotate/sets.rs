//! Sets of pages to annotate, below `DIR/sets`.
//!
//! ```text
//! SET/pages.warc.gz                   the pages
//! SET/queue.json                      their addresses, the most uncertain first
//! SET/by/WHO/pages/KEY.json           WHO's annotation of a page
//! SET/by/WHO/{pages.warc.gz,labels.jsonl}   the same as a data set
//! ```
//!
//! Every file and every set appears whole or not at all, so a killed server loses nothing that it reported as saved, and
//! takes no name.

use super::annotation::{Annotation, PageLabel};
use crate::error::ApiError;
use crate::folder::{self, NewFolder};
use crate::history::{found, write};
use crate::token::{hex, is_word_character};
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tsugi::fetch::{ArchiveWriter, NewFile, Readers, records};
use tsugi::page::Page;
use tsugi::pipeline::locked;
use tsugi::{Archive, Fetch, Tsugi, Url};

const MOST_PAGES: usize = 2_000;

/// The most problems of an archive that are named.
const MOST_PROBLEMS: usize = 20;

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
    /// The first words of the text, which tell pages of one title apart.
    #[serde(default)]
    pub(super) words: String,
    /// How unsure the models are, in [0, 1].
    pub(super) doubt: f32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedAnnotation {
    pub(super) url: Url,
    pub(super) annotation: Annotation,
    pub(super) label: PageLabel,
}

/// A person's annotations of a set.
#[derive(Debug, Default)]
pub(super) struct SavedPages {
    pub(super) pages: BTreeMap<Url, SavedAnnotation>,
    /// The files that cannot be read, below the folder of the set.
    pub(super) damaged: Vec<String>,
}

/// A set that was made of an archive.
#[derive(Debug)]
pub(super) struct MadeSet {
    pub(super) queue: Vec<QueuedPage>,
    /// What is damaged in the archive, a sentence each; at most 20.
    pub(super) problems: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Sets {
    folder: PathBuf,
    /// Held while a person's files are written.
    writing: Mutex<()>,
}

impl Sets {
    /// Opens the folder of the sets, or creates it. Removes what killed servers left unfinished.
    pub(crate) fn open(folder: &Path) -> io::Result<Sets> {
        fs::create_dir_all(folder)?;
        NewFile::sweep_folder(folder);
        folder::sweep(folder);
        for set in names(folder)? {
            for person in names(&folder.join(set.as_str()).join("by"))? {
                let person = folder.join(set.as_str()).join("by").join(person.as_str());
                NewFile::sweep_folder(&person);
                NewFile::sweep_folder(&person.join("pages"));
            }
        }
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
        archive: &[u8],
        tsugi: &Tsugi,
    ) -> Result<MadeSet, ApiError> {
        let taken = || ApiError::bad(format!("there is a set `{}` already", set.as_str()));
        if self.path(set).join("queue.json").exists() {
            return Err(taken());
        }
        let new = NewFolder::below(&self.folder)?;
        // It is never finished, so it goes when it is no longer needed, and is swept away if this server is killed.
        let mut upload = NewFile::create(&new.path().join("upload"), Readers::Owner)?;
        upload.write_all(archive)?;
        let path = upload.part().ok_or_else(|| ApiError::internal("the upload has no file"))?;
        let read = records(path).map_err(|error| ApiError::bad(tsugi::fetch::chain(&error)))?;
        let mut problems = Vec::new();
        let pages = read.filter_map(|record| match record {
            Ok(record) => match record.response {
                Ok(response) => Some(response),
                Err(error) if error.word() == "coding" => {
                    problems.push(tsugi::fetch::chain(&error));
                    None
                }
                // A redirect, an error of the site, an image: no page, and no damage.
                Err(_) => None,
            },
            Err(problem) => {
                problems.push(tsugi::fetch::chain(&problem));
                None
            }
        });
        let queue = fill(new.path(), pages, tsugi)?;
        let more = problems.len().saturating_sub(MOST_PROBLEMS);
        problems.truncate(MOST_PROBLEMS);
        if more > 0 {
            problems.push(format!("and {more} more"));
        }
        drop(upload);
        let _writing = locked(&self.writing);
        if self.path(set).join("queue.json").exists() {
            return Err(taken());
        }
        if self.path(set).exists() {
            // A server of an earlier release was killed while it made this set.
            folder::remove(&self.path(set))?;
        }
        new.finish(&self.path(set))?;
        Ok(MadeSet { queue, problems })
    }

    /// Deletes a set with everybody's annotations.
    pub(super) fn delete(&self, set: &FolderName) -> Result<(), ApiError> {
        let _writing = locked(&self.writing);
        found(folder::remove(&self.path(set)), no_such_set)
    }

    pub(super) fn queue(&self, set: &FolderName) -> Result<Vec<QueuedPage>, ApiError> {
        let bytes = found(fs::read(self.path(set).join("queue.json")), no_such_set)?;
        serde_json::from_slice(&bytes).map_err(|_| {
            ApiError::internal(format!("the file `queue.json` of the set `{}` is damaged", set.as_str()))
        })
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
        let json = serde_json::to_vec(saved).map_err(io::Error::from)?;
        write(&folder.join("pages").join(page_file(saved.url.as_str())), &json)?;
        let pages = folder.join("pages.warc.gz");
        if !pages.exists() && fs::hard_link(self.archive_path(set), &pages).is_err() {
            // A file system without links holds the pages twice.
            write(&pages, &fs::read(self.archive_path(set))?)?;
        }
        let now = self.saved(set, person)?;
        let mut lines = String::new();
        for saved in now.pages.values() {
            lines.push_str(&serde_json::to_string(&saved.label).map_err(io::Error::from)?);
            lines.push('\n');
        }
        let labels = folder.join("labels.jsonl");
        // The label of a damaged file is in the labels still.
        for line in fs::read_to_string(&labels).unwrap_or_default().lines() {
            let url = serde_json::from_str::<LabelledUrl>(line).map(|label| page_file(&label.url));
            if url.is_ok_and(|file| now.damaged.iter().any(|damaged| damaged.ends_with(&file))) {
                lines.push_str(line);
                lines.push('\n');
            }
        }
        Ok(write(&labels, lines.as_bytes())?)
    }

    /// Returns a person's labels, a line each.
    pub(super) fn labels(&self, set: &FolderName, person: &FolderName) -> Result<Vec<u8>, ApiError> {
        let missing = || ApiError::not_found("this person has no labels in this set");
        found(fs::read(self.person_path(set, person).join("labels.jsonl")), missing)
    }

    /// Returns what a person annotated. Files that are damaged are left out and named.
    pub(super) fn saved(&self, set: &FolderName, person: &FolderName) -> Result<SavedPages, ApiError> {
        let mut saved = SavedPages::default();
        let folder = match fs::read_dir(self.person_path(set, person).join("pages")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(saved),
            folder => folder?,
        };
        for file in folder {
            let path = file?.path();
            if path.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            let read =
                fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<SavedAnnotation>(&bytes).ok());
            if let Some(one) = read {
                saved.pages.insert(one.url.clone(), one);
            } else {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                saved.damaged.push(format!("by/{}/pages/{name}", person.as_str()));
            }
        }
        saved.damaged.sort();
        Ok(saved)
    }
}

/// The address of a line of `labels.jsonl`.
#[derive(Debug, Deserialize)]
struct LabelledUrl {
    url: String,
}

/// Returns the name of the file with the annotation of a page.
fn page_file(url: &str) -> String {
    format!("{}.json", hex(&Sha1::digest(url)))
}

/// Writes the pages and the queue of a set into its folder.
fn fill(
    folder: &Path,
    pages: impl Iterator<Item = tsugi::Response>,
    tsugi: &Tsugi,
) -> Result<Vec<QueuedPage>, ApiError> {
    let file = NewFile::create(&folder.join("pages.warc.gz"), Readers::Owner)?;
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
    write(&folder.join("queue.json"), &serde_json::to_vec(&queue).map_err(io::Error::from)?)?;
    Ok(queue)
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
        words: first_words(page, &look),
        doubt: 1.0 - sure,
    }
}

/// Returns the first words of a page's content, without its title.
fn first_words(page: &Page, look: &tsugi::Look<'_>) -> String {
    const WORDS: usize = 14;
    let text = page.text_of_content(look.shown_content().nodes(), &[]);
    let title = look.metadata().title.map(|said| said.value).unwrap_or_default();
    let text = text.trim_start().strip_prefix(title.as_str()).unwrap_or(&text);
    text.split_whitespace().take(WORDS).collect::<Vec<_>>().join(" ")
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
