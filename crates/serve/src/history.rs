//! The documents that were read, below `DIR/history`.
//!
//! ```text
//! ID.VERSION/document.{md,html,txt,json,epub}   the document in every format
//! ID.VERSION/reading.json                       what the reading page shows
//! ID.VERSION/{pages.warc.gz,answered.json}      its pages as they came
//! marks/ID.json                                 how far it was read, and whether it is archived
//! ```
//!
//! A folder is one version. It gets its name once it is whole, and the largest version counts, so nobody sees formats of two
//! readings, whenever the server is killed. Marks outlive versions.

use crate::error::ApiError;
use crate::folder::{self, NewFolder};
use crate::token::hex;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tsugi::fetch::{ArchiveWriter, NewFile, Readers};
use tsugi::pipeline::locked;
use tsugi::{Archive, Document, Fetch, Format, Response, Unavailable, Url, Way};

const READING: &str = "reading.json";
const PAGES: &str = "pages.warc.gz";
const ANSWERED: &str = "answered.json";

const FORMATS: [Format; 5] = [Format::Markdown, Format::Html, Format::Text, Format::Json, Format::Epub];

/// The name of a document in the history: 16 hexadecimal digits, made from its address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct ReadingId(String);

impl ReadingId {
    const DIGITS: usize = 16;

    pub(crate) fn of(url: &Url) -> ReadingId {
        let digest = Sha1::digest(url.as_str());
        ReadingId(hex(&digest[..Self::DIGITS / 2]))
    }

    /// Reads the name from a request. It can name nothing but a folder of the history.
    pub(crate) fn read(text: &str) -> Result<ReadingId, ApiError> {
        if text.len() == Self::DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            Ok(ReadingId(text.to_owned()))
        } else {
            Err(no_such_document())
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The fields of `reading.json` that the list of documents shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct HistoryEntry {
    pub(crate) complete: bool,
    pub(crate) id: String,
    /// How long reading takes.
    #[serde(default)]
    pub(crate) minutes: usize,
    /// When it was read, in UTC.
    pub(crate) read: String,
    pub(crate) site: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) url: String,
    #[serde(default, skip_deserializing)]
    pub(crate) mark: ReadingMark,
}

/// The field of `reading.json` that says which address was asked for.
#[derive(Debug, Deserialize)]
struct AskedAddress {
    asked: String,
}

/// What a reader did with a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReadingMark {
    pub(crate) archived: bool,
    /// Whether it was read to the end, or somebody said so.
    pub(crate) finished: bool,
    /// The block of the text where reading stopped, counted from 0.
    pub(crate) block: usize,
    /// The part of the text above that block, in [0, 1].
    pub(crate) progress: f64,
}

/// A change of a mark. What is missing stays.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MarkChange {
    archived: Option<bool>,
    finished: Option<bool>,
    block: Option<usize>,
    progress: Option<f64>,
}

/// Which documents a list has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum HistoryShelf {
    /// All that are not archived.
    #[default]
    Open,
    /// Those of them that are not read to the end.
    Unread,
    Archived,
    All,
}

impl HistoryShelf {
    fn has(self, mark: ReadingMark) -> bool {
        match self {
            HistoryShelf::Open => !mark.archived,
            HistoryShelf::Unread => !mark.archived && !mark.finished,
            HistoryShelf::Archived => mark.archived,
            HistoryShelf::All => true,
        }
    }
}

#[derive(Debug)]
pub(crate) struct ReadingHistory {
    folder: PathBuf,
    /// Held while a version or a mark is replaced.
    writing: Mutex<()>,
}

impl ReadingHistory {
    /// Opens the folder of the history, or creates it. Removes what killed servers left: unfinished versions, and those that
    /// a later one replaced.
    pub(crate) fn open(folder: &Path) -> io::Result<ReadingHistory> {
        let history = ReadingHistory { folder: folder.to_owned(), writing: Mutex::new(()) };
        fs::create_dir_all(history.marks())?;
        NewFile::sweep_folder(&history.marks());
        folder::sweep(folder);
        for (id, _) in history.latest()? {
            history.remove_versions(&id, 1)?;
        }
        Ok(history)
    }

