//! Pages that end the process: memory runs out, or a stack.
//!
//! Before a thread works on a page, it writes down which one. So the next run knows what was worked on when a run ended, and tries
//! each of these pages in a process of its own.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use tsugi::Response;
use tsugi::pipeline::locked;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::remove_on_interrupt;

/// What is said of such a page.
pub(crate) const LEFT_OUT: &str = "left out, since tsugi is killed when it works on this page";

/// The room for the URL of a thread's page in the file of those, in bytes. Longer ones are not written down.
const ROOM: usize = 4096;
/// Each part of a run has threads of its own; so many are kept apart.
const MOST_THREADS: usize = 512;

/// The page that each thread works on.
#[derive(Debug)]
pub(crate) struct BegunPages {
    /// How many places before those of threads stay as they are.
    kept: usize,
    places: Mutex<Places>,
}

#[derive(Debug)]
struct Places {
    file: File,
    /// Each thread has the place of its number.
    threads: Vec<ThreadId>,
}

impl Places {
    fn write(&self, place: usize, url: &str) {
        let mut line = [0; ROOM];
        if let Some(room) = line.get_mut(..url.len()) {
            room.copy_from_slice(url.as_bytes());
        }
        let mut file = &self.file;
        // A disk that is full says so where the output is written.
        let _ = file.seek(SeekFrom::Start((place * ROOM) as u64)).and_then(|_| file.write_all(&line));
    }
}

impl BegunPages {
    /// Opens the file, and reads which pages the threads of an earlier run had begun.
    pub(crate) fn open(path: &Path) -> io::Result<(BegunPages, Vec<String>)> {
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let lines = bytes.chunks(ROOM).map(|line| line.split(|byte| *byte == 0).next().unwrap_or_default());
        let urls = lines.filter(|url| !url.is_empty()).filter_map(|url| std::str::from_utf8(url).ok());
        let urls = urls.map(str::to_owned).collect();
        Ok((BegunPages { kept: 0, places: Mutex::new(Places { file, threads: Vec::new() }) }, urls))
    }

    /// Writes down that this thread works on a page.
    pub(crate) fn begin(&self, url: &str) {
        let mut places = locked(&self.places);
        let this = thread::current().id();
        if places.threads.len() >= MOST_THREADS && !places.threads.contains(&this) {
            // Nearly all of them have ended.
            places.threads.clear();
            let _ = places.file.set_len((self.kept * ROOM) as u64);
        }
        let place = places.threads.iter().position(|thread| *thread == this).unwrap_or_else(|| {
            places.threads.push(this);
            places.threads.len() - 1
        });
        places.write(self.kept + place, url);
    }
}

/// The pages that a scan works on, in a file beside its output.
#[derive(Debug)]
pub(crate) struct ScannedPages {
    path: PathBuf,
    begun: BegunPages,
    /// The pages at which an earlier run may have ended.
    suspects: BTreeSet<String>,
}

impl ScannedPages {
    pub(crate) fn beside(output: &Path) -> io::Result<ScannedPages> {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".begun");
        let path = output.with_file_name(name);
        let (mut begun, suspects) = BegunPages::open(&path)?;
        remove_on_interrupt(path.clone());
        let suspects: BTreeSet<String> = suspects.into_iter().collect();
        // If this run is killed as well, the next one knows of all.
        begun.kept = suspects.len();
        for (place, url) in suspects.iter().enumerate() {
            locked(&begun.places).write(place, url);
        }
        Ok(ScannedPages { path, begun, suspects })
    }

    /// Writes down that this thread works on a page. Returns `false` if the page ends the process, and must be left out.
    pub(crate) fn begin(&self, page: &Response) -> bool {
        let url = page.url.as_str();
        if self.suspects.contains(url) && kills(page) {
            return false;
        }
        self.begun.begin(url);
        true
    }

    /// Removes the file, at the end of a run that was not killed.
    pub(crate) fn discard(self) {
        drop(self.begun);
        // What cannot be removed is in nobody's way.
        let _ = std::fs::remove_file(self.path);
    }
}

/// Returns `true` if a process that does nothing but extract a page does not end by itself.
pub(crate) fn kills(page: &Response) -> bool {
    let Ok(program) = std::env::current_exe() else { return false };
    let mut command = Command::new(&program);
    // The command of the Python package is a module.
    if program.file_stem().is_some_and(|name| name.to_string_lossy().starts_with("python")) {
        command.args(["-m", "tsugi"]);
    }
    let command = command.args(["extract", "--quiet", "--url", page.url.as_str(), "-"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // A process that has ended takes no more.
        let _ = stdin.write_all(&page.body);
    }
    let codes =
        [Exit::Done, Exit::NothingFound, Exit::WrongUse, Exit::Failed, Exit::PartlyFailed, Exit::Interrupted];
    child.wait().is_ok_and(|status| !codes.iter().any(|exit| status.code() == Some(i32::from(exit.code()))))
}
