"""A job for cc-pyspark, Common Crawl's own framework: what `tsugi scan` finds, as a table.

    spark-submit --py-files … -m tsugi.cc_pyspark --input_base_url … manifest.txt scanned

or in a program of your own, as a base class. `python -m tsugi.spark join` joins pages, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cc_pyspark.sparkcc import CCSparkJob
from pyspark.sql.types import ArrayType, FloatType, StringType, StructField, StructType

from ._core import DEFAULT
from .errors import TsugiError


class TsugiScanJob(CCSparkJob):  # type: ignore[misc]
    """Scan the pages of WARC files."""

    name = "TsugiScan"

    output_schema = StructType(
        [
            StructField("url", StringType(), False),
            StructField("next", StringType(), True),
            StructField("next_score", FloatType(), True),
            StructField("next_relation", StringType(), True),
            StructField("title", StringType(), True),
            StructField("authors", ArrayType(StringType()), True),
            StructField("published", StringType(), True),
            StructField("language", StringType(), True),
            StructField("content_score", FloatType(), True),
            StructField("text", StringType(), True),
        ]
    )

    def process_record(self, record: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the row of a page."""
        if not self.is_response_record(record) or not self.is_html(record):
            return
        url = self.get_warc_header(record, "WARC-Target-URI")
        media = record.http_headers.get_header("content-type", None)
        body = self.get_payload_stream(record).read()
        try:
            page = DEFAULT.scan(body, url, content_type=media)
        except TsugiError as error:
            self.get_logger().warning("%s: %s", url, error)
            return
        link = page.next
        yield (
            page.url,
            link.url if link else None,
            link.score if link else None,
            link.relation if link else None,
            page.title,
            page.authors,
            page.published,
            page.language,
            page.content.score,
            page.content.text,
        )

    def run_job(self, session: Any) -> None:
        """Scan the files of the manifest. Rows are not counted, as those of other jobs are."""
        paths = session.sparkContext.textFile(self.args.input, minPartitions=self.args.num_input_partitions)
        rows = paths.mapPartitionsWithIndex(self.process_warcs)
        session.createDataFrame(rows, schema=self.output_schema).coalesce(self.args.num_output_partitions).write.format(
            self.args.output_format
        ).option("compression", self.args.output_compression).options(**self.get_output_options()).saveAsTable(self.args.output)
        self.log_accumulators(session)


if __name__ == "__main__":
    TsugiScanJob().run()