    fn marks(&self) -> PathBuf {
        self.folder.join("marks")
    }

    fn mark_path(&self, id: &ReadingId) -> PathBuf {
        self.marks().join(format!("{}.json", id.as_str()))
    }

    /// Returns the versions of all documents: their names, the number of the version, and the folder.
    fn versions(&self) -> io::Result<Vec<(ReadingId, u64, PathBuf)>> {
        let mut versions = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // A folder without a number is of an earlier release.
            let (id, version) = name.split_once('.').unwrap_or((&name, "0"));
            if let (Ok(id), Ok(version)) = (ReadingId::read(id), version.parse()) {
                versions.push((id, version, path));
            }
        }
        versions.sort();
        Ok(versions)
    }

    fn latest(&self) -> io::Result<BTreeMap<ReadingId, PathBuf>> {
        // Later versions come later, and replace earlier ones.
        Ok(self.versions()?.into_iter().map(|(id, _, path)| (id, path)).collect())
    }

    /// Removes the versions of a document but the latest `keep`.
    fn remove_versions(&self, id: &ReadingId, keep: usize) -> io::Result<usize> {
        let mut own = self.versions()?;
        own.retain(|(of, ..)| of == id);
        own.truncate(own.len().saturating_sub(keep));
        for (.., path) in &own {
            folder::remove(path)?;
        }
        Ok(own.len())
    }

    /// Begins a new version.
    pub(crate) fn begin(&self) -> io::Result<NewFolder> {
        NewFolder::below(&self.folder)
    }

    /// Keeps a document in a folder that was begun for it. It replaces an earlier one with the same address.
    pub(crate) fn keep(
        &self,
        new: NewFolder,
        id: &ReadingId,
        document: &Document,
        reading: &impl Serialize,
    ) -> io::Result<()> {
        for format in FORMATS {
            let mut bytes = Vec::new();
            document.write(format, &mut bytes)?;
            write(&new.path().join(file_name(format)), &bytes)?;
        }
        write(&new.path().join(READING), &serde_json::to_vec(reading)?)?;
        let _writing = locked(&self.writing);
        let version =
            self.versions()?.iter().filter(|(of, ..)| of == id).map(|(_, version, _)| version + 1).max();
        new.finish(&self.folder.join(format!("{}.{:08}", id.as_str(), version.unwrap_or(1))))?;
        self.remove_versions(id, 1)?;
        Ok(())
    }

    pub(crate) fn reading(&self, id: &ReadingId) -> Result<Vec<u8>, ApiError> {
        self.bytes(id, READING)
    }

    pub(crate) fn file(&self, id: &ReadingId, format: Format) -> Result<Vec<u8>, ApiError> {
        self.bytes(id, &file_name(format))
    }

    fn bytes(&self, id: &ReadingId, name: &str) -> Result<Vec<u8>, ApiError> {
        let read = || -> Result<Vec<u8>, ApiError> {
            let folder = self.latest()?.remove(id).ok_or_else(no_such_document)?;
            found(fs::read(folder.join(name)), no_such_document)
        };
        // A version may be replaced between the look and the reading.
        read().or_else(|_| read())
    }

    /// Returns the folder of the latest version.
    pub(crate) fn folder(&self, id: &ReadingId) -> Result<PathBuf, ApiError> {
        self.latest()?.remove(id).ok_or_else(no_such_document)
    }

    /// Returns the document that was read at an address, or that an address led to.
    pub(crate) fn find(&self, asked: &Url) -> Result<ReadingId, ApiError> {
        let id = ReadingId::of(asked);
        let latest = self.latest()?;
        if latest.contains_key(&id) {
            return Ok(id);
        }
        let led_to = |folder: &Path| {
            let entry: Option<AskedAddress> =
                fs::read(folder.join(READING)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            entry.is_some_and(|entry| entry.asked == asked.as_str())
        };
        let found = latest.into_iter().find(|(_, folder)| led_to(folder));
        found.map(|(id, _)| id).ok_or_else(no_such_document)
    }

    /// Returns what the list shows of a document.
    pub(crate) fn entry(&self, id: &ReadingId) -> Result<HistoryEntry, ApiError> {
        let entry = serde_json::from_slice(&self.reading(id)?).map_err(io::Error::from)?;
        Ok(HistoryEntry { mark: self.mark(id), ..entry })
    }

    /// Returns the mark of a document; a damaged or missing one says nothing.
    pub(crate) fn mark(&self, id: &ReadingId) -> ReadingMark {
        let bytes = fs::read(self.mark_path(id)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    pub(crate) fn change_mark(&self, id: &ReadingId, change: MarkChange) -> Result<ReadingMark, ApiError> {
        self.folder(id)?;
        let _writing = locked(&self.writing);
        let before = self.mark(id);
        let progress = change.progress.filter(|progress| progress.is_finite());
        let mark = ReadingMark {
            archived: change.archived.unwrap_or(before.archived),
            finished: change.finished.unwrap_or(before.finished),
            block: change.block.unwrap_or(before.block),
            progress: progress.map_or(before.progress, |progress| progress.clamp(0.0, 1.0)),
        };
        write(&self.mark_path(id), &serde_json::to_vec(&mark).map_err(io::Error::from)?)?;
        Ok(mark)
    }

    pub(crate) fn forget(&self, id: &ReadingId) -> Result<(), ApiError> {
        let _writing = locked(&self.writing);
        if self.remove_versions(id, 0)? == 0 {
            return Err(no_such_document());
        }
        match fs::remove_file(self.mark_path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Returns the documents of a shelf with all words of a query, the latest first. Case does not count.
    pub(crate) fn search(&self, query: &str, shelf: HistoryShelf) -> io::Result<Vec<HistoryEntry>> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let mut found = Vec::new();
        for (id, folder) in self.latest()? {
            let read = fs::read(folder.join(READING)).ok();
            let Some(entry) = read.and_then(|bytes| serde_json::from_slice::<HistoryEntry>(&bytes).ok())
            else {
                continue;
            };
            let mark = self.mark(&id);
            if shelf.has(mark) && (words.is_empty() || has_all(&entry, &folder, &words)) {
                found.push(HistoryEntry { mark, ..entry });
            }
        }
        found.sort_by(|one, other| other.read.cmp(&one.read).then_with(|| one.url.cmp(&other.url)));
        Ok(found)
    }
}

fn has_all(entry: &HistoryEntry, folder: &Path, words: &[String]) -> bool {
    let text = fs::read_to_string(folder.join(file_name(Format::Text))).unwrap_or_default();
    let head = [Some(&entry.url), entry.title.as_ref(), entry.site.as_ref()];
    let all: Vec<&str> = head.into_iter().flatten().chain([&text]).map(String::as_str).collect();
    let all = all.join("\n").to_lowercase();
    words.iter().all(|word| all.contains(word))
}

fn file_name(format: Format) -> String {
    format!("document.{format}")
}

fn no_such_document() -> ApiError {
    ApiError::not_found("there is no such document")
}

/// The pages of a document as they came, so that other files can be made of it without asking the site again.
///
/// If a page cannot be written, none is kept: the document matters more.
#[derive(Debug)]
pub(crate) struct PageKeeper {
    writer: Option<ArchiveWriter<BufWriter<NewFile>>>,
    /// Where the answer to each address came from: redirects lead elsewhere.
    answered: BTreeMap<String, Url>,
}

impl PageKeeper {
    pub(crate) fn new(folder: &NewFolder) -> io::Result<PageKeeper> {
        let file = NewFile::create(&folder.path().join(PAGES), Readers::Owner)?;
        Ok(PageKeeper { writer: Some(ArchiveWriter::new(BufWriter::new(file))), answered: BTreeMap::new() })
    }

    pub(crate) fn keep(&mut self, asked: &Url, way: &Way, response: &Response) {
        let date = jiff::Timestamp::now().to_string();
        let write = |writer: &mut ArchiveWriter<_>| match way.drawn_number() {
            None => writer.write(response, &date),
            Some(number) => writer.write_drawn(asked, number, response, &date),
        };
        if self.writer.as_mut().is_some_and(|writer| write(writer).is_err()) {
            self.writer = None;
        }
        if *way == Way::Fetched {
            self.answered.insert(asked.to_string(), response.url.clone());
        }
    }

    /// Writes what was kept. `folder` is that of the keeper.
    pub(crate) fn finish(self, folder: &NewFolder) -> io::Result<()> {
        let Some(writer) = self.writer else { return Ok(()) };
        writer.finish()?.into_inner().map_err(io::Error::from)?.finish()?;
        write(&folder.path().join(ANSWERED), &serde_json::to_vec(&self.answered)?)
    }
}

/// The pages that a [`PageKeeper`] kept.
#[derive(Debug)]
pub(crate) struct KeptPages {
    archive: Archive,
    answered: BTreeMap<String, Url>,
}

impl KeptPages {
    /// Opens the pages of a version; `None` if it has none.
    pub(crate) fn open(folder: &Path) -> Option<KeptPages> {
        let answered = serde_json::from_slice(&fs::read(folder.join(ANSWERED)).ok()?).ok()?;
        Some(KeptPages { archive: Archive::open(&folder.join(PAGES)).ok()?, answered })
    }

    pub(crate) fn get(&self, asked: &Url, way: &Way) -> Result<Response, Unavailable> {
        let found = match way.drawn_number() {
            None => self.archive.fetch(self.answered.get(asked.as_str()).unwrap_or(asked)),
            Some(number) => self.archive.drawn(asked, number),
        };
        found.map_err(|error| error.into_unavailable(asked))
    }
}

/// Returns the result of a file operation; `missing` if there is no such file.
pub(crate) fn found<T>(result: io::Result<T>, missing: impl FnOnce() -> ApiError) -> Result<T, ApiError> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing()),
        result => Ok(result?),
    }
}

