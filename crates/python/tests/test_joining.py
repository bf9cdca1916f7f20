"""Joining: by functions of the caller, from files, archives and a server."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import pickle
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tsugi
from conftest import ADDRESS, ARTICLE, Site, article, warc

FIRST = ADDRESS.format(1)


def test_own_functions_fetch_pages(pages: dict[str, bytes]) -> None:
    class Response:
        """As of requests and httpx."""

        def __init__(self, url: str) -> None:
            self.url, self.content, self.status_code = url, pages.get(url, b""), 200 if url in pages else 404
            self.headers = {"content-type": "text/html; charset=utf-8"}

    ways: dict[str, Callable[[str], Any]] = {
        "bytes": pages.get,
        "text": lambda url: pages[url].decode(),
        "tuple": lambda url: (pages[url], url, "text/html; charset=utf-8"),
        "pair": lambda url: (pages[url].decode(), url),
        "response": Response,
    }
    texts = set()
    for way, fetch in ways.items():
        document = tsugi.join(FIRST, fetch=fetch)
        assert [page.url for page in document.pages] == list(pages), way
        assert document.complete and document.stopped.reason == "no-next", way
        texts.add(document.text)
    assert len(texts) == 1


def test_a_document_has_all_that_its_json_has(pages: dict[str, bytes]) -> None:
    document = tsugi.join(FIRST, fetch=pages.get)
    told = document.to_dict()
    assert told == json.loads(document.json)
    assert (told["url"], told["title"], told["lang"]) == (document.url, document.title, document.language)
    for page, row in zip(document.pages, told["pages"], strict=True):
        assert (page.url, page.start, page.end, page.removed) == (row["url"], row["start"], row["end"], row["removed"])
        assert document.text[page.start : page.end]
    second = document.pages[1].verdict
    assert second is not None and second.holds and document.pages[0].verdict is None


def test_documents_and_joiners_pickle(pages: dict[str, bytes]) -> None:
    joiner = tsugi.Joiner(pages[FIRST], FIRST, max_pages=3, include_links=False)
    joiner.give(pages[joiner.wanted or ""])
    again = pickle.loads(pickle.dumps(joiner))
    assert (again.wanted, again.pages) == (joiner.wanted, joiner.pages)
    for one in (joiner, again):
        one.give(pages[one.wanted or ""])
        assert one.wanted is None
        with pytest.raises(tsugi.TsugiError, match="no page is wanted"):
            one.give(b"<p>x")
    document = joiner.document()
    assert document is joiner.document() and document.stopped.reason == "max-pages" and not document.complete
    pickled = pickle.loads(pickle.dumps(document))
    for again in (again.document(), pickled, pickle.loads(pickle.dumps(joiner)).document()):  # noqa: B020
        for format in ("md", "html", "txt", "json", "epub"):
            assert again.write(format) == document.write(format), format
        assert again.pages == document.pages and again.to_dict() == document.to_dict()
        assert [tried._asdict() for tried in again.tried] == document.to_dict().get("tried", [])
    assert pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(document)))).html == document.html


def test_a_failure_ends_the_document_and_keeps_the_pages(pages: dict[str, bytes]) -> None:
    third = ADDRESS.format(3)

    def fetch(url: str) -> bytes:
        if url == third:
            raise ConnectionResetError("the peer is gone")
        return pages[url]

    document = tsugi.join(FIRST, fetch=fetch)
    assert len(document.pages) == 2 and not document.complete
    assert document.stopped == ("fetch-failed", third, "ConnectionResetError: the peer is gone")
    missing = tsugi.join(FIRST, fetch=lambda url: None if url == third else pages[url])
    assert missing.stopped.reason == "fetch-failed"
    pdf = tsugi.join(FIRST, fetch=lambda url: b"%PDF-1.7" if url == third else pages[url])
    assert pdf.stopped.reason == "fetch-failed" and "PDF" in pdf.stopped.detail
    with pytest.raises(ZeroDivisionError):
        tsugi.join(FIRST, fetch=lambda url: 1 // 0)
    with pytest.raises(tsugi.UnavailableError, match="is not there"):
        tsugi.join(FIRST, fetch=lambda url: None)
    with pytest.raises(TypeError, match="fetch returned int"):
        tsugi.join(FIRST, fetch=lambda url: 7)

    def stop(url: str) -> bytes:
        if url == third:
            raise KeyboardInterrupt
        return pages[url]

    with pytest.raises(KeyboardInterrupt):
        tsugi.join(FIRST, fetch=stop)


def test_options_are_checked(pages: dict[str, bytes]) -> None:
    with pytest.raises(tsugi.OptionError, match="max_pages"):
        tsugi.join(FIRST, fetch=pages.get, max_pages=0)
    with pytest.raises(tsugi.OptionError, match="max_pages"):
        tsugi.join(FIRST, fetch=pages.get, max_pages=-1)
    assert len(tsugi.join(FIRST, fetch=pages.get, max_pages=10**30).pages) > 1
    with pytest.raises(tsugi.OptionError, match="relation='book'"):
        tsugi.join(FIRST, fetch=pages.get, relation="book")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="max_page"):
        tsugi.join(FIRST, fetch=pages.get, max_page=2)  # type: ignore[call-arg]
    with pytest.raises(tsugi.UnavailableError, match="neither an http"):
        tsugi.join("no-such-file.html")
    assert len(tsugi.join(FIRST, fetch=pages.get, max_pages=2).pages) == 2
    assert len(tsugi.join(ADDRESS.format(3), fetch=pages.get, from_start=True).pages) == 4


def test_files_are_joined(tmp_path: Path) -> None:
    document = tsugi.join(ARTICLE / "1.html")
    assert len(document.pages) == 4 and document.url.startswith("file://")
    for name, beginning in (("a.md", b"#"), ("a.html", b"<!"), ("a.txt", b""), ("a.json", b"{"), ("a.epub", b"PK")):
        document.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(beginning)
    (tmp_path / "a.md").chmod(0o640)
    document.save(tmp_path / "a.md")
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o640
    with pytest.raises(tsugi.OptionError, match="no ending"):
        document.save(tmp_path / "a")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_images_of_e_books_are_fetched(tmp_path: Path) -> None:
    gif = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
    prose = ("It has stood by the river for three hundred years.", "It grinds corn, and the river turns its wheel all year.")
    html = "<main><h1>The mill</h1><p>{}</p><img src=/mill.gif width=600 height=400 alt=Mill><p>{}</p></main>".format(*prose)
    document = tsugi.join("https://a.test/1", fetch=lambda url: html)
    asked: list[str] = []

    def fetch_image(url: str) -> bytes:
        asked.append(url)
        return gif

    document.save(tmp_path / "a.epub", fetch_image=fetch_image)
    assert asked == ["https://a.test/mill.gif"]
    assert [name for name in zipfile.ZipFile(tmp_path / "a.epub").namelist() if name.endswith(".gif")]
    document.save(tmp_path / "b.epub", fetch_image=lambda url: None)
    assert document.warnings[-1] == "1 images left out"
    with pytest.raises(ZeroDivisionError):
        document.save(tmp_path / "c.epub", fetch_image=lambda url: bytes(1 // 0))
    assert not (tmp_path / "c.epub").exists()


def test_a_server_is_asked(site: Site) -> None:
    http = tsugi.Http(delay=0, allow_private=["127.0.0.1"])
    document = tsugi.join(f"{site.url}/1.html", fetch=http)
    assert len(document.pages) == 4
    assert site.asked == ["/robots.txt", "/1.html", "/2.html", "/3.html", "/4.html"]
    assert pickle.loads(pickle.dumps(http))(f"{site.url}/2.html").body == article(2)
    with pytest.raises(tsugi.UnavailableError, match="404") as error:
        http(f"{site.url}/none.html")
    assert error.value.reason == "status"
    assert http.fetch_image(f"{site.url}/1.html") is None
    with pytest.raises(tsugi.UnavailableError, match=r"leads to 127\.0\.0\.1"):
        tsugi.join(f"{site.url}/1.html")
    with pytest.raises(tsugi.OptionError, match="allow_private"):
        tsugi.Http(allow_private=["no place/"])
    with pytest.raises(tsugi.OptionError, match="timeout"):
        tsugi.Http(timeout=-1)


def chromium() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium")
@pytest.mark.parametrize("is_async", [False, True])
def test_a_browser_draws_what_only_scripts_show(is_async: bool, tmp_path: Path) -> None:
    things = [
        ["tide", "mill", "wheel", "stone", "flour", "harbour"],
        ["lamp", "signal", "cliff", "rock", "boat", "rescue"],
        ["island", "school", "bell", "letter", "farm", "sheep"],
    ]

    def part(number: int) -> str:
        lines = [
            f"<p>The {one} and the {other} stood beside the {third} for as long as anybody in the village could tell. It is "
            f"paragraph {at} of part {number}.</p>"
            for at, (one, other, third) in enumerate(zip(*(things[number - 1][at:] for at in range(3)), strict=False), 1)
        ]
        return "".join(lines)

    app = """<title>The lighthouse</title><main id=app></main><script>
        const get = async part => (await fetch('/part/' + part)).text();
        get(1).then(text => { document.getElementById('app').innerHTML = '<h1>The lighthouse</h1><article id=list>' + text
            + '</article><button id=more>Load more</button>'; let at = 1; const more = document.getElementById('more');
            more.onclick = async () => { at += 1; const text = await get(at); if (at === 3) more.remove();
                document.getElementById('list').insertAdjacentHTML('beforeend', text); }; });
        </script>"""
    bodies = {f"/part/{number}": part(number).encode() for number in range(1, 4)}
    site = Site({"/story": app.encode(), **bodies})
    try:
        url = f"{site.url}/story"
        http = tsugi.Http(delay=0, allow_private=["127.0.0.1"], browser_path=chromium())
        document = asyncio.run(tsugi.ajoin(url, fetch=http)) if is_async else tsugi.join(url, fetch=http)
        assert [f"paragraph 4 of part {number}." in document.text for number in range(1, 4)] == [True] * 3, document.text
        assert (len(document.pages), document.complete) == (3, True), document.stopped
        assert b"paragraph 4 of part 1." in http.draw(url).body
        without = tsugi.Http(delay=0, allow_private=["127.0.0.1"], browser="never")
        assert "paragraph" not in tsugi.join(url, fetch=without).text
        nowhere = tsugi.Http(delay=0, allow_private=["127.0.0.1"], browser_path="/there/is/none")
        with pytest.raises(tsugi.UnavailableError, match="`/there/is/none` is not a program"):
            nowhere.draw(url)
        stored = tmp_path / "story.warc.gz"
        command = [sys.executable, "-m", "tsugi", "join", "--quiet", "--delay", "0", "--allow-private", "127.0.0.1"]
        subprocess.run([*command, "--save", stored, url], check=True, stdout=subprocess.DEVNULL, timeout=120)
    finally:
        site.server.shutdown()
    assert tsugi.join(url, fetch=tsugi.Archive(stored)).text == document.text
    with pytest.raises(tsugi.OptionError, match="browser='sometimes'"):
        tsugi.Http(browser="sometimes")  # type: ignore[arg-type]


async def test_documents_are_joined_in_asyncio(pages: dict[str, bytes], site: Site) -> None:
    async def fetch(url: str) -> bytes:
        await asyncio.sleep(0)
        return pages[url]

    documents = await asyncio.gather(
        tsugi.ajoin(FIRST, fetch=fetch),
        tsugi.ajoin(FIRST, fetch=pages.get),
        tsugi.ajoin(f"{site.url}/1.html", fetch=tsugi.Http(delay=0, allow_private=["127.0.0.1"])),
        tsugi.ajoin(ARTICLE / "1.html"),
    )
    assert [len(document.pages) for document in documents] == [4, 4, 4, 4]

    async def fail(url: str) -> bytes:
        raise TimeoutError("too late")

    with pytest.raises(TimeoutError):
        await tsugi.ajoin(FIRST, fetch=fail)


def test_a_page_of_an_archive_has_the_address_that_links_spell(tmp_path: Path, pages: dict[str, bytes]) -> None:
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(warc({f"{FIRST}#top": pages[FIRST]}))
    with tsugi.scan_warc(path) as scan:
        assert [(page.to_dict()["url"], page.record.target) for page in scan if page.record] == [(FIRST, f"{FIRST}#top")]


def test_archives_are_scanned_and_joined(tmp_path: Path, pages: dict[str, bytes]) -> None:
    path = tmp_path / "pages.warc.gz"
    whole = warc(pages)
    not_there = warc({"https://magazine.example/gone": b"Gone"}, "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n")
    first = warc({FIRST: pages[FIRST]})
    path.write_bytes(first + not_there + b"\x1f\x8bdamage" + whole[len(first) :])
    with tsugi.scan_warc(path) as scan:
        found = list(scan)
    assert [page.url for page in found] == list(pages)
    assert [page.next.url if page.next else None for page in found] == [*list(pages)[1:], None]
    assert found[0].record == (str(path), 0, FIRST)
    assert scan.pages == 4 and scan.skipped == {"status": 1} and len(scan.damaged) == 1
    assert scan.damaged[0].offset == len(first + not_there)
    archive = tsugi.Archive(path)
    assert len(archive.urls) == 5 and len(archive.problems) == 1
    assert len(tsugi.join(FIRST, fetch=archive).pages) == 4
    assert len(tsugi.join(FIRST, fetch=pickle.loads(pickle.dumps(archive))).pages) == 4
    with pytest.raises(tsugi.UnavailableError) as error:
        archive("https://magazine.example/other")
    assert error.value.reason == "not-stored"
    (tmp_path / "text.txt").write_text("no archive")
    for bad in ("text.txt", "none.warc.gz"):
        with pytest.raises(tsugi.ArchiveError, match="cannot be used"):
            tsugi.Archive(tmp_path / bad)
    with pytest.raises(tsugi.ArchiveError, match="cannot be used"):
        tsugi.scan_warc(tmp_path / "none.warc.gz")
    for name, notes in (("notes.md", b"# Notes\n\nNo archive.\n"), ("notes.md.gz", gzip.compress(b"# Notes\n"))):
        (tmp_path / name).write_bytes(notes)
        for open_it in (tsugi.scan_warc, tsugi.Archive):
            with pytest.raises(tsugi.ArchiveError, match="not a WARC archive"):
                open_it(tmp_path / name)
    with pytest.raises(tsugi.OptionError, match="workers"):
        tsugi.scan_warc(path, workers=0)


def test_a_scan_can_end_early(tmp_path: Path, pages: dict[str, bytes]) -> None:
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(warc({f"https://a.test/{number}": pages[FIRST] for number in range(200)}))
    with tsugi.scan_warc(path, workers=2) as scan:
        assert next(scan).url == "https://a.test/0"
    assert list(scan) == []


#: A server that never answers.
SILENT = """
import socket
server = socket.create_server(("127.0.0.1", 0))
url = f"http://127.0.0.1:{server.getsockname()[1]}/1.html"
"""


@pytest.mark.parametrize(
    ("ask", "ended"),
    [
        ("import tsugi; tsugi.join(url, fetch=tsugi.Http(allow_private=['127.0.0.1'], robots=False))", -signal.SIGINT),
        (
            "import sys; sys.argv = ['tsugi', 'join', url, '--allow-private', '127.0.0.1', '--ignore-robots']\n"
            "from tsugi.__main__ import main; main()",
            130,
        ),
    ],
)
def test_ctrl_c_ends_the_wait_for_a_site(ask: str, ended: int) -> None:
    # Programs that a script starts in the background ignore Ctrl-C, and so do theirs.
    hear = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code = SILENT + f"{hear}print('ready', flush=True)\n{ask}"
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdout is not None and program.stdout.readline() == b"ready\n"
    time.sleep(1)
    program.send_signal(signal.SIGINT)
    _, messages = program.communicate(timeout=20)
    assert program.returncode == ended, messages.decode()
