"""Records that mean harm, as a task of the Spark job gets them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from conftest import article, warc
from tsugi import spark

PLACE = "https://host.example/mill/{}.html"
JOINING = spark.Joining((), True)

#: A page that takes more memory than a process has.
HEAVY = b"<title>Heavy</title>" + b"<p>a<b>b</b>" * 1_500_000


def rows_of(path: Path, bytes: bytes) -> list[dict[str, Any]]:
    path.write_bytes(bytes)
    return [row for row in spark.scan_archive(0, str(path)) if row.get("key") is not None]


def urls(rows: list[dict[str, Any]]) -> list[list[str]]:
    documents = [json.loads(row["value"]) for row in spark.join_rows(rows, JOINING)]
    return sorted([page["url"] for page in document["pages"]] for document in documents)


def test_records_that_mean_harm_are_rows(tmp_path: Path) -> None:
    pages = {
        PLACE.format(1): article(1),
        "https://host.example/\u0001\u202e": b"<p>x",
        "https://host.example/" + "a" * 100_000: b"<p>x",
        "no address": b"<p>x",
        "javascript:alert(1)": b"<p>x",
        "https://host.example/empty": b"",
        "https://host.example/deep": b"<div>" * 100_000,
        "https://host.example/bytes": bytes(range(256)) * 100,
    }
    path = tmp_path / "hostile.warc.gz"
    path.write_bytes(warc(pages) + b"WARC/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n" + b"\x1f\x8bdamage")
    rows = [*spark.scan_archive(0, str(path))]
    assert any(row["kind"] == "damaged" for row in rows)
    assert any(row["url"] == PLACE.format(1) for row in rows if row["kind"] == "page")
    for row in rows:
        json.dumps(row, default=str).encode()
    assert [PLACE.format(1)] in urls([row for row in rows if row.get("key") is not None])


def limit_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limited = tmp_path / "python"
    limited.write_text(f'#!/bin/sh\nulimit -v 400000\nexec {sys.executable} "$@"\n')
    limited.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(limited))


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by the shell")
def test_a_page_that_ends_the_scan_is_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    urls = [PLACE.format(number) for number in range(1, 5)]
    pages = {url: article(number) for number, url in enumerate(urls, 1)}
    whole, heavy = tmp_path / "whole.warc.gz", tmp_path / "heavy.warc.gz"
    whole.write_bytes(warc(pages))
    expected = [row | {"offset": 0, "path": ""} for row in spark.scan_archive(0, str(whole))]
    first = {url: pages[url] for url in urls[:2]}
    rest = {url: pages[url] for url in urls[2:]}
    heavy.write_bytes(warc({**first, "https://host.example/heavy": HEAVY, **rest}))
    limit_memory(tmp_path, monkeypatch)
    rows = [*spark.scan_archive(0, str(heavy))]
    killer = rows.pop(2)
    assert [row | {"offset": 0, "path": ""} for row in rows] == expected
    assert (killer["url"], killer["kind"]) == ("https://host.example/heavy", "other")
    assert "left out" in killer["reason"]
    assert "https://host.example/heavy: left out" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by the shell")
def test_a_page_that_ends_the_command_is_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {PLACE.format(number): article(number) for number in range(1, 5)}
    rows = rows_of(tmp_path / "pages.warc.gz", warc({**pages, "https://host.example/heavy": HEAVY}))
    limit_memory(tmp_path, monkeypatch)
    assert urls(rows) == [[*pages]]
    assert "https://host.example/heavy: left out" in capsys.readouterr().err
