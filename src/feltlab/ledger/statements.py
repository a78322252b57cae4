"""The SQL of every transaction in the words of the driver: compiling it would take longer than running it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Column, LargeBinary, Table

from feltlab.ledger.database import ACCOUNTS, COUNT, MENTIONS, META, VAULT, WRITTEN_COLUMNS
from feltlab.values import cached_property


class ReplaceStatements(NamedTuple):
    """Statements for a table of names and values."""

    delete: str  # all rows with names of a JSON text
    put: str  # rows of a JSON text, each in place of the one with its name


@dataclass(frozen=True)
class Statements:
    """Statements for SQLite or PostgreSQL. Rows come as one JSON text: one call, so one wait for Python."""

    is_file: bool

    @cached_property
    def insert(self) -> dict[Table, str]:
        """Statements that insert many rows."""
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
        twice = " WHERE true ON CONFLICT DO NOTHING" if table is MENTIONS else ""
        return self._insert_rows(table, WRITTEN_COLUMNS[table]) + twice

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
def statements_for(is_file: bool) -> Statements:
    return Statements(is_file)
