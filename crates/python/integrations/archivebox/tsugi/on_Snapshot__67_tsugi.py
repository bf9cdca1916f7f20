#!/usr/bin/env -S abxpkg run --script --deps-from=./config.json:required_binaries python3
# /// script
# requires-python = ">=3.12"
# ///
"""Joins the pages of the article at a snapshot's address: `tsugi/content.md` and `tsugi/content.html`.

tsugi fetches the pages itself, since a snapshot has only the first one.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from abx_plugins.plugins.base.utils import emit_archive_result_record, has_staticfile_output, load_config

NAME = Path(__file__).resolve().parent.name


def join(url: str, config: object, folder: Path) -> tuple[str, str]:
    """Write the document; return the status and what to say of it."""
    command = [config.TSUGI_BINARY, "join", "--quiet", url, "--max-time", str(config.TSUGI_TIMEOUT), *config.TSUGI_ARGS]
    # All pages are fetched once: the second format comes from the archive of the first.
    archive = folder / "pages.warc.gz"
    archive.unlink(missing_ok=True)
    first = subprocess.run(
        [*command, "--save", str(archive), "-o", str(folder / "content.md")], capture_output=True, text=True, check=False
    )
    sys.stderr.write(first.stderr)
    if first.returncode == 1:
        return "noresults", "the page has no content"
    # 4: a next page is missing, and what is there was written.
    if first.returncode not in (0, 4):
        return "failed", first.stderr.strip().rpartition("\n")[2] or f"tsugi ended with {first.returncode}"
    again = subprocess.run(
        [*command, "--pages", str(archive), "-o", str(folder / "content.html")], capture_output=True, text=True, check=False
    )
    sys.stderr.write(again.stderr)
    return "succeeded", f"{NAME}/content.md"


def main() -> None:
    """Run the hook."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    url = parser.parse_known_args()[0].url
    config = load_config()
    folder = Path(config.SNAP_DIR or ".").resolve() / NAME
    folder.mkdir(parents=True, exist_ok=True)
    if not config.TSUGI_ENABLED:
        status, output = "skipped", "TSUGI_ENABLED=False"
    elif has_staticfile_output():
        status, output = "noresults", "staticfile already handled"
    else:
        status, output = join(url, config, folder)
    emit_archive_result_record(status, output)
    sys.exit(1 if status == "failed" else 0)


if __name__ == "__main__":
    main()
