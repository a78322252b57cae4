"""The complete strategy of a game as a CSV file, plain or compressed."""

import csv
import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from feltlab.analysis.strategy_annex import csv_columns, csv_row
from feltlab.core.game import Game
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.errors import Refused
from feltlab.files import open_whole
from feltlab.report.write import Output

PLAIN, COMPRESSED = ".csv", ".csv.gz"
MAX_PLAIN_ROWS = 1_000_000  # of a file that is not compressed
LEVEL = 6  # of compression
CHECKED_ROWS = 1000  # after which the size of a file is checked again


class AnnexTooLarge(Exception):
    """The file of a strategy has more bytes than its reader wants."""


class AnnexFile:
    """A file for a complete strategy: checked when it is named, written row by row."""

    def __init__(self, path: Path) -> None:
        self.path, name = path, path.name.lower()
        if not name.endswith((PLAIN, COMPRESSED)):
            raise Refused(f"A strategy table is written as {PLAIN} or {COMPRESSED}, not as {path.name!r}.")
        self.is_compressed = name.endswith(COMPRESSED)
        Output(path, (PLAIN, ".gz"))  # refuses a place that cannot be written

    def check_size(self, table: StrategyTable) -> None:
        if table.count > MAX_PLAIN_ROWS and not self.is_compressed:
            raise Refused(f"A table of {table.count:,} rows is written compressed; name a {COMPRESSED} file.")

    def write(self, game: Game, table: StrategyTable, max_bytes: int | None = None) -> None:
        """Write all rows, or nothing; raises AnnexTooLarge as soon as the file has more than `max_bytes`."""
        with open_whole(self.path) as file:
            with self._packed(file) as stream:
                text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
                writer = csv.writer(text, lineterminator="\n")
                writer.writerow(csv_columns(game))
                writer.writerows(csv_row(game, row) for row in _check_sizes(table.rows, file, max_bytes))
                text.flush()
                text.detach()
            _check_size(file, max_bytes)

    @contextmanager
    def _packed(self, file: IO[bytes]) -> Iterator[IO[bytes] | gzip.GzipFile]:
        """The file, or its compression: without a name and a time, so that equal tables are equal bytes."""
        if not self.is_compressed:
            yield file
            return
        with gzip.GzipFile("", "wb", LEVEL, file, mtime=0) as stream:
            yield stream


def _check_sizes(
    rows: Iterator[StrategyRow], file: IO[bytes], max_bytes: int | None
) -> Iterator[StrategyRow]:
    """The rows; the size of the file is checked from time to time."""
    for n, row in enumerate(rows):
        if n % CHECKED_ROWS == 0:
            _check_size(file, max_bytes)
        yield row


def _check_size(file: IO[bytes], max_bytes: int | None) -> None:
    if max_bytes is not None and file.tell() > max_bytes:
        raise AnnexTooLarge
