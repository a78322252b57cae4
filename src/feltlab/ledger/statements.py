"""The SQL of every transaction in the words of the driver: compiling it would take longer than running it.

New rows go to SQLite one by one, which is quickest. Where other threads of the process are busy, each row
would wait for Python; so servers that share a file, and PostgreSQL over its connection, get all rows as one
JSON text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Column, Connection, LargeBinary, Table

from feltlab.ledger.database import ACCOUNTS, COUNT, MENTIONS, META, VAULT, WRITTEN_COLUMNS
from feltlab.values import cached_property


class ReplaceStatements(NamedTuple):
    """Statements for a table of names and values."""

    delete: str  # all rows with names of a JSON text
    put: str  # rows of a JSON text, each in place of the one with its name


@dataclass(frozen=True)
class Statements:
    """Statements for SQLite or PostgreSQL."""

    is_file: bool
    is_row_by_row: bool = False

    def insert(self, connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert new rows, if there are any."""
        if rows:
            values = rows if self.is_row_by_row else {"rows": orjson.dumps(rows).decode()}
            connection.exec_driver_sql(self._insertions[table], values)

    @cached_property
    def _insertions(self) -> dict[Table, str]:
        return {table: self._insert_new(table) for table in WRITTEN_COLUMNS}

    @cached_property
    def replace(self) -> dict[Table, ReplaceStatements]:
        """Statements for the tables of names and values."""
        return {table: self._replace(table) for table in (VAULT, ACCOUNTS, META)}

    def _replace(self, table: Table) -> ReplaceStatements:
        key, stored = table.columns.keys()
        names = "json_each" if self.is_file else "json_array_elements_text"
        gone = f"SELECT value FROM {names}({self._argument('names', 'json')})"
        put = f"{self._insert_rows(table, (key, stored))} WHERE true"
        put += f" ON CONFLICT ({key}) DO UPDATE SET {stored} = excluded.{stored}"
        return ReplaceStatements(f"DELETE FROM {table.name} WHERE {key} IN ({gone})", put)

    def _argument(self, name: str, type: str = "") -> str:
        """An argument of a statement."""
        if self.is_file:
            return f":{name}"
        return f"CAST(%({name})s AS {type})" if type else f"%({name})s"

    def _insert_new(self, table: Table) -> str:
        # The index may be built while a round is written that is in it already.
        names, twice = WRITTEN_COLUMNS[table], " ON CONFLICT DO NOTHING" if table is MENTIONS else ""
        if not self.is_row_by_row:
            return f"{self._insert_rows(table, names)} WHERE true{twice}"
        marks = ", ".join("?" * len(names))
        return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks}){twice}"

    def _insert_rows(self, table: Table, names: Sequence[str]) -> str:
        """The statement that inserts all rows of a JSON text, each a list of these columns' values."""
        columns = [table.columns[name] for name in names]
        each = "json_each" if self.is_file else "json_array_elements"
        values = ", ".join(self._read_value(column, place) for place, column in enumerate(columns))
        rows = f"SELECT {values} FROM {each}({self._argument('rows', 'json')})"
        return f"INSERT INTO {table.name} ({', '.join(names)}) {rows}"

    def _read_value(self, column: Column[Any], place: int) -> str:
        """The value of a column at its place in a row of JSON; bytes are ASCII text there."""
        is_bytes = isinstance(column.type, LargeBinary)
        if self.is_file:
            value = f"json_extract(value, '$[{place}]')"
            return f"CAST({value} AS BLOB)" if is_bytes else value
        if is_bytes:
            return f"convert_to(value ->> {place}, 'UTF8')"
        return f"CAST(value ->> {place} AS {'BIGINT' if column.type is COUNT else 'TEXT'})"


@cache
def statements_for(is_file: bool, is_row_by_row: bool = False) -> Statements:
    return Statements(is_file, is_row_by_row)
