"""Digests on record: which of them stand for the rules of today, and which do not."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from feltlab.core.game import Game
from feltlab.games import GAMES, rules_history
from feltlab.games.rules_history import (
    RenamedOutcome,
    RulesChange,
    Wording,
    are_same_rules,
    earlier_name,
    renamed_outcomes,
    rules_change,
)

WAR = GAMES["casino-war"]
OFFERED = (WAR, WAR.with_options({"decks": "8"}), WAR.with_pays("tie", {"tie": Fraction(11)}))
A, B = "a" * 64, "b" * 64  # digests of wordings


def wording(digest: str, changes_rules: bool, why: str, *new_options: str) -> Wording:
    return Wording(date(2026, 11, 16), "0.1.0", changes_rules, why, digest, new_options)


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> list[Wording]:
    """A history to which wordings are added before the one of today."""
    wordings = [wording(WAR.rules_digest, False, "A comma.")]
    monkeypatch.setattr(rules_history, "wordings_of", lambda name: tuple(wordings))
    rules_history._place_of.cache_clear()
    yield wordings
    rules_history._place_of.cache_clear()


def under(digest: str, game: Game) -> str:
    return game.digest_under(digest, game.options)


@pytest.mark.parametrize("game", OFFERED, ids=str)
def test_the_digest_of_today_is_that_of_the_same_rules(game: Game) -> None:
    assert rules_change(game, game.digest) == RulesChange(True, "")


@pytest.mark.parametrize("game", OFFERED, ids=str)
def test_an_earlier_wording_without_a_change_is_the_same_rules(history: list[Wording], game: Game) -> None:
    history[:0] = [wording(A, True, "First."), wording(B, False, "A typing mistake.")]
    assert rules_change(game, under(A, game)) == RulesChange(True, "A typing mistake. A comma.")
    assert rules_change(game, under(B, game)) == RulesChange(True, "A comma.")
    assert are_same_rules(game, under(A, game), under(B, game))
    assert are_same_rules(game, game.digest, under(A, game))


@pytest.mark.parametrize("game", OFFERED, ids=str)
def test_a_change_of_rules_between_is_told_with_its_reason(history: list[Wording], game: Game) -> None:
    history[:0] = [wording(A, True, "First."), wording(B, True, "A tie pays more.")]
    assert rules_change(game, under(A, game)) == RulesChange(False, "A tie pays more.")
    assert rules_change(game, under(B, game)).same_rules
    assert not are_same_rules(game, under(B, game), under(A, game))


def test_other_options_or_pays_are_not_the_same_rules(history: list[Wording]) -> None:
    history[:0] = [wording(A, True, "First.")]
    assert not any(rules_change(WAR, under(A, other)).same_rules for other in OFFERED[1:])
    assert not any(rules_change(WAR, other.digest).same_rules for other in OFFERED[1:])


def test_an_unknown_digest_is_not_the_same_rules(history: list[Wording]) -> None:
    assert "not in the history" in rules_change(WAR, "0" * 64).why
    assert not rules_change(WAR, "0" * 64).same_rules
    assert are_same_rules(WAR, "0" * 64, "0" * 64)


def test_rules_that_are_not_recorded_are_the_same_as_no_earlier_ones(history: list[Wording]) -> None:
    history[:] = [wording(A, True, "First."), wording(B, False, "A comma.")]
    assert not rules_change(WAR, under(A, WAR)).same_rules
    assert rules_change(WAR, WAR.digest).same_rules


def test_an_option_that_was_added_with_the_old_rule_as_its_default_changes_none(
    history: list[Wording],
) -> None:
    history[:] = [
        wording(A, True, "First."),
        wording(WAR.rules_digest, False, "The number of decks is an option.", "decks"),
    ]
    before = {name: value for name, value in WAR.options.items() if name != "decks"}
    assert rules_change(WAR, WAR.digest_under(A, before)).same_rules


# The games on record from before digests left out comments and other games' hands.
FIRST_GAMES = ("casino-war", "high-five-poker", "rabbit-hunter", "triple-shot-rummy", "triple-shot-bonus")


@pytest.mark.parametrize("game", FIRST_GAMES)
def test_the_sources_of_the_first_wording_are_all_there(game: str) -> None:
    sources = rules_history._first_sources(game)
    assert len(sources) == 9
    assert f'NAME = "{game}"' in sources[0]


def test_an_outcome_has_the_name_of_each_earlier_wording(history: list[Wording]) -> None:
    """Two wordings named it otherwise, with two units; with one unit it never had another name."""
    history[:0] = [wording(A, True, "First."), wording(B, False, "Another name.")]
    for place, (today, was) in {1: ("won twice", "won"), 2: ("war won", "won twice")}.items():
        renamed = (RenamedOutcome("primary", today, 2, was),)
        history[place] = replace(history[place], renamed=renamed)
    digests = under(A, WAR), under(B, WAR), WAR.digest, "unknown"
    names = [earlier_name(WAR, digest, "primary", "war won", 2) for digest in digests]
    assert names == ["won", "won twice", "war won", "war won"]
    assert {earlier_name(WAR, digest, "primary", "war won", 1) for digest in digests} == {"war won"}
    assert {earlier_name(WAR, digest, "tie", "war won", 2) for digest in digests} == {"war won"}
    assert renamed_outcomes(WAR.name, "primary") == {"won": "war won", "won twice": "war won"}
