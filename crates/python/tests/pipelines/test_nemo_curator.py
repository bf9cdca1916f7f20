"""NeMo Curator: a record of Common Crawl → its extractor → tsugi."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("nemo_curator.stages.text.download.common_crawl")
sys.path.insert(0, str(Path(__file__).parents[1]))

from conftest import ADDRESS, article
from nemo_curator.stages.text.download.common_crawl.extract import CommonCrawlHTMLExtractor
from tsugi.nemo_curator import TsugiExtractor


def test_the_extractor_takes_the_place_of_others() -> None:
    extractor = CommonCrawlHTMLExtractor(algorithm=TsugiExtractor())
    record = {"url": ADDRESS.format(1), "warc_id": "1", "source_id": "1", "content": article(1)}
    found = extractor.extract(record)
    assert found is not None and found["language"] == "ENGLISH"
    paragraphs = found["text"].split("\n\n")
    assert len(paragraphs) > 5 and "tide" in found["text"] and not any("<p>" in paragraph for paragraph in paragraphs)


def test_a_page_without_content_has_no_text() -> None:
    assert TsugiExtractor().extract_text("<p></p>", frozenset(), "ENGLISH") is None
