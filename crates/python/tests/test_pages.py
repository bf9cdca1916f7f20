"""Scanning, extracting and judging single pages."""

from __future__ import annotations

import json
import pickle
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import tsugi
from conftest import ADDRESS, article


def test_scan_finds_next_page_content_and_metadata() -> None:
    page = tsugi.scan(article(2), url=ADDRESS.format(2))
    assert page.next is not None
    assert (page.next.url, page.next.relation, page.next.by) == (ADDRESS.format(3), "page", "model")
    assert 0.9 < page.next.score <= 1.0
    assert "tide" in page.content.text and "tide" in page.content.markdown and "<p>" in page.content.html
    assert page.content.nodes[0].startswith("/html[1]/body[1]")
    assert page.language == "en-GB"
    assert page.title and page.authors
    assert page.record is None and page.unfollowable is None


def test_text_and_bytes_are_the_same_page() -> None:
    html = "<meta charset=shift_jis><title>潮</title><p>海の水は一日に二度、満ちては引く。</p>"
    of_text = tsugi.scan(html, url="https://a.test/")
    of_bytes = tsugi.scan(html.encode("shift_jis"), url="https://a.test/")
    as_served = tsugi.scan(bytearray(html.encode()), url="https://a.test/", content_type="text/html; charset=utf-8")
    assert of_text.title == of_bytes.title == as_served.title == "潮"
    assert of_text.content.text == of_bytes.content.text == as_served.content.text


def test_text_of_any_kind_is_read() -> None:
    assert tsugi.scan("half a \ud83d pair").content.text == "half a ? pair"
    assert tsugi.scan("").content.text == ""
    assert not tsugi.scan("").content
    assert tsugi.scan(b"\xff\xfe<\x00p\x00>\x00a\x00").content is not None
    text = "A line that is long enough.\n\nAnd another <b>one</b>."
    assert "<b>" in tsugi.scan(text, content_type="text/plain").content.text


def test_a_page_without_an_address_has_content() -> None:
    page = tsugi.scan("<main><p>They have stood by the <a href=/river>river</a> for three hundred years.</p></main>")
    assert page.content.text == "They have stood by the river for three hundred years."
    assert "(" not in page.content.markdown
    assert page.next is None


def test_what_is_no_page_is_an_error() -> None:
    with pytest.raises(tsugi.UnavailableError, match="PDF") as error:
        tsugi.scan(b"%PDF-1.7", url="https://a.test/1")
    assert (error.value.reason, error.value.url) == ("not-html", "https://a.test/1")
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.reason) == (str(error.value), "not-html")
    assert tsugi.extract(b"%PDF-1.7") is None
    with pytest.raises(tsugi.UnavailableError, match=r"^the page is a PDF"):
        tsugi.scan(b"%PDF-1.7")
    with pytest.raises(tsugi.UrlError, match="no absolute URL"):
        tsugi.scan("<p>x", url="a.test/1")
    with pytest.raises(TypeError, match="bytes or str, not int"):
        tsugi.scan(7)  # type: ignore[arg-type]


def test_extract_takes_the_options_of_trafilatura() -> None:
    prose = "<p>They have stood by the <a href=/river>river</a> for three hundred years, and some of them still grind corn.</p>"
    table = "<table><tr><th>Mill<th>Age<tr><td>Upper<td>300<tr><td>Lower<td>200</table>"
    html = f"<main><h1>Mills</h1>{prose * 3}{table}{prose * 3}</main>"
    url = "https://a.test/mills"
    markdown = tsugi.extract(html, url, output_format="markdown")
    assert markdown is not None and markdown.startswith("# Mills\n") and "river" in markdown and "/river" not in markdown
    linked = tsugi.extract(html, url, output_format="markdown", include_links=True)
    assert linked is not None and "(https://a.test/river)" in linked
    assert "Upper" in (tsugi.extract(html, url) or "")
    text = tsugi.extract(html, url, include_tables=False)
    assert text is not None and "Upper" not in text
    assert (tsugi.extract(html, url, output_format="json") or "").startswith("{")
    assert (tsugi.extract(html, url, output_format="epub") or b"").startswith(b"PK")
    assert tsugi.extract(html, url, favor_precision=True) and tsugi.extract(html, url, favor_recall=True)
    assert tsugi.extract("<p></p>") is None
    kept = tsugi.extract(html, url, keep="body") or ""
    assert kept and len(kept) <= len(tsugi.extract(html, url, keep="all") or "")
    with pytest.raises(tsugi.OptionError, match="no role is called `menu`"):
        tsugi.extract(html, url, keep="title,menu")
    with pytest.raises(tsugi.OptionError, match="exclude each other"):
        tsugi.extract(html, favor_precision=True, favor_recall=True)
    with pytest.raises(ValueError, match="`xml` is no format; use markdown, html, txt, json or epub: html has the markup"):
        tsugi.extract(html, output_format="xml")  # type: ignore[call-overload]
    with pytest.raises(tsugi.OptionError, match=r"`csv` is no format.*csv.writer"):
        tsugi.extract(html, output_format="csv")  # type: ignore[call-overload]


