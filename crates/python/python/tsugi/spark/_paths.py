"""Archives on this machine, and elsewhere."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

from ..errors import OptionError

#: Parts of files that are read at a time from elsewhere.
READERS = 16


def archives_of(paths: Iterable[str]) -> list[str]:
    """Return archives in order: those that are named, and those in folders or behind patterns, sorted by name.

    :raises OptionError: if a path leads to no archive
    """
    found: list[str] = []
    for path in paths:
        if "://" in path:
            found.extend(_remote_archives(path))
            continue
        if os.path.isdir(path):
            listed = sorted(str(file) for file in Path(path).iterdir() if _is_archive(file.name) and file.is_file())
        else:
            listed = sorted(glob.glob(path)) if glob.has_magic(path) else [path] * os.path.isfile(path)
        if not listed:
            raise OptionError(f"`{path}` leads to no archive: no `*.warc` or `*.warc.gz` file")
        # Tasks run in other folders.
        found.extend(os.path.abspath(file) for file in listed)
    return found


def _is_archive(name: str) -> bool:
    return name.lower().endswith((".warc", ".warc.gz"))


def _remote_archives(path: str) -> list[str]:
    files, _ = filesystem(path)
    scheme = path.partition("://")[0]
    listed = files.find(path) if files.isdir(path) else files.glob(path)
    found = sorted(f"{scheme}://{str(file).partition('://')[2] or file}" for file in listed if _is_archive(str(file)))
    if not found:
        raise OptionError(f"`{path}` leads to no archive: no `*.warc` or `*.warc.gz` file")
    return found


def filesystem(path: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise OptionError(f"`{path}` is not on this machine: install fsspec, and its driver for such paths") from error
    return cast("tuple[Any, str]", fsspec.core.url_to_fs(path))


@contextmanager
def at_hand(path: str) -> Iterator[str]:
    """Give a path on this machine; a file from elsewhere is copied for as long as it is needed."""
    if "://" not in path:
        yield path
        return
    files, inner = filesystem(path)
    with tempfile.TemporaryDirectory(prefix="tsugi-") as folder:
        copied = os.path.join(folder, os.path.basename(inner))
        files.get_file(inner, copied)
        yield copied


def read_ranges(places: Iterable[tuple[str, int, int]]) -> Iterator[bytes]:
    """Yield parts of files: (path, offset, length). From elsewhere, many are read at a time, since each takes a while."""
    for is_remote, group in groupby(places, lambda place: "://" in place[0]):
        if is_remote:
            with ThreadPoolExecutor(READERS) as pool:
                yield from pool.map(_read_remote, group)
            continue
        for path, parts in groupby(group, itemgetter(0)):
            with open(path, "rb") as file:
                for _, offset, length in parts:
                    file.seek(offset)
                    yield file.read(length)


def _read_remote(place: tuple[str, int, int]) -> bytes:
    path, offset, length = place
    files, inner = filesystem(path)
    return cast(bytes, files.cat_file(inner, start=offset, end=offset + length))
