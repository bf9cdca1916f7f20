"""Checks links within the book and the repository. Addresses on the web are not asked. Standard library only.

    links.py BOOK [MARKDOWN…]     BOOK is a folder of HTML, each MARKDOWN a file of the repository

Prints each link whose file or anchor does not exist; exit code 1 if there is one.
"""
import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Html(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "base":
                self.links.append(value)


class Markdown:
    """Links and headings, the latter as GitHub names them. Code does not count."""

    def __init__(self, text):
        text = re.sub(r"^(```+).*?^\1`*$", "", text, flags=re.M | re.S)
        headings = re.findall(r"^#+ +(.*?) *#*$", text, flags=re.M)
        self.anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
        self.links = re.findall(r"\]\(<?([^)>\s]+)", re.sub(r"`[^`\n]*`", "", text))


@cache
def read(path):
    text = path.read_text(encoding="utf-8")
    return Html(text) if path.suffix == ".html" else Markdown(text)


def flaw(page, link):
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = page
    if parts.path:
        path = (page.parent / unquote(parts.path)).resolve()
        if path.is_dir() and page.suffix == ".html":
            path /= "index.html"
    if not path.exists():
        return "no such file"
    anchor = unquote(parts.fragment)
    if anchor and path.suffix in (".html", ".md") and anchor not in read(path).anchors:
        return "no such anchor"
    return None


book, *others = map(Path, sys.argv[1:])
pages = [page for page in sorted(book.rglob("*.html")) if page.name not in ("404.html", "print.html")] + others
checked = wrong = 0
for page in pages:
    for link in read(page.resolve()).links:
        checked += 1
        problem = flaw(page.resolve(), link)
        if problem:
            wrong += 1
            print(f"{page}: {link}: {problem}")
print(f"{checked} links on {len(pages)} pages, {wrong} wrong")
sys.exit(wrong > 0 or checked == 0)
