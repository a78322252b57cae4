"""More forgeries: numbers that wrap around, parts of other certificates, and every value of the manifest."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from feltlab.certifying.certificate import Files, certify, write_certificate
from feltlab.core.stake import read_stake
from feltlab.games import GAMES
from tests.certifying.test_certificates import FORGERIES, is_one_sentence
from tests.support.forging import MANIFEST, Forger, verdict

NOTES = ("title", "method", "program")  # which nothing is concluded from
Forge = Callable[[Forger, Forger], None]  # the second is another certificate to take parts from


def files_of(name: str, options: dict[str, str] | None = None, stake: dict[str, str] | None = None) -> Files:
    game = GAMES[name].with_options(options or {})
    return certify(game, read_stake(game, stake or {}))


@pytest.fixture(scope="module")
def war() -> Files:
    return files_of("casino-war", stake={"tie": "1"})


@pytest.fixture(scope="module")
def eight_decks() -> Files:
    return files_of("casino-war", {"decks": "8"}, {"tie": "1"})


# -- Numbers that hide a wrong sum --------------------------------------------------------------------


def counts_that_wrap_around(forged: Forger, _: Forger) -> None:
    """Three counts of some 2^64 in all: their sum in 64 bits is the right one."""
    counts = forged.tables["counts.surrender"]
    columns = forged.manifest["columns"]["counts.surrender"]
    whole = int(counts[0].sum())
    others = [[0, 0], [1, 0]]
    forged.tables["counts.surrender"] = np.hstack([counts, np.zeros((len(counts), 2), np.int64)])
    columns.extend(others)
    forged.tables["counts.surrender"][0] = [whole + 2, 2**63 - 1, 2**63 - 1]


def negative_counts_that_cancel(forged: Forger, _: Forger) -> None:
    forged.tables["counts.war"][0] += [-(10**12), 0, 10**12]
    forged.tables["counts.war"][14] += [10**12, 0, -(10**12)]


def unsigned_counts_that_are_negative_ones(forged: Forger, _: Forger) -> None:
    forged.tables["weights"] = -forged.tables["weights"]
    forged.tables["weights"] = -forged.tables["weights"].astype(np.uint32)


def every_count_twice(forged: Forger, _: Forger) -> None:
    """Law and figures stay in proportion: only the number of deals tells."""
    for name in forged.tables:
        if name.startswith("counts") or name == "weights":
            forged.tables[name] *= 2
    forged.mend_law()
    forged.manifest["deals"] = str(2 * int(forged.manifest["deals"]))


def two_ranks_renamed(forged: Forger, _: Forger) -> None:
    """The classes of a deuce and of an ace exchange their names, and so who is higher: sums cannot tell."""
    ranks = forged.tables["ranks"]
    forged.tables["ranks"] = np.where(ranks == 0, 12, np.where(ranks == 12, 0, ranks)).astype(np.uint8)


# -- Parts of another certificate ---------------------------------------------------------------------


def tables_of_another_certificate(forged: Forger, other: Forger) -> None:
    forged.tables = other.tables
    forged.mend_law()


def one_table_of_another_certificate(forged: Forger, other: Forger) -> None:
    forged.tables["counts.war"] = other.tables["counts.war"]
    forged.mend_law()


def law_and_figures_of_another_certificate(forged: Forger, other: Forger) -> None:
    for name in ("law", "figures", "deals", "first_choices"):
        forged.manifest[name] = other.manifest[name]


def options_of_another_certificate(forged: Forger, other: Forger) -> None:
    for name in ("options", "rules_digest", "rules_text_digest"):
        forged.manifest[name] = other.manifest[name]


def everything_but_the_options(forged: Forger, other: Forger) -> None:
    """All of eight decks under the name of six."""
    options = forged.manifest["options"]
    forged.tables, forged.manifest = other.tables, other.manifest
    forged.manifest["options"] = options
    forged.mend_rules()


def two_tables_exchanged(forged: Forger, _: Forger) -> None:
    tables = forged.manifest["tables"]
    tables["counts.war"], tables["counts.none"] = tables["counts.none"], tables["counts.war"]
    found = forged.tables
    found["counts.war"], found["counts.none"] = found["counts.none"], found["counts.war"]


def a_table_cut_off(forged: Forger, _: Forger) -> None:
    """The last class is missing from one table only."""
    forged.tables["counts.war"] = forged.tables["counts.war"][:-1]


def another_game(forged: Forger, _: Forger) -> None:
    forged.manifest["game"] = "triple-shot-rummy"


def the_rules_of_another_game(forged: Forger, _: Forger) -> None:
    forged.files["rules.txt"] = b"def settle(): ..."
    forged.manifest["rules_text_digest"] = "0" * 64


def a_fraction_that_is_not_in_lowest_terms(forged: Forger, _: Forger) -> None:
    edge = forged.manifest["figures"]["bets"]["tie"]["house_edge"]
    over, under = edge.split("/")
    forged.manifest["figures"]["bets"]["tie"]["house_edge"] = f"{2 * int(over)}/{2 * int(under)}"


def the_edge_of_the_other_bet(forged: Forger, _: Forger) -> None:
    bets = forged.manifest["figures"]["bets"]
    bets["primary"], bets["tie"] = bets["tie"], bets["primary"]


MORE_FORGERIES: list[Forge] = [
    counts_that_wrap_around,
    negative_counts_that_cancel,
    unsigned_counts_that_are_negative_ones,
    every_count_twice,
    two_ranks_renamed,
    tables_of_another_certificate,
    one_table_of_another_certificate,
    law_and_figures_of_another_certificate,
    options_of_another_certificate,
    everything_but_the_options,
    two_tables_exchanged,
    a_table_cut_off,
    another_game,
    the_rules_of_another_game,
    a_fraction_that_is_not_in_lowest_terms,
    the_edge_of_the_other_bet,
]


@pytest.mark.parametrize("forge", MORE_FORGERIES, ids=lambda forge: forge.__name__)
def test_a_forgery_is_found(tmp_path: Any, capsys: Any, war: Files, eight_decks: Files, forge: Forge) -> None:
    forged = Forger(war)
    forge(forged, Forger(eight_decks))
    folder = forged.write(tmp_path / "c")
    found = verdict(capsys, folder)
    assert found["status"] == 1
    assert is_one_sentence(found["reason"]), found["reason"]
    assert verdict(capsys, folder, "--no-recount")["status"] == (0 if forge is two_ranks_renamed else 1)


def test_there_are_more_than_thirty_kinds_of_forgery() -> None:
    names = [forge.__name__ for forge in [*FORGERIES, *MORE_FORGERIES]]
    assert len(set(names)) == len(names) > 60


# -- Every value of the manifest ----------------------------------------------------------------------


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value that is neither a list nor an object."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    if not isinstance(data, dict | list):
        yield path
    for name, value in entries:
        yield from leaves(value, (*path, name))


def change_a_leaf(manifest: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> None:
    for name in path[:-1]:
        manifest = manifest[name]
    manifest[path[-1]] = change(manifest[path[-1]])


CHANGES: dict[str, Callable[[Any], Any]] = {
    "one more": lambda value: value + 1 if isinstance(value, int) else f"{value}1",
    "nothing": lambda value: None,
    "a list": lambda value: [value],
}


@pytest.mark.parametrize("how", CHANGES)
def test_no_value_of_the_manifest_can_be_changed(tmp_path: Any, capsys: Any, war: Files, how: str) -> None:
    """Nobody mends a digest here but that of the manifest itself, which nothing but a signature holds."""
    write_certificate(tmp_path / "c", war)
    manifest = json.loads(war[MANIFEST])
    found = [path for path in leaves(manifest) if path[0] not in NOTES]
    assert len(found) > 100
    for path in found if how == "one more" else found[::5]:
        changed = json.loads(war[MANIFEST])
        change_a_leaf(changed, path, CHANGES[how])
        text = json.dumps(changed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        (tmp_path / "c" / MANIFEST).write_text(text)
        result = verdict(capsys, tmp_path / "c")
        assert result["status"] in (1, 2), path
        assert is_one_sentence(result["reason"]), (path, result["reason"])


def test_without_a_recount_the_verdict_says_what_was_not_shown(
    tmp_path: Any, capsys: Any, war: Files
) -> None:
    write_certificate(tmp_path / "c", war)
    assert "nothing shows that they are right" in verdict(capsys, tmp_path / "c", "--no-recount")["bound"]
