"""Arguments and pages that mean harm: errors of Python, and never an end of the interpreter."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import tsugi
from conftest import ADDRESS, article

HALF = "\ud83d"


def test_halves_of_surrogate_pairs_are_replaced_wherever_they_are() -> None:
    page = tsugi.scan(f"<title>{HALF}</title><p>One {HALF}.", url=f"https://a.test/{HALF}", content_type=f"text/html;{HALF}")
    assert page.url == "https://a.test/%EF%BF%BD" and page.content.text == "One ?."
    assert tsugi.scan(b"<p>One.", url="https://a.test/", content_type=f"text/html; charset={HALF}").content.text == "One."
    with pytest.raises(tsugi.UrlError):
        tsugi.scan("<p>One.", url=HALF)
    with pytest.raises(ValueError):
        tsugi.Tsugi(rules=HALF)


@pytest.mark.parametrize("nothing", [None, 7, 1.5, [], {}, object()])
def test_what_is_no_text_is_a_type_error(nothing: Any) -> None:
    for call in (tsugi.scan, tsugi.extract):
        with pytest.raises(TypeError, match="a page is bytes or str"):
            call(nothing)
    if nothing is not None:
        with pytest.raises(TypeError, match="an address is str, not"):
            tsugi.scan("<p>One.", url=nothing)
        with pytest.raises(TypeError, match="a content type is str, not"):
            tsugi.scan("<p>One.", content_type=nothing)


def test_large_and_deep_pages_are_pages() -> None:
    deep, long = "<div>" * 100_000 + "One.", "<p>" + "x" * 4_000_000
    for html in ("<b>" * 300_000, long, deep, "&" * 1_000_000, "<p " + "a=b " * 500_000):
        assert isinstance(tsugi.scan(html).content.text, str)
    text = "The ferry left at six in the morning. Nobody saw it go, for the fog was thick. " * 300
    data = '{"title":"The ferry","L":[' + '{"__ref":"A"},' * 60_000 + f'{{}}],"A":{{"type":"p","text":"{text}"}}}}'
    page = tsugi.scan(f"<title>The ferry</title><div id=app></div><script>window.__APOLLO_STATE__ = {data}</script>")
    assert len(page.content.html) < 8 * len(data)
    assert page.warning and "data in the page" in page.warning


def test_threads_share_everything() -> None:
    pages = [(article(number), ADDRESS.format(number)) for number in range(1, 5)]
    alone = [tsugi.scan(*page).to_dict() for page in pages]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(3):
            assert [found.to_dict() for found in threads.map(lambda page: tsugi.scan(*page), pages * 4)] == alone * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_works_on() -> None:
    # The models are read before and after the fork.
    tsugi.scan(article(1))
    for _ in range(3):
        child = os.fork()
        if child == 0:
            os._exit(0 if "tide" in tsugi.scan(article(1)).content.text else 1)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0


def test_answers_of_a_fetch_function_are_not_trusted() -> None:
    start = ADDRESS.format(1)
    for answer in (7, ("one",), ("a", "b", "c", "d"), (None, start), object()):
        with pytest.raises((TypeError, tsugi.TsugiError)):
            tsugi.join(start, fetch=lambda url, answer=answer: answer)  # type: ignore[misc]

    # Each page leads on to another one, for ever.
    def more(url: str) -> tuple[bytes, str]:
        return article(1).replace(b"2.html", f"{hash(url) % 10**9}.html".encode()), url

    endless = tsugi.join(start, fetch=more, max_pages=5)
    assert len(endless.pages) <= 5


def test_an_exception_of_a_fetch_function_comes_back() -> None:
    class OwnError(Exception):
        pass

    def fetch(url: str) -> Any:
        raise OwnError(url)

    with pytest.raises((OwnError, tsugi.TsugiError)):
        tsugi.join(ADDRESS.format(1), fetch=fetch)
