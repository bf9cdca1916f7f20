"""`python -m tsugi` is the command."""

from __future__ import annotations

import subprocess
import sys

import tsugi
from conftest import ARTICLE, ROOT


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "tsugi", *arguments], cwd=ROOT, capture_output=True, check=False)


def test_it_joins() -> None:
    done = run("join", "--quiet", "datasets/english-article/1.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == tsugi.join(ARTICLE / "1.html").markdown


def test_versions_agree() -> None:
    done = run("--version")
    assert done.returncode == 0 and done.stdout.split()[:2] == [b"tsugi", tsugi.__version__.encode()]


def test_exit_codes_are_those_of_the_command() -> None:
    assert run("join").returncode == 2
    assert run("--help").returncode == 0
    wrong = run("scan", "--no-such-option")
    assert wrong.returncode == 2 and b"--no-such-option" in wrong.stderr
    assert run("extract", "no-such-file.html").returncode == 3


def test_the_package_loads_no_asyncio() -> None:
    # Loading it would make the command, and every program that reads one page, start half as fast.
    asked = "import sys, tsugi; sys.exit('asyncio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
