//! The documents of a long run, until all are there and can be put in order.
//!
//! They are appended to a file as they are done, by whichever thread did them. A second file has a row of fixed length for each:
//! its place in the output, and where it is. A journal says how far both files are whole, so that a killed run can be
//! continued.

use crate::journal::{Journal, lock_folder};
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
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
            for name in [JOURNAL, DOCUMENTS, ROWS] {
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
        Ok((Unfinished { kept: Some(KeptDocument { folder, journal, lock }), scratch, written }, done))
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
        };
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
        const CANNOT: &str = "cannot read what was kept";
        let mut written = locked(&self.written);
        let WrittenPart { documents, rows, ends } = &mut *written;
        documents.flush().context(CANNOT)?;
        let sorted = sorted(rows, ends.rows, &self.scratch).context(CANNOT)?;
        let mut last = None;
        for row in sorted {
            let row: DocumentRow = row.and_then(|row| Ok(row::read(&row)?)).context(CANNOT)?;
            // A continued run does a host again that was not finished, with the same documents.
            if last.replace(row.place) == Some(row.place) {
                continue;
            }
            let (bytes, words) = row.read_from(documents.get_ref()).context(CANNOT)?;
            visit(Ended { document: row.has_document.then_some(bytes), words })?;
        }
        Ok(())
    }

    /// Removes what was kept, once the output is written.
    pub(crate) fn discard(self) {
        if let Some(KeptDocument { folder, journal, lock }) = self.kept {
            drop((journal, lock, self.written));
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
    /// Reads the document and the words.
    fn read_from(self, mut documents: &File) -> io::Result<(Vec<u8>, String)> {
        let (mut bytes, mut words) = (Vec::new(), String::new());
        documents.seek(SeekFrom::Start(self.start))?;
        documents.take(self.length).read_to_end(&mut bytes)?;
        documents.take(self.words_length.into()).read_to_string(&mut words)?;
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
