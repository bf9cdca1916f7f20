"""What the scripts in Python share: an environment that has their packages, and programs of the workspace."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()


def enter(*packages):
    """Runs the script again in an environment of its own that has the packages, unless it runs there already."""
    folder = TARGET / "environments" / Path(sys.argv[0]).name
    if folder.exists() and os.path.samefile(sys.prefix, folder):
        return
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True)
    os.execv(python, [python, *sys.argv])


def usage(documentation):
    """Ends the script with the second paragraph of its documentation, which is its usage."""
    sys.exit(documentation.split("\n\n")[1])


def program(name, *options, release=False):
    """Builds a program or an example of a package, and returns its path."""
    mode = ["--release"] if release else []
    subprocess.run(["cargo", "build", "--locked", "--quiet", *mode, *options], cwd=ROOT, check=True)
    example = ["examples"] if "--example" in options else []
    return str(TARGET.joinpath("release" if release else "debug", *example, name))
