"""Where pages come from: the web, a WARC archive, or files. All of them can be given as `fetch=`."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _tsugi
from ._options import BrowserUse, Html, Path
from .errors import OptionError, UnavailableError

if TYPE_CHECKING:
    from ._core import Tsugi

_LOG = logging.getLogger("tsugi")


class Response(NamedTuple):
    """A page as served."""

    body: bytes
    #: The address after redirects.
    url: str
    #: The media type and charset, as the server says.
    content_type: str | None


class Http:
    """Pages from the web, politely: `robots.txt` is obeyed, hosts get time between requests, and only public addresses are
    connected to. Threads can share one.

    >>> import tsugi
    >>> http = tsugi.Http(user_agent="my-reader/1.0 (+mailto:me@example.org)", delay=1.0)
    >>> http("http://127.0.0.1/")
    Traceback (most recent call last):
        ...
    tsugi.errors.UnavailableError: `http://127.0.0.1/` leads to 127.0.0.1, ...

    :param user_agent: who asks; name an address that you can be reached at
    :param headers: more headers, sent to the sites in `header_sites` only
    :param header_sites: addresses of the sites that get `headers`
    :param timeout: seconds for a page, without the pauses between requests
    :param delay: seconds between two requests to one host
    :param retries: further tries after a failure that may pass
    :param max_body: the longest page in bytes
    :param robots: whether to obey `robots.txt`
    :param allow_private: private hosts, addresses or networks that may be asked (`localhost`, `10.0.0.0/8`)
    :param browser: which pages of a document an installed browser draws: `auto` (those that need it), `always` or `never`.
        Where the next page is behind a button, or comes by scrolling, it goes on
    :param browser_path: the program of the browser (Chromium, Chrome, Edge or Brave); without it, the first one on the `PATH`
    """

    def __init__(
        self,
        *,
        user_agent: str | None = None,
        headers: Mapping[str, str] | None = None,
        header_sites: Iterable[str] = (),
        timeout: float = 30.0,
        delay: float = 0.5,
        retries: int = 2,
        max_body: int = 20 << 20,
        robots: bool = True,
        allow_private: Iterable[str] = (),
        browser: BrowserUse = "auto",
        browser_path: Path | None = None,
    ) -> None:
        if browser not in ("auto", "always", "never"):
            raise OptionError(f"browser={browser!r} is not 'auto', 'always' or 'never'")
        #: Which pages a browser draws.
        self.browser: BrowserUse = browser
        program = None if browser_path is None else os.fspath(browser_path)
        draws = browser != "never"
        lines = [f"{name}: {value}" for name, value in (headers or {}).items()]
        site = (lines, [*header_sites], timeout, delay, retries, max_body, robots, [*allow_private])
        self._options = (user_agent, *site, draws, program)
        self._http = _tsugi.Http(*self._options)

    def __call__(self, url: str) -> Response:
        """Return the page at an address.

        :raises UnavailableError: if there is none
        """
        return Response(*self._http.fetch(url))

    def draw(self, url: str, *, tsugi: Tsugi | None = None) -> Response:
        """Return the page at an address as a browser shows it once its text no longer changes.

        A browser is started for the first such page, and ends with this object.

        :param tsugi: models that tell what the text of the page is
        :raises UnavailableError: if there is no page, or no browser
        """
        from ._core import DEFAULT

        page = Response(*self._http.draw((tsugi or DEFAULT)._engine(), url))
        self._tell()
        return page

    def _advance(self, engine: _tsugi.Engine, following: _tsugi.Following) -> None:
        self._http.advance(engine, following)
        self._tell()

    def _tell(self) -> None:
        for note in self._http.notes():
            _LOG.warning("%s", note)

    def fetch_image(self, url: str) -> bytes | None:
        """Return an image (JPEG, PNG, GIF or WebP), or `None` if it cannot be fetched; see `Document.save`."""
        try:
            return self._http.fetch_image(url)[0]
        except UnavailableError:
            return None

    def __reduce__(self) -> Any:
        return _http, (self.browser, self._options)


def _http(browser: BrowserUse, options: tuple[Any, ...]) -> Http:
    http = Http.__new__(Http)
    http.browser, http._options = browser, options
    http._http = _tsugi.Http(*options)
    return http


class Archive:
    """The pages of a WARC archive, by address. Redirects are followed inside the archive.

    Opening reads the archive once. Damaged records are listed in `problems`.
    """

    #: The archive.
    path: str
    #: Which pages a browser draws: those that one drew when the archive was made.
    browser: BrowserUse = "auto"
    #: Damaged records: where they begin in the file, and what is wrong.
    problems: list[tuple[int, str]]

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self._archive = _tsugi.Archive(self.path)
        self.problems = self._archive.problems()

    @property
    def urls(self) -> list[str]:
        """The addresses that answered, in the order of the archive."""
        return self._archive.urls()

    def __call__(self, url: str) -> Response:
        """Return the page at an address.

        :raises UnavailableError: if there is none
        """
        return Response(*self._archive.fetch(url))

    def _advance(self, _: _tsugi.Engine, following: _tsugi.Following) -> None:
        self._archive.advance(following)

    def fetch_image(self, url: str) -> bytes | None:
        """Return an image, or `None` if there is none; see `Document.save`."""
        try:
            return self._archive.fetch_image(url)[0]
        except UnavailableError:
            return None

    def __reduce__(self) -> Any:
        return Archive, (self.path,)


class Files:
    """The files below a folder, by their `file:` address. Files outside cannot be read, whatever a link says."""

    def __init__(self, folder: Path) -> None:
        self.folder = os.fspath(folder)
        self._files = _tsugi.Files(self.folder)

    def __call__(self, url: str) -> Response:
        """Return the page at an address.

        :raises UnavailableError: if there is none
        """
        return Response(*self._files.fetch(url))

    @staticmethod
    def address(path: Path) -> str:
        """Return the address of a file."""
        return _tsugi.Files.address(os.fspath(path))

    def __reduce__(self) -> Any:
        return Files, (self.folder,)


def given(html: Html, url: str | None, content_type: str | None) -> tuple[bytes, str, str | None]:
    """Return a page of the caller as the native part takes it."""
    url, content_type = _text("an address", url), _text("a content type", content_type)
    if isinstance(html, str):
        media = (content_type or "text/html").partition(";")[0].strip()
        # Halves of surrogate pairs have no bytes; browsers show them as U+FFFD.
        return html.encode("utf-8", "replace"), url or NOWHERE, f"{media}; charset=utf-8"
    if not isinstance(html, (bytes, bytearray, memoryview)):
        raise TypeError(f"a page is bytes or str, not {type(html).__name__}")
    return bytes(html), url or NOWHERE, content_type


def _text(what: str, text: Any) -> str | None:
    """Return a text with U+FFFD for halves of surrogate pairs, which no address has, and no header."""
    if text is not None and not isinstance(text, str):
        raise TypeError(f"{what} is str, not {type(text).__name__}")
    return text and "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


#: The address of a page without one.
NOWHERE = "about:blank"


def answered(answer: Any, url: str) -> tuple[bytes, str, str | None] | None:
    """Return what a caller's function returned for an address as the native part takes it."""
    if answer is None:
        return None
    if isinstance(answer, tuple):
        if not 2 <= len(answer) <= 3:
            raise TypeError(f"fetch returned a tuple of {len(answer)}; expected (body, url) or (body, url, content_type)")
        body, at, *rest = answer
        return given(body, str(at), rest[0] if rest else None)
    if hasattr(answer, "content") and hasattr(answer, "headers"):
        # A response of requests or httpx.
        status = getattr(answer, "status_code", 200)
        at = str(getattr(answer, "url", None) or url)
        if not 200 <= status < 300:
            raise UnavailableError(f"`{at}` answered with status {status}", at, "status")
        return given(answer.content, at, answer.headers.get("content-type"))
    if isinstance(answer, (bytes, bytearray, memoryview, str)):
        return given(answer, url, None)
    raise TypeError(
        f"fetch returned {type(answer).__name__}; expected bytes, str, (body, url, content_type), a response or None"
    )


__all__ = ["Archive", "Files", "Http", "Response"]
