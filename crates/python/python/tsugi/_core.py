"""Models and rules, and what they do."""

from __future__ import annotations

import inspect
import os
from functools import cache
from pathlib import Path as FilePath
from typing import Any, Literal, Unpack, overload
from urllib.parse import urlsplit

from . import _tsugi
from ._options import (
    AsyncFetch,
    Comments,
    ExtractFormat,
    ExtractOptions,
    Fetch,
    Focus,
    Html,
    JoinOptions,
    Path,
    TextFormat,
    comments_word,
    format_name,
    refuse_others,
)
from .documents import Document, Reason, Verdict
from .errors import FileError, OptionError, TsugiError, UnavailableError
from .fetching import Archive, Files, Http, given
from .joining import Joiner, following
from .pages import Page
from .warc import WarcScan


class Tsugi:
    """Models and rules: scans pages, extracts their content, and joins them. Threads can share one, and it pickles.

    The functions of the package (`tsugi.scan`, `tsugi.join`, …) are the methods of one with the built-in models.

    >>> import tsugi
    >>> rules = b'''[{"name": "A", "data": {"url": "^https://a\\\\\\\\.test/", "nextLink": "//a[@id='on']",
    ...     "pageElement": "//main"}}]'''
    >>> reader = tsugi.Tsugi(rules=rules)
    >>> page = reader.scan("<main>One.</main><a id=on href=2>zzz</a>", url="https://a.test/1")
    >>> page.next.url, page.next.by, page.content.text
    ('https://a.test/2', 'rule', 'One.')

    :param rules: siteinfo (Wedata items, as JSON), which takes precedence over the models: a file, or its bytes
    :param next_model: a model that finds next links, instead of the built-in one: a file, or its bytes
    :param content_model: a model that finds main content
    :param continuation_model: a model that judges whether one page continues another
    :param focus: whether the model's content should favour precision or recall
    """

    def __init__(
        self,
        *,
        rules: Path | bytes | None = None,
        next_model: Path | bytes | None = None,
        content_model: Path | bytes | None = None,
        continuation_model: Path | bytes | None = None,
        focus: Focus = "balanced",
    ) -> None:
        if focus not in ("balanced", "precision", "recall"):
            raise OptionError(f"focus={focus!r} is not 'balanced', 'precision' or 'recall'")
        self._files = (_bytes(rules), _bytes(next_model), _bytes(content_model), _bytes(continuation_model))
        self._focus = focus
        self._engine = cache(self._make)
        # Files that cannot be used are errors now.
        if any(self._files):
            self._engine()

    def _make(self, focus: Focus | None = None) -> _tsugi.Engine:
        return _tsugi.Engine(*self._files, focus or self._focus)

    def __reduce__(self) -> Any:
        return _tsugi_of, (self._files, self._focus)

    def scan(self, html: Html, url: str | None = None, *, content_type: str | None = None) -> Page:
        """Return what is found on a page: its next link, its main content, and what it says about itself.

        :param html: the page: bytes as served, or text
        :param url: its address; without it, links lead nowhere
        :param content_type: its media type and charset, as the server says
        :raises UnavailableError: if the bytes are no page but a PDF, an image and the like

        >>> import tsugi
        >>> page = tsugi.scan("<p>Part 1.</p><a rel=next href=2>Next page</a>", url="https://a.test/1")
        >>> page.next.url
        'https://a.test/2'
        """
        return Page(self._engine().look(given(html, url, content_type)))

    @overload
    def next_url(self, html: Html, url: str, *, content_type: str | None = None) -> str | None: ...

    @overload
    def next_url(self, html: Any) -> str | None: ...

    def next_url(self, html: Any, url: str | None = None, *, content_type: str | None = None) -> str | None:
        """Return the address of the next page, or `None`.

        Instead of a page and its address, it takes a response of Scrapy, requests or httpx. In a spider:
        `yield response.follow(tsugi.next_url(response))`.

        >>> import tsugi
        >>> tsugi.next_url("<p>Part 1.</p><a rel=next href=2>Next page</a>", "https://a.test/1")
        'https://a.test/2'
        >>> tsugi.next_url("<p>That is all.</p>", "https://a.test/2")
        """
        next = self._engine().next(_page_of(html, url, content_type))
        return next[0] if next else None

    @overload
    def extract(
        self,
        html: Html,
        url: str | None = None,
        *,
        output_format: TextFormat = "txt",
        **options: Unpack[ExtractOptions],
    ) -> str | None: ...

    @overload
    def extract(
        self,
        html: Html,
        url: str | None = None,
        *,
        output_format: Literal["epub"],
        **options: Unpack[ExtractOptions],
    ) -> bytes | None: ...

    @overload
    def extract(
        self,
        html: Html,
        url: str | None = None,
        *,
        output_format: Literal["python"],
        **options: Unpack[ExtractOptions],
    ) -> Document | None: ...

    def extract(
        self,
        html: Html,
        url: str | None = None,
        *,
        output_format: ExtractFormat = "txt",
        keep: str = "document",
        include_comments: Comments = False,
        include_links: bool = False,
        include_images: bool = False,
        include_tables: bool = True,
        include_formatting: bool = False,
        with_metadata: bool = False,
        only_with_metadata: bool = False,
        target_language: str | None = None,
        favor_precision: bool = False,
        favor_recall: bool = False,
        fast: bool = False,
        no_fallback: bool = False,
        content_type: str | None = None,
        **others: Any,
    ) -> str | bytes | Document | None:
        """Return the main content of a page in a format, or `None` if there is none or the bytes are no page.

        The options are those of `trafilatura.extract`, and so are their defaults, except that comments are left out. An
        option of trafilatura's that is not here raises an error that says what to use.

        :param output_format: `txt`, `markdown`, `html`, `json`, `epub`, or `python` for a `tsugi.Document`
        :param keep: `document` as readers want it, `body` (the text of the article alone), `all`, or names of roles with commas
            between them: title, meta, lead, body, caption, related, share, author, tags, comments, site
        :param include_comments: keep the comments below the article; `"only"` keeps nothing else
        :param include_links: keep the addresses of links (Markdown, HTML, e-books)
        :param include_images: keep images
        :param include_tables: keep data tables
        :param include_formatting: write `txt` as Markdown; the other formats keep headings, lists and emphasis in any case
        :param with_metadata: begin `txt` and `markdown` with title, authors, dates and more; the other formats have them in any
            case
        :param only_with_metadata: return `None` for a page without an address, a title or a date
        :param target_language: return `None` for a page in another language than this one (`de`)
        :param favor_precision: less text that is not content
        :param favor_recall: less content that is missed
        :param fast: makes no difference, as there is one way
        :param no_fallback: makes no difference, either

        >>> import tsugi
        >>> html = "<main><h1>The mill</h1><p>It has stood by the river for three hundred years.</p></main>"
        >>> tsugi.extract("<nav><a href=/>Home</a></nav>" + html)
        'The mill\\nIt has stood by the river for three hundred years.'
        """
        if others:
            refuse_others(others, ExtractOptions.__annotations__)
        if favor_precision and favor_recall:
            raise OptionError("favor_precision and favor_recall exclude each other")
        name = "python" if output_format == "python" else format_name(output_format)
        if name == "txt" and include_formatting:
            name = "md"
        focus: Focus | None = "precision" if favor_precision else "recall" if favor_recall else None
        engine = self._engine(focus) if focus else self._engine()
        shown = (keep, comments_word(include_comments), include_links, include_images, include_tables)
        try:
            page = given(html, url, content_type)
            if name == "txt" and not (with_metadata or only_with_metadata or target_language):
                return engine.extract_text(page, shown) or None
            joined = engine.extract(page, shown)
        except UnavailableError:
            return None
        if not joined.text or (target_language and not _is_in(joined.language, target_language)):
            return None
        if only_with_metadata and not (url and joined.is_described):
            return None
        if name == "python":
            return Document(joined)
        if name == "epub":
            return joined.render(name)
        written = joined.text if name == "txt" else joined.render(name).decode()
        return joined.front_matter() + written if with_metadata and name in ("txt", "md") else written

    def join(self, source: Path, *, fetch: Fetch | None = None, **options: Unpack[JoinOptions]) -> Document:
        """Follow the next pages, check that each continues the one before, and return one document.

        `source` is the address of the first page, or an HTML file, whose next pages are in its folder or below.

        `fetch` gets the pages: it takes an address and returns bytes, text, a tuple (body, address after redirects,
        content type), a response of requests or httpx, or `None`. `tsugi.Http`, which is the default, `tsugi.Archive` and
        `tsugi.Files` are such functions. What `fetch` raises for the first page is raised. Later it ends the document,
        with the reason `fetch-failed`, since the pages before it are worth keeping.

        The options are `max_pages`, `min_score`, `relation`, `from_start`, `single_page`, `keep`, `include_comments`,
        `include_links`, `include_images` and `include_tables`.

        :raises UnavailableError: if the first page cannot be fetched

        >>> import tsugi
        >>> pages = {"https://a.test/1": "<h1>Mills</h1><p>They grind corn.</p>"}
        >>> tsugi.join("https://a.test/1", fetch=pages.get)
        <tsugi.Document https://a.test/1: 1 page, no-next>
        """
        url, get = _start(source, fetch)
        # A class made from it may get its pages from elsewhere.
        if type(get) in (Http, Archive):
            joining = following(url, self, get.browser, **options)
            while joining.wanted:
                get._advance(self._engine(), joining)
            return Document(joining.finish())
        joiner = Joiner(url=url, tsugi=self, **options)
        is_first = True
        while wanted := joiner.wanted:
            try:
                joiner.give_answer(get(wanted))
            except Exception as error:
                _missed(joiner, error, is_first)
            is_first = False
        return joiner.document()

    async def ajoin(self, source: Path, *, fetch: AsyncFetch | Fetch | None = None, **options: Unpack[JoinOptions]) -> Document:
        """Do as `join`, in asyncio: `fetch` may be a coroutine function. Pages are read in a thread, so nothing blocks.

        >>> import asyncio, tsugi
        >>> async def fetch(url):
        ...     return "<h1>Mills</h1><p>They grind corn.</p>"
        >>> asyncio.run(tsugi.ajoin("https://a.test/1", fetch=fetch))
        <tsugi.Document https://a.test/1: 1 page, no-next>
        """
        import asyncio  # loading it takes longer than loading all else

        url, get = _start(source, fetch)
        if type(get) in (Http, Archive):
            joining = await asyncio.to_thread(following, url, self, get.browser, **options)
            while joining.wanted:
                await asyncio.to_thread(get._advance, self._engine(), joining)
            return Document(await asyncio.to_thread(joining.finish))
        joiner = Joiner(url=url, tsugi=self, **options)
        is_native = isinstance(get, (Http, Archive, Files))
        is_first = True
        while wanted := joiner.wanted:
            try:
                answer = await asyncio.to_thread(get, wanted) if is_native else get(wanted)
                if inspect.isawaitable(answer):
                    answer = await answer
                await asyncio.to_thread(joiner.give_answer, answer)
            except Exception as error:
                _missed(joiner, error, is_first)
            is_first = False
        return await asyncio.to_thread(joiner.document)

    def verify(self, html: Html, url: str, next_html: Html, next_url: str) -> Verdict:
        """Judge whether the second page continues the first.

        >>> import tsugi
        >>> one = "<h1>Mills</h1><p>They grind corn, and have done so since the river was dammed.</p>"
        >>> one += "<b>1</b> <a href=2>2</a> <a rel=next href=2>Next page</a>"
        >>> two = "<h1>Mills</h1><p>The river turns them, in spring by day and by night.</p>"
        >>> two += "<a rel=prev href=1>Previous page</a> <a href=1>1</a> <b>2</b>"
        >>> score, holds, reasons = tsugi.verify(one, "https://a.test/1", two, "https://a.test/2")
        >>> holds
        True
        """
        pages = (given(html, url, None), given(next_html, next_url, None))
        verdict = self._engine().verify(*pages)
        if verdict is None:
            return Verdict(0.0, False, (Reason("the first page has no link that may lead on", 0.0),))
        return Verdict._of(verdict)

    def scan_warc(self, path: Path, *, workers: int | None = None) -> WarcScan:
        """Return an iterator of the pages of a WARC archive, which all cores scan as they are asked for.

        Records that hold no page (redirects, errors, images) are counted in its `skipped`. Damaged records are listed in
        its `damaged` and logged to the logger `tsugi`; they do not end it. It can be used in a `with` statement, which ends
        the scan early.

        :param path: the archive (`.warc`, `.warc.gz`)
        :param workers: the number of threads; one per core if not given
        :raises ArchiveError: if the file is no archive, or cannot be read
        """
        path = os.fspath(path)
        if workers is not None and workers < 1:
            raise OptionError("workers must be 1 or more")
        return WarcScan(path, self._engine().scan_warc(path, workers or 0))


