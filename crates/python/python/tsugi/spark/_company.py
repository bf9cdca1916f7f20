"""Which pages need company: others of their host, to be joined."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from typing import Any, TypeAlias, cast

import numpy as np

from .. import _tsugi

Array: TypeAlias = "np.ndarray[Any, Any]"


def page_key(url: str) -> int:
    """Return 64 bits that tell pages apart; addresses with one key name one page."""
    return _hash(_tsugi.page_key(url))


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


class Company:
    """A Bloom filter of the pages that need company: those that others lead to, and those that are stored more than once.

    It never misses one. Of other pages it wrongly names a few in a million, which costs a longer shuffle and nothing else.
    Filters of parts are merged: a key that is in two parts has all its bits in both.
    """

    #: Bits a key.
    BITS = 12
    #: Bits that a key sets. At most half of the filter is set, so one key in 100 or fewer is a false alarm, and of those that
    #: are stored once far fewer.
    HASHES = 7

    def __init__(self, keys: int) -> None:
        self.size = max(1 << 10, 1 << (keys * self.BITS - 1).bit_length())
        self.once: Array = np.zeros(self.size // 8, np.uint8)
        self.twice: Array = np.zeros(self.size // 8, np.uint8)
        self.led_to: Array = np.zeros(self.size // 8, np.uint8)

    def _bits(self, keys: Array) -> Array:
        """Return the places of the bits of keys: double hashing."""
        keys = keys.astype(np.int64).view(np.uint64)
        first, step = keys & np.uint64(0xFFFFFFFF), (keys >> np.uint64(32)) | np.uint64(1)
        places = first[:, None] + step[:, None] * np.arange(self.HASHES, dtype=np.uint64)[None, :]
        # The halves of a key are mixed, since the filter may have more than 2³² bits.
        places *= np.uint64(0x9E3779B97F4A7C15)
        return cast(Array, (places >> np.uint64(64 - self.size.bit_length() + 1)).astype(np.int64))

    def add(self, keys: Array, led_to: Array) -> None:
        """Add the keys of the pages of a part, each as often as it is stored, and those that they lead to."""
        unique, count = np.unique(keys, return_counts=True)
        part = self._filled(unique)
        self.twice |= self._filled(unique[count > 1]) | (self.once & part)
        self.once |= part
        self.led_to |= self._filled(np.unique(led_to))

    def _filled(self, keys: Array) -> Array:
        bits: Array = np.zeros(self.size, np.bool_)
        bits[self._bits(keys).ravel()] = True
        return cast(Array, np.packbits(bits, bitorder="little"))

    def merge(self, other: Company) -> None:
        """Add the filter of another part."""
        self.twice |= other.twice | (self.once & other.once)
        self.once |= other.once
        self.led_to |= other.led_to

    def needs(self, keys: Array) -> Array:
        """Tell which of the keys need company."""
        bits = self._bits(keys)

        def has(filled: Array) -> Array:
            return cast(Array, np.asarray((filled[bits >> 3] >> (bits & 7).astype(np.uint8)) & 1, np.bool_).all(axis=1))

        needed: Array = has(self.led_to) | has(self.twice)
        return needed

    def __getstate__(self) -> dict[str, Any]:
        parts = {name: zlib.compress(getattr(self, name).tobytes(), 1) for name in ("once", "twice", "led_to")}
        return {"size": self.size, **parts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.size = state["size"]
        for name in ("once", "twice", "led_to"):
            setattr(self, name, np.frombuffer(bytearray(zlib.decompress(state[name])), np.uint8))


def components(keys: Iterable[int], links: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the smallest key of the component of each key: of all keys that links connect with it."""
    parent = {key: key for key in keys}

    def root(key: int) -> int:
        while parent[key] != key:
            parent[key] = key = parent[parent[key]]
        return key

    for one, other in links:
        if one in parent and other in parent:
            one, other = root(one), root(other)
            parent[max(one, other)] = min(one, other)
    return {key: root(key) for key in parent}
