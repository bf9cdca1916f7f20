"""Scrapy, against a server on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Site

pytest.importorskip("scrapy")

SPIDER = """
import scrapy, tsugi, tsugi.scrapy

class Pages(scrapy.Spider):
    name = "pages"
    start_urls = ["{url}/1.html"]
    custom_settings = {{"TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "WARNING", {settings}}}

{callbacks}
"""


def crawl(tmp_path: Path, site: Site, callbacks: str, settings: str = "") -> list[dict[str, object]]:
    spider = tmp_path / "spider.py"
    spider.write_text(SPIDER.format(url=site.url, settings=settings, callbacks=callbacks))
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-o", "-:jsonlines"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=120, check=False)
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


FOLLOWED = '"SPIDER_MIDDLEWARES": {"tsugi.scrapy.NextPageMiddleware": 950}'
PARSE = """
    def parse(self, response):
        yield {"url": response.url, "page": response.meta.get("tsugi_page", 1)}
"""


def test_the_middleware_follows_next_pages(tmp_path: Path, site: Site) -> None:
    found = crawl(tmp_path, site, PARSE, FOLLOWED)
    assert found == [{"url": f"{site.url}/{number}.html", "page": number} for number in range(1, 5)]


def test_the_middleware_follows_async_callbacks_as_far_as_it_may(tmp_path: Path, site: Site) -> None:
    callbacks = PARSE.replace("def parse", "async def parse")
    found = crawl(tmp_path, site, callbacks, FOLLOWED + ', "TSUGI_MAX_PAGES": 2')
    assert [page["page"] for page in found] == [1, 2]
    assert len(crawl(tmp_path, site, callbacks, FOLLOWED + ', "TSUGI_RELATION": "chapter"')) == 1


def test_responses_have_a_next_url(tmp_path: Path, site: Site) -> None:
    callbacks = PARSE + "        if next := tsugi.next_url(response):\n            yield response.follow(next)\n"
    assert len(crawl(tmp_path, site, callbacks)) == 4


JOIN = """
    def parse(self, response):
        yield from tsugi.scrapy.join(response, self.parse_document)

    def parse_document(self, document):
        yield {"pages": [page.url for page in document.pages], "stopped": document.stopped.reason, "text": document.text}
"""


def test_pages_are_joined_to_a_document(tmp_path: Path, site: Site) -> None:
    [document] = crawl(tmp_path, site, JOIN, FOLLOWED)
    assert document["pages"] == [f"{site.url}/{number}.html" for number in range(1, 5)]
    assert document["stopped"] == "no-next" and "tide" in str(document["text"])


def test_a_missing_page_ends_the_document(tmp_path: Path, site: Site) -> None:
    from conftest import article

    short = Site({"/1.html": article(1), "/2.html": article(2)})
    [document] = crawl(tmp_path, short, JOIN)
    assert len(document["pages"]) == 2 and document["stopped"] == "fetch-failed"  # type: ignore[arg-type]
