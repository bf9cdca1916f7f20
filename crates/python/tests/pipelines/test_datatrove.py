"""datatrove: WARC files → its reader → tsugi."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("datatrove")
sys.path.insert(0, str(Path(__file__).parents[1]))

from conftest import ADDRESS, article, warc
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter
from tsugi.datatrove import TsugiExtractor, TsugiScan


def run(tmp_path: Path, *steps: Any) -> list[dict[str, Any]]:
    import gzip
    import json

    (tmp_path / "crawl").mkdir()
    pages = {ADDRESS.format(number): article(number) for number in range(1, 5)}
    (tmp_path / "crawl" / "pages.warc.gz").write_bytes(warc(pages))
    reader = WarcReader(str(tmp_path / "crawl"), glob_pattern="*.warc.gz")
    writer = JsonlWriter(str(tmp_path / "out"))
    LocalPipelineExecutor([reader, *steps, writer], logging_dir=str(tmp_path / "logs")).run()
    [part] = (tmp_path / "out").glob("*.jsonl.gz")
    return [json.loads(line) for line in gzip.open(part)]


def test_scan_adds_text_link_and_metadata(tmp_path: Path) -> None:
    found = run(tmp_path, TsugiScan(markdown=True))
    assert [row["metadata"]["url"] for row in found] == [ADDRESS.format(number) for number in range(1, 5)]
    nexts = [(row["metadata"]["next"] or {}).get("url") for row in found]
    assert nexts == [ADDRESS.format(2), ADDRESS.format(3), ADDRESS.format(4), None]
    assert found[0]["metadata"]["next"]["relation"] == "page" and found[0]["metadata"]["language"] == "en-GB"
    assert "tide" in found[0]["text"] and "<p>" not in found[0]["text"]


def test_the_extractor_takes_the_place_of_others(tmp_path: Path) -> None:
    found = run(tmp_path, TsugiExtractor(timeout=30))
    assert len(found) == 4 and all("tide" in row["text"].lower() for row in found)


def test_pages_without_content_are_dropped() -> None:
    pages = [Document("<p></p>", "1", metadata={"url": "no address"}), Document("", "2")]
    assert list(TsugiScan().run(iter(pages))) == []
    assert TsugiExtractor().extract("") == ""
