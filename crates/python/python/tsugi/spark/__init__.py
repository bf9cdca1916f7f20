"""Crawls larger than one machine: scan and join WARC archives with Spark.

    python -m tsugi.spark scan --input crawl/*.warc.gz --output out [--master local[*]]
    python -m tsugi.spark join --input crawl/*.warc.gz --output out [--master spark://…]

`scan` writes `out/pages` (Parquet): a row for each record, with the next link, metadata and text of its page, and the place of
the record (file, offset, length) instead of its body. `join` scans first, unless that is done, and writes `out/documents`
(Parquet, or JSON lines with `--format jsonl`). `out/pages.json` and `out/documents.json` say what was counted, and list damaged
records.

A chain of pages never leaves its host. So rows are brought together by host, without bodies, and each task joins its hosts
with the command itself: it copies the records that its chains need to an archive of its own and runs `tsugi join --all` on it.
Pages that neither lead on nor are led to need no company. They are joined where they are, without a shuffle. A host with many
pages is split into parts that no link connects.

A stage that has finished is not repeated: run the same command again to go on after a failure. Tasks can be repeated, since
each writes its own part.

Paths may be local ones that all machines see, or any that fsspec knows (`s3://…`, `hdfs://…`; install `fsspec` and its driver).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, cast

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from ..errors import OptionError
from ._company import Company, components, page_key
from ._output import Output, digest_of
from ._paths import archives_of
from ._rows import DOCUMENT_SCHEMA, PAGE_SCHEMA, Joining, join_rows, scan_archive

__all__ = [
    "Company",
    "Joining",
    "OptionError",
    "archives_of",
    "components",
    "join",
    "join_rows",
    "page_key",
    "scan",
    "scan_archive",
    "session",
]

#: A host with more rows is split into parts that no link connects.
GIANT = 50_000

#: Rows of pages that are handed over together: texts are long.
BATCH = 64


#: What joining needs of a row.
PLACE = ["archive", "path", "offset", "length", "kind", "host", "key", "leads_to", "url"]


def session(master: str | None, name: str) -> SparkSession:
    """Return a session whose Python is this one."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(name)
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    if master:
        builder = builder.master(master)
    return cast(SparkSession, builder.getOrCreate())


