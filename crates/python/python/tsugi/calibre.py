"""Articles of several pages in calibre's news recipes.

A recipe becomes one that joins pages by a base class before its own:

    from calibre.web.feeds.news import BasicNewsRecipe
    from tsugi.calibre import JoinedPages

    class Magazine(JoinedPages, BasicNewsRecipe):
        title = "Magazine"
        feeds = [("Features", "https://…/feed.xml")]

It takes the place of the `append_page` that recipes for such sites write by hand. calibre fetches the pages with the recipe's
own browser, so log-ins and delays apply.

calibre has to find this package. Where calibre uses the Python of the system (Debian, Fedora, Arch), install it there, or name
its folder in `PYTHONPATH`.
"""

from __future__ import annotations

from typing import Any

from .errors import UnavailableError
from .joining import Joiner


class JoinedPages:
    """Joins the pages of each article before calibre reads it."""

    #: The most pages of an article.
    tsugi_max_pages = 30

    def preprocess_raw_html(self, raw_html: str, url: str) -> str:
        """Return the article with the content of all its pages, as HTML; the page itself if it has no next page."""
        # Recipes may change the page before.
        raw_html = super().preprocess_raw_html(raw_html, url)  # type: ignore[misc]
        joiner = Joiner(url=url, max_pages=self.tsugi_max_pages)
        joiner.give(raw_html)
        while wanted := joiner.wanted:
            try:
                joiner.give(self.tsugi_fetch(wanted), wanted)
            except Exception as error:
                # calibre's browser raises many things; an article without its end is better than none.
                self._tsugi_log(f"{wanted}: {error}")
                joiner.miss(str(error))
        try:
            document = joiner.document()
        except UnavailableError:
            return raw_html
        if len(document.pages) < 2:
            return raw_html
        if not document.complete:
            self._tsugi_log(f"{url}: incomplete: {document.stopped.detail}")
        return document.html

    def tsugi_fetch(self, url: str) -> bytes:
        """Return the page at an address."""
        raw: bytes | str = self.index_to_soup(url, raw=True)  # type: ignore[attr-defined]
        return raw.encode() if isinstance(raw, str) else raw

    def _tsugi_log(self, message: str) -> None:
        log: Any = getattr(self, "log", None)
        if log is not None:
            log.warning("tsugi:", message)
