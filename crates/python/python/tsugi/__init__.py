"""Joins the pages of a paginated web article: finds the next link, takes the main content, and returns one document.

>>> import tsugi
>>> html = (
...     "<title>The mill</title><main><p>It has stood by the river for three hundred years.</main>"
...     "<a rel=next href='?page=2'>Next page</a>"
... )
>>> page = tsugi.scan(html, url="https://a.test/mill?page=1")
>>> page.next.url, page.title
('https://a.test/mill?page=2', 'The mill')
>>> tsugi.extract(html)
'It has stood by the river for three hundred years.'

`join` follows the next pages (`tsugi.join("https://…").save("article.epub")`), `Joiner` does so where nothing may block,
`scan_warc` scans archives, and `verify` judges a pair of pages. `tsugi.scrapy`, `tsugi.spark`, `tsugi.datatrove` and
`tsugi.nemo_curator` fit tsugi into these frameworks. `python -m tsugi` is the command.
"""

from __future__ import annotations

from ._core import DEFAULT as _DEFAULT
from ._core import Tsugi
from ._tsugi import __version__
from .documents import Document, DocumentPage, Reason, Stopped, TextPart, Tried, Verdict
from .errors import (
    ArchiveError,
    FileError,
    ModelError,
    OptionError,
    RulesError,
    TreeError,
    TsugiError,
    UnavailableError,
    UrlError,
)
from .fetching import Archive, Files, Http, Response
from .joining import Joiner
from .pages import Content, Metadata, NextLink, Page, RecordPlace
from .warc import Damage, WarcScan

scan = _DEFAULT.scan
next_url = _DEFAULT.next_url
extract = _DEFAULT.extract
join = _DEFAULT.join
ajoin = _DEFAULT.ajoin
verify = _DEFAULT.verify
scan_warc = _DEFAULT.scan_warc

__all__ = [
    "Archive",
    "ArchiveError",
    "Content",
    "Damage",
    "Document",
    "DocumentPage",
    "FileError",
    "Files",
    "Http",
    "Joiner",
    "Metadata",
    "ModelError",
    "NextLink",
    "OptionError",
    "Page",
    "Reason",
    "RecordPlace",
    "Response",
    "RulesError",
    "Stopped",
    "TextPart",
    "TreeError",
    "Tried",
    "Tsugi",
    "TsugiError",
    "UnavailableError",
    "UrlError",
    "Verdict",
    "WarcScan",
    "__version__",
    "ajoin",
    "extract",
    "join",
    "next_url",
    "scan",
    "scan_warc",
    "verify",
]
