//! Where output goes: stdout, or a file that appears whole or not at all.

use crate::exit::Exit;
use anyhow::Context;
use serde::Serialize;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock};
use tsugi::FetchError;
use tsugi::fetch::{AllowedPlace, NewFile, Readers, chain};
use tsugi::page::text;
use tsugi::pipeline::locked;

/// A place to write to.
#[derive(Debug)]
pub enum Output {
    /// Standard output.
    Stdout(BufWriter<io::Stdout>),
    /// Standard output without what terminals obey.
    Screen(Screen<BufWriter<io::Stdout>>),
    /// A file.
    File(PendingFile),
    /// A device or a pipe.
    Direct(PathBuf, BufWriter<File>),
}

impl Output {
    /// Opens `path`, or stdout if there is none. The file appears in [`Output::finish`]; without that call nothing is left
    /// of it.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        let Some(path) = path else {
            let stdout = io::stdout();
            return Ok(if stdout.is_terminal() {
                Output::screen()
            } else {
                Output::Stdout(BufWriter::new(stdout))
            });
        };
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let file = File::options().write(true).open(path);
            let file = file.with_context(|| format!("cannot write `{}`", path.display()))?;
            return Ok(Output::Direct(path.to_owned(), BufWriter::new(file)));
        }
        Ok(Output::File(PendingFile::new(path)?))
    }

    /// Returns `true` if the output is a file that appears whole.
    pub fn is_file(&self) -> bool {
        matches!(self, Output::File(_))
    }

    /// Opens stdout for text about pages, which may quote anything.
    pub fn screen() -> Output {
        Output::Screen(Screen { to: BufWriter::new(io::stdout()), rest: Vec::new() })
    }

    /// Returns an error of writing that says where to.
    fn named(&self, error: &io::Error) -> io::Error {
        let place = match self {
            Output::Stdout(_) | Output::Screen(_) => "to stdout".to_owned(),
            Output::File(PendingFile { path, .. }) | Output::Direct(path, _) => {
                format!("`{}`", path.display())
            }
        };
        io::Error::new(error.kind(), format!("cannot write {place}: {error}"))
    }

    fn writer(&mut self) -> io::Result<&mut dyn Write> {
        Ok(match self {
            Output::Stdout(writer) => writer,
            Output::Screen(writer) => writer,
            Output::File(file) => file.file()?,
            Output::Direct(_, writer) => writer,
        })
    }

    /// Flushes the output; a file appears under its name.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Output::Stdout(mut stdout) => stdout.flush().context("cannot write to stdout"),
            Output::Screen(mut screen) => screen.flush().context("cannot write to stdout"),
            Output::Direct(path, mut file) => {
                file.flush().with_context(|| format!("cannot write `{}`", path.display()))
            }
            Output::File(file) => {
                let path = file.path.clone();
                file.finish().with_context(|| format!("cannot write `{}`", path.display()))
            }
        }
    }
}

/// Files that are not finished, so that Ctrl-C can remove them.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    locked(&UNFINISHED)
}

/// Has Ctrl-C remove a file.
pub fn remove_on_interrupt(path: PathBuf) {
    unfinished().insert(path);
}

/// Removes the files that are not finished, before the program ends at once.
pub fn discard_unfinished() {
    for part in std::mem::take(&mut *unfinished()) {
        // What cannot be removed now is removed by the next run.
        let _ = std::fs::remove_file(part);
    }
}

/// A file to write, created when there is something to write.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    file: Option<BufWriter<NewFile>>,
}

/// Makes the folders of a file to write that are missing.
pub fn make_folder_of(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .with_context(|| format!("cannot write `{}`", path.display()))
}

impl PendingFile {
    fn new(path: &Path) -> anyhow::Result<PendingFile> {
        make_folder_of(path)?;
        NewFile::sweep(path);
        // If it cannot be written, that is known before the work begins.
        NewFile::create(path, Readers::Usual)
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        Ok(PendingFile { path: path.to_owned(), file: None })
    }

    fn file(&mut self) -> io::Result<&mut BufWriter<NewFile>> {
        let file = if let Some(file) = self.file.take() {
            file
        } else {
            let file = NewFile::create(&self.path, Readers::Usual)?;
            unfinished().extend(file.part().map(Path::to_owned));
            BufWriter::new(file)
        };
        Ok(self.file.insert(file))
    }

    fn finish(mut self) -> io::Result<()> {
        self.file()?.flush()?;
        let Some(file) = self.file.take() else { return Ok(()) };
        let (file, _) = file.into_parts();
        let part = file.part().map(Path::to_owned);
        let finished = file.finish();
        if let Some(part) = part {
            unfinished().remove(&part);
        }
        finished
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(part) = self.file.as_ref().and_then(|file| file.get_ref().part()) {
            unfinished().remove(part);
        }
    }
}

