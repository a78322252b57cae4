"""Readings that could be otherwise: complete, proved, in words, and decided by published figures."""

import json
from fractions import Fraction

import pytest

from feltlab.analysis.readings import ProvedReading, ReadOtherwise, prove_otherwise, prove_readings
from feltlab.core.stake import default_stake, read_stake
from feltlab.games import GAMES
from feltlab.games.readings import OtherReading, load_readings
from feltlab.proving.proof import prove
from feltlab.report.documents.readings import document
from feltlab.report.renderers.markdown import render
from feltlab.submission.rule_sheet import parse_rule_sheet
from tests.support.command_line import answer, refusal, run

# What the issue asks for by name, and at least one reading that moves an edge for each game.
NAMED = {
    "casino-war": {"ace", "decks", "suits", "war pays", "one war"},
    "high-five-poker": {"fold and trips", "aces up"},
    "rabbit-hunter": {"qualifying", "tens up and the sixth card", "best five of six"},
    "triple-shot-rummy": {"ace in runs", "play bonus"},
    "triple-shot-bonus": {
        "ace at war",
        "peek",
        "hit a 21",
        "six cards",
        "split 21",
        "push and the hat trick",
    },
    "caribbean-stud": set(),
    "crazy-4-poker": set(),
    "high-card-flush": set(),
}


def proved(game: str, name: str) -> ProvedReading:
    return next(found for found in prove_readings(game) if found.reading.name == name)


def other(game: str, name: str, number: int = 0) -> ReadOtherwise:
    return proved(game, name).others[number]


@pytest.mark.parametrize("game", GAMES)
def test_the_readings_that_matter_are_listed(game: str) -> None:
    names = [reading.name for reading in load_readings(game)]
    assert NAMED.get(game, set()) <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("game", GAMES)
def test_every_reading_names_a_clause_of_the_rule_sheet(game: str) -> None:
    clauses = {clause.number for clause in parse_rule_sheet(GAMES[game]).clauses}
    assert {reading.clause for reading in load_readings(game)} <= clauses


@pytest.mark.parametrize("game", GAMES)
def test_texts_are_sentences_and_hold_no_computed_figure(game: str) -> None:
    for reading in load_readings(game):
        assert reading.question.endswith("?")
        texts = [
            reading.ours,
            reading.why,
            *(o.words for o in reading.other),
            *(o.effect for o in reading.other),
        ]
        assert all(text.endswith(".") for text in texts if text)
        assert "%" not in "".join(texts + [o.note for o in reading.other])


@pytest.mark.parametrize("game", ["casino-war", "triple-shot-rummy"])
def test_our_edges_are_those_of_the_proof(game: str) -> None:
    for found in prove_readings(game):
        ours = GAMES[game].with_options(found.reading.options)
        for effect in (effect for o in found.others for effect in o.effects):
            assert effect.edge == prove(ours, found.stake, effect.strategy).house_edge(effect.bet)


def test_an_other_reading_is_solved_for_its_own_best_play() -> None:
    """On top of even money the Play pays so much that other hands are played."""
    found = other("triple-shot-rummy", "play bonus")
    game = found.reading.change_game(GAMES["triple-shot-rummy"])
    assert found.effects[0].other_edge == prove(game).house_edge("ante")
    assert found.effects[0].change < 0


# -- The readings that the issue names ---------------------------------------------------------------


def test_ace_high_or_low_changes_nothing_in_casino_war() -> None:
    found = other("casino-war", "ace")
    assert found.changes_nothing
    assert [effect.change for effect in found.effects] == [0, 0]
    assert found.verdict.startswith("Changes nothing")


@pytest.mark.slow
def test_a_fold_that_loses_trips_changes_nothing() -> None:
    """No hand that wins Trips is folded, so the law itself is the same."""
    game, found = GAMES["high-five-poker"], other("high-five-poker", "fold and trips")
    stake = read_stake(game, {"trips": "1"})
    assert prove_otherwise(found.reading, game, stake, "optimal").law.counts == prove(game, stake).law.counts
    assert found.changes_nothing


