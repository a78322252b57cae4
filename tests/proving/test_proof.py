"""Proofs: the promised JSON, the store that never lies, stakes that cannot stand refused."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from feltlab.core.solver import Law
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.proving import store
from feltlab.proving.exact_numbers import root
from feltlab.proving.proof import prove, strategy_card
from tests.support.command_line import answer, refusal

WAR = GAMES["casino-war"]


@pytest.fixture
def proofs(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_folder", lambda kind: tmp_path)
    return tmp_path


def test_json_has_every_promised_key():
    found = answer("prove", "casino-war", "--stake", "tie=1")
    keys = [
        "game",
        "options",
        "stake",
        "strategy",
        "rules_digest",
        "method",
        "seconds",
        "deals",
        "bets",
        "total",
        "choices",
        "streets",
        "equal_positions",
        "costs",
    ]
    assert list(found) == keys
    assert found["stake"] == {"primary": "1", "tie": "1"}
    assert isinstance(found["deals"], str)
    bet = [
        "expected",
        "house_edge",
        "hit_frequency",
        "win_frequency",
        "push_frequency",
        "average_wager",
        "element_of_risk",
        "std_dev",
        "outcomes",
    ]
    assert list(found["bets"]) == ["primary", "tie"]
    assert list(found["bets"]["primary"]) == bet
    assert list(found["bets"]["tie"]["outcomes"][0]) == ["outcome", "net", "count", "probability"]
    risk = ["average_wager", "element_of_risk", "std_dev", "covariance"]
    assert list(found["total"]) == ["expected", "first_wagers", "house_edge", *risk]
    assert (
        Fraction(found["total"]["house_edge"]["exact"]) == -Fraction(found["total"]["expected"]["exact"]) / 2
    )


def test_json_is_consistent():
    found = answer("prove", "triple-shot-rummy", "--stake", "pair-plus=2")
    for bet in found["bets"].values():
        outcomes = [
            (Fraction(o["net"]["exact"]), Fraction(o["probability"]["exact"])) for o in bet["outcomes"]
        ]
        assert sum(p for _, p in outcomes) == 1
        mean = sum(net * p for net, p in outcomes)
        assert mean == Fraction(bet["expected"]["exact"]) == -Fraction(bet["house_edge"]["exact"])
        variance = sum(net * net * p for net, p in outcomes) - mean * mean
        assert bet["std_dev"]["value"] == pytest.approx(float(variance) ** 0.5, rel=1e-12)
        assert sum(int(o["count"]) for o in bet["outcomes"]) == int(found["deals"])
    both = Fraction(found["bets"]["ante"]["expected"]["exact"]) + 2 * Fraction(
        found["bets"]["pair-plus"]["expected"]["exact"]
    )
    assert Fraction(found["total"]["expected"]["exact"]) == both
    assert sum(Fraction(share["exact"]) for share in found["choices"].values()) == 1


def test_root_of_a_long_fraction():
    assert root(Fraction(2 * 10**60 + 1, 10**60)) == pytest.approx(2**0.5, rel=1e-15)
    assert root(Fraction(2, 10**80)) == pytest.approx(2**0.5 * 1e-40, rel=1e-15)
    assert root(Fraction(2 * 10**80)) == pytest.approx(2**0.5 * 1e40, rel=1e-15)
    assert root(Fraction(0)) == 0


def test_a_changed_pay_table_needs_no_new_law(proofs):
    rummy = GAMES["triple-shot-rummy"]
    prove(rummy)
    (entry,) = proofs.iterdir()
    prove(rummy.with_options({"pair-plus": "6", "six-card-bonus": "3"}))
    assert list(proofs.iterdir()) == [entry]


COMPUTE_SLOWLY = """
import sys, time
from pathlib import Path
from feltlab.proving import store

def compute():
    with open(sys.argv[2], "a") as calls:
        calls.write("called\\n")
    time.sleep(0.5)
    return 7

