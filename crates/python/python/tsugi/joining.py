"""Joining pages where the caller fetches them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from ._options import BrowserUse, Comments, Format, Html, JoinOptions, Relation, TextFormat, comments_word
from .documents import Document
from .errors import OptionError, TsugiError
from .fetching import answered, given

if TYPE_CHECKING:
    from . import _tsugi
    from ._core import Tsugi


class Joiner:
    """Follows next pages without fetching them: it says which page it wants, and is given that page.

    For programs where nothing may block, such as Scrapy and asyncio. A joiner pickles, with the pages that it was given.

    >>> import tsugi
    >>> pages = {
    ...     "https://a.test/mill?page=1": "<title>The mill</title><main><p>It has stood by the river for three hundred years."
    ...         "</main><a rel=next href='?page=2'>Next page</a>",
    ...     "https://a.test/mill?page=2": "<title>The mill</title><main><p>The river turns its wheel all year."
    ...         "</main><a rel=prev href='?page=1'>Previous page</a>",
    ... }
    >>> joiner = tsugi.Joiner(url="https://a.test/mill?page=1")
    >>> while joiner.wanted:
    ...     joiner.give(pages[joiner.wanted])
    >>> joiner.document("txt").splitlines()
    ['It has stood by the river for three hundred years.', '', 'The river turns its wheel all year.']

    :param html: the first page; without it, the page at `url` is wanted first
    :param url: its address
    :param content_type: its media type and charset, as the server says
    :param tsugi: models and rules; the built-in models if not given
    """

    def __init__(
        self,
        html: Html | None = None,
        url: str | None = None,
        *,
        content_type: str | None = None,
        tsugi: Tsugi | None = None,
        **options: Unpack[JoinOptions],
    ) -> None:
        if url is None:
            raise OptionError("a joiner needs the address of its first page: url=")
        self._start = (url, tsugi, options)
        #: What was given, to pickle it.
        self._given: list[tuple[bytes, str, str | None] | tuple[str, str]] = []
        self._document: Document | None = None
        self._following = following(url, tsugi, **options)
        if html is not None:
            self.give(html, url, content_type=content_type)

    @property
    def wanted(self) -> str | None:
        """The address of the page to give next; `None` once the document has ended."""
        return None if self._document else self._following.wanted

    @property
    def pages(self) -> list[str]:
        """The addresses of the pages that belong to the document so far."""
        return [page.url for page in self._document.pages] if self._document else self._following.pages()

    def give(self, html: Html, url: str | None = None, *, content_type: str | None = None) -> None:
        """Give the wanted page. `url` is its address after redirects.

        A page that does not continue the document ends it. So does what is no page, such as a PDF.
        """
        self._give(given(html, url or self._wanted_now(), content_type))

    def give_answer(self, answer: Any) -> None:
        """Give what a function returned for the wanted page: see `tsugi.join`."""
        wanted = self._wanted_now()
        answer = answered(answer, wanted)
        if answer is None:
            self.miss(f"`{wanted}` is not there", "not-stored")
        else:
            self._give(answer)

    def miss(self, message: str = "", reason: str = "fetch-failed") -> None:
        """Say that the wanted page cannot be fetched, and why."""
        wanted = self._wanted_now()
        self._miss((reason, message or f"`{wanted}` could not be fetched"))

    def _give(self, answer: tuple[bytes, str, str | None]) -> None:
        self._following.give(answer)
        self._given.append(answer)

    def _miss(self, missing: tuple[str, str]) -> None:
        self._following.miss(*missing)
        self._given.append(missing)

    def _wanted_now(self) -> str:
        wanted = self.wanted
        if wanted is None:
            raise TsugiError("no page is wanted any more: the document has ended")
        return wanted

    @overload
    def document(self) -> Document: ...

    @overload
    def document(self, format: TextFormat) -> str: ...

    @overload
    def document(self, format: Literal["epub"]) -> bytes: ...

    def document(self, format: Format | None = None) -> Document | str | bytes:
        """Return the document, or what it is in a format. If a page is still wanted, the document ends before it.

        :raises UnavailableError: if the first page is missing
        """
        if self._document is None:
            self._document = Document(self._following.finish())
        return self._document if format is None else self._document.write(format)

    def __repr__(self) -> str:
        return f"<tsugi.Joiner of {len(self.pages)} pages, wants {self.wanted}>"

    def __getstate__(self) -> dict[str, Any]:
        return {"start": self._start, "given": self._given, "document": self._document}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._start, self._document = state["start"], state["document"]
        url, tsugi, options = self._start
        self._following, self._given = following(url, tsugi, **options), []
        for answer in state["given"]:
            if len(answer) == 3:
                self._give(answer)
            else:
                self._miss(answer)


def following(
    url: str,
    tsugi: Tsugi | None,
    browser: BrowserUse = "never",
    *,
    max_pages: int = 100,
    min_score: float | None = None,
    relation: Relation | None = None,
    from_start: bool = False,
    single_page: bool = False,
    keep: str = "document",
    include_comments: Comments = False,
    include_links: bool = True,
    include_images: bool = True,
    include_tables: bool = True,
) -> _tsugi.Following:
    """Return a document that is being joined; `browser` says which pages the caller can draw."""
    from ._core import DEFAULT

    if relation not in (None, "page", "chapter"):
        raise OptionError(f"relation={relation!r} is neither 'page' nor 'chapter'")
    if max_pages < 1:
        raise OptionError(f"max_pages={max_pages!r} must be 1 or more")
    max_pages = min(max_pages, sys.maxsize)
    shown = (keep, comments_word(include_comments), include_links, include_images, include_tables)
    engine = (tsugi or DEFAULT)._engine()
    return engine.follow(url, max_pages, min_score, relation, from_start, single_page, browser, shown)
