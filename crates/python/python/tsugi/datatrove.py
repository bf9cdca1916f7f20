"""tsugi in datatrove pipelines.

    from datatrove.pipeline.readers import WarcReader
    from tsugi.datatrove import TsugiExtractor, TsugiScan

    pipeline = [WarcReader("crawl/", glob_pattern="*.warc.gz"), TsugiScan(), …]

`TsugiExtractor` takes the place of `Trafilatura`: it knows only the text of a page. `TsugiScan` also knows its address, so it
finds the next page, too.

Mind that datatrove's `WarcReader` passes over pages whose type libmagic does not recognise, unless the archive has
`WARC-Identified-Payload-Type`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from datatrove.data import DocumentsPipeline
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.utils.typeshelper import StatHints

from ._core import DEFAULT, Tsugi
from ._options import Comments
from .errors import TsugiError


class TsugiExtractor(BaseExtractor):  # type: ignore[misc]
    """Replaces the HTML of each document by its main content as text. Documents without content are dropped.

    :param timeout: seconds for a document
    :param favor_precision: less text that is not content
    :param favor_recall: less content that is missed
    :param include_comments: keep the comments below an article
    :param include_tables: keep data tables
    """

    name = "⛏ tsugi"

    def __init__(
        self,
        favor_precision: bool = False,
        favor_recall: bool = False,
        include_comments: Comments = False,
        include_tables: bool = True,
        timeout: float = 5,
    ) -> None:
        super().__init__(timeout)
        self.favor_precision = favor_precision
        self.favor_recall = favor_recall
        self.include_comments = include_comments
        self.include_tables = include_tables

    def extract(self, text: str) -> str:
        """Return the main content of a page; empty if there is none."""
        found = DEFAULT.extract(
            text,
            favor_precision=self.favor_precision,
            favor_recall=self.favor_recall,
            include_comments=self.include_comments,
            include_tables=self.include_tables,
        )
        return found or ""


class TsugiScan(PipelineStep):  # type: ignore[misc]
    """Replaces the HTML of each document by its main content as text, and adds to its metadata what was found.

    Adds `next` (url, score, relation, by; `None` if there is no next page), `content_score`, and the fields of
    `tsugi.Metadata` that the page states (`title`, `authors`, `published`, …). The address is `metadata["url"]`, as
    `WarcReader` writes it. Documents without content are dropped, unless they have a next page.

    :param tsugi: models and rules; the built-in models if not given
    :param markdown: make the text Markdown
    :param keep_html: keep the HTML as `metadata["html"]`
    """

    name = "⛏ tsugi scan"
    type = "🛢 - EXTRAC"

    def __init__(self, tsugi: Tsugi | None = None, markdown: bool = False, keep_html: bool = False) -> None:
        super().__init__()
        self.tsugi = tsugi or DEFAULT
        self.markdown = markdown
        self.keep_html = keep_html

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Scan the documents."""
        for document in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                html = document.text
                try:
                    page = self.tsugi.scan(html, document.metadata.get("url"))
                except TsugiError:
                    # An address that is none.
                    page = self.tsugi.scan(html)
                    self.stat_update("no_address")
                document.text = page.content.markdown if self.markdown else page.content.text
                stated = {name: value for name, value in asdict(page.metadata).items() if value}
                link: dict[str, Any] | None = None
                if page.next:
                    self.stat_update("with_next")
                    link = asdict(page.next)
                    del link["xpath"]
                document.metadata.update(stated, next=link, content_score=page.content.score)
                if self.keep_html:
                    document.metadata["html"] = html
            if document.text or link:
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document
            else:
                self.stat_update(StatHints.dropped)
