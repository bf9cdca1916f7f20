"""Runs trafilatura on labelled pages, for `scripts/metadata-others`. What is right: `crates/experiments/src/metadata`."""
import json
import re
import sys
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path

import trafilatura
from warcio.archiveiterator import ArchiveIterator

QUOTES = str.maketrans("‘’‚‛“”„‟", "''''\"\"\"\"")


def folded(text):
    return " ".join(text.split()).translate(QUOTES)


def days(date):
    found = {date[:10]}
    try:
        time = datetime.fromisoformat(date.replace("Z", "+00:00"))
    except ValueError:
        return found
    if time.tzinfo:
        found.add(time.astimezone(timezone.utc).date().isoformat())
    return found


def same_names(found, expected):
    def key(name):
        return folded(name).lower()

    if key(", ".join(found)) == key(expected):
        return True
    parts = {key(name) for name in re.split(r"[,;&]| and ", expected)} - {""}
    return {key(name) for name in found} == parts


def main(folder):
    labels = (json.loads(line) for line in (folder / "labels.jsonl").open())
    labels = {label["url"]: label for label in labels if "metadata" in label["labels"]}
    fields = {
        "title": ("title", lambda found, expected: folded(found) == folded(expected)),
        "day of publication": ("published", lambda found, expected: bool(days(found) & days(expected))),
        "authors": ("author", lambda found, expected: same_names(found.split("; "), expected)),
    }
    counts = {field: [0, 0, 0] for field in fields}
    with (folder / "pages.warc.gz").open("rb") as stream:
        for record in ArchiveIterator(stream):
            url = record.rec_headers.get_header("WARC-Target-URI")
            label = labels.get(url)
            if record.rec_type != "response" or label is None:
                continue
            html = record.content_stream().read()
            # Its first publication is asked for, as by others; without this it gives the last change.
            config = {"original_date": True, "extensive_search": True}
            said = trafilatura.extract_metadata(html, default_url=url, date_config=config)
            values = {"title": said.title, "published": said.date, "author": said.author} if said else {}
            for field, (name, is_right) in fields.items():
                if label.get(name) is None:
                    continue
                count = counts[field]
                count[0] += 1
                if values.get(name):
                    count[1] += 1
                    count[2] += is_right(values[name], label[name])
    print("| tool | field | expected | given | right | precision | recall |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for field, (expected, given, right) in counts.items():
        shares = f"{right / max(given, 1):.3f} | {right / max(expected, 1):.3f}"
        print(f"| trafilatura {version('trafilatura')} | {field} | {expected} | {given} | {right} | {shares} |")


main(Path(sys.argv[1]))
