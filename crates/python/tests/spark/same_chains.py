"""Compares the documents of the Spark job with those of `tsugi join --all` on the same archives, chain for chain.

  same_chains.py DATA SET…

A document is equal if its JSON is, but for the words for why the last page has no next one. These may name a link that is too
weak to follow. The command leaves that out if the page behind it is part of another document; the job cannot know that of pages
that are joined elsewhere. For the same reason, the score of a verified page may differ if its host is split. So of the second
run, which splits every host of more than 20 pages, pages and texts are compared. Prints a table; the exit code is 1 if a
document is missing, superfluous or different.
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


def chain(line: str) -> str:
    """Return the pages and the text of a document."""
    document = json.loads(line)
    return json.dumps([[page["url"] for page in document["pages"]], document["text"]], ensure_ascii=False)


def lines(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in folder.glob("part-*"):
        found.update(map(compared, part.read_bytes().splitlines()))
    return found


def main() -> None:
    data, names = Path(sys.argv[1]), sys.argv[2:]
    whole = True
    print("| archives | documents of the command | equal ones of the job | others | equal chains with split hosts | others |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names:
        archive = data / name / "pages.warc.gz"
        with tempfile.TemporaryDirectory() as folder:
            single, output = Path(folder) / "single.jsonl", Path(folder) / "out"
            run("tsugi", "join", "--quiet", "--pages", archive, "--all", "-f", "jsonl", "-o", single)
            told = Counter(map(compared, single.read_bytes().splitlines()))
            cells = [name, str(told.total())]
            job = ("tsugi.spark", "join", "--input", archive, "--output", output, "--format", "jsonl")
            run(*job)
            expected, found = told, lines(output / "documents")
            for is_split in (False, True):
                if is_split:
                    # The pages of before are joined again.
                    (output / "documents.json").unlink()
                    run(*job, "--giant", "20")
                    expected, found = (
                        Counter(map(chain, told.elements())),
                        Counter(map(chain, lines(output / "documents").elements())),
                    )
                cells += [str((expected & found).total()), str((found - expected).total())]
                whole = whole and expected == found
                for what, documents in (("missing", expected - found), ("other", found - expected)):
                    for document in [*documents][:3]:
                        print(f"{what}: {document[:300]}", file=sys.stderr)
            print(f"| {' | '.join(cells)} |", flush=True)
    sys.exit(0 if whole else 1)


if __name__ == "__main__":
    main()
