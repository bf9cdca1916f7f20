"""The options of extracting and joining, as types. Defaults are in `_core`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict

#: A page: bytes as served, or text. Text is HTML; bytes are decoded as browsers do.
Html: TypeAlias = "bytes | bytearray | memoryview | str"
Path: TypeAlias = "str | PathLike[str]"

Relation: TypeAlias = Literal["page", "chapter"]
Focus: TypeAlias = Literal["balanced", "precision", "recall"]
#: Whether to keep the comments below an article; `"only"` keeps nothing else.
Comments: TypeAlias = 'bool | Literal["only"]'
TextFormat: TypeAlias = Literal["markdown", "md", "html", "txt", "text", "json"]
Format: TypeAlias = Literal["markdown", "md", "html", "txt", "text", "json", "epub"]

#: What a function of yours may return for an address: the page (`bytes` or `str`); a tuple of the page, its address after
#: redirects and, if you like, its content type; a response of requests or httpx; or `None` if there is no page.
Answer: TypeAlias = "Html | tuple[Html, str] | tuple[Html, str, str | None] | Any | None"
Fetch: TypeAlias = Callable[[str], Answer]
AsyncFetch: TypeAlias = Callable[[str], Awaitable[Answer]]


class JoinOptions(TypedDict, total=False):
    """How far to follow, and what to keep."""

    #: The most pages to join (100).
    max_pages: int
    #: The lowest score of a link to follow, from 0 to 1. Without it, the threshold of the model counts.
    min_score: float | None
    #: Follow only next pages (`"page"`) or next chapters (`"chapter"`).
    relation: Relation | None
    #: Look for earlier pages first, if the given one is inside a sequence.
    from_start: bool
    #: Use a single-page view, if the site has one.
    single_page: bool
    #: Parts to keep: `document`, `body`, `all`, or names of roles with commas between them.
    keep: str
    #: Keep the comments below an article.
    include_comments: Comments
    #: Keep the addresses of links.
    include_links: bool
    #: Keep images.
    include_images: bool
    #: Keep data tables.
    include_tables: bool


_FORMATS = {
    "markdown": "md",
    "md": "md",
    "html": "html",
    "txt": "txt",
    "text": "txt",
    "json": "json",
    "epub": "epub",
}


def format_name(word: str) -> str:
    """Return the short name of a format."""
    from .errors import OptionError

    try:
        return _FORMATS[word.lower().lstrip(".")]
    except KeyError:
        raise OptionError(f"`{word}` is no format; use markdown, html, txt, json or epub") from None


def comments_word(comments: Comments) -> str:
    """Return the native word for what to do with comments."""
    if comments == "only":
        return "only"
    return "keep" if comments else "drop"
