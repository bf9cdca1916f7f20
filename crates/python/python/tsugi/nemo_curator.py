"""tsugi in NeMo Curator's pipelines.

from nemo_curator.stages.text.download import CommonCrawlDownloadExtractStage
from tsugi.nemo_curator import TsugiExtractor

stage = CommonCrawlDownloadExtractStage("2024-30", "2024-30", "downloads/", html_extraction=TsugiExtractor())
"""

from __future__ import annotations

from nemo_curator.stages.text.download.html_extractors import HTMLExtractorAlgorithm

from ._core import DEFAULT
from ._options import Comments


class TsugiExtractor(HTMLExtractorAlgorithm):  # type: ignore[misc]
    """Finds the main content of each page, in place of jusText, resiliparse or trafilatura.

    :param favor_precision: less text that is not content
    :param favor_recall: less content that is missed
    :param include_comments: keep the comments below an article
    :param include_tables: keep data tables
    """

    def __init__(
        self,
        favor_precision: bool = False,
        favor_recall: bool = False,
        include_comments: Comments = False,
        include_tables: bool = True,
    ) -> None:
        self.favor_precision = favor_precision
        self.favor_recall = favor_recall
        self.include_comments = include_comments
        self.include_tables = include_tables

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:
        """Return the paragraphs of the main content; `None` if there is none. Stop words and language are not needed."""
        found = DEFAULT.extract(
            html,
            output_format="python",
            favor_precision=self.favor_precision,
            favor_recall=self.favor_recall,
            include_comments=self.include_comments,
            include_tables=self.include_tables,
        )
        return found.write("txt").rstrip().split("\n\n") if found else None
