"""The complete strategy beside the PDFs of a packet: a file, or the reason why there is none."""

import shlex
from pathlib import Path
from typing import Literal

from feltlab.analysis.par_sheet import ParSheet
from feltlab.analysis.strategy_annex import strategy_table
from feltlab.core.game import Game
from feltlab.core.strategy.table import StrategyTable
from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.report.annex import AnnexFile, AnnexTooLarge
from feltlab.report.numbers import count_of

ANNEX_FOLDER, ANNEX_FILE = "annex", "strategy.csv.gz"
MAX_ANNEX_BYTES = 10_000_000  # of an annex that nobody asked for
LEAST_ROW_BYTES = 3  # compressed; a table that is too large by its rows alone is not begun

AnnexChoice = Literal["always", "unless large", "never"]


def write_annex(folder: Path, sheet: ParSheet, choice: AnnexChoice) -> str:
    """Write the complete strategy into the folder of a packet; returns what its contents say of it."""
    elsewhere = f"{_describe_command(sheet.game)} writes it"
    if choice == "never":
        return f"not in this packet; {elsewhere}"
    try:
        table = strategy_table(sheet.game, sheet.proof.stake)
    except Refused as refused:  # there is no strategy to list
        return f"none. {refused}"
    place = folder / ANNEX_FOLDER
    place.mkdir()
    try:
        return _write(place / ANNEX_FILE, sheet.game, table, choice)
    except AnnexTooLarge:
        place.rmdir()
        return f"not in this packet: it is larger than {MAX_ANNEX_BYTES // 10**6} MB; {elsewhere}"


def _write(path: Path, game: Game, table: StrategyTable, choice: AnnexChoice) -> str:
    if choice != "always" and table.count * LEAST_ROW_BYTES > MAX_ANNEX_BYTES:
        raise AnnexTooLarge
    AnnexFile(path).write(game, table, None if choice == "always" else MAX_ANNEX_BYTES)
    digest = sha256_hex(path.read_bytes())
    return f"{ANNEX_FOLDER}/{ANNEX_FILE}, {count_of(table.count, 'row')}, SHA-256 {digest}"


def _describe_command(game: Game) -> str:
    """The command that writes the annex, with the options that are not the usual ones."""
    usual = GAMES[game.name].options
    chosen = [f"{name}={value}" for name, value in game.options.items() if usual[name] != value]
    options = "".join(f" --option {shlex.quote(word)}" for word in chosen)
    return f"feltlab par {game.name}{options} --annex FILE.csv.gz"
