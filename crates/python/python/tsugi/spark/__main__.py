"""The command: `python -m tsugi.spark`."""

from __future__ import annotations

import argparse
import json
import os
import sys

from ..errors import OptionError, TsugiError
from . import GIANT, archives_of, join, scan, session
from . import __doc__ as description
from ._output import Output


def main(arguments: list[str] | None = None) -> None:
    """Run the job."""
    parser = argparse.ArgumentParser(
        prog="python -m tsugi.spark", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stage", choices=["scan", "join"])
    parser.add_argument("--input", nargs="+", required=True, metavar="PATH", help="archives, folders, or patterns")
    parser.add_argument("--output", required=True, metavar="DIR")
    parser.add_argument("--master", help="the cluster (spark://…, yarn); without it, the one of spark-submit, or local[*]")
    parser.add_argument("--format", choices=["parquet", "jsonl"], default="parquet", help="the form of documents")
    parser.add_argument("--giant", type=int, default=GIANT, metavar="N", help="split hosts with more than N linked pages")
    parser.add_argument("--partitions", type=int, metavar="N", help="the number of tasks that join")
    parser.add_argument("--chains-only", action="store_true", help="drop pages that neither lead on nor are led to")
    parser.add_argument("--max-pages", type=int, metavar="N", help="join at most N pages a document")
    parser.add_argument("--relation", choices=["any", "page", "chapter"], help="which links to follow")
    typed = parser.parse_args(arguments)
    try:
        archives = archives_of(typed.input)
    except TsugiError as error:
        parser.error(str(error))
    options = []
    if typed.max_pages:
        options += ["--max-pages", str(typed.max_pages)]
    if typed.relation:
        options += ["--relation", typed.relation]
    master = typed.master or (None if "SPARK_ENV_LOADED" in os.environ else "local[*]")
    spark = session(master, f"tsugi {typed.stage}")
    try:
        if typed.stage == "scan":
            scan(spark, archives, typed.output)
        else:
            keep = {
                "format": typed.format,
                "giant": typed.giant,
                "partitions": typed.partitions,
                "chains_only": typed.chains_only,
            }
            join(spark, archives, typed.output, options=options, **keep)
    except OptionError as error:
        parser.error(str(error))
    finally:
        spark.stop()
    out = Output(typed.output)
    for stage in ("pages", "documents"):
        if told := out.read(f"{stage}.json"):
            told.pop("digest")
            damaged = told.pop("damaged", None)
            print(f"{out.path(stage)}: {json.dumps(told)}", file=sys.stderr)
            for record in damaged or ():
                print(f"{record['path']}: {record['reason']}", file=sys.stderr)


if __name__ == "__main__":
    main()
