"""Runs the Python that the book shows. A block below `<!-- not run: REASON -->` is compiled only."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import ROOT

PAGES = ["how-to/python", "how-to/scrapy", "how-to/spark", "how-to/pipelines"]
BLOCK = re.compile(r"(?:<!-- (not run): [^\n]* -->\n)?```python\n(.*?)```\n", re.S)


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "datasets", tmp_path / "datasets")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    text = (ROOT / "docs" / "src" / f"{page}.md").read_text(encoding="utf-8")
    for number, (not_run, block) in enumerate(BLOCK.findall(text), 1):
        code = compile(block, f"{page}.md, block {number}", "exec")
        if not not_run:
            exec(code, names)
    assert text.count("```python") == len(BLOCK.findall(text)), "a block has another form"
