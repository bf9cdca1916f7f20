"""Runs an extractor that is written in Python on pages, for `scripts/bench`: as `src/main.rs` does.

  others.py TOOL FOLDER
"""
import json
import socket
import sys
import time
from pathlib import Path


def refuse(*_):
    raise OSError("there is no network while extractors are timed")


# Some ask the network for lists of domains, and would wait for it.
socket.getaddrinfo = refuse


def load(tool):
    """HTML and address in, main text (of autopager: next links) out."""
    # By default, two add the comments below an article.
    comments = not tool.endswith(", no comments")
    tool = tool.removesuffix(", no comments")
    if tool == "trafilatura":
        import trafilatura
        return lambda html, url: trafilatura.extract(html, url=url, include_comments=comments)
    if tool == "trafilatura, fast":
        import trafilatura
        return lambda html, url: trafilatura.extract(html, url=url, fast=True)
    if tool == "resiliparse":
        from resiliparse.extract.html2text import extract_plain_text
        return lambda html, url: extract_plain_text(html, main_content=True, comments=comments)
    if tool == "readability-lxml":
        import lxml.html
        from readability import Document
        return lambda html, url: lxml.html.fromstring(Document(html, url=url).summary()).text_content()
    if tool == "newspaper4k":
        import newspaper

        def extract(html, url):
            # It would fetch the images of the page.
            article = newspaper.Article(url, fetch_images=False)
            article.download(input_html=html)
            article.parse()
            return article.text
        return extract
    if tool == "tsugi, extract":
        import tsugi
        return lambda html, url: tsugi.extract(html, url)
    if tool == "tsugi, scan":
        import tsugi
        # What is timed in Rust: the next link, and the text as it stands on the page.
        return lambda html, url: tsugi.scan(html, url).content.text
    if tool == "parsel":
        # What autopager parses with.
        import parsel
        return lambda html, url: parsel.Selector(text=html).root.tag
    if tool == "autopager":
        from autopager.autopager import get_shared_autopager
        shared = get_shared_autopager()
        return lambda html, url: "\n".join(shared.urls(html, baseurl=url, direct=False, prev=False))
    sys.exit(f"`{tool}` is no extractor")


def main():
    tool, folder = sys.argv[1:]
    extract = load(tool)
    for number in sys.stdin:
        page = Path(folder) / number.strip()
        html = page.with_suffix(".html").read_bytes().decode("utf-8")
        url = page.with_suffix(".url").read_text(encoding="utf-8")
        answer = {}
        start = time.perf_counter()
        try:
            answer["text"] = extract(html, url) or ""
        except Exception as error:  # any: what fails is counted
            answer["text"], answer["error"] = "", f"{type(error).__name__}: {error}"
        answer["seconds"] = time.perf_counter() - start
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
