"""What the tests share."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

# `scripts/wheel --spark` and `--pipelines` run the others.
collect_ignore = ["pipelines", "spark"]

ROOT = Path(__file__).parents[3]
ARTICLE = ROOT / "datasets" / "english-article"
ADDRESS = "https://magazine.example/features/tide-mill/{}.html"


def article(number: int) -> bytes:
    return (ARTICLE / f"{number}.html").read_bytes()


@pytest.fixture
def pages() -> dict[str, bytes]:
    """The pages of an article, by address."""
    return {ADDRESS.format(number): article(number) for number in range(1, 5)}


def warc(pages: dict[str, bytes], head: str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n") -> bytes:
    """An archive, one gzip member a record."""
    members = []
    for url, body in pages.items():
        block = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        record = (
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
            f"WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: {url}\r\n"
            f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        members.append(gzip.compress(record.encode() + block + b"\r\n\r\n"))
    return b"".join(members)


class Site:
    """A server on this machine: path → body; other paths are not there."""

    def __init__(self, bodies: dict[str, bytes]) -> None:
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                body = bodies.get(self.path)
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def site() -> Iterator[Site]:
    """A site with an article of four pages."""
    site = Site({f"/{number}.html": article(number) for number in range(1, 5)})
    yield site
    site.server.shutdown()