def test_extract_takes_the_arguments_of_trafilatura() -> None:
    html, url = article(1), ADDRESS.format(1)
    plain = tsugi.extract(html, url)
    assert plain == tsugi.extract(html, url, fast=True, no_fallback=True) and plain is not None
    described = tsugi.extract(html, url, with_metadata=True)
    assert described is not None and described.startswith("---\ntitle: ") and described.endswith(plain)
    marked = tsugi.extract(html, url, include_formatting=True)
    assert marked == tsugi.extract(html, url, output_format="markdown") != plain
    document = tsugi.extract(html, url, output_format="python")
    assert document is not None and document.text == plain and document.authors == ["Maud Fennimore"]
    assert tsugi.extract(html, url, target_language="en") == plain and tsugi.extract(html, url, target_language="de") is None
    assert tsugi.extract(html, url, only_with_metadata=True) == plain
    assert tsugi.extract(html, only_with_metadata=True) is None, "a page without an address"
    assert tsugi.extract("<p>One paragraph of some length, without a date.</p>", url, only_with_metadata=True) is None


def test_extract_says_what_it_lacks() -> None:
    extract: Any = tsugi.extract
    html = article(1)
    assert extract(html, deduplicate=False, config=None, url_blacklist=set(), prune_xpath=None) == extract(html)
    for name, words in (("deduplicate", "`join`"), ("prune_xpath", "lxml"), ("record_id", "keep it"), ("config", "arguments")):
        with pytest.raises(tsugi.OptionError, match=f"extract has no `{name}`: .*{words}"):
            extract(html, **{name: "x"})
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'include_link'\. Did you mean 'include_links'\?"):
        extract(html, include_link=False)


def test_verify_judges_pairs() -> None:
    one, two, three = ((article(number), ADDRESS.format(number)) for number in (1, 2, 4))
    score, holds, reasons = tsugi.verify(*one, *two)
    assert holds and score > 0.5 and all(reason.what for reason in reasons)
    other = tsugi.verify(*one, "<title>Contact</title><p>Write to us.</p>", "https://magazine.example/contact")
    assert not other.holds
    assert not tsugi.verify("<p>No link.</p>", "https://a.test/", *three).holds


def test_pages_pickle() -> None:
    page = tsugi.scan(article(2), url=ADDRESS.format(2))
    again = pickle.loads(pickle.dumps(page))
    assert again.to_dict() == page.to_dict()
    assert (again.content.html, again.content.markdown) == (page.content.html, page.content.markdown)
    assert again.metadata == page.metadata and again.next == page.next
    assert again == page and hash(again) == hash(page)
    assert again != tsugi.scan(article(3), url=ADDRESS.format(3)) and page != 7
    # And once more, without a tree.
    assert pickle.loads(pickle.dumps(again)).to_dict() == page.to_dict()


def test_rules_come_before_models(tmp_path: Path) -> None:
    data = {"url": r"^https://a\.test/", "nextLink": "//a[@id='on']", "pageElement": "//main"}
    rules = json.dumps([{"name": "A", "data": data}]).encode()
    html = "<main>One.</main><a id=on href=2>zzz</a>"
    file = tmp_path / "rules.json"
    file.write_bytes(rules)
    for reader in (tsugi.Tsugi(rules=rules), tsugi.Tsugi(rules=file), pickle.loads(pickle.dumps(tsugi.Tsugi(rules=rules)))):
        page = reader.scan(html, url="https://a.test/1")
        assert page.next and (page.next.by, page.content.rule) == ("rule", "A")
    with pytest.raises(tsugi.RulesError):
        tsugi.Tsugi(rules=b"{")
    with pytest.raises(tsugi.ModelError, match="next_model"):
        tsugi.Tsugi(next_model=b"no model")
    with pytest.raises(tsugi.OptionError, match="focus"):
        tsugi.Tsugi(focus="sharp")  # type: ignore[arg-type]
    for option in ("rules", "next_model"):
        with pytest.raises(tsugi.FileError, match="no such file") as error:
            tsugi.Tsugi(**{option: "no such file"})  # type: ignore[arg-type]
        assert isinstance(error.value, tsugi.TsugiError) and isinstance(error.value, OSError)


def test_other_threads_run_while_a_page_is_read() -> None:
    html = "<main>" + "<p>A paragraph of a page that takes long to read, with some words in it.</p>" * 20_000
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    tsugi.scan(html)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(begin < at < end for at in ticks) > 3, "the lock is held"