def test_the_ace_in_runs_moves_the_edge_of_rummy() -> None:
    """More runs for both sides; low, high, both ways and around are four different games."""
    edges = [
        effect.other_edge for o in proved("triple-shot-rummy", "ace in runs").others for effect in o.effects
    ]
    assert len({*edges, prove("triple-shot-rummy").house_edge("ante")}) == 4


def test_aces_up_is_decided_by_the_published_edges() -> None:
    for found in proved("high-five-poker", "aces up").others:
        assert {check.figure for check in found.against} == {f"Trips APP-0{n}, house edge" for n in (1, 2, 3)}
        assert found.verdict.startswith("Contradicts the published 4.81% (Trips APP-01, house edge)")


def test_decks_are_decided_by_the_published_edges() -> None:
    """Five to eight decks print the same 2.33 %, but another edge of the tie."""
    others = proved("casino-war", "decks").others
    assert all(found.against for found in others)
    assert {check.figure for check in others[4].against} == {"tie wager, house edge"}


@pytest.mark.slow
def test_what_decides_the_readings_of_the_bonus_game() -> None:
    for name in ("peek", "hit a 21", "six cards", "split 21"):
        assert other("triple-shot-bonus", name).against, name
    war, hat_trick, _ = other("triple-shot-bonus", "ace at war").effects
    assert war.is_none
    assert hat_trick.change > Fraction(1, 10)


@pytest.mark.slow
def test_an_option_that_a_figure_is_published_for_decides_nothing() -> None:
    checked = {check.figure for check in other("triple-shot-bonus", "soft 17").checks}
    assert not any("soft 17" in figure for figure in checked)


# -- Data ------------------------------------------------------------------------------------------


def test_a_reading_without_a_proof_says_why() -> None:
    for game in GAMES:
        for reading in load_readings(game):
            for way in reading.other:
                assert bool(way.effect) == (way.kind != "proved")


def test_an_unknown_law_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from feltlab.errors import Refused
    from feltlab.games import data_files

    real = data_files._read_text
    monkeypatch.setattr(
        data_files,
        "_read_text",
        lambda *path: real(*path).replace('law = "ace-low"', 'law = "ace-first"'),
    )
    load_readings.cache_clear()
    with pytest.raises(Refused, match=r"games/casino_war/readings.toml, line \d+: 'law' names 'ace-first'"):
        load_readings("casino-war")
    monkeypatch.undo()
    assert load_readings("casino-war")


def test_pays_and_options_change_the_game_and_nothing_else() -> None:
    game = GAMES["casino-war"]
    way = OtherReading("Two units.", pays={"primary": {"war won": "1"}}, options={"decks": "1"})
    changed = way.change_game(game)
    assert (changed.options["decks"], game.options["decks"]) == ("1", "6")
    assert prove_otherwise(way, changed, default_stake(changed), "war").house_edge("primary") < 0


# -- Shown -----------------------------------------------------------------------------------------


def test_the_command_lists_questions_answers_and_edges() -> None:
    result = run("rules", "casino-war", "--readings")
    assert result.exit_code == 0
    told = " ".join(result.stdout.split())
    for words in (
        "Is the ace the highest card or the lowest?",
        "Our reading, clause 1.3",
        "Changes nothing",
        "2.8771 %",
    ):
        assert words in told


def test_the_command_gives_exact_fractions_as_json() -> None:
    found = answer("rules", "casino-war", "--readings")
    tie = next(r for r in found["readings"] if r["name"] == "decks")["others"][0]["bets"][1]
    assert tie["other_house_edge"]["exact"] == "6/17"  # one deck: 3/51 of 11 units back
    assert json.loads(json.dumps(found))["game"] == "casino-war"


def test_readings_under_other_options_are_refused() -> None:
    """They are proved for the options that each of them names, and not for others in silence."""
    assert "takes no options" in refusal("rules", "casino-war", "decks=8", "--readings")
    assert "takes no options" in refusal("rules", "casino-war", "--readings", "--venue", "tribal")


def test_json_without_readings_is_refused() -> None:
    assert refusal("rules", "casino-war", "--json").startswith("--json belongs to --readings")


def test_a_document_has_a_section_for_each_question() -> None:
    game = GAMES["triple-shot-rummy"]
    text = render(document(game, prove_readings(game)))
    assert all(f"### {reading.question}" in text for reading in load_readings(game.name))
    assert "-17.8574 %" in text
