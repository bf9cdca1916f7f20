"""Scanning WARC archives."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from .pages import Page, RecordPlace

if TYPE_CHECKING:
    from . import _tsugi

log = logging.getLogger("tsugi")


class Damage(NamedTuple):
    """A record that cannot be read."""

    path: str
    #: Where it begins in the file, in bytes.
    offset: int
    #: What is wrong.
    problem: str


class WarcScan(Iterator[Page]):
    """The pages of an archive, in their order, as they are scanned by all cores. See `tsugi.scan_warc`."""

    #: The archive.
    path: str
    #: The number of pages so far.
    pages: int
    #: The records so far that hold no page, by reason: `status`, `not-html`, …
    skipped: Counter[str]
    #: The records so far that cannot be read.
    damaged: list[Damage]

    def __init__(self, path: str, records: _tsugi.Records) -> None:
        self.path = path
        self.pages = 0
        self.skipped = Counter()
        self.damaged = []
        self._records = records

    def __next__(self) -> Page:
        for offset, target, _, looked, problem in self._records:
            if looked is not None:
                self.pages += 1
                return Page(looked, RecordPlace(self.path, offset, target))
            assert problem is not None
            reason, message, _ = problem
            if reason == "damaged":
                self.damaged.append(Damage(self.path, offset, message))
                log.warning("%s: %s", self.path, message)
            else:
                self.skipped[reason] += 1
        raise StopIteration

    def close(self) -> None:
        """End the scan."""
        self._records.close()

    def __enter__(self) -> WarcScan:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<tsugi.WarcScan of {os.path.basename(self.path)}: {self.pages} pages, {len(self.damaged)} damaged>"
