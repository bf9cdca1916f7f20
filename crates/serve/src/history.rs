//! The documents that were read: one folder each, below `DIR/history`.
//!
//! A folder holds the document in every format, and `reading.json`, which the reading page shows. That file is written last:
//! a folder without it does not count.

use crate::error::ApiError;
use crate::token::hex;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tsugi::fetch::{NewFile, Readers};
use tsugi::{Document, Format, Url};

const READING: &str = "reading.json";

const FORMATS: [Format; 5] = [Format::Markdown, Format::Html, Format::Text, Format::Json, Format::Epub];

/// The name of a document in the history: 16 hexadecimal digits, made from its address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HistoryEntry {
    pub(crate) complete: bool,
    pub(crate) id: String,
    /// When it was read, in UTC.
    pub(crate) read: String,
    pub(crate) site: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) url: String,
}

#[derive(Debug)]
pub(crate) struct ReadingHistory {
    folder: PathBuf,
}

impl ReadingHistory {
    pub(crate) fn open(folder: &Path) -> io::Result<ReadingHistory> {
        fs::create_dir_all(folder)?;
        Ok(ReadingHistory { folder: folder.to_owned() })
    }

    /// Keeps a document. It replaces an earlier one with the same address.
    pub(crate) fn keep(
        &self,
        id: &ReadingId,
        document: &Document,
        reading: &impl Serialize,
    ) -> io::Result<()> {
        let folder = self.folder.join(id.as_str());
        fs::create_dir_all(&folder)?;
        for format in FORMATS {
            let mut bytes = Vec::new();
            document.write(format, &mut bytes)?;
            write(&folder.join(file_name(format)), &bytes)?;
        }
        write(&folder.join(READING), &serde_json::to_vec(reading)?)
    }

    pub(crate) fn reading(&self, id: &ReadingId) -> Result<Vec<u8>, ApiError> {
        self.bytes(id, READING)
    }

    pub(crate) fn file(&self, id: &ReadingId, format: Format) -> Result<Vec<u8>, ApiError> {
        self.bytes(id, &file_name(format))
    }

    fn bytes(&self, id: &ReadingId, name: &str) -> Result<Vec<u8>, ApiError> {
        found(fs::read(self.folder.join(id.as_str()).join(name)), no_such_document)
    }

    pub(crate) fn forget(&self, id: &ReadingId) -> Result<(), ApiError> {
        let folder = self.folder.join(id.as_str());
        // This file first: without it the rest does not count, even if the server is killed now.
        found(fs::remove_file(folder.join(READING)), no_such_document)?;
        Ok(fs::remove_dir_all(folder)?)
    }

    /// Returns the documents with all words of a query, the latest first. Case does not count.
    pub(crate) fn search(&self, query: &str) -> io::Result<Vec<HistoryEntry>> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let mut found = Vec::new();
        for folder in fs::read_dir(&self.folder)? {
            let folder = folder?.path();
            let read = fs::read(folder.join(READING)).ok();
            let Some(entry) = read.and_then(|bytes| serde_json::from_slice::<HistoryEntry>(&bytes).ok())
            else {
                continue;
            };
            if words.is_empty() || has_all(&entry, &folder, &words) {
                found.push(entry);
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
        history.keep(&id, &document, &reading).unwrap();
        id
    }

    #[test]
    fn what_was_read_is_found_by_its_words_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let history = ReadingHistory::open(folder.path()).unwrap();
        let mill = kept(&history, "https://a.test/1", "Mill", "2026-01-01T00:00:00Z");
        kept(&history, "https://a.test/2", "Lock", "2026-01-02T00:00:00Z");
        let titles = |query: &str| -> Vec<String> {
            history.search(query).unwrap().into_iter().filter_map(|entry| entry.title).collect()
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
    fn a_name_is_no_path() {
        for text in ["", "..", "../../etc/passwd", "0123456789abcde", "0123456789ABCDEF", "0123456789abcde/"]
        {
            assert_eq!(ReadingId::read(text).unwrap_err().word, "not-found", "{text}");
        }
        let id = ReadingId::of(&"https://a.test/".parse().unwrap());
        assert_eq!(ReadingId::read(id.as_str()).unwrap(), id);
    }
}
