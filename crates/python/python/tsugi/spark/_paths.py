"""Archives on this machine, and elsewhere."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..errors import OptionError


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


def open_archive(path: str) -> BinaryIO:
    if "://" not in path:
        return open(path, "rb")
    files, inner = filesystem(path)
    return cast(BinaryIO, files.open(inner, "rb"))