def _scan(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for task in batch.to_pylist():
            yield from _batched(scan_archive(task["archive"], task["path"]), schema)


def _batched(rows: Iterable[dict[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    held: list[dict[str, Any]] = []
    for row in rows:
        held.append(row)
        if len(held) == BATCH:
            yield pa.RecordBatch.from_pylist(held, schema)
            held = []
    if held:
        yield pa.RecordBatch.from_pylist(held, schema)


def _join(batches: Iterator[pa.RecordBatch], joining: Joining, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    rows = [row for batch in batches for row in batch.to_pylist()]
    yield from _batched(join_rows(rows, joining), schema)


def _parts_of_host(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Add to the rows of a giant host the part that each belongs to."""
    hosts: dict[str, list[dict[str, Any]]] = {}
    for batch in batches:
        for row in batch.to_pylist():
            hosts.setdefault(row["host"], []).append(row)
    for rows in hosts.values():
        links = ((row["key"], row["leads_to"]) for row in rows if row["leads_to"] is not None)
        part = components((row["key"] for row in rows), links)
        yield from _batched(({**row, "part": part[row["key"]]} for row in rows), schema)


def scan(spark: SparkSession, archives: list[str], output: str) -> DataFrame:
    """Scan archives, or read what an earlier run has scanned; return the pages."""
    out = Output(output)
    digest = digest_of("scan", archives)
    if not out.is_done("pages", digest):
        tasks = spark.createDataFrame([(number, path) for number, path in enumerate(archives)], "archive int, path string")
        schema = _arrow(spark, PAGE_SCHEMA)
        rows = tasks.repartition(len(archives), "archive").mapInArrow(lambda batches: _scan(batches, schema), PAGE_SCHEMA)
        rows.write.mode("overwrite").parquet(out.path("pages"))
        pages = spark.read.parquet(out.path("pages"))
        kinds = {row["kind"]: row["count"] for row in pages.groupBy("kind").count().collect()}
        damaged = pages.where("kind = 'damaged'").select("path", "offset", "reason").limit(10_000).collect()
        out.finish("pages", digest, {"records": kinds, "damaged": [row.asDict() for row in damaged]})
    return spark.read.parquet(out.path("pages"))


def _arrow(spark: SparkSession, schema: str) -> pa.Schema:
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(spark.createDataFrame([], schema).schema)


def company(rows: DataFrame) -> Company:
    """Return which pages need company: those that others lead to, and those that are stored more than once."""
    led_to = rows.where("leads_to is not null").select(sql.col("leads_to").alias("key"))
    again = rows.groupBy("key").count().where("count > 1").select("key")
    needy = led_to.unionByName(again).distinct()
    whole = Company(needy.count())
    empty = Company(0)
    empty.blocks, empty.size = whole.blocks, whole.size

    def fill(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        keys = [batch.column("key").to_numpy() for batch in batches]
        if not keys:
            return
        mine = np.concatenate(keys)
        blocks = empty.block(mine)
        order = np.argsort(blocks, kind="stable")
        found, starts = np.unique(blocks[order], return_index=True)
        for block, part in zip(found, np.split(mine[order], starts[1:]), strict=True):
            yield pa.RecordBatch.from_pydict({"block": [int(block)], "bits": [empty.filled(part)]})

    parts = needy.repartition(sql.pmod("key", sql.lit(whole.blocks))).mapInArrow(fill, "block long, bits binary")
    for part in parts.toLocalIterator(prefetchPartitions=True):
        whole.set(part["block"], part["bits"])
    return whole


def join(
    spark: SparkSession,
    archives: list[str],
    output: str,
    *,
    options: Iterable[str] = (),
    format: str = "parquet",
    giant: int = GIANT,
    partitions: int | None = None,
    chains_only: bool = False,
) -> DataFrame:
    """Join archives, or read what an earlier run has joined; return the documents.

    With `chains_only`, pages that neither lead on nor are led to are dropped before anything is shuffled.
    """
    out = Output(output)
    joining = Joining(tuple(options), format == "jsonl")
    digest = digest_of("join", archives, joining.options, format, chains_only)
    if not out.is_done("documents", digest):
        pages = scan(spark, archives, output)
        rows = pages.where("key is not null and kind != 'revisit'").select(*PLACE)
        count = rows.count()
        alone, linked = split(spark, rows)
        places = linked.withColumn("part", sql.lit(0).cast("long"))
        giants = [row["host"] for row in linked.groupBy("host").count().where(sql.col("count") > giant).collect()]
        if giants:
            is_giant = sql.col("host").isin(giants)
            schema = _arrow(spark, f"{_place_schema(rows)}, part long")
            split_up = (
                linked.where(is_giant)
                .repartition(len(giants), "host")
                .mapInArrow(lambda batches: _parts_of_host(batches, schema), f"{_place_schema(rows)}, part long")
            )
            places = places.where(~is_giant).unionByName(split_up)
        tasks = partitions or max(spark.sparkContext.defaultParallelism, count // 2_000 + 1)
        kinds = "value string" if joining.lines else DOCUMENT_SCHEMA
        schema_of_documents = _arrow(spark, kinds)
        together = places.repartition(tasks, "host", "part")
        if not chains_only:
            # What holds no page is of use only to pages that lead there.
            alone = alone.where("kind = 'page'").withColumn("part", sql.lit(0).cast("long"))
            together = together.unionByName(alone.repartition(tasks, "archive", sql.expr("offset div 67108864")))
        documents = together.mapInArrow(lambda batches: _join(batches, joining, schema_of_documents), kinds)
        writer = documents.write.mode("overwrite")
        writer.text(out.path("documents")) if joining.lines else writer.parquet(out.path("documents"))
        written = _documents(spark, out, joining.lines)
        report = {"rows": count, "giant_hosts": giants, "documents": written.count(), "format": format}
        out.finish("documents", digest, report)
    return _documents(spark, out, joining.lines)


def _place_schema(rows: DataFrame) -> str:
    return ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in rows.schema.fields)


def _documents(spark: SparkSession, out: Output, lines: bool) -> DataFrame:
    read = spark.read
    return read.text(out.path("documents")) if lines else read.parquet(out.path("documents"))


def split(spark: SparkSession, rows: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Return the rows that can be joined alone, and those that need others of their host."""
    whole = spark.sparkContext.broadcast(company(rows))
    schema = _place_schema(rows)

    def told(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            leads = batch.column("leads_to").is_valid().to_numpy(zero_copy_only=False)
            linked = np.logical_or(leads, whole.value.needs(batch.column("key").to_numpy()))
            columns = {name: batch.column(name) for name in batch.schema.names}
            yield pa.RecordBatch.from_pydict({**columns, "linked": pa.array(linked)})

    both = rows.mapInArrow(told, f"{schema}, linked boolean")
    return both.where("not linked").drop("linked"), both.where("linked").drop("linked")
