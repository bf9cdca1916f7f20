"""What is found on one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import trees

if TYPE_CHECKING:
    from . import _tsugi


@dataclass(frozen=True, slots=True)
class NextLink:
    """The link to the next page."""

    #: The address.
    url: str
    #: How sure it is, from 0 to 1.
    score: float
    #: `page`: the next page of the same article, list or thread; `chapter`: the next chapter of a book or manual.
    relation: Literal["page", "chapter"]
    #: What found it: `model`, `rule` or `rel`.
    by: str
    #: The location path of the link.
    xpath: str

    def select(self, tree: Any) -> Any:
        """Return the link's element in your own tree (lxml, BeautifulSoup); see `tsugi.trees`.

        >>> import lxml.html, tsugi
        >>> html = "<p>Part 1.</p><a rel=next href=2>Next page</a>"
        >>> tsugi.next_url(html, url="https://a.test/1")
        'https://a.test/2'
        >>> tsugi.scan(html, url="https://a.test/1").next.select(lxml.html.document_fromstring(html)).get("href")
        '2'
        """
        return trees.find(tree, self.xpath)


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself."""

    #: The title, without the name of the site.
    title: str | None = None
    #: The authors' names, in the order of the page.
    authors: list[str] = field(default_factory=list)
    #: When it was published: an ISO 8601 date, or a time with its offset from UTC if that is known.
    published: str | None = None
    #: When it was last changed, in the same form.
    modified: str | None = None
    #: The language as a BCP 47 tag (`ja`, `en-GB`), as declared or as detected.
    language: str | None = None
    #: The canonical address, if it is on the same site.
    canonical: str | None = None
    #: The name of the site.
    site: str | None = None
    #: A description of one or a few sentences.
    description: str | None = None
    #: The address of the image that represents the page.
    image: str | None = None
    #: The section of the site.
    section: str | None = None
    #: The keywords.
    tags: list[str] = field(default_factory=list)


