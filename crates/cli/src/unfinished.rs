//! The documents of a long run, until all are there and can be put in order.
//!
//! They are appended to a file as they are done, by whichever thread did them. A second file has a row of fixed length for each:
//! its place in the output, where it is, and a digest. A journal says how far both files are whole, so that a killed run can be
//! continued. Before a thread works on a page, it writes down which one, so that a page that kills the process is known.

use crate::journal::{Journal, lock_folder};
use crate::killers::BegunPages;
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tsugi::fetch::row::Packed;
use tsugi::fetch::{Scratch, Sorter, Turn, row};
use tsugi::pipeline::locked;

// The names of the files in the folder.
const JOURNAL: &str = "journal.jsonl";
const DOCUMENTS: &str = "documents";
const ROWS: &str = "rows";
const BEGUN: &str = "begun";

#[derive(Debug)]
pub(crate) struct Unfinished {
    /// The folder, if the run can be continued.
    kept: Option<KeptDocument>,
    scratch: Scratch,
    written: Mutex<WrittenPart>,
}

#[derive(Debug)]
struct KeptDocument {
    folder: PathBuf,
    journal: Journal,
    begun: BegunPages,
    /// The pages that were begun when an earlier run ended, and those that are known to end a run.
    suspects: Vec<String>,
    killers: Vec<String>,
    /// Keeps other runs out.
    lock: File,
}

#[derive(Debug)]
struct WrittenPart {
    documents: BufWriter<File>,
    rows: BufWriter<File>,
    /// The lengths of the two files, in bytes.
    ends: Ends,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Ends {
    documents: u64,
    rows: u64,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Hosts, in their order.
    pub(crate) hosts: u64,
    /// The pages of these hosts.
    pub(crate) pages: u64,
    /// Their documents.
    pub(crate) documents: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct JournalLine {
    done: Done,
    ends: Ends,
}

row! {
    /// The place of a document in the output.
    pub(crate) struct OutputPlace {
        /// Documents that begin in a circle come last.
        pub(crate) in_circle: bool,
        /// The turn of the page that begins the run of documents.
        pub(crate) turn: Turn,
        /// The number of the document in its run.
        pub(crate) number: u32,
    }
}

row! {
    struct DocumentRow {
        place: OutputPlace,
        /// Where its bytes are, and how many; the words follow them.
        start: u64,
        length: u64,
        words_length: u32,
        has_document: bool,
        /// Of all before, the bytes and the words.
        digest: u64,
    }
}

/// A document, if there is one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) document: Option<Vec<u8>>,
    /// Why it is missing or incomplete; empty if it is whole.
    pub(crate) words: String,
}

const ROW: usize = DocumentRow::LENGTH;

impl Unfinished {
    /// Uses files that are gone when the run ends.
    pub(crate) fn unnamed() -> anyhow::Result<Unfinished> {
        let scratch = Scratch::below(&std::env::temp_dir());
        let files = || Ok::<_, io::Error>((scratch.file()?, scratch.file()?));
        let (documents, rows) = files().context("cannot make temporary files")?;
        Ok(Unfinished { kept: None, written: WrittenPart::new(documents, rows, Ends::default()), scratch })
    }

    /// Uses a folder beside the output. With `resume`, continues an earlier run, which must have had the same `task`;
    /// otherwise deletes it. Returns how far that run came.
    pub(crate) fn beside(output: &Path, resume: bool, task: &str) -> anyhow::Result<(Unfinished, Done)> {
        let folder = Unfinished::folder(output);
        let cannot = || format!("cannot write in `{}`", folder.display());
        std::fs::create_dir_all(&folder).with_context(cannot)?;
        let lock = lock_folder(&folder)?;
        let path = |name: &str| folder.join(name);
        if !resume {
            for name in [JOURNAL, DOCUMENTS, ROWS, BEGUN] {
                if let Err(error) = std::fs::remove_file(path(name))
                    && error.kind() != io::ErrorKind::NotFound
                {
                    return Err(error).with_context(cannot);
                }
            }
        }
        let open = |name: &str| -> anyhow::Result<File> {
            let file = File::options().read(true).write(true).create(true).truncate(false).open(path(name));
            file.with_context(|| format!("cannot write `{}`", path(name).display()))
        };
        let (documents, rows) = (open(DOCUMENTS)?, open(ROWS)?);
        let (begun, suspects) = BegunPages::open(&path(BEGUN)).with_context(cannot)?;
        let mut killers = Vec::new();
        let lengths = || -> io::Result<Ends> {
            Ok(Ends { documents: documents.metadata()?.len(), rows: rows.metadata()?.len() })
        };
        let lengths = lengths().with_context(cannot)?;
        let (mut before, mut other) = (None, false);
        let journal = Journal::open(&path(JOURNAL), |line| {
            if let Some(found) = line["task"].as_str() {
                other |= found != task;
                before.get_or_insert((Done::default(), Ends::default()));
                return true;
            }
            if let Some(killer) = line["killer"].as_str() {
                killers.push(killer.to_owned());
                return true;
            }
            let Ok(JournalLine { done, ends }) = serde_json::from_value(line.clone()) else { return false };
            let is_there = ends.documents <= lengths.documents && ends.rows <= lengths.rows;
            if is_there {
                before = Some((done, ends));
            }
            is_there
        })?;
        if other {
            bail!(
                "`{}` is of a run with other archives or options; leave out --resume to begin anew",
                folder.display()
            );
        }
        if before.is_none() {
            journal.add(&serde_json::json!({ "task": task }))?;
        }
        let (done, ends) = before.unwrap_or_default();
        let cut = || -> io::Result<()> {
            documents.set_len(ends.documents)?;
            rows.set_len(ends.rows)
        };
        cut().with_context(cannot)?;
        let (scratch, written) = (Scratch::below(&folder), WrittenPart::new(documents, rows, ends));
        let kept = KeptDocument { folder, journal, begun, suspects, killers, lock };
        Ok((Unfinished { kept: Some(kept), scratch, written }, done))
    }