/// Writes a file that appears whole or not at all, for its owner alone: it says what people read.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path, Readers::Owner)?;
    file.write_all(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tsugi::{JoinOptions, Page, Tsugi};

    fn kept(history: &ReadingHistory, url: &str, word: &str, read: &str) -> ReadingId {
        let html = format!(
            "<title>{word}</title><main><p>The {word} stands by the river, as it has for ages.</p></main>"
        );
        let url: Url = url.parse().unwrap();
        let document = Tsugi::new().extract(Page::from_text(&html, &url), &JoinOptions::default());
        let id = ReadingId::of(&url);
        let reading = json!({
            "id": id.as_str(), "url": url.as_str(), "title": word, "site": null, "read": read, "complete": true,
        });
        history.keep(history.begin().unwrap(), &id, &document, &reading).unwrap();
        id
    }

    #[test]
    fn what_was_read_is_found_by_its_words_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let history = ReadingHistory::open(folder.path()).unwrap();
        let mill = kept(&history, "https://a.test/1", "Mill", "2026-01-01T00:00:00Z");
        kept(&history, "https://a.test/2", "Lock", "2026-01-02T00:00:00Z");
        let titles = |query: &str| -> Vec<String> {
            history
                .search(query, HistoryShelf::Open)
                .unwrap()
                .into_iter()
                .filter_map(|entry| entry.title)
                .collect()
        };
        assert_eq!(titles(""), ["Lock", "Mill"]);
        assert_eq!(titles("RIVER mill"), ["Mill"]);
        assert_eq!(titles("bridge"), [""; 0]);
        for format in FORMATS {
            assert!(!history.file(&mill, format).unwrap().is_empty());
        }
        history.forget(&mill).unwrap();
        assert_eq!(titles(""), ["Lock"]);
        assert_eq!(history.forget(&mill).unwrap_err().word, "not-found");
    }

    #[test]
    fn drawn_pages_are_kept_as_they_were_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let history = ReadingHistory::open(folder.path()).unwrap();
        let at = history.begin().unwrap();
        let mut keeper = PageKeeper::new(&at).unwrap();
        let asked: Url = "https://a.test/story".parse().unwrap();
        let page = |at: &str, body: &str| Response {
            url: at.parse().unwrap(),
            status: 200,
            content_type: Some("text/html; charset=utf-8".to_owned()),
            link: None,
            body: body.into(),
        };
        let onward = Way::Onward(1, None);
        keeper.keep(&asked, &Way::Fetched, &page("https://a.test/s", "<div id=root>"));
        keeper.keep(&asked, &Way::Drawn, &page("https://a.test/s", "<p>one"));
        keeper.keep(&asked, &onward, &page("https://a.test/s#2", "<p>two"));
        keeper.finish(&at).unwrap();
        let kept = KeptPages::open(at.path()).unwrap();
        assert_eq!(kept.get(&asked, &Way::Drawn).unwrap().body, b"<p>one");
        assert_eq!(kept.get(&asked, &onward).unwrap().body, b"<p>two");
        assert!(kept.get(&asked, &Way::Fetched).is_ok());
        assert!(kept.get(&asked, &Way::Onward(2, None)).is_err());
    }

    #[test]
    fn a_later_version_replaces_an_earlier_one_and_keeps_its_mark() {
        let folder = tempfile::tempdir().unwrap();
        let history = ReadingHistory::open(folder.path()).unwrap();
        let id = kept(&history, "https://a.test/1", "Mill", "2026-01-01T00:00:00Z");
        let change = MarkChange { archived: Some(true), progress: Some(7.0), ..MarkChange::default() };
        assert!(history.change_mark(&id, change).unwrap().progress <= 1.0);
        kept(&history, "https://a.test/1", "Lock", "2026-01-02T00:00:00Z");
        assert_eq!(history.versions().unwrap().len(), 1);
        assert!(String::from_utf8(history.file(&id, Format::Text).unwrap()).unwrap().contains("Lock"));
        let shelf = |shelf| history.search("", shelf).unwrap().len();
        assert_eq!(
            [HistoryShelf::Open, HistoryShelf::Unread, HistoryShelf::Archived, HistoryShelf::All].map(shelf),
            [0, 0, 1, 1]
        );
        assert_eq!(
            history.change_mark(&ReadingId::read("0123456789abcdef").unwrap(), change).unwrap_err().word,
            "not-found"
        );
    }

    #[test]
    fn what_a_killed_server_left_is_swept_away_and_old_folders_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let id = {
            let history = ReadingHistory::open(folder.path()).unwrap();
            kept(&history, "https://a.test/1", "Mill", "2026-01-01T00:00:00Z")
        };
        // A version that was replaced when the server was killed, an unfinished one, and one of an earlier release.
        let new = folder.path().join(format!("{}.00000001", id.as_str()));
        let name = |name: &str| folder.path().join(name);
        fs::rename(&new, name(&format!("{}.00000002", id.as_str()))).unwrap();
        fs::create_dir(&new).unwrap();
        fs::create_dir(name(".new-1.part")).unwrap();
        let history = ReadingHistory::open(folder.path()).unwrap();
        assert!(!new.exists() && !name(".new-1.part").exists());
        fs::rename(name(&format!("{}.00000002", id.as_str())), name(id.as_str())).unwrap();
        assert_eq!(history.entry(&id).unwrap().title.as_deref(), Some("Mill"));
        kept(&history, "https://a.test/1", "Lock", "2026-01-02T00:00:00Z");
        assert_eq!(history.entry(&id).unwrap().title.as_deref(), Some("Lock"));
    }

    #[test]
    fn a_name_is_no_path() {
        for text in ["", "..", "../../etc/passwd", "0123456789abcde", "0123456789ABCDEF", "0123456789abcde/"]
        {
            assert_eq!(ReadingId::read(text).unwrap_err().word, "not-found", "{text}");
        }
        let id = ReadingId::of(&"https://a.test/".parse().unwrap());
        assert_eq!(ReadingId::read(id.as_str()).unwrap(), id);
    }
}
