"""The folder of a run."""

from __future__ import annotations

import hashlib
import io
import json
import os
from typing import Any, cast

from .. import __version__
from ..errors import OptionError
from ._paths import filesystem


class Output:
    """The folder of a run."""

    def __init__(self, folder: str) -> None:
        self.folder = folder if "://" in folder else os.path.abspath(folder)

    def path(self, name: str) -> str:
        return f"{self.folder.rstrip('/')}/{name}"

    def read(self, name: str) -> dict[str, Any] | None:
        files, path = self._at(name)
        if not files.exists(path):
            return None
        with files.open(path, "r") as file:
            return cast("dict[str, Any]", json.load(file))

    def write(self, name: str, value: dict[str, Any]) -> None:
        files, path = self._at(name)
        files.makedirs(os.path.dirname(path), exist_ok=True)
        with files.open(path, "w") as file:
            json.dump(value, file, indent=1)

    def _at(self, name: str) -> tuple[Any, str]:
        if "://" in self.folder:
            return filesystem(self.path(name))
        return _Local(), self.path(name)

    def is_done(self, stage: str, digest: str) -> bool:
        """Tell whether a stage was finished for the same input and options.

        :raises OptionError: if it was finished for others
        """
        before = self.read(f"{stage}.json")
        if before and before["digest"] != digest:
            raise OptionError(
                f"`{self.path(stage)}` was written from another input, by other options or another version; "
                "name another --output, or remove it"
            )
        return before is not None

    def finish(self, stage: str, digest: str, report: dict[str, Any]) -> None:
        self.write(f"{stage}.json", {"digest": digest, **report})


class _Local:
    """What `Output` needs of a file system, for local paths without fsspec."""

    exists = staticmethod(os.path.exists)
    makedirs = staticmethod(os.makedirs)

    @staticmethod
    def open(path: str, mode: str) -> io.TextIOWrapper:
        return cast(io.TextIOWrapper, open(path, mode, encoding="utf-8"))


def digest_of(*parts: Any) -> str:
    return hashlib.sha256(json.dumps([__version__, *parts]).encode()).hexdigest()
