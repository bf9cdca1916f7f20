"""Programs with plug-ins: calibre, and the runner of ArchiveBox's plug-ins. Skipped where they are not installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import tsugi

sys.path.insert(0, str(Path(__file__).parents[1]))

from conftest import ROOT, Site, article

PLUGINS = ROOT / "crates/python/integrations/archivebox"
FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>M</title><link>{url}</link><description>d</description>
<item><title>The mill</title><link>{url}/1.html</link><guid>1</guid><description>A mill</description></item></channel></rss>"""
RECIPE = """
from calibre.web.feeds.news import BasicNewsRecipe
from tsugi.calibre import JoinedPages

class Magazine(JoinedPages, BasicNewsRecipe):
    title = "Magazine"
    oldest_article = 100_000
    feeds = [("Features", "{feed}")]
"""


@pytest.fixture
def site() -> Iterator[Site]:
    bodies = {f"/{number}.html": article(number) for number in range(1, 5)}
    site = Site(bodies)
    bodies["/feed.xml"] = FEED.format(url=site.url).encode()
    yield site
    site.server.shutdown()


def run(command: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.skipif(shutil.which("ebook-convert") is None, reason="calibre is not installed")
def test_a_recipe_joins_pages(site: Site, tmp_path: Path) -> None:
    (tmp_path / "magazine.recipe").write_text(RECIPE.format(feed=f"{site.url}/feed.xml"))
    # calibre's own Python has other packages, so it gets no more than this one.
    shutil.copytree(Path(tsugi.__file__).parent, tmp_path / "packages" / "tsugi")
    packages = str(tmp_path / "packages")
    run(["ebook-convert", "magazine.recipe", "out.epub"], tmp_path, PYTHONPATH=packages, QT_QPA_PLATFORM="offscreen")
    book = zipfile.ZipFile(tmp_path / "out.epub")
    text = " ".join(book.read(name).decode() for name in book.namelist() if name.endswith("html"))
    words = set(text.split())
    document = tsugi.join(f"{site.url}/1.html", fetch=tsugi.Http(delay=0, allow_private=["127.0.0.1"]))
    for page in document.pages:
        own = document.text[page.start : page.end].split()
        assert sum(word in words for word in own) > 0.8 * len(own), page.url


@pytest.mark.skipif(shutil.which("abx-dl") is None, reason="abx-dl, which runs plug-ins of ArchiveBox, is not installed")
def test_a_plug_in_joins_pages(site: Site, tmp_path: Path) -> None:
    options = {"ABX_PLUGINS_DIR": str(PLUGINS), "TSUGI_ARGS": json.dumps(["--allow-private=127.0.0.1"])}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    told = run(["abx-dl", "dl", "--no-install", "--plugins=tsugi", f"{site.url}/1.html"], tmp_path, **options, PATH=path)
    [result] = [json.loads(line) for line in told.splitlines() if line.startswith("{") and '"ArchiveResult"' in line]
    assert (result["status"], result["output_str"]) == ("succeeded", "tsugi/content.md")
    document = tsugi.join(f"{site.url}/1.html", fetch=tsugi.Http(delay=0, allow_private=["127.0.0.1"]))
    assert (tmp_path / "tsugi" / "content.md").read_text() == document.markdown
    assert (tmp_path / "tsugi" / "content.html").read_text() == document.html
