"""Nodes by location path in trees of other libraries.

A location path such as `/html[1]/body[1]/main[1]` names a node of the tree that browsers build. These parsers build it too:

- lxml with html5lib: `lxml.html.html5parser.document_fromstring(html)`
- BeautifulSoup with html5lib: `BeautifulSoup(html, "html5lib")`

`lxml.html.fromstring(html)`, and BeautifulSoup with `"lxml"` or `"html.parser"`, build other trees: they add no `tbody` to
tables, leave misplaced elements where they are, and close elements by rules of their own. On simple pages the trees are equal
where it matters. On others a node may be missing, which raises `TreeError`, or another one may be found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from .errors import OptionError, TreeError

_STEP = re.compile(r"/([^/\[]+)\[(\d+)\]")


def find(tree: Any, path: str) -> Any:
    """Return the node at a location path.

    `tree` is an lxml element or tree, or a `BeautifulSoup`. A text node of an lxml tree is a string that knows its parent
    (`getparent()`).

    >>> import lxml.html
    >>> tree = lxml.html.document_fromstring("<p>One<p>Two")
    >>> find(tree, "/html[1]/body[1]/p[2]").text
    'Two'

    :raises TreeError: if the tree has no such node
    """
    steps = _STEP.findall(path)
    if path != "/" and "".join(f"/{name}[{place}]" for name, place in steps) != path:
        raise OptionError(f"`{path}` is no location path, such as `/html[1]/body[1]/p[2]`")
    walk: Any = _Soup() if hasattr(tree, "find_all") else _Lxml()
    node = walk.top(tree)
    for depth, (name, place) in enumerate(steps):
        found = _nth(walk.children(node, name), int(place))
        if found is None:
            above = "".join(f"/{name}[{place}]" for name, place in steps[:depth]) or "/"
            raise TreeError(
                f"`{above}` has no `{name}[{place}]` in this tree: parse with html5lib to get the tree of browsers "
                '(`lxml.html.html5parser.document_fromstring(html)` or `BeautifulSoup(html, "html5lib")`)'
            )
        node = found
    return node


def find_all(tree: Any, paths: Iterable[str]) -> list[Any]:
    """Return the nodes at location paths, in their order.

    :raises TreeError: if the tree lacks one of them
    """
    return [find(tree, path) for path in paths]


def _nth(nodes: Iterator[Any], place: int) -> Any:
    for number, node in enumerate(nodes, 1):
        if number == place:
            return node
    return None


def _is(tag: object, name: str) -> bool:
    """Tell whether an element is at a step; namespaces of lxml (`{…}p`) do not count."""
    return isinstance(tag, str) and (name == "*" or tag.rpartition("}")[2] == name)


class _Lxml:
    def top(self, tree: Any) -> Any:
        return tree.getroottree() if hasattr(tree, "getroottree") else tree

    def children(self, node: Any, name: str) -> Iterator[Any]:
        if hasattr(node, "getroot"):
            root = node.getroot()
            # Comments may stand beside the root.
            beside = [*reversed([*root.itersiblings(preceding=True)]), root, *root.itersiblings()]
        else:
            beside = node
        if name == "text()":
            return iter(node.xpath("text()"))
        if name == "comment()":
            from lxml import etree

            return (child for child in beside if child.tag is etree.Comment)
        return (child for child in beside if _is(child.tag, name))


class _Soup:
    def top(self, tree: Any) -> Any:
        while tree.parent is not None:
            tree = tree.parent
        return tree

    def children(self, node: Any, name: str) -> Iterator[Any]:
        from bs4.element import Comment, NavigableString, PreformattedString

        if name == "text()":
            texts = (child for child in node.children if isinstance(child, NavigableString))
            return (text for text in texts if not isinstance(text, PreformattedString))
        if name == "comment()":
            return (child for child in node.children if isinstance(child, Comment))
        return (child for child in node.children if _is(child.name, name))
