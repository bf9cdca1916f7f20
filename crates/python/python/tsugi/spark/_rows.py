"""Rows of records, and documents of rows: what a task does, without Spark."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .. import _tsugi
from .._scanned import Scanned, scanned
from ..errors import ArchiveError, TsugiError
from ._company import page_key
from ._paths import at_hand, read_ranges

#: What is read at once, in bytes, if a page does not take more.
MOST_READ = 4 << 20

PAGE_SCHEMA = """
    archive int, path string, offset long, length long, kind string, reason string, url string, host string, key long,
    leads_to long, next string, next_score float, next_relation string, next_by string, title string, authors array<string>,
    published string, modified string, language string, canonical string, site string, description string, image string,
    section string, tags array<string>, content_score float, text string
"""

DOCUMENT_SCHEMA = """
    url string, title string, authors array<string>, published string, modified string, language string, canonical string,
    site string, description string, image string, section string, tags array<string>,
    pages array<struct<url: string, score: float, by: string, start: int, end: int, removed: int>>,
    complete boolean, stopped struct<reason: string, at: string, detail: string>, warnings array<string>, text string,
    html string
"""


def scan_archive(archive: int, path: str) -> Iterator[dict[str, Any]]:
    """Yield a row of `pages` for each record of an archive: see `PAGE_SCHEMA`."""
    with at_hand(path) as file:
        size = os.path.getsize(file)
        # A record ends where the next one begins, so rows wait for it. Records of one gzip member have one place.
        waiting: list[dict[str, Any]] = []
        revisits: list[dict[str, Any]] = []
        try:
            for record in scanned(file):
                offset = record.offset
                row = {"archive": archive, "path": path, "offset": offset, **_row(record)}
                if record.is_revisit:
                    # They come last, out of order, and their bodies are in other records.
                    revisits.append({**row, "kind": "revisit", "length": 0})
                    continue
                if waiting and waiting[0]["offset"] != offset:
                    yield from ({**before, "length": offset - before["offset"]} for before in waiting)
                    waiting.clear()
                waiting.append(row)
        except ArchiveError as error:
            yield {"archive": archive, "path": path, "offset": 0, "length": 0, "kind": "damaged", "reason": str(error)}
            return
        yield from ({**before, "length": size - before["offset"]} for before in waiting)
        yield from revisits


def _row(record: Scanned) -> dict[str, Any]:
    facts = record.facts
    if facts is None:
        assert record.problem is not None
        word, message, redirect = record.problem
        if word == "killer":
            print(f"{record.target}: {message}", file=sys.stderr)
        kind = "damaged" if word == "damaged" else "redirect" if redirect else "other"
        row: dict[str, Any] = {"kind": kind, "reason": message}
        with suppress(TsugiError):
            row |= _address(record.target, redirect)
        return row
    row = {"kind": "page", "reason": None, **_address(facts.url, facts.leads_to)}
    if facts.next:
        row["next"], row["next_score"], row["next_relation"], row["next_by"], _ = facts.next
    row |= facts.metadata
    row["content_score"] = facts.score
    row["text"] = facts.text
    return row


def _address(url: str, to: str | None) -> dict[str, Any]:
    """Return what says which page a record is of, and which one it leads to on its host."""
    host = _tsugi.host_key(url)
    leads_to = page_key(to) if to and _tsugi.host_key(to) == host else None
    return {"url": url, "host": host, "key": page_key(url), "leads_to": leads_to}


@dataclass(frozen=True)
class Joining:
    """How to join."""

    #: Options of `tsugi join`.
    options: tuple[str, ...]
    #: Whether documents are JSON lines instead of rows.
    lines: bool


class _KilledError(Exception):
    """The command was killed, or ended itself: memory ran out, or a stack."""


def join_rows(rows: list[dict[str, Any]], joining: Joining) -> Iterator[dict[str, Any]]:
    """Yield the documents of rows that have all the company they need.

    A page that ends the command is left out and named on stderr, so that a repeated task does not end at it again.
    """
    if not rows:
        return
    with tempfile.TemporaryDirectory(prefix="tsugi-") as folder:
        try:
            output = _run(rows, joining, folder)
        except _KilledError as error:
            killers = _killers(rows, joining, folder)
            if not killers:
                raise TsugiError(f"{error}; no page does that alone") from error
            for row in killers:
                print(f"{row['url']}: left out, since tsugi is killed when it works on this page", file=sys.stderr)
            rows = [row for row in rows if row not in killers]
            output = _run(rows, joining, folder)
        if not os.path.exists(output):
            return
        with open(output, encoding="utf-8", newline="\n") as lines:
            for line in lines:
                yield {"value": line.rstrip("\n")} if joining.lines else _document(json.loads(line))


def _killers(rows: list[dict[str, Any]], joining: Joining, folder: str) -> list[dict[str, Any]]:
    """Return the rows that end the command, each by itself. Records of one gzip member are judged together."""
    places = sorted({(row["archive"], row["offset"]) for row in rows})
    found: list[dict[str, Any]] = []
    todo = [places[: len(places) // 2], places[len(places) // 2 :]]
    while todo:
        part = todo.pop()
        wanted = set(part)
        held = [row for row in rows if (row["archive"], row["offset"]) in wanted]
        try:
            _run(held, joining, folder)
        except _KilledError:
            if len(part) == 1:
                found += held
            else:
                todo += [part[: len(part) // 2], part[len(part) // 2 :]]
    return found


def _run(rows: list[dict[str, Any]], joining: Joining, folder: str) -> str:
    """Join rows into a file of the folder, which is not there if there is no document; return its path."""
    archive, output = os.path.join(folder, "pages.warc.gz"), os.path.join(folder, "documents.jsonl")
    with suppress(FileNotFoundError):
        os.remove(output)
    if not rows:
        return output
    _copy(rows, archive)
    command = [sys.executable, "-m", "tsugi", "join", "--quiet", "--pages", archive, "--all", "--jobs", "1"]
    command += ["-f", "jsonl", "-o", output, *joining.options]
    # What the user of a worker has set must not change the documents.
    environment = {**os.environ, "TSUGI_CONFIG": ""}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    # 1: there is no document. 4: some are not whole.
    if done.returncode not in (0, 1, 4) and not (done.returncode == 3 and not os.path.exists(output) and _nothing(done)):
        words = f"tsugi join: exit code {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}"
        # A signal, or what Windows has instead.
        raise TsugiError(words) if done.returncode in (2, 3, 130) else _KilledError(words)
    return output


def _nothing(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Tell whether a run failed since no record holds a page: each is named, and nothing else went wrong."""
    return b"error:" not in done.stderr


def _document(told: dict[str, Any]) -> dict[str, Any]:
    return {**told, "language": told.get("lang")}


def _copy(rows: list[dict[str, Any]], to: str) -> None:
    """Copy records to an archive of their own, in the order of their archives. Those of one gzip member are copied once."""
    places = sorted({(row["archive"], row["offset"], row["length"], row["path"]) for row in rows})
    with open(to, "wb") as copy:
        for records in read_ranges(_together((path, offset, length) for _, offset, length, path in places)):
            # Archives may be compressed or not, and this one is.
            copy.write(records if records.startswith(b"\x1f\x8b") else gzip.compress(records, 1))


def _together(places: Iterable[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Join ranges that follow each other, up to some size."""
    held: tuple[str, int, int] | None = None
    for path, offset, length in places:
        if held and held[0] == path and held[1] + held[2] == offset and held[2] < MOST_READ:
            held = (path, held[1], held[2] + length)
            continue
        if held:
            yield held
        held = (path, offset, length)
    if held:
        yield held
