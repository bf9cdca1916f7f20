"""The options of extracting and joining, as types. Defaults are in `_core`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from difflib import get_close_matches
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict

#: A page: bytes as served, or text. Text is HTML; bytes are decoded as browsers do.
Html: TypeAlias = "bytes | bytearray | memoryview | str"
Path: TypeAlias = "str | PathLike[str]"

Relation: TypeAlias = Literal["page", "chapter"]
#: Which pages a browser draws: those that need it, all or none.
BrowserUse: TypeAlias = Literal["auto", "always", "never"]
Focus: TypeAlias = Literal["balanced", "precision", "recall"]
#: Whether to keep the comments below an article; `"only"` keeps nothing else.
Comments: TypeAlias = 'bool | Literal["only"]'
TextFormat: TypeAlias = Literal["markdown", "md", "html", "txt", "text", "json"]
Format: TypeAlias = Literal["markdown", "md", "html", "txt", "text", "json", "epub"]
ExtractFormat: TypeAlias = Literal["markdown", "md", "html", "txt", "text", "json", "epub", "python"]

#: What a function of yours may return for an address: the page (`bytes` or `str`); a tuple of the page, its address after
#: redirects and, if you like, its content type; a response of requests or httpx; or `None` if there is no page.
Answer: TypeAlias = "Html | tuple[Html, str] | tuple[Html, str, str | None] | Any | None"
Fetch: TypeAlias = Callable[[str], Answer]
AsyncFetch: TypeAlias = Callable[[str], Awaitable[Answer]]


class ExtractOptions(TypedDict, total=False):
    """What `extract` keeps, and what it begins with; `extract` says more."""

    keep: str
    include_comments: Comments
    include_links: bool
    include_images: bool
    include_tables: bool
    include_formatting: bool
    with_metadata: bool
    only_with_metadata: bool
    target_language: str | None
    favor_precision: bool
    favor_recall: bool
    fast: bool
    no_fallback: bool
    content_type: str | None


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
        instead = _INSTEAD.get(word.lower(), "")
        raise OptionError(f"`{word}` is no format; use markdown, html, txt, json or epub{instead}") from None


#: What does the work of formats that trafilatura has.
_INSTEAD = dict.fromkeys(("xml", "xmltei"), ": html has the markup, json the metadata")
_INSTEAD["csv"] = ': csv.writer can write the fields of extract(output_format="python")'

#: What does the work of trafilatura's other options.
_LACKING = {
    "deduplicate": "`join` leaves out what pages repeat; compare the texts of different documents yourself",
    "record_id": "keep it beside what `extract` returns",
    "tei_validation": "there is no TEI; html has the markup",
    "date_extraction_params": 'output_format="python" has `published` and `modified`',
    "max_tree_size": "a page of any size is read in bounded memory",
    "url_blacklist": "leave these pages out before the call",
    "author_blacklist": 'output_format="python" has `authors`',
    "prune_xpath": "remove these nodes with lxml before the call",
    "settingsfile": "all options are arguments",
    "config": "all options are arguments",
    "options": "all options are arguments",
}


def refuse_others(others: dict[str, Any], known: Iterable[str]) -> None:
    """Raise an error for options that `extract` does not have. Those of trafilatura may be there with nothing in them."""
    from .errors import OptionError

    for name, value in others.items():
        if name not in _LACKING:
            near = get_close_matches(name, [*known], 1)
            meant = f". Did you mean '{near[0]}'?" if near else ""
            raise TypeError(f"extract() got an unexpected keyword argument '{name}'{meant}")
        if value:
            raise OptionError(f"extract has no `{name}`: {_LACKING[name]}")


def comments_word(comments: Comments) -> str:
    """Return the native word for what to do with comments."""
    if comments == "only":
        return "only"
    return "keep" if comments else "drop"