store.cache_folder = lambda kind: Path(sys.argv[1])
print(store.cached_json(["a key"], compute))
"""


def test_of_two_processes_one_computes_and_the_other_waits(tmp_path):
    calls, folder = tmp_path / "calls", tmp_path / "proofs"
    folder.mkdir()
    command = [sys.executable, "-c", COMPUTE_SLOWLY, str(folder), str(calls)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0] for process in both] == ["7\n", "7\n"]
    assert calls.read_text().split() == ["called"]


def test_the_store_answers_and_fresh_proves_again(proofs):
    calls = []

    def solve() -> Law:
        calls.append(1)
        streets = {"opening": {"bet": 10**30, "check": 3}}
        return Law({(0,): 3, (1,): 10**30}, {"": 10**30 + 3}, "counted", 1.5, streets, equal_positions=4)

    first = store.cached_law(["key"], solve)
    assert store.cached_law(["key"], solve) == first
    assert len(calls) == 1
    assert store.cached_law(["key"], solve, fresh=True) == first
    assert len(calls) == 2
    store.cached_law(["other"], solve)
    assert len(calls) == 3


@pytest.mark.parametrize("harm", ["cut", "digit", "foreign", "empty", "binary", "folder"])
def test_a_damaged_or_foreign_entry_is_proved_again(proofs, harm):
    law = Law({(0,): 3, (1,): 4}, {"": 7}, "counted")
    store.cached_law(["key"], lambda: law)
    (path,) = proofs.iterdir()
    text = path.read_text()
    if harm == "foreign":
        store.cached_law(["other"], lambda: Law({(0,): 1}, {"": 1}, "other"))
        (other,) = [p for p in proofs.iterdir() if p != path]
        path.write_text(other.read_text())
    elif harm == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(
            {"cut": text[:40], "digit": text.replace('"3"', '"5"'), "empty": "", "binary": "\x00\x01"}[
                harm
            ].encode()
        )
    assert store.cached_law(["key"], lambda: law) == law


@pytest.mark.parametrize(
    "harm",
    [
        {"counts": [[[0], "1"]]},
        {"counts": [[[99, 99], "1"]]},
        {"counts": []},
        {"counts": [[[0, 0], "-5"]]},
        {"counts": [[["0", "0"], "5"]]},
        {"first_choices": {"zzz": "5"}},
        {"first_choices": None},
        {"first_choices": {"": "1"}},
        {"seconds": {}, "method": None, "counts": {}},
    ],
)
def test_an_impossible_law_is_proved_again_whatever_its_digest(proofs, harm):
    right = prove(WAR).law
    (path,) = proofs.iterdir()
    entry = json.loads(path.read_text())
    data = entry["data"] | harm
    entry |= {"data": data, "digest": store._digest(entry["key"] + json.dumps(data))}
    path.write_text(json.dumps(entry))
    again = prove(WAR).law
    assert (again.counts, again.first_choices) == (right.counts, right.first_choices)


@pytest.mark.parametrize("harm", ["deep", "fifo", "device"])
def test_what_is_no_entry_is_not_read(proofs, harm):
    prove(WAR)
    (path,) = proofs.iterdir()
    path.unlink()
    if harm == "deep":
        path.write_text("[" * 200_000)
    elif harm == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    assert prove(WAR).tally.deals > 0


def test_a_store_changes_no_refusal(proofs):
    bonus = GAMES["triple-shot-bonus"]
    tiny = read_stake(bonus, {"hat-trick": "0.000000000001"})
    assert prove(bonus, tiny, "never-bust").law.counts == prove(bonus, None, "never-bust").law.counts
    with pytest.raises(Refused, match="too far apart"):
        prove(bonus, tiny)


@pytest.mark.parametrize(
    "stake",
    [{"tie": Fraction(1)}, {"primary": Fraction(-1)}, {"primary": Fraction(0)}, {"x": Fraction(1)}, {}],
)
def test_stakes_that_cannot_stand_are_refused_by_prove_itself(stake):
    with pytest.raises(Refused):
        prove(WAR, stake)


def test_without_a_cache_directory_it_works(tmp_path):
    blocked = tmp_path / "cache"
    blocked.write_text("a file, not a directory")
    run = subprocess.run(
        [sys.executable, "-m", "feltlab", "prove", "casino-war", "--json"],
        env={**os.environ, "XDG_CACHE_HOME": str(blocked), "FELTLAB_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout)["bets"]["primary"]["house_edge"]["exact"] == "23138/993023"
    assert blocked.read_text() == "a file, not a directory"


def test_an_interrupted_proof_leaves_nothing_behind(proofs):
    def interrupted() -> Law:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.cached_law(["key"], interrupted)
    assert list(Path(proofs).iterdir()) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("prove", "casino-war", "--stake", "tie=-1"), "The stake on tie may not be negative."),
        (
            ("prove", "casino-war", "--stake", "tie=x"),
            "tie=x is not a number of units, such as 1, 0.5 or 3/2.",
        ),
        (
            ("prove", "casino-war", "--stake", "tie=1/0"),
            "tie=1/0 is not a number of units, such as 1, 0.5 or 3/2.",
        ),
        (("prove", "casino-war", "--stake", "primary=0"), "Casino War requires the Primary wager."),
        (
            ("prove", "casino-war", "--option", "decks=9"),
            "decks=9 is not possible; decks is 1, 2, 3, 4, 5, 6, 7 or 8.",
        ),
        (
            ("prove", "rabbit-hunter", "--stake", "tens-up=2"),
            "The Tens Up wager may not be more than the Ante.",
        ),
        (
            ("prove", "triple-shot-rummy", "--stake", "ante=0"),
            "The stake is empty; at least one wager must be placed.",
        ),
        (
            ("prove", "casino-war", "--stake", "ante=1"),
            "'ante' is not a wager of Casino War; its wagers are primary and tie.",
        ),
        (
            ("prove", "casino-war", "--strategy", "hope"),
            "'hope' is not a strategy of Casino War; they are optimal, war and surrender.",
        ),
        (("advise", "casino-war", "Ks", "Qd"), "No choice is open."),
        (
            ("advise", "casino-war", "Ks"),
            "Too few cards; give 1 of the player's and then the dealer's up card.",
        ),
        (("advise", "triple-shot-rummy", "Ks", "Qd"), "Too few cards; give 3 of the player's."),
        (("advise", "triple-shot-bonus", "Ah Td", "5c"), "No choice is open."),  # a blackjack
        (
            ("advise", "triple-shot-bonus", "Th 9d 5c", "5s"),
            "No choice is open to a player with these 3 cards.",
        ),
        (
            ("advise", "rabbit-hunter", "As Kd 9c 4h 2s 3s"),
            "No choice is open to a player with these 6 cards.",
        ),
        (
            ("advise", "triple-shot-rummy", "Ts 4d 6c", "--stake", "ante=0", "pair-plus=1"),
            "No choice is open.",
        ),
        (
            ("strategy", "triple-shot-rummy", "--stake", "ante=0", "pair-plus=1"),
            "With this stake there is nothing to choose.",
        ),
        (("advise", "triple-shot-rummy", "Ks Ks Qd"), "Ks is given 2 times; the deck holds it once."),
        (("advise", "triple-shot-rummy", "Ks Jk Qd"), "Jk is not in this game's deck."),
    ],
)
def test_a_mistake_is_answered_by_one_sentence(words, sentence):
    assert refusal(*words) == sentence


def test_stakes_are_read_exactly():
    assert read_stake(WAR, {"tie": "0.1"}) == {"primary": 1, "tie": Fraction(1, 10)}
    with pytest.raises(Refused):
        read_stake(WAR, {"tie": "inf"})


def test_without_an_ante_there_is_no_first_choice():
    found = answer("prove", "triple-shot-rummy", "--stake", "ante=0", "pair-plus=1")
    assert found["choices"] == {"none": {"exact": "1/1", "value": 1.0}}


def test_a_stored_proof_tells_how_long_it_took(proofs):
    first = prove(WAR).law
    assert first.seconds > 0
    assert prove(WAR).law == first


def test_a_card_comes_back_from_the_store_as_it_was(proofs):
    rummy = GAMES["triple-shot-rummy"]
    stake = read_stake(rummy, {})
    assert strategy_card(rummy, stake) == strategy_card(rummy, stake)
    assert strategy_card(rummy, stake).lines[0] == ("20 points or less", "play")


def test_advice_and_strategy_say_what_they_were_asked():
    asked = answer("advise", "triple-shot-bonus", "5h 7d 4s", "Ac", "--stake", "hat-trick=1")
    assert asked["made"] == ["decline", "hit"]
    assert asked["stake"]["hat-trick"] == "1"
    assert answer("strategy", "casino-war")["options"] == dict(GAMES["casino-war"].options)
