"""Instructions of a program's functions, counted by valgrind. They hardly change from run to run, nor with the load of a machine."""

import subprocess
import tempfile
from collections import Counter
from pathlib import Path


def count(prefix, *command):
    """Runs a command under callgrind; returns what it printed, and the instructions of the functions with a prefix, callees included."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        counted = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", *map(str, command)],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return counted.stdout, called(counts, prefix)


def called(path, prefix):
    """Instructions of all calls of the functions with a prefix, what they call included, of a file of callgrind's."""
    names, counts, callee = {}, Counter(), None
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith(("fn=", "cfn=")):
                # A name is written out once, and is a number from then on.
                key, _, name = line.split("=", 1)[1].strip().partition(" ")
                if name:
                    names[key] = name
                if line.startswith("cfn="):
                    callee = names[key]
            elif line.startswith("calls="):
                cost = next(lines).split()[1]
                if callee.startswith(prefix) and callee.removeprefix(prefix).isidentifier():
                    counts[callee.removeprefix(prefix)] += int(cost)
    return counts