def _bytes(file: Path | bytes | None) -> bytes | None:
    if file is None or isinstance(file, bytes):
        return file
    try:
        return FilePath(file).read_bytes()
    except OSError as error:
        raise FileError(error.errno, error.strerror, str(file)) from error


def _is_in(language: str | None, wanted: str) -> bool:
    """Tell whether a text may be in a language. Regions and scripts do not matter."""
    return language is None or language.lower().split("-")[0] == wanted.lower().split("-")[0]


def _tsugi_of(files: tuple[bytes | None, ...], focus: Focus) -> Tsugi:
    rules, next_model, content_model, continuation_model = files
    models = {"next_model": next_model, "content_model": content_model, "continuation_model": continuation_model}
    return Tsugi(rules=rules, focus=focus, **models)


def _page_of(html: Any, url: str | None, content_type: str | None) -> tuple[bytes, str, str | None]:
    if url is None and hasattr(html, "url") and hasattr(html, "headers"):
        # A response: Scrapy's has `body`, those of requests and httpx have `content`.
        body = html.body if hasattr(html, "body") else html.content
        media = html.headers.get("content-type")
        return given(body, str(html.url), media.decode("latin-1") if isinstance(media, bytes) else media)
    if url is None:
        raise OptionError("the address of the page is missing: give url=")
    return given(html, url, content_type)


def _start(source: Path, fetch: Any) -> tuple[str, Any]:
    source = os.fspath(source)
    if not isinstance(source, str) or "<" in source or "\n" in source:
        raise OptionError("`join` takes an address or the name of a file; for a page in memory, use `tsugi.Joiner(html, url)`")
    if fetch is not None:
        return source, fetch
    if urlsplit(source).scheme in ("http", "https"):
        return source, _default_http()
    path = FilePath(source)
    if not path.is_file():
        raise UnavailableError(f"`{source}` is neither an http(s) URL nor a file", source, "no-source")
    return Files.address(path), Files(path.parent)


@cache
def _default_http() -> Http:
    """Return one client for all, so that documents take turns at a host."""
    return Http()


def _missed(joiner: Joiner, error: Exception, is_first: bool) -> None:
    if is_first or joiner.wanted is None:
        raise error
    if isinstance(error, UnavailableError):
        joiner.miss(str(error), error.reason)
    elif isinstance(error, TsugiError):
        raise error
    else:
        joiner.miss(f"{type(error).__name__}: {error}")


#: With the built-in models.
DEFAULT = Tsugi()
