//! Sorting and keeping more rows than fit into memory. A row is an array of bytes; numbers in it are big-endian.
//!
//! This is our own: the crates that we found serialise every row, or need a folder of files.

use crate::locked::locked;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::vec;

/// How much is sorted in memory at a time, and how much of all sorted runs is in memory while they are merged, in bytes.
const ROOM: usize = 4 << 20;

/// Where files are made that have no name, and are gone when they are closed.
#[derive(Debug, Clone)]
pub struct Scratch {
    /// `None` if everything stays in memory.
    folder: Option<PathBuf>,
    room: usize,
}

impl Scratch {
    /// Uses a folder.
    pub fn below(folder: &Path) -> Scratch {
        Scratch { folder: Some(folder.to_owned()), room: ROOM }
    }

    pub(crate) fn in_memory() -> Scratch {
        Scratch { folder: None, room: usize::MAX }
    }

    /// Uses another amount of memory for each [`Sorter`], and for each table of a [`Catalog`](crate::Catalog), in bytes; 4 MiB
    /// if this is not called.
    #[must_use]
    pub fn with_room(self, room: usize) -> Scratch {
        Scratch { room, ..self }
    }

    /// Makes a file.
    ///
    /// # Errors
    ///
    /// Those of the file system.
    pub fn file(&self) -> io::Result<File> {
        match &self.folder {
            Some(folder) => tempfile::tempfile_in(folder),
            None => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

/// Sorts rows of `N` bytes. Memory is bounded; the rest is in one scratch file.
#[derive(Debug)]
pub struct Sorter<const N: usize> {
    scratch: Scratch,
    rows: Vec<[u8; N]>,
    /// Sorted runs, one after the other, and the number of rows of each.
    spilled: Option<(BufWriter<File>, Vec<u64>)>,
}

impl<const N: usize> Sorter<N> {
    /// Makes a sorter without rows.
    pub fn new(scratch: &Scratch) -> Sorter<N> {
        Sorter { scratch: scratch.clone(), rows: Vec::new(), spilled: None }
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// Those of the scratch file.
    pub fn push(&mut self, row: [u8; N]) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() * N >= self.scratch.room { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.rows.sort_unstable();
        let (file, runs) = match &mut self.spilled {
            Some(spilled) => spilled,
            None => self.spilled.insert((BufWriter::new(self.scratch.file()?), Vec::new())),
        };
        for row in &self.rows {
            file.write_all(row)?;
        }
        runs.push(self.rows.len() as u64);
        self.rows.clear();
        Ok(())
    }

    /// Returns the rows in order.
    ///
    /// # Errors
    ///
    /// Those of the scratch file.
    pub fn finish(mut self) -> io::Result<SortedRows<N>> {
        if self.spilled.is_none() {
            self.rows.sort_unstable();
            return Ok(SortedRows(RowSource::Held(self.rows.into_iter())));
        }
        self.spill()?;
        let Some((file, lengths)) = self.spilled else {
            return Ok(SortedRows(RowSource::Held(Vec::new().into_iter())));
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        // All runs together have the room, and none reads so little that seeking takes longer than reading.
        let at_once = (self.scratch.room / N / lengths.len().max(1)).max(16) as u64;
        let (mut runs, mut start) = (Vec::new(), 0);
        for length in lengths {
            runs.push(SortedRun { at: start, end: start + length, at_once, rows: VecDeque::new() });
            start += length;
        }
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.iter_mut().enumerate() {
            heads.extend(run.next(&file)?.map(|row| Reverse((row, number))));
        }
        Ok(SortedRows(RowSource::Merged { file, runs, heads }))
    }

    pub(crate) fn into_table(self) -> io::Result<RowTable<N>> {
        let mut table = RowTable::new(&self.scratch);
        for row in self.finish()? {
            table.push(row?)?;
        }
        Ok(table)
    }
}

/// Rows in order.
#[derive(Debug)]
pub struct SortedRows<const N: usize>(RowSource<N>);

#[derive(Debug)]
enum RowSource<const N: usize> {
    Held(vec::IntoIter<[u8; N]>),
    Merged { file: File, runs: Vec<SortedRun<N>>, heads: BinaryHeap<Reverse<([u8; N], usize)>> },
}

impl<const N: usize> Iterator for SortedRows<N> {
    type Item = io::Result<[u8; N]>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            RowSource::Held(rows) => rows.next().map(Ok),
            RowSource::Merged { file, runs, heads } => {
                let Reverse((row, number)) = heads.pop()?;
                match runs[number].next(file) {
                    Ok(next) => heads.extend(next.map(|next| Reverse((next, number)))),
                    Err(error) => return Some(Err(error)),
                }
                Some(Ok(row))
            }
        }
    }
}

/// A sorted run, from row `at` to row `end` of the file.
#[derive(Debug)]
struct SortedRun<const N: usize> {
    at: u64,
    end: u64,
    at_once: u64,
    rows: VecDeque<[u8; N]>,
}

impl<const N: usize> SortedRun<N> {
    fn next(&mut self, mut file: &File) -> io::Result<Option<[u8; N]>> {
        if self.rows.is_empty() && self.at < self.end {
            let count = self.at_once.min(self.end - self.at);
            file.seek(SeekFrom::Start(self.at * N as u64))?;
            let mut rows = vec![[0; N]; usize::try_from(count).map_err(io::Error::other)?];
            file.read_exact(rows.as_flattened_mut())?;
            self.rows.extend(rows);
            self.at += count;
        }
        Ok(self.rows.pop_front())
    }
}

/// Bytes that are added at the end and read anywhere. Few are in memory, many in a scratch file.
#[derive(Debug)]
pub(crate) struct ScratchBytes {
    scratch: Scratch,
    held: Vec<u8>,
    file: Option<Mutex<BufWriter<File>>>,
    length: u64,
}

impl ScratchBytes {
    pub(crate) fn new(scratch: &Scratch) -> ScratchBytes {
        ScratchBytes { scratch: scratch.clone(), held: Vec::new(), file: None, length: 0 }
    }

    /// Adds bytes; returns where they start.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let start = self.length;
        self.length += bytes.len() as u64;
        if let Some(file) = &mut self.file {
            file.get_mut().unwrap_or_else(PoisonError::into_inner).write_all(bytes)?;
            return Ok(start);
        }
        self.held.extend_from_slice(bytes);
        if self.held.len() >= self.scratch.room {
            let mut file = BufWriter::new(self.scratch.file()?);
            file.write_all(&self.held)?;
            (self.held, self.file) = (Vec::new(), Some(Mutex::new(file)));
        }
        Ok(start)
    }

    /// Fills `to` with the bytes from `start` on; [`io::ErrorKind::UnexpectedEof`] if there are not as many.
    pub(crate) fn read(&self, start: u64, to: &mut [u8]) -> io::Result<()> {
        let Some(file) = &self.file else {
            let held = usize::try_from(start).ok().and_then(|start| self.held.get(start..)?.get(..to.len()));
            to.copy_from_slice(held.ok_or(io::ErrorKind::UnexpectedEof)?);
            return Ok(());
        };
        let mut file = locked(file);
        file.seek(SeekFrom::Start(start))?;
        file.get_mut().read_exact(to)?;
        // Where the next bytes are added.
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct RowTable<const N: usize> {
    bytes: ScratchBytes,
}

impl<const N: usize> RowTable<N> {
    pub(crate) fn new(scratch: &Scratch) -> RowTable<N> {
        RowTable { bytes: ScratchBytes::new(scratch) }
    }

    pub(crate) fn push(&mut self, row: [u8; N]) -> io::Result<()> {
        self.bytes.push(&row)?;
        Ok(())
    }

    pub(crate) fn len(&self) -> u64 {
        self.bytes.length / N as u64
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.length == 0
    }

    /// Returns the row with a number, counted from 0; [`io::ErrorKind::UnexpectedEof`] if there is no such row.
    pub(crate) fn get(&self, number: u64) -> io::Result<[u8; N]> {
        let mut row = [0; N];
        self.bytes.read(number.saturating_mul(N as u64), &mut row)?;
        Ok(row)
    }

    /// Returns the first row that starts with `prefix`, if the rows are in order.
    pub(crate) fn first(&self, prefix: &[u8]) -> io::Result<Option<[u8; N]>> {
        let number = self.below(prefix)?;
        if number == self.len() {
            return Ok(None);
        }
        Ok(Some(self.get(number)?).filter(|row| row.starts_with(prefix)))
    }

    /// Returns the number of rows whose first bytes are below `least`, if the rows are in order.
    pub(crate) fn below(&self, least: &[u8]) -> io::Result<u64> {
        self.partition_point(|row| row[..least.len().min(N)] < *least)
    }

    /// Returns the number of rows before the first that is not one of the `first` ones, if the others come after them.
    pub(crate) fn partition_point(&self, is_first: impl Fn(&[u8; N]) -> bool) -> io::Result<u64> {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from + (to - from) / 2;
            if is_first(&self.get(middle)?) { from = middle + 1 } else { to = middle }
        }
        Ok(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_come_in_order_however_little_fits_into_memory(rows: Vec<[u8; 3]>, room in 1_usize..64) {
            let folder = tempfile::tempdir().unwrap();
            let scratch = Scratch::below(folder.path()).with_room(room);
            let mut sorter = Sorter::new(&scratch);
            for row in &rows {
                sorter.push(*row).unwrap();
            }
            let sorted: Vec<[u8; 3]> = sorter.finish().unwrap().map(Result::unwrap).collect();
            let mut expected = rows;
            expected.sort_unstable();
            prop_assert_eq!(&sorted, &expected);

            let mut table = RowTable::new(&scratch);
            for row in &sorted {
                table.push(*row).unwrap();
            }
            for number in 0..sorted.len() {
                prop_assert_eq!(table.get(number as u64).unwrap(), sorted[number]);
                let first = sorted.partition_point(|row| row[..2] < sorted[number][..2]);
                prop_assert_eq!(table.below(&sorted[number][..2]).unwrap(), first as u64);
            }
            prop_assert_eq!(table.len(), sorted.len() as u64);
            prop_assert!(table.get(table.len()).is_err());
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a file has a name");
        }
    }
}
