"""Which pages need company: others of their host, to be joined."""

from __future__ import annotations

import hashlib
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
    """A Bloom filter of the pages that need company. It never misses one, and wrongly names one in some hundred of the others.

    It is made in blocks, each from the keys that fall into it (`key mod blocks`), so that tasks can fill it without having it.
    """

    #: Bits a key, and bits that a key sets.
    BITS = 12
    HASHES = 7
    #: Keys a block, about.
    KEYS = 10_000

    def __init__(self, keys: int) -> None:
        self.blocks = keys // self.KEYS + 1
        #: The size of a block in bytes. Blocks are not equally full.
        self.size = -(-max(keys, 64) * self.BITS // (8 * self.blocks)) + 8
        self.bits: Array = np.zeros(self.blocks * self.size, np.uint8)

    def block(self, keys: Array) -> Array:
        """Return the blocks that keys fall into."""
        return cast(Array, np.mod(keys.astype(np.int64), self.blocks))

    def _places(self, keys: Array) -> Array:
        """Return the places of the bits of keys in their blocks: a row a key."""
        keys = keys.astype(np.int64).view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        first, step = keys >> np.uint64(32), (keys & np.uint64(0xFFFFFFFF)) | np.uint64(1)
        places = first[:, None] + step[:, None] * np.arange(self.HASHES, dtype=np.uint64)[None, :]
        return cast(Array, (places % np.uint64(self.size * 8)).astype(np.int64))

    def filled(self, keys: Array) -> bytes:
        """Return a block that is filled with keys."""
        bits: Array = np.zeros(self.size * 8, np.bool_)
        bits[self._places(keys).ravel()] = True
        return bytes(np.packbits(bits, bitorder="little"))

    def set(self, block: int, filled: bytes) -> None:
        """Set a block."""
        self.bits[block * self.size : (block + 1) * self.size] = np.frombuffer(filled, np.uint8)

    def needs(self, keys: Array) -> Array:
        """Tell which of the keys need company."""
        places = self._places(keys)
        found = self.bits[self.block(keys)[:, None] * self.size + (places >> 3)]
        needed: Array = ((found >> (places & 7).astype(np.uint8)) & 1).astype(np.bool_).all(axis=1)
        return needed


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