/// A writer of text that leaves out the characters that terminals obey: control characters, and those that change the
/// direction of text.
#[derive(Debug)]
pub struct Screen<W> {
    to: W,
    /// The start of a character whose other bytes are to come.
    rest: Vec<u8>,
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let text = String::from_utf8_lossy(&self.rest[..whole]);
        self.to.write_all(text.replace(is_obeyed, "").as_bytes())?;
        self.rest.drain(..whole);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Returns `true` if a text has characters that terminals obey.
pub fn has_obeyed(text: &str) -> bool {
    text.contains(is_obeyed)
}

/// Returns `true` if a terminal obeys a character instead of showing it.
fn is_obeyed(c: char) -> bool {
    text::is_control(c) || text::is_direction(c)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer().and_then(|writer| writer.write(bytes));
        written.map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.writer().and_then(Write::flush);
        flushed.map_err(|error| self.named(&error))
    }
}

/// Returns an error message if -o names one of the sources, which would be overwritten.
pub fn misuse_of_output<'a>(
    output: Option<&Path>,
    sources: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
) -> Option<String> {
    // A file that does not exist yet may be an archive to keep responses in.
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let output = whole(output?);
    let source = sources.into_iter().map(AsRef::as_ref).find(|source| whole(source) == output)?;
    Some(format!("`{}` is a source; -o must name another file", source.display()))
}

/// Writes a value as one line of JSON, without characters that terminals obey.
pub fn write_json_line(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_string(value)?;
    writeln!(output, "{}", text::json_for_terminals(&json))
}

/// Writes a whole file.
pub fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut output = Output::open(Some(path))?;
    output.write_all(bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    output.finish()
}

/// Returns text from elsewhere on one line, without characters that terminals obey.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| !text::is_direction(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns a number of things.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// How many problems archives had. Displayed, it is the end of a summary, which tells damage from records that are of no use.
#[derive(Debug, Default)]
pub struct ArchiveProblems {
    /// What cannot be read, because the archive is damaged.
    pub damaged: usize,
    bad: usize,
}

impl ArchiveProblems {
    /// Counts a problem.
    pub fn add(&mut self, is_damage: bool) {
        *(if is_damage { &mut self.damaged } else { &mut self.bad }) += 1;
    }
}

impl fmt::Display for ArchiveProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bad > 0 {
            write!(f, "; {} skipped", counted(self.bad, "bad record"))?;
        }
        if self.damaged > 0 {
            let records = counted(self.damaged, "record");
            write!(f, "; {records} cannot be read: the archive is damaged there")?;
        }
        Ok(())
    }
}

/// How much goes to stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Errors.
    Quiet,
    /// Summaries and warnings, too.
    Normal,
    /// Every request and every page, too.
    Verbose,
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets how much goes to stderr; the first call counts.
pub fn set_verbosity(verbosity: Verbosity) {
    let _ = VERBOSITY.set(verbosity);
}

/// Returns `true` if at least this much goes to stderr.
pub fn says(verbosity: Verbosity) -> bool {
    VERBOSITY.get().copied().unwrap_or(Verbosity::Normal) >= verbosity
}

/// Writes an error to stderr, without characters that terminals obey.
pub fn complain(text: &str) {
    // Nothing can be done where stderr is closed.
    let _ = writeln!(io::stderr().lock(), "{}", text.replace(is_obeyed, ""));
}

/// Returns an error and its causes as one line, with the option that would help.
pub fn error_line(error: &(dyn Error + 'static)) -> String {
    let mut text = chain(error);
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(FetchError::Private { url, address }) = error.downcast_ref()
            && address.to_string().parse::<AllowedPlace>().is_ok()
        {
            let _ = write!(text, " (--allow-private {})", url.host_str().unwrap_or_default());
        }
        cause = error.source();
    }
    text
}

/// Writes a summary or a warning to stderr, except with --quiet.
pub fn tell(text: &str) {
    if says(Verbosity::Normal) {
        complain(text);
    }
}

/// Writes a detail to stderr, with --verbose.
pub fn detail(text: &str) {
    if says(Verbosity::Verbose) {
        complain(text);
    }
}

/// Reports that the arguments do not go together, and returns how that ends.
pub fn refuse(misuse: &str) -> Exit {
    complain(&format!("error: {misuse}"));
    Exit::WrongUse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_shows_no_character_that_terminals_obey() {
        let text = "a\u{1b}[31m\u{9b}2J\u{7f}\u{202e}b\u{2066}\r\tc\n継ぎ";
        for size in 1..=text.len() {
            let mut screen = Screen { to: Vec::new(), rest: Vec::new() };
            text.as_bytes().chunks(size).for_each(|bytes| screen.write_all(bytes).unwrap());
            assert_eq!(String::from_utf8(screen.to).unwrap(), "a[31m2Jb\tc\n継ぎ");
        }
        let mut screen = Screen { to: Vec::new(), rest: Vec::new() };
        screen.write_all(b"a\xff\x9bb\xe7\xb6").unwrap();
        assert_eq!(String::from_utf8(screen.to).unwrap(), "a\u{fffd}\u{fffd}b\u{fffd}");
        assert_eq!(plain("a\u{1b}\nb\u{202e}c"), "a  bc");
    }

    #[test]
    fn a_line_of_json_is_safe_for_terminals() {
        let mut line = Vec::new();
        write_json_line(&mut line, &"\u{1b}\u{9b}\u{7f}\u{202e}次").unwrap();
        assert_eq!(String::from_utf8(line).unwrap(), "\"\\u001b\\u009b\\u007f\\u202e次\"\n");
    }
}
