"""Compares the documents of the Spark job with those of `tsugi join --all` on the same archives, chain for chain.

  same_chains.py DATA SET…

A document is equal if its JSON is, but for the words for why the last page has no next one. These may name a link that is too
weak to follow. The command leaves that out if the page behind it is part of another document; the job cannot know that of pages
that are joined elsewhere. Prints a table; the exit code is 1 if a document is missing, superfluous or different.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path


def run(*command: str | Path) -> None:
    done = subprocess.run([sys.executable, "-m", *map(str, command)], stderr=subprocess.PIPE, check=False)
    # 4: a document is not whole.
    if done.returncode not in (0, 4):
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stderr.decode()[-3000:]}")


def compared(line: bytes) -> str:
    """Return what is compared of a document."""
    document = json.loads(line)
    if document["stopped"]["reason"] == "no-next":
        del document["stopped"]["detail"]
    return json.dumps(document, ensure_ascii=False)


def lines(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in folder.glob("part-*"):
        found.update(map(compared, part.read_bytes().splitlines()))
    return found


def main() -> None:
    data, names = Path(sys.argv[1]), sys.argv[2:]
    whole = True
    print("| archives | documents of the command | equal ones of the job | other ones of the job |\n| --- | --- | --- | --- |")
    for name in names:
        archive = data / name / "pages.warc.gz"
        with tempfile.TemporaryDirectory() as folder:
            single, output = Path(folder) / "single.jsonl", Path(folder) / "out"
            run("tsugi", "join", "--quiet", "--pages", archive, "--all", "-f", "jsonl", "-o", single)
            # The job's own way for large hosts, too.
            run("tsugi.spark", "join", "--input", archive, "--output", output, "--format", "jsonl", "--giant", "20")
            told, found = Counter(map(compared, single.read_bytes().splitlines())), lines(output / "documents")
            equal = told & found
            whole = whole and told == found
            print(f"| {name} | {told.total()} | {equal.total()} | {(found - told).total()} |", flush=True)
            for line in [*(told - found)][:3]:
                print(f"missing: {line[:300]}", file=sys.stderr)
            for line in [*(found - told)][:3]:
                print(f"other: {line[:300]}", file=sys.stderr)
    sys.exit(0 if whole else 1)


if __name__ == "__main__":
    main()