class Content:
    """The main content of a page. Text, HTML and Markdown are made when they are first asked for."""

    #: How sure it is, from 0 to 1.
    score: float
    #: What found it: `model`, `rule`, `rel` (plain text), or `embedded` (data in the page, which has no nodes).
    by: str
    #: The siteinfo item that found it, if one did.
    rule: str | None

    def __init__(self, looked: _tsugi.Looked) -> None:
        self._looked: _tsugi.Looked | None = looked
        self.score = looked.score
        self.by = looked.by
        self.rule = looked.rule

    def _native(self) -> _tsugi.Looked:
        assert self._looked is not None, "all is made before a page is pickled"
        return self._looked

    @cached_property
    def _found(self) -> tuple[str, list[str], list[str]]:
        return self._native().content()

    @property
    def text(self) -> str:
        """The text, with a line for each block."""
        return self._found[0]

    @property
    def nodes(self) -> list[str]:
        """The location paths of its nodes, in document order; none lies within another."""
        return self._found[1]

    @property
    def without(self) -> list[str]:
        """The location paths of what is left out of the nodes, in document order."""
        return self._found[2]

    @cached_property
    def html(self) -> str:
        """The content as HTML without anything active, with absolute links."""
        return self._native().html()

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown, with absolute links."""
        return self._native().markdown()

    def select(self, tree: Any) -> list[Any]:
        """Return the content's nodes in your own tree (lxml, BeautifulSoup); see `tsugi.trees`.

        What is left out of them is `tsugi.trees.find_all(tree, content.without)`.
        """
        return trees.find_all(tree, self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Content):
            return NotImplemented
        return self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts()[:3])

    def _facts(self) -> tuple[Any, ...]:
        return self.score, self.by, self.rule, self._found, self.html, self.markdown

    def __bool__(self) -> bool:
        """Tell whether there is any text."""
        return bool(self.text)

    def __repr__(self) -> str:
        return f"<tsugi.Content of {len(self.text)} characters, score {self.score:.2f}>"

    def __getstate__(self) -> dict[str, Any]:
        found = {"_found": self._found, "html": self.html, "markdown": self.markdown}
        return {"_looked": None, "score": self.score, "by": self.by, "rule": self.rule, **found}


class RecordPlace(NamedTuple):
    """Where a page comes from in an archive."""

    #: The archive.
    path: str
    #: Where the record, or the gzip member that holds it, starts in the file, in bytes.
    offset: int
    #: The address as the archive writes it.
    target: str


class Page:
    """What was found on one page. Pages pickle, and need no tree after that. Two are equal if the same was found.

    >>> import tsugi
    >>> html = (
    ...     "<title>The mill</title><main><p>It has stood by the river for <b>three hundred</b> years.</main>"
    ...     "<a rel=next href='?page=2'>Next page</a>"
    ... )
    >>> page = tsugi.scan(html, url="https://a.test/mill?page=1")
    >>> page.title, page.next.url, page.next.relation
    ('The mill', 'https://a.test/mill?page=2', 'page')
    >>> print(page.content.markdown)
    It has stood by the river for **three hundred** years.
    """

    #: The address.
    url: str
    #: The link to the next page; `None` if there is none.
    next: NextLink | None
    #: The main content.
    content: Content
    #: If there is no `next`: the location path of a button, form or script link that shows that there is a next page.
    unfollowable: str | None
    #: The text of the comments below the article.
    comments: str | None
    #: Why the content may be wrong, in words.
    warning: str | None
    #: The record that the page comes from, if it comes from an archive.
    record: RecordPlace | None

    def __init__(self, looked: _tsugi.Looked, record: RecordPlace | None = None) -> None:
        self.url = looked.url
        self.next = NextLink(*looked.next) if looked.next else None
        self.content = Content(looked)
        self.unfollowable = looked.unfollowable
        self.comments = looked.comments
        self.warning = looked.doubt
        self.record = record

    @cached_property
    def metadata(self) -> Metadata:
        """All that the page says about itself."""
        return Metadata(**self.content._native().metadata())

    @property
    def title(self) -> str | None:
        """The title, without the name of the site."""
        return self.metadata.title

    @property
    def authors(self) -> list[str]:
        """The authors' names."""
        return self.metadata.authors

    @property
    def published(self) -> str | None:
        """When it was published, in ISO 8601."""
        return self.metadata.published

    @property
    def modified(self) -> str | None:
        """When it was last changed, in ISO 8601."""
        return self.metadata.modified

    @property
    def language(self) -> str | None:
        """The language as a BCP 47 tag."""
        return self.metadata.language

    def to_dict(self) -> dict[str, Any]:
        """Return the line that `tsugi scan` writes for the page, without the score's rounding.

        >>> import tsugi
        >>> tsugi.scan("<p>One.</p>", url="https://a.test/1").to_dict()["url"]
        'https://a.test/1'
        """
        found: dict[str, Any] = {"url": self.url, "next": None}
        if self.next:
            link = self.next
            found["next"] = {"url": link.url, "relation": link.relation, "score": link.score, "by": link.by}
        if self.unfollowable is not None:
            found["unfollowable"] = self.unfollowable
        content: dict[str, Any] = {"nodes": self.content.nodes}
        if self.content.without:
            content["without"] = self.content.without
        content |= {"text": self.content.text, "by": self.content.by, "score": self.content.score}
        found["content"] = content
        if self.comments is not None:
            found["comments"] = self.comments
        return found | {"title": self.title, "lang": self.language, "error": None}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Page):
            return NotImplemented
        return self._facts() == other._facts() and self.metadata == other.metadata and self.content == other.content

    def __hash__(self) -> int:
        return hash(self._facts())

    def _facts(self) -> tuple[Any, ...]:
        return self.url, self.next, self.unfollowable, self.comments, self.warning, self.record

    def __repr__(self) -> str:
        return f"<tsugi.Page {self.url}>"

    def __getstate__(self) -> Mapping[str, Any]:
        return {**self.__dict__, "metadata": self.metadata}
