"""Runs the notebook, and compares what it shows with what it holds.

  notebook.py [--write]

With --write, what it shows today is written into it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "crates/python/notebooks/tour.ipynb"


def shown(notebook: Any) -> list[tuple[str, str]]:
    """Return each cell's code and text, without what differs from run to run: times and sizes of files."""
    cells = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
        cells.append((cell.source, re.sub(r"\d[\d.]* (seconds|bytes)", r"… \1", "".join(texts)).strip()))
    return cells


def main() -> None:
    before = nbformat.read(NOTEBOOK, as_version=4)
    after = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(after, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    for number, cell in enumerate(after.cells):
        # What says when and where it ran.
        cell["metadata"], cell["id"] = {}, f"cell-{number}"
        if cell.cell_type == "code":
            cell["execution_count"] = None
            for output in cell.outputs:
                output.pop("execution_count", None)
                if output.output_type == "execute_result":
                    output["execution_count"] = None
    after["metadata"] = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    if "--write" in sys.argv[1:]:
        nbformat.write(after, NOTEBOOK)
        return
    for (_, told), (code, found) in zip(shown(before), shown(after), strict=True):
        if told != found:
            sys.exit(
                f"{NOTEBOOK.name}: a cell shows something else (--write writes it)\n{code}\n-- held\n{told}\n-- found\n{found}"
            )
    print(f"{NOTEBOOK.name}: {len(after.cells)} cells show what they hold")


if __name__ == "__main__":
    main()
