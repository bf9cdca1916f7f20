"""Measures the shuffles of the Spark job on made-up pages without bodies.

  simulate.py PAGES [MASTER]

Makes rows as `python -m tsugi.spark scan` writes them, for so many pages on hosts of very different size, of which one in six
is part of a chain of 2 to 6 pages. Then does what the job does until it reads records: finds the pages that need company,
brings linked ones together by host, and follows the chains there. Checks that no chain is torn, and prints times and bytes.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from tsugi import spark

#: Pages in a group; a group is on one host, and has one chain or none.
GROUP = 8


def pages(count: int, hosts: int, session: Any) -> DataFrame:
    """Return rows of made-up pages."""
    group = sql.expr(f"id div {GROUP}")
    place = sql.expr(f"id % {GROUP}")
    # Of 16 groups, 11 have no chain, and the others one of 2, 3, … 6 pages.
    draw = sql.pmod(sql.xxhash64(group), sql.lit(16))
    length = sql.when(draw < 8, 0).when(draw < 13, draw - 6).otherwise(0)
    # Some hosts have thousands of times as many pages as others.
    share = sql.pmod(sql.xxhash64(group, sql.lit(1)), sql.lit(1_000_000)) / 1_000_000
    host = sql.floor(sql.pow(share, 4) * hosts)
    key = sql.xxhash64("id", sql.lit(7))
    leads = place < length - 1
    return session.range(count).select(
        sql.lit(0).alias("archive"),
        sql.concat(sql.lit("s3://crawl/segments/warc-"), sql.lpad((sql.col("id") / 40_000).cast("int"), 6, "0")).alias("path"),
        (sql.col("id") * 20_011).alias("offset"),
        sql.lit(20_011).cast("long").alias("length"),
        sql.concat(sql.lit("host-"), host, sql.lit(".example")).alias("host"),
        key.alias("key"),
        sql.when(leads, sql.xxhash64(sql.col("id") + 1, sql.lit(7))).alias("leads_to"),
        sql.concat(sql.lit("https://host-"), host, sql.lit(".example/section/article-"), key, sql.lit("?page="), place).alias(
            "url"
        ),
        sql.lit("page").alias("kind"),
    )


def chains(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count the chains of a task, and the pages in them."""
    found, linked = 0, 0
    hosts: dict[str, list[tuple[int, int | None]]] = {}
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in ("host", "key", "leads_to"))
        for host, key, leads_to in zip(*columns, strict=True):
            hosts.setdefault(host, []).append((key, leads_to))
    for rows in hosts.values():
        part = spark.components((key for key, _ in rows), ((key, to) for key, to in rows if to is not None))
        sizes: dict[int, int] = {}
        for root in part.values():
            sizes[root] = sizes.get(root, 0) + 1
        whole = [size for size in sizes.values() if size > 1]
        found, linked = found + len(whole), linked + sum(whole)
    yield pa.RecordBatch.from_pydict({"chains": [found], "pages": [linked]})


def shuffled(session: Any) -> int:
    """Return the bytes that all stages have written for shuffles so far."""
    context = session.sparkContext
    address = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages?status=complete"
    with urllib.request.urlopen(address) as answer:
        return sum(stage["shuffleWriteBytes"] for stage in json.load(answer))


def main() -> None:
    count, master = int(float(sys.argv[1])), sys.argv[2] if len(sys.argv) > 2 else "local[*]"
    session = spark.session(master, "simulation")
    told: dict[str, Any] = {"pages": count}

    def measure(what: str, work: Any) -> Any:
        begin, before = time.monotonic(), shuffled(session)
        found = work()
        told[f"{what}: seconds"] = round(time.monotonic() - begin, 1)
        told[f"{what}: bytes shuffled"] = shuffled(session) - before
        print(json.dumps(told), file=sys.stderr, flush=True)
        return found

    with tempfile.TemporaryDirectory(prefix="tsugi-", dir=".") as folder:
        made = pages(count, max(10, count // 200), session)
        measure("rows written", lambda: made.write.parquet(f"{folder}/pages"))
        rows = session.read.parquet(f"{folder}/pages").select(*spark.PLACE)
        _, linked = measure("which need company", lambda: spark.split(session, rows))
        parts = linked.repartition(max(session.sparkContext.defaultParallelism, count // 500_000), "host")
        counted = parts.mapInArrow(chains, "chains long, pages long")
        found = measure("brought together and followed", lambda: counted.groupBy().sum().collect()[0])
        told["linked rows"] = measure("linked rows counted", linked.count)
        leads = made.where("leads_to is not null").count()
        told["pages in chains"], told["chains"] = found["sum(pages)"], found["sum(chains)"]
    assert told["pages in chains"] - told["chains"] == leads, "a chain was torn"
    told["bytes a page"] = round(sum(told[name] for name in told if "bytes shuffled" in name) / count, 1)
    print(json.dumps(told, indent=1))
    session.stop()


if __name__ == "__main__":
    main()
