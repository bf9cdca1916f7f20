"""The records of an archive, scanned in a process of their own, since a page can end it: memory runs out, or a stack."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from ._core import DEFAULT
from .errors import ArchiveError, TsugiError

#: So many processes may end while they work on a record: one of them perhaps for another reason.
MOST_ENDED = 2

#: What the process does.
SEND = f"import sys; from {__name__} import send; send(*sys.argv[1:])"


class Facts(NamedTuple):
    """What is known of a page."""

    url: str
    leads_to: str | None
    next: tuple[str, float | None, str, str, str | None] | None
    metadata: dict[str, Any]
    score: float
    text: str


class Scanned(NamedTuple):
    """A record of an archive."""

    offset: int
    target: str
    is_revisit: bool
    facts: Facts | None
    #: Why it holds no page: a word, a sentence, and the address that it redirects to.
    problem: tuple[str, str, str | None] | None


def scanned(path: str) -> Iterator[Scanned]:
    """Yield the records of an archive. One that ends the process twice is left out, with the word `killer`.

    :raises ArchiveError: if the file is no archive, or cannot be read
    """
    done, ended = 0, Counter[int]()
    with tempfile.TemporaryDirectory(prefix="tsugi-") as folder:
        begun = os.path.join(folder, "begun")
        while True:
            left_out = [str(number) for number, times in ended.items() if times >= MOST_ENDED]
            command = [sys.executable, "-c", SEND, path, begun, str(done), *left_out]
            with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
                assert process.stdout is not None
                try:
                    while True:
                        found = pickle.load(process.stdout)
                        if isinstance(found, ArchiveError):
                            raise found
                        yield found
                        done += 1
                except (EOFError, pickle.UnpicklingError):
                    # The process has ended, perhaps in the middle of a record.
                    pass
                except BaseException:
                    process.kill()
                    raise
            # 1: an exception, which stderr tells.
            if process.returncode in (0, 1):
                if process.returncode == 1:
                    raise TsugiError(f"`{path}` cannot be scanned")
                return
            try:
                with open(begun, "rb") as file:
                    number = int.from_bytes(file.read(8), "little")
            except FileNotFoundError:
                raise TsugiError(f"tsugi was killed before it read `{path}`") from None
            ended[number] += 1
            if ended[number] > MOST_ENDED:
                raise TsugiError(f"`{path}` cannot be scanned: tsugi is killed when it reads what follows record {number}")


def send(path: str, begun: str, first: str, *left_out: str) -> None:
    """Write the records of an archive to stdout."""
    engine, output = DEFAULT._engine(), sys.stdout.buffer
    try:
        records = engine.scan_warc(path, 1, (begun, int(first), {int(number) for number in left_out}))
    except ArchiveError as error:
        pickle.dump(error, output)
        return
    for offset, target, is_revisit, looked, problem in records:
        facts = None
        if looked is not None:
            text = looked.content()[0]
            facts = Facts(looked.url, engine.follows(looked), looked.next, looked.metadata(), looked.score, text)
        pickle.dump(Scanned(offset, target, is_revisit, facts, problem), output)
        output.flush()
