"""The command: `python -m tsugi` is `tsugi`."""

import sys

from ._tsugi import run_command


def main() -> None:
    """Run the command with the arguments of the process, and exit."""
    sys.exit(run_command(["tsugi", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
