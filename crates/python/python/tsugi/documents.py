"""The result: a document made of one or more pages."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from ._options import Format, Path, TextFormat, format_name
from .errors import FileError, OptionError

if TYPE_CHECKING:
    from . import _tsugi

_FORMATS = ("md", "html", "txt", "json", "epub")


class Reason(NamedTuple):
    """What speaks for or against a continuation."""

    #: The reason, in words.
    what: str
    #: Its weight in log-odds: above 0 it speaks for the continuation, below 0 against it.
    weight: float


class Verdict(NamedTuple):
    """Whether one page continues another."""

    #: How sure it is, from 0 to 1.
    score: float
    #: Whether it does.
    holds: bool
    #: The reasons, the weightiest first.
    reasons: tuple[Reason, ...]

    @classmethod
    def _of(cls, verdict: tuple[float, bool, list[tuple[str, float]]]) -> Verdict:
        score, holds, reasons = verdict
        return cls(score, holds, tuple(Reason(*reason) for reason in reasons))


class Stopped(NamedTuple):
    """Why a document ends where it does."""

    #: A word: `no-next`, `low-score`, `not-a-continuation`, `loop`, `max-pages`, `max-time`, `fetch-failed`, `robots`,
    #: `off-site`, `interrupted` or `one-page`.
    reason: str
    #: The address concerned: that of the next page, if one is known.
    at: str
    #: The reason in words.
    detail: str


class TextPart(NamedTuple):
    """A run of a document's text that has one role."""

    #: The name of the role, such as `body`.
    role: str
    #: Where it starts in the text, in characters.
    start: int
    #: Where it ends in the text.
    end: int


class Tried(NamedTuple):
    """A link below the threshold that was followed to see what is behind it."""

    #: Its address.
    url: str
    #: The score of the link, from 0 to 1.
    score: float
    #: The score of the pair of pages; `None` if it was not judged.
    verdict: float | None
    #: Why the page is not part of the document, in words; `None` if it is.
    refused: str | None


class DocumentPage(NamedTuple):
    """One page of a document."""

    #: Its address.
    url: str
    #: The score of the link that led to it, from 0 to 1; 1 for the first page.
    score: float
    #: What found that link: `start`, `model`, `rule`, `rel` or `single-page`.
    by: str
    #: What found its content: `model`, `rule`, `rel` or `embedded`.
    content_by: str
    #: The score of its content, from 0 to 1.
    content_score: float
    #: The siteinfo item that found its content, if one did.
    rule: str | None
    #: Where its text starts and ends in the document's text, in characters.
    start: int
    end: int
    #: The number of blocks removed because other pages repeat them.
    removed: int
    #: The text of the comments below the article.
    comments: str | None
    #: Whether it continues the page before; `None` for the first page, and if no model judged.
    verdict: Verdict | None

    @classmethod
    def _of(cls, page: dict[str, Any]) -> DocumentPage:
        verdict = page["verdict"]
        return cls(**{**page, "verdict": Verdict._of(verdict) if verdict else None})


