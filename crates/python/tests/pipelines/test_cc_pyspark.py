"""cc-pyspark: a manifest of WARC files → its job → a table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("cc_pyspark")
sys.path.insert(0, str(Path(__file__).parents[1]))

from conftest import ADDRESS, article, warc


def test_the_job_scans_the_files_of_a_manifest(tmp_path: Path) -> None:
    pages = {ADDRESS.format(number): article(number) for number in range(1, 5)}
    (tmp_path / "pages.warc.gz").write_bytes(warc(pages))
    (tmp_path / "manifest.txt").write_text(f"file:{tmp_path}/pages.warc.gz\n")
    command = [sys.executable, "-m", "tsugi.cc_pyspark", "--output_format", "json", "--output_compression", "None"]
    command += ["--num_input_partitions", "1", "--num_output_partitions", "1", str(tmp_path / "manifest.txt"), "scanned"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    [part] = (tmp_path / "spark-warehouse" / "scanned").glob("part-*.json")
    rows = [json.loads(line) for line in part.read_text().splitlines()]
    assert [row["url"] for row in rows] == list(pages)
    assert [row.get("next") for row in rows] == [*list(pages)[1:], None]
    assert rows[0]["language"] == "en-GB" and "tide" in rows[0]["text"]
