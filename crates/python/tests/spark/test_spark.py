"""The Spark job, on a cluster of two workers on this machine."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from conftest import article, warc
from same_chains import compared
from tsugi import spark

#: Two workers with a core and 2 GiB each.
CLUSTER = "local-cluster[2,1,2048]"
HOSTS = 24


def archive_of(hosts: range) -> bytes:
    """Articles of four pages, pages that stand alone, and one of which nobody knows the next page."""
    pages: dict[str, bytes] = {}
    for host in hosts:
        for number in range(1, 5):
            pages[f"https://host{host}.example/mill/{number}.html"] = article(number)
        pages[f"https://host{host}.example/about"] = b"<title>About</title><p>A page that stands alone, with words enough.</p>"
    pages[f"https://short{hosts.start}.example/mill/1.html"] = article(1)
    return warc(pages)


def redirect(url: str, to: str) -> bytes:
    return warc({url: b""}, f"HTTP/1.1 301 Moved\r\nLocation: {to}\r\nContent-Type: text/html\r\n")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of archives: a chain is in two of them, a page twice, a redirect inside a chain, and damage."""
    folder = tmp_path_factory.mktemp("crawl")
    for number in range(4):
        (folder / f"{number}.warc.gz").write_bytes(archive_of(range(number * HOSTS // 4, (number + 1) * HOSTS // 4)))
    moved = "https://moved.example/mill/{}.html"
    first = {moved.format(number): article(number) for number in (1, 2)}
    rest = {moved.format("third"): article(3), moved.format(4): article(4), "https://host0.example/about": b"<p>Another.</p>"}
    with open(folder / "1.warc.gz", "ab") as file:
        file.write(warc(first) + redirect(moved.format(3), moved.format("third")) + b"\x1f\x8bdamage")
    with open(folder / "3.warc.gz", "ab") as file:
        file.write(warc(rest))
    (folder / "notes.txt").write_text("no archive")
    return folder


@pytest.fixture(scope="module")
def told(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    """The documents of the command."""
    output = tmp_path_factory.mktemp("command") / "documents.jsonl"
    command = [sys.executable, "-m", "tsugi", "join", "--quiet", "--pages", str(crawl), "--all", "-f", "jsonl"]
    done = subprocess.run([*command, "-o", str(output)], check=False)
    assert done.returncode == 4, "the damage is named"
    found = Counter(map(compared, output.read_bytes().splitlines()))
    assert found.total() > HOSTS * 2
    return found


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tsugi.spark", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def run(*arguments: str | Path) -> str:
    job = start(*arguments)
    _, messages = job.communicate(timeout=600)
    assert job.returncode == 0, messages[-5000:]
    return messages


def documents(output: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in (output / "documents").glob("part-*"):
        found.update(map(compared, part.read_bytes().splitlines()))
    return found


def executors(job: int) -> Iterator[int]:
    """The processes of the workers that a job has started."""
    parents: dict[int, int] = {}
    names: dict[int, bytes] = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                parents[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                names[int(process.name)] = (process / "cmdline").read_bytes()
            except OSError:
                continue  # it has ended
    for process in parents:
        above = process
        while above in parents and above != job:
            above = parents[above]
        if above == job and b"CoarseGrainedExecutorBackend" in names[process] and b"java" in names[process].split(b"\0")[0]:
            yield process


def test_a_worker_killed_halfway_loses_nothing(crawl: Path, told: Counter[str], tmp_path: Path) -> None:
    output = tmp_path / "out"
    job = start("join", "--input", crawl, "--output", output, "--master", CLUSTER, "--format", "jsonl", "--partitions", "12")
    # While archives are scanned: one is done, and others are not.
    killed = []
    for folder, parts in ((output / "pages", 1), (output / "documents", 3)):
        until = time.monotonic() + 300
        while job.poll() is None and time.monotonic() < until:
            written = [*folder.glob("_temporary/*/task_*")]
            if len(written) >= parts and (workers := [*executors(job.pid)]):
                os.kill(workers[0], signal.SIGKILL)
                killed.append(folder.name)
                break
            time.sleep(0.02)
    _, messages = job.communicate(timeout=600)
    assert job.returncode == 0, messages[-5000:]
    assert killed == ["pages", "documents"], f"the job was over before {messages[-2000:]}"
    assert documents(output) == told

    # What is finished is not done again.
    before = {path: path.stat().st_mtime_ns for path in output.rglob("part-*")}
    run("join", "--input", crawl, "--output", output, "--format", "jsonl")
    assert {path: path.stat().st_mtime_ns for path in output.rglob("part-*")} == before
    # Without documents, the pages of before are joined: here as rows, and with every host in parts.
    (output / "documents.json").unlink()
    run("join", "--input", crawl, "--output", output, "--giant", "3")
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in before.items() if path.parent.name == "pages")
    as_rows(output, told)
    # By way of another file system, and chains alone.
    elsewhere = tmp_path / "elsewhere"
    run("join", "--input", f"file://{crawl}", "--output", elsewhere, "--format", "jsonl", "--chains-only")
    alone = documents(elsewhere)
    assert alone < told
    chains = [json.loads(document) for document in told.elements() if len(json.loads(document)["pages"]) > 1]
    assert sum(len(json.loads(document)["pages"]) > 1 for document in alone.elements()) == len(chains)
    assert alone.total() < told.total() - HOSTS // 2
    # For another input, there is no telling what of the output is still true.
    other = start("scan", "--input", crawl / "0.warc.gz", "--output", output)
    _, messages = other.communicate(timeout=600)
    assert other.returncode == 2 and "was written from another input" in messages


def as_rows(output: Path, told: Counter[str]) -> None:
    import pyarrow.parquet as parquet

    rows = parquet.read_table(output / "documents").to_pylist()
    lines = [json.loads(line) for line in told.elements()]
    fields = ("url", "title", "text", "html", "complete", "warnings")

    def compared(documents: list[dict[str, object]]) -> list[str]:
        return sorted(json.dumps([document[field] for field in fields]) for document in documents)

    assert compared(rows) == compared(lines)
    lengths = sorted(len(row["pages"]) for row in rows)
    assert lengths == sorted(len(line["pages"]) for line in lines) and lengths[-1] == 4
    pages = parquet.read_table(output / "pages").to_pylist()
    report = json.loads((output / "pages.json").read_text())
    assert report["records"]["damaged"] == 1 == len(report["damaged"])
    assert report["records"] == Counter(page["kind"] for page in pages)
    first = next(page for page in pages if page["url"] == "https://host0.example/mill/1.html")
    assert first["next"] == "https://host0.example/mill/2.html" and first["next_score"] > 0.9 and "tide" in first["text"]


def test_records_are_where_rows_say(crawl: Path) -> None:
    path = str(crawl / "1.warc.gz")
    whole = Path(path).read_bytes()
    rows = [row for row in spark.scan_archive(0, path) if row["kind"] != "damaged"]
    import gzip

    for row in rows:
        record = gzip.decompress(whole[row["offset"] : row["offset"] + row["length"]])
        assert f"WARC-Target-URI: {row['url']}\r\n".encode() in record


def test_no_page_that_needs_company_is_missed() -> None:
    draw = random.Random(7)
    for count in (0, 1, 50, 30_000):
        needy, others = (
            np.array([draw.getrandbits(64) - (1 << 63) for _ in range(size)], np.int64) for size in (count, 20_000)
        )
        company = spark.Company(count)
        for block in range(company.blocks):
            company.set(block, company.filled(needy[company.block(needy) == block]))
        assert company.needs(needy).all()
        assert company.needs(others).mean() < 0.02


def test_components_are_closed() -> None:
    links = [(1, 2), (2, 3), (5, 4), (9, 10), (3, 7)]
    assert spark.components([7, 1, 2, 3, 4, 5, 6], links) == {1: 1, 2: 1, 3: 1, 7: 1, 4: 4, 5: 4, 6: 6}


def test_paths_lead_to_archives(crawl: Path, tmp_path: Path) -> None:
    names = [Path(path).name for path in spark.archives_of([str(crawl)])]
    assert names == ["0.warc.gz", "1.warc.gz", "2.warc.gz", "3.warc.gz"]
    assert len(spark.archives_of([f"{crawl}/[12].warc.gz"])) == 2
    for nothing in (tmp_path, tmp_path / "none.warc.gz", f"{crawl}/*.zip"):
        with pytest.raises(spark.OptionError, match="leads to no archive"):
            spark.archives_of([str(nothing)])