    /// Writes down that this thread works on a page.
    pub(crate) fn begin(&self, url: &str) {
        if let Some(KeptDocument { begun, .. }) = &self.kept {
            begun.begin(url);
        }
    }

    /// Returns the pages that end the process: those that an earlier run found, and those that it had begun when it ended, if
    /// `kills` says so.
    pub(crate) fn killers(&self, kills: impl Fn(&str) -> bool) -> anyhow::Result<BTreeSet<String>> {
        let Some(KeptDocument { journal, suspects, killers, .. }) = &self.kept else {
            return Ok(BTreeSet::new());
        };
        let mut all: BTreeSet<String> = killers.iter().cloned().collect();
        for suspect in suspects.iter().filter(|suspect| kills(suspect)) {
            if all.insert(suspect.clone()) {
                journal.add(&serde_json::json!({ "killer": suspect }))?;
            }
        }
        Ok(all)
    }

    pub(crate) fn folder(output: &Path) -> PathBuf {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".unfinished");
        output.with_file_name(name)
    }

    pub(crate) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    pub(crate) fn add(&self, place: OutputPlace, ended: &Ended) -> anyhow::Result<()> {
        let Ended { document, words } = ended;
        let bytes = document.as_deref().unwrap_or_default();
        let words_length = u32::try_from(words.len())?;
        let mut written = locked(&self.written);
        let row = DocumentRow {
            place,
            start: written.ends.documents,
            length: bytes.len() as u64,
            words_length,
            has_document: document.is_some(),
            digest: 0,
        };
        let row = DocumentRow { digest: row.digest_with(bytes, words), ..row };
        written.add(row, bytes, words).context("cannot keep a document")
    }

    pub(crate) fn bytes(&self) -> u64 {
        locked(&self.written).ends.documents
    }

    /// Notes how far the run has come, once the documents are on the disk.
    pub(crate) fn note(&self, done: Done) -> anyhow::Result<()> {
        let Some(KeptDocument { journal, .. }) = &self.kept else { return Ok(()) };
        let flush = || -> io::Result<(File, File, Ends)> {
            let mut written = locked(&self.written);
            written.documents.flush()?;
            written.rows.flush()?;
            Ok((written.documents.get_ref().try_clone()?, written.rows.get_ref().try_clone()?, written.ends))
        };
        // Others go on writing meanwhile.
        let sync = || {
            let (documents, rows, ends) = flush()?;
            documents.sync_data()?;
            rows.sync_data()?;
            io::Result::Ok(ends)
        };
        let ends = sync().context("cannot keep documents")?;
        journal.add(&JournalLine { done, ends })?;
        journal.sync()
    }

    pub(crate) fn visit(&self, mut visit: impl FnMut(Ended) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let cannot = || match &self.kept {
            Some(KeptDocument { folder, .. }) => {
                format!(
                    "`{}` is damaged or cannot be read; leave out --resume to begin anew",
                    folder.display()
                )
            }
            None => "cannot read temporary files".to_owned(),
        };
        let mut written = locked(&self.written);
        let WrittenPart { documents, rows, ends } = &mut *written;
        documents.flush().with_context(cannot)?;
        let sorted = sorted(rows, ends.rows, &self.scratch).with_context(cannot)?;
        let mut last = None;
        for row in sorted {
            let row: DocumentRow = row.and_then(|row| Ok(row::read(&row)?)).with_context(cannot)?;
            let (bytes, words) = row.read_from(documents.get_ref()).with_context(cannot)?;
            // A continued run does a host again that was not finished, with the same documents.
            if last.replace(row.place) != Some(row.place) {
                visit(Ended { document: row.has_document.then_some(bytes), words })?;
            }
        }
        Ok(())
    }