class Document:
    """A document made of one or more pages. Formats are written when they are first asked for. Documents pickle.

    >>> import tsugi
    >>> pages = {
    ...     "https://a.test/mill?page=1": "<title>The mill</title><main><p>It has stood by the river for three hundred years."
    ...         "</main><a rel=next href='?page=2'>Next page</a>",
    ...     "https://a.test/mill?page=2": "<title>The mill</title><main><p>The river turns its wheel all year."
    ...         "</main><a rel=prev href='?page=1'>Previous page</a>",
    ... }
    >>> document = tsugi.join("https://a.test/mill?page=1", fetch=pages.get)
    >>> document.title, len(document.pages), document.complete, document.stopped.reason
    ('The mill', 2, True, 'no-next')
    >>> print(document.markdown, end="")
    # The mill
    <BLANKLINE>
    It has stood by the river for three hundred years.
    <BLANKLINE>
    The river turns its wheel all year.
    """

    #: The address of the first page.
    url: str
    #: The title, without page number.
    title: str | None
    #: The authors' names.
    authors: list[str]
    #: When it was published, and last changed, in ISO 8601.
    published: str | None
    modified: str | None
    #: The language as a BCP 47 tag.
    language: str | None
    #: The canonical address that the first page names.
    canonical: str | None
    #: The name of the site.
    site: str | None
    description: str | None
    #: The address of the image that represents it.
    image: str | None
    section: str | None
    tags: list[str]
    #: The text of all pages, with a line for each block.
    text: str
    #: The runs of the text that have one role, in order, if `keep` names roles; else empty.
    parts: list[TextPart]
    #: Whether no next page is missing, as far as tsugi can tell.
    complete: bool
    #: Why it ends where it does.
    stopped: Stopped
    #: The links below the threshold that were followed, in order.
    tried: list[Tried]
    #: What may be wrong with the pages, one line each.
    warnings: list[str]
    #: The pages, in order.
    pages: list[DocumentPage]

    def __init__(self, joined: _tsugi.Joined) -> None:
        self._joined: _tsugi.Joined | None = joined
        self._written: dict[str, bytes] = {}
        fields = joined.fields()
        fields["stopped"] = Stopped(*fields["stopped"])
        fields["parts"] = [TextPart(*part) for part in fields["parts"]]
        fields["tried"] = [Tried(*tried) for tried in fields["tried"]]
        fields["pages"] = [DocumentPage._of(page) for page in fields["pages"]]
        self.__dict__.update(fields)

    @overload
    def write(self, format: TextFormat) -> str: ...

    @overload
    def write(self, format: Literal["epub"]) -> bytes: ...

    def write(self, format: Format) -> str | bytes:
        """Return the document in a format: text, or the bytes of an e-book."""
        name = format_name(format)
        written = self._bytes(name)
        return written if name == "epub" else written.decode()

    def _bytes(self, name: str) -> bytes:
        if name not in self._written:
            assert self._joined is not None, "all is written before a document is pickled"
            self._written[name] = self._joined.render(name)
        return self._written[name]

    @property
    def markdown(self) -> str:
        """The document as Markdown."""
        return self.write("md")

    @property
    def html(self) -> str:
        """The document as one HTML file without anything active."""
        return self.write("html")

    @property
    def json(self) -> str:
        """The document as JSON, as `tsugi join -f json` writes it."""
        return self.write("json")

    @property
    def epub(self) -> bytes:
        """The document as an e-book without images; `save` can include them."""
        return self.write("epub")

    @cached_property
    def json_line(self) -> str:
        """The document as JSON on one line, as `tsugi join -f jsonl` writes it."""
        assert self._joined is not None, "all is written before a document is pickled"
        return self._joined.json_line()

    def to_dict(self) -> dict[str, Any]:
        """Return what the JSON holds."""
        found: dict[str, Any] = json.loads(self.json_line)
        return found

    def save(
        self,
        path: Path,
        *,
        format: Format | None = None,
        fetch_image: Callable[[str], bytes | None] | None = None,
    ) -> None:
        """Write the document to a file. The ending of its name says the format, if `format` does not.

        `fetch_image` gets the images of an e-book: it takes an address and returns bytes, or `None` to leave the image out.
        `tsugi.Http().fetch_image` is one. Without it an e-book has no images.

        The file is complete or not there: it is written beside its final name, and then renamed.

        >>> import pathlib, tempfile, tsugi
        >>> html = "<main><h1>The mill</h1><p>It has stood by the river for three hundred years.</p></main>"
        >>> document = tsugi.join("https://a.test/mill", fetch=lambda url: html)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     document.save(pathlib.Path(folder) / "mill.md")
        ...     print((pathlib.Path(folder) / "mill.md").read_text(), end="")
        # The mill
        <BLANKLINE>
        It has stood by the river for three hundred years.
        """
        path = os.fspath(path)
        if format is None and not PurePath(path).suffix:
            raise OptionError(f"`{path}` has no ending that says the format; give format=")
        name = format_name(format or PurePath(path).suffix)
        if name == "epub" and fetch_image is not None:
            if self._joined is None:
                raise OptionError("a document that was pickled has lost its images; save it before")
            written, left_out = self._joined.epub_with_images(fetch_image)
            if left_out:
                self.warnings.append(f"{left_out} images left out")
        else:
            written = self._bytes(name)
        try:
            _replace(path, written)
        except OSError as error:
            raise FileError(error.errno, error.strerror, path) from error

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return self.json_line == other.json_line and self.html == other.html

    def __hash__(self) -> int:
        return hash((self.url, self.text))

    def __repr__(self) -> str:
        pages = "1 page" if len(self.pages) == 1 else f"{len(self.pages)} pages"
        return f"<tsugi.Document {self.url}: {pages}, {self.stopped.reason}>"

    def __getstate__(self) -> dict[str, Any]:
        for name in _FORMATS:
            self._bytes(name)
        return {**self.__dict__, "json_line": self.json_line, "_joined": None}


def _replace(path: str, written: bytes) -> None:
    folder, name = os.path.split(os.path.abspath(path))
    handle, beside = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(written)
        try:
            mode = os.stat(path).st_mode & 0o777
        except FileNotFoundError:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
