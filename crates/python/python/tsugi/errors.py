"""What can go wrong. All that tsugi raises on purpose is a `TsugiError`, but for the `TypeError` of a value of a wrong type."""

from __future__ import annotations


class TsugiError(Exception):
    """The base of all exceptions of this package."""


class OptionError(TsugiError, ValueError):
    """An option has a value that it cannot have."""


class UrlError(TsugiError, ValueError):
    """An address is no absolute URL."""


class UnavailableError(TsugiError):
    """A page cannot be fetched, or what was fetched is no page.

    >>> import tsugi
    >>> try:
    ...     tsugi.scan(b"%PDF-1.7", url="https://a.test/1")
    ... except tsugi.UnavailableError as error:
    ...     print(error.reason, error.url)
    not-html https://a.test/1
    """

    #: The address.
    url: str
    #: A word for the reason: `status`, `timeout`, `not-html`, `robots`, `not-stored`, …
    reason: str

    def __init__(self, message: str, url: str = "", reason: str = "fetch-failed") -> None:
        super().__init__(message, url, reason)
        self.url = url
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


class ArchiveError(TsugiError):
    """A file is no WARC archive, or cannot be read."""


class FileError(TsugiError, OSError):
    """A file or a folder cannot be read or written."""


class ModelError(TsugiError, ValueError):
    """A file is no model of this version."""


class RulesError(TsugiError, ValueError):
    """A text is no siteinfo."""


class TreeError(TsugiError, LookupError):
    """A tree lacks a node: it was built by other rules than those of browsers."""
