"""Nodes in trees of lxml and BeautifulSoup."""

from __future__ import annotations

import lxml.html
import lxml.html.html5parser
import pytest
import tsugi
from bs4 import BeautifulSoup
from conftest import ADDRESS, article
from tsugi import trees


def test_content_and_link_are_found_in_every_tree() -> None:
    html = article(2)
    page = tsugi.scan(html, url=ADDRESS.format(2))
    assert page.next is not None
    text = html.decode()
    for tree in (
        lxml.html.document_fromstring(text),
        lxml.html.document_fromstring(text).find("body"),
        lxml.html.html5parser.document_fromstring(text),
        lxml.html.document_fromstring(text).getroottree(),
    ):
        assert page.next.select(tree).get("href") in ADDRESS.format(3)
        words = " ".join(" ".join(node.itertext()) for node in page.content.select(tree)).split()
        assert set(page.content.text.split()) <= set(words) | set("•")
    for parser in ("html5lib", "lxml", "html.parser"):
        soup = BeautifulSoup(text, parser)
        assert page.next.select(soup)["href"] in ADDRESS.format(3)
        words = " ".join(node.get_text(" ") for node in page.content.select(soup)).split()
        assert set(page.content.text.split()) <= set(words) | set("•")


def test_text_comments_and_names_without_a_step_are_found() -> None:
    html = "<p>a<b>b</b>c<!--d--><svg><a>e</a></svg></p>"
    soup = BeautifulSoup(html, "html5lib")
    tree = lxml.html.html5parser.document_fromstring(html)
    for top in (soup, tree):
        assert str(trees.find(top, "/html[1]/body[1]/p[1]/text()[2]")) == "c"
        assert trees.find_all(top, []) == []
    assert trees.find(soup, "/html[1]/body[1]/p[1]/comment()[1]") == "d"
    assert trees.find(tree, "/html[1]/body[1]/p[1]/comment()[1]").text == "d"
    assert trees.find(soup, "/html[1]/body[1]/p[1]/*[2]/*[1]").get_text() == "e"
    assert trees.find(tree, "/html[1]/body[1]/p[1]/*[2]/*[1]").text == "e"


def test_trees_of_other_rules_differ() -> None:
    """Browsers add `tbody`, and move what is misplaced in a table before it."""
    html = "<table><tr><td>cell</table>"
    path = "/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]"
    for tree in (BeautifulSoup(html, "html5lib"), lxml.html.html5parser.document_fromstring(html)):
        assert trees.find(tree, path) is not None
    for tree in (BeautifulSoup(html, "lxml"), BeautifulSoup(html, "html.parser"), lxml.html.document_fromstring(html)):
        with pytest.raises(tsugi.TreeError, match="parse with html5lib"):
            trees.find(tree, path)
    with pytest.raises(tsugi.OptionError, match="no location path"):
        trees.find(BeautifulSoup(html, "html5lib"), "//p")
