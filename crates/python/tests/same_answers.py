"""Compares the answers of the package with those of the command, page by page, on data sets.

  same_answers.py DATA [--sets NAME…] [--every N]

Compares what `tsugi scan` writes for every page with `tsugi.scan_warc`, and for every Nth page (50) what `tsugi scan`, `tsugi
extract` and `tsugi join --pages` write with `tsugi.scan`, `tsugi.extract` and `tsugi.join`. Prints a table; the exit code is 1
if an answer differs.
"""

from __future__ import annotations

import argparse
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal

import tsugi

FORMATS: tuple[Literal["md", "json"], ...] = ("md", "json")
COMMAND = [sys.executable, "-m", "tsugi"]


def single(value: Any) -> Any:
    """Return a value of JSON with numbers as the command computes them: of single precision."""
    if isinstance(value, float):
        return struct.unpack("f", struct.pack("f", value))[0]
    if isinstance(value, dict):
        return {name: single(part) for name, part in value.items()}
    return [single(part) for part in value] if isinstance(value, list) else value


def lines(text: bytes) -> list[Any]:
    return [single(json.loads(line)) for line in text.splitlines()]


def run(*arguments: str | Path) -> bytes:
    done = subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, check=False)
    # 1: a page has no content. 4: a document is not whole, or a record holds no page.
    if done.returncode not in (0, 1, 4):
        sys.exit(f"{arguments}: exit code {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


class Compared:
    """How many answers are equal."""

    def __init__(self, name: str) -> None:
        self.name, self.equal, self.all = name, 0, 0

    def add(self, what: str, ours: Any, theirs: Any) -> None:
        self.all += 1
        if ours == theirs:
            self.equal += 1
        elif self.all - self.equal <= 3:
            print(f"{self.name}: {what} differs:\n  package: {ours}\n  command: {theirs}"[:2000], file=sys.stderr)

    def __str__(self) -> str:
        return f"{self.equal} of {self.all}"


def compare(archive: Path, every: int) -> list[Compared]:
    scans, looks, extracts, joins = (
        Compared(f"{archive.parent.name}: {name}") for name in ("scan_warc", "scan", "extract", "join")
    )
    told = lines(run("scan", archive, "--quiet"))
    pages = [line for line in told if line["error"] is None]
    with tsugi.scan_warc(archive) as scan:
        found = [single(page.to_dict()) for page in scan]
    scans.add("the number of pages", len(found), len(pages))
    scans.add("the number of other records", scan.skipped.total() + len(scan.damaged), len(told) - len(pages))
    for ours, theirs in zip(found, pages, strict=False):
        scans.add(theirs["url"], ours, theirs)
    held = tsugi.Archive(archive)
    with tempfile.TemporaryDirectory() as folder:
        chosen = pages[:: max(1, every)]
        (Path(folder) / "list").write_text("".join(line["url"] + "\n" for line in chosen))
        run("join", "--quiet", "--pages", archive, "--input", Path(folder) / "list", "-o", Path(folder) / "out", "-f", "json")
        written = {line["url"]: line for line in lines((Path(folder) / "out/index.jsonl").read_bytes())}
        for line in chosen:
            url = line["url"]
            body, at, content_type = held(url)
            looks.add(url, single(tsugi.scan(body, at, content_type=content_type).to_dict()), line)
            for format in FORMATS:
                ours = tsugi.extract(
                    body, at, output_format=format, include_images=True, include_links=True, content_type=content_type
                )
                theirs = run("extract", "--quiet", "--pages", archive, url, "-f", format).decode()
                # The package has nothing to say where the command writes a document without text.
                if ours is not None:
                    extracts.add(f"{url} as {format}", ours, theirs)
            if url in written:
                file = Path(folder) / "out" / written[url]["file"]
                joins.add(url, tsugi.join(url, fetch=held).json, file.read_text())
    return [scans, looks, extracts, joins]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="*")
    parser.add_argument("--every", type=int, default=50)
    arguments = parser.parse_args()
    archives = sorted(arguments.data.glob("*/pages.warc.gz"))
    archives = [path for path in archives if not arguments.sets or path.parent.name in arguments.sets]
    if not archives:
        sys.exit(f"`{arguments.data}` holds no data set")
    whole = True
    print("| set | scan_warc | scan | extract | join |\n| --- | --- | --- | --- | --- |")
    for archive in archives:
        compared = compare(archive, arguments.every)
        whole = whole and all(part.equal == part.all for part in compared)
        print(f"| {archive.parent.name} | {' | '.join(map(str, compared))} |", flush=True)
    sys.exit(0 if whole else 1)


if __name__ == "__main__":
    main()
