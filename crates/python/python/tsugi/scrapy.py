"""tsugi in Scrapy: follow next pages, or join them to documents.

Follow next pages in every callback, with the spider middleware:

    SPIDER_MIDDLEWARES = {"tsugi.scrapy.NextPageMiddleware": 950}

Follow them in one callback, without it:

    def parse(self, response):
        ...
        if next := tsugi.next_url(response):
            yield response.follow(next)

Join an article to one document:

    def parse_article(self, response):
        yield from tsugi.scrapy.join(response, self.parse_document)

    def parse_document(self, document):
        yield {"url": document.url, "title": document.title, "text": document.text}

Scrapy fetches all pages, so its settings for `robots.txt`, delays and the cache apply.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any, Unpack

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response, TextResponse
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from . import _tsugi
from ._core import DEFAULT, Tsugi
from ._options import JoinOptions
from .documents import Document
from .errors import UnavailableError
from .joining import Joiner

log = logging.getLogger("tsugi")


class NextPageMiddleware(BaseSpiderMiddleware):
    """Follows the next page of every page, with the callback and the errback of the page's own request.

    Settings:

    - `TSUGI_MAX_PAGES` (100): the most pages of a sequence, counted from the page that the spider asked for
    - `TSUGI_RELATION` (any): follow only next pages (`"page"`) or next chapters (`"chapter"`)

    A request with `meta={"tsugi_follow": False}` is not followed up. `response.meta["tsugi_page"]` is the number of a page
    in its sequence, from 1. Pages of other hosts are not followed. The number of followed links is the statistic
    `tsugi/followed`.
    """

    def __init__(self, crawler: Crawler, tsugi: Tsugi | None = None) -> None:
        super().__init__(crawler)
        self.tsugi = tsugi or DEFAULT
        self.max_pages: int = crawler.settings.getint("TSUGI_MAX_PAGES", 100)
        self.relation: str | None = crawler.settings.get("TSUGI_RELATION")

    def process_spider_output(self, response: Response | None, result: Iterable[Any], spider: Any = None) -> Iterator[Any]:
        """Add the request for the next page to what the callback yields."""
        yield from result
        yield from self._next(response)

    async def process_spider_output_async(
        self, response: Response | None, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """Add the request for the next page to what the callback yields."""
        async for found in result:
            yield found
        for request in self._next(response):
            yield request

    def _next(self, response: Response | None) -> Iterator[Request]:
        if response is None or response.request is None:
            return
        request = response.request
        number: int = response.meta.get("tsugi_page", 1)
        if not isinstance(response, TextResponse) or not response.meta.get("tsugi_follow", True) or number >= self.max_pages:
            return
        try:
            page = self.tsugi.scan(response.body, response.url, content_type=_content_type(response))
        except UnavailableError as error:
            log.debug("not followed: %s", error)
            return
        link = page.next
        if link is None or self.relation not in (None, link.relation):
            return
        if _tsugi.host_key(link.url) != _tsugi.host_key(response.url):
            return
        if self.crawler.stats:
            self.crawler.stats.inc_value("tsugi/followed")
        yield response.follow(
            link.url,
            callback=request.callback,
            errback=request.errback,
            cb_kwargs=request.cb_kwargs,
            meta={**_kept(request.meta), "tsugi_page": number + 1},
            priority=request.priority,
        )


def _kept(meta: dict[str, Any]) -> dict[str, Any]:
    """Return what a caller put into the meta data of a request, without what Scrapy noted there about this request."""
    own = ("depth", "redirect_urls", "redirect_times", "redirect_reasons", "redirect_ttl", "retry_times", "cookies_added")
    downloaded = ("download_latency", "download_slot", "proxy_auth")
    return {name: value for name, value in meta.items() if name not in own + downloaded}


def _content_type(response: Response) -> str | None:
    media = response.headers.get("Content-Type")
    return media.decode("latin-1") if media else None


def join(
    response: Response,
    callback: Callable[[Document], Iterable[Any] | None],
    *,
    tsugi: Tsugi | None = None,
    **options: Unpack[JoinOptions],
) -> Iterator[Any]:
    """Join the page of a response and those that follow it; `callback` takes the document.

    Yields the request for each next page, and in the end what `callback` returns. A page that cannot be fetched ends the
    document. The options are those of `tsugi.join`.

    :raises UnavailableError: if the response is no page but a PDF, an image and the like
    """
    # What is joined need not be followed by the middleware, too.
    response.meta["tsugi_follow"] = False
    joiner = Joiner(url=response.url, tsugi=tsugi, **options)
    joiner.give(response.body, response.url, content_type=_content_type(response))
    yield from _Joining(joiner, callback).go_on()


class _Joining:
    """A document that Scrapy fetches the pages of."""

    def __init__(self, joiner: Joiner, callback: Callable[[Document], Iterable[Any] | None]) -> None:
        self.joiner = joiner
        self.callback = callback

    def go_on(self) -> Iterator[Any]:
        wanted = self.joiner.wanted
        if wanted is None:
            yield from self.callback(self.joiner.document()) or ()
            return
        # Another document may have asked for the page before.
        yield Request(wanted, callback=self.give, errback=self.miss, dont_filter=True, meta={"tsugi_follow": False})

    def give(self, response: Response) -> Iterator[Any]:
        self.joiner.give(response.body, response.url, content_type=_content_type(response))
        yield from self.go_on()

    def miss(self, failure: Any) -> Iterator[Any]:
        self.joiner.miss(f"{failure.type.__name__}: {failure.getErrorMessage()}")
        yield from self.go_on()