    /// Removes what was kept, once the output is written.
    pub(crate) fn discard(self) {
        if let Some(KeptDocument { folder, journal, begun, lock, .. }) = self.kept {
            drop((journal, begun, lock, self.written));
            // What cannot be removed is in nobody's way.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Returns rows in the order of the output; `length` is how many bytes they take.
fn sorted(
    rows: &mut BufWriter<File>,
    length: u64,
    scratch: &Scratch,
) -> io::Result<impl Iterator<Item = io::Result<[u8; ROW]>>> {
    rows.rewind()?;
    let mut sorter = Sorter::new(scratch);
    let mut from = io::BufReader::new(rows.get_ref()).take(length);
    for _ in 0..length / ROW as u64 {
        let mut row = [0; ROW];
        from.read_exact(&mut row)?;
        sorter.push(row)?;
    }
    sorter.finish()
}

impl DocumentRow {
    /// Returns the digest of the row and of what it is about.
    fn digest_with(self, bytes: &[u8], words: &str) -> u64 {
        let row = row::bytes::<_, ROW>(&DocumentRow { digest: 0, ..self });
        let digest = Sha1::new().chain_update(row).chain_update(bytes).chain_update(words).finalize();
        digest.first_chunk().map_or(0, |start| u64::from_be_bytes(*start))
    }

    /// Reads the document and the words; an error if they are not those that were written.
    fn read_from(self, mut documents: &File) -> io::Result<(Vec<u8>, String)> {
        let (mut bytes, mut words) = (Vec::new(), String::new());
        documents.seek(SeekFrom::Start(self.start))?;
        documents.take(self.length).read_to_end(&mut bytes)?;
        documents.take(self.words_length.into()).read_to_string(&mut words)?;
        if self.digest != self.digest_with(&bytes, &words) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a document is not as it was written"));
        }
        Ok((bytes, words))
    }
}

impl WrittenPart {
    fn add(&mut self, row: DocumentRow, bytes: &[u8], words: &str) -> io::Result<()> {
        self.documents.write_all(bytes)?;
        self.documents.write_all(words.as_bytes())?;
        self.rows.write_all(&row::bytes::<_, ROW>(&row))?;
        self.ends.documents += (bytes.len() + words.len()) as u64;
        self.ends.rows += ROW as u64;
        Ok(())
    }

    fn new(documents: File, rows: File, ends: Ends) -> Mutex<WrittenPart> {
        let at_end = |file: File, end: u64| {
            let mut file = BufWriter::with_capacity(1 << 18, file);
            // Seeking does not fail where the length was set.
            let _ = file.seek(SeekFrom::Start(end));
            file
        };
        let (documents, rows) = (at_end(documents, ends.documents), at_end(rows, ends.rows));
        Mutex::new(WrittenPart { documents, rows, ends })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn damage_of_what_was_kept_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out.jsonl");
        let place = row::read::<OutputPlace, _>(&[0; OutputPlace::LENGTH]).unwrap();
        let open = |resume| Unfinished::beside(&output, resume, "task").unwrap().0;
        let unfinished = open(false);
        for number in 0..20 {
            let document = (number % 3 > 0).then(|| format!("document {number}\n").into_bytes());
            let ended = Ended { document, words: format!("words of {number}") };
            unfinished.add(OutputPlace { number, ..place }, &ended).unwrap();
        }
        unfinished.note(Done { hosts: 1, pages: 20, documents: 20 }).unwrap();
        drop(unfinished);
        let visited = || -> anyhow::Result<usize> {
            let mut count = 0;
            open(true).visit(|_| {
                count += 1;
                Ok(())
            })?;
            Ok(count)
        };
        assert_eq!(visited().unwrap(), 20);
        for name in [DOCUMENTS, ROWS] {
            let path = Unfinished::folder(&output).join(name);
            let whole = std::fs::read(&path).unwrap();
            for at in (0..whole.len()).step_by(7) {
                let mut damaged = whole.clone();
                damaged[at] ^= 4;
                std::fs::write(&path, damaged).unwrap();
                let error = visited().unwrap_err().to_string();
                assert!(error.contains("leave out --resume"), "{name}, {at}: {error}");
            }
            std::fs::write(&path, vec![0; whole.len()]).unwrap();
            visited().unwrap_err();
            std::fs::write(&path, whole).unwrap();
        }
    }

    #[test]
    fn the_pages_of_a_killed_run_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out.jsonl");
        let open = |resume| Unfinished::beside(&output, resume, "task").unwrap().0;
        let unfinished = open(false);
        for url in ["https://a.test/done", "https://a.test/1"] {
            unfinished.begin(url);
        }
        thread::scope(|scope| {
            scope.spawn(|| unfinished.begin("https://a.test/2"));
        });
        drop(unfinished);
        let killers = |kills: fn(&str) -> bool| open(true).killers(kills).unwrap();
        assert!(killers(|_| false).is_empty());
        assert_eq!(killers(|url| url.ends_with('2')), BTreeSet::from(["https://a.test/2".to_owned()]));
        // Once known, it is not tried again.
        assert_eq!(killers(|_| false).len(), 1);
        assert!(open(false).killers(|_| false).unwrap().is_empty());
    }
}
