"""Certificates of the large games: accepted, and forged."""

import numpy as np
import pytest

from feltlab.certifying import check_certificate as checker
from feltlab.certifying.certificate import certify, write_certificate
from feltlab.core.stake import read_stake
from feltlab.games import GAMES
from tests.support.forging import Forger, verdict

pytestmark = pytest.mark.slow


def files_of(name, options=None, stake=None):
    game = GAMES[name].with_options(options or {})
    return certify(game, read_stake(game, stake or {}))


def reason_of(tmp_path, capsys, files, forge, *words):
    forged = Forger(files)
    forge(forged)
    found = verdict(capsys, forged.write(tmp_path / "c"), "--no-recount", "--samples=0", *words)
    assert found["status"] == 1
    return found["reason"]


# -- Rabbit Hunter ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rabbit():
    return files_of("rabbit-hunter", stake={"ante": "2", "tens-up": "1", "bad-beat": "1/2"})


def test_rabbit_hunter_is_accepted_and_recounted_whole(tmp_path, capsys, rabbit):
    write_certificate(tmp_path / "c", rabbit)
    found = verdict(capsys, tmp_path / "c", "--samples=1")
    assert found["accepted"], found["reason"]
    assert "Every class was recounted" in found["bound"]


def test_rabbit_hunter_with_an_ante_alone_is_accepted(tmp_path, capsys):
    write_certificate(tmp_path / "c", files_of("rabbit-hunter"))
    found = verdict(capsys, tmp_path / "c", "--no-recount", "--samples=2")
    assert found["accepted"], found["reason"]
    assert "(1-p)^2" in found["bound"]


def buy_where_playing_is_better(forged):
    forged.tables["choices"][np.flatnonzero(forged.tables["choices"] == 1)[0]] = 2
    forged.mend_law()


def tens_up_above_the_ante(forged):
    forged.manifest["stake"]["tens-up"] = "3"
    forged.mend_figures()


def a_count_of_one_class(forged):
    forged.tables["counts.buy"][1000, np.flatnonzero(forged.tables["counts.buy"][1000])[0]] += 1
    forged.mend_law()


def keep_rows(forged, rows):
    for name, array in forged.tables.items():
        forged.tables[name] = array[rows]


def a_class_left_out(forged):
    keep_rows(forged, slice(1, None))
    forged.mend_law()


def a_class_twice(forged):
    rows = np.arange(len(forged.tables["weights"]))
    keep_rows(forged, np.append(rows, 7))
    forged.mend_law()


def two_classes_merged(forged):
    rows = np.arange(len(forged.tables["weights"]))
    for name, array in forged.tables.items():
        if name.startswith("counts"):
            array[100] += array[101]
    forged.tables["weights"][100] += forged.tables["weights"][101]
    keep_rows(forged, np.delete(rows, 101))
    forged.mend_law()


def negative_counts_that_cancel(forged):
    counts = forged.tables["counts.play"].astype(np.int64)
    counts[[100, 101], 0] += [10**9, -(10**9)]
    forged.tables["counts.play"] = counts


def a_wrong_weight(forged):
    forged.tables["weights"][100] += 1


def cards_of_two_classes_exchanged(forged):
    weights = forged.tables["weights"]
    other = 101 + int(np.flatnonzero(weights[101:] != weights[100])[0])
    cards = forged.tables["cards"]
    cards[[100, other]] = cards[[other, 100]]


def counts_of_another_stake(forged):
    """Choices that are the best for the Ante alone, with law and figures."""
    alone = Forger(files_of("rabbit-hunter"))
    forged.tables["choices"] = alone.tables["choices"]
    forged.mend_law()


@pytest.mark.parametrize(
    ("forge", "check"),
    [
        (buy_where_playing_is_better, "every choice is the best"),
        (tens_up_above_the_ante, "options, pays and stake"),
        (a_count_of_one_class, "counts add up"),
        (a_class_left_out, "weights partition the deals"),
        (a_class_twice, "weights partition the deals"),
        (two_classes_merged, "weights partition the deals"),
        (negative_counts_that_cancel, "tables can be read"),
        (a_wrong_weight, "weights partition the deals"),
        (cards_of_two_classes_exchanged, "weights partition the deals"),
        (counts_of_another_stake, "every choice is the best"),
    ],
)
def test_a_forgery_of_rabbit_hunter_is_found(tmp_path, capsys, rabbit, forge, check):
    assert reason_of(tmp_path, capsys, rabbit, forge).startswith(check)


def test_a_drawn_class_is_dealt_out(tmp_path, capsys, rabbit):
    """Every class loses a deal to another outcome of the same choice, so any draw finds it."""
    forged = Forger(rabbit)
    counts = forged.tables["counts.play"]
    filled = counts > 0
    one = filled.argmax(axis=1)
    two = filled.shape[1] - 1 - filled[:, ::-1].argmax(axis=1)
    rows = np.arange(len(counts))
    counts[rows, one] -= 1
    counts[rows, two] += 1
    counts[one == two] = Forger(rabbit).tables["counts.play"][one == two]
    forged.mend_law()
    found = verdict(capsys, forged.write(tmp_path / "c"), "--no-recount", "--samples=3")
    assert "drawn classes" in {check["name"] for check in found["checks"] if check["verdict"] == "FAILED"}


# -- High Five Poker ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def five():
    return files_of("high-five-poker", {"trips": "APP-02"}, {"trips": "1/2"})


def test_high_five_poker_is_accepted(tmp_path, capsys, five):
    """The complete recount takes minutes; `feltlab bench certify` runs it."""
    assert sum(map(len, five.values())) < 200e6
    write_certificate(tmp_path / "c", five)
    found = verdict(capsys, tmp_path / "c", "--no-recount", "--samples=1")
    assert found["accepted"], found["reason"]


def read_tables(folder):
    """A certificate whose files and tables have been read."""
    certificate = checker.Certificate(str(folder))
    checker.check_files(certificate)
    checker.check_tables(certificate)
    return certificate


@pytest.fixture(scope="module")
def five_tables(five, tmp_path_factory):
    certificate = read_tables(Forger(five).write(tmp_path_factory.mktemp("five") / "c"))
    return checker.read_game(certificate), checker.load_five(certificate)


def class_rows(tables):
    return {name: getattr(tables, name) for name in ("cards", "weights", "choices", "kinds", "places")}


def test_forgeries_of_high_five_poker_are_found(five_tables):
    game, tables = five_tables
    choices = tables.choices.copy()
    choices[np.flatnonzero(choices == 0)[0]] = 1
    with pytest.raises(checker.Wrong, match="1 classes fold although play is better"):
        checker.check_five_choices(tables._replace(choices=choices), game)
    kinds = tables.kinds.copy()
    kinds[5, 0] += 1
    with pytest.raises(checker.Wrong, match="classes and strengths differ"):
        checker.check_five_sums(tables._replace(kinds=kinds))
    fewer = {name: getattr(tables, name)[1:] for name in ("cards", "weights", "choices", "kinds", "places")}
    with pytest.raises(checker.Wrong, match="add up to"):
        checker.check_five_partition(tables._replace(**fewer))
    twice = {name: np.append(rows, rows[:1], axis=0) for name, rows in class_rows(tables).items()}
    with pytest.raises(checker.Wrong, match="A class occurs twice"):
        checker.check_five_partition(tables._replace(**twice))
    weights = tables.weights.copy()
    weights[:2] += [1, -1]
    with pytest.raises(checker.Wrong, match="wrong weight"):
        checker.check_five_partition(tables._replace(weights=weights))
    cards = tables.cards.copy()
    cards[9] ^= 1
    with pytest.raises(checker.Wrong):
        checker.check_five_partition(tables._replace(cards=cards))
    cancelled = tables.kinds.copy()
    alike = np.flatnonzero((tables.places == tables.places[5]) & (tables.weights == tables.weights[5]))[:2]
    cancelled[alike, 0] += [10**9, -(10**9)]
    with pytest.raises(checker.Wrong, match="more dealers than there are"):
        checker.check_five_sums(tables._replace(kinds=cancelled))
    hands = tables.hands.copy()
    hands[[3000, -1]] += [-1, 1]
    law, _ = checker.five_law(tables, game)
    assert checker.five_law(tables._replace(hands=hands), game)[0] != law


# -- Triple Shot Bonus --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bonus():
    return files_of("triple-shot-bonus", stake={"hat-trick": "1"})


def test_triple_shot_bonus_is_accepted_and_recounted_whole(tmp_path, capsys, bonus):
    write_certificate(tmp_path / "c", bonus)
    found = verdict(capsys, tmp_path / "c", "--samples=2")
    assert found["accepted"], found["reason"]


def test_triple_shot_bonus_is_accepted_under_other_options(tmp_path, capsys):
    options = {"soft-17": "stand", "six-card-rule": "off", "blackjack-pays": "6:5", "hat-trick": "6"}
    files = files_of(
        "triple-shot-bonus", options | {"poker": "TSB-02"}, {"blackjack": "3", "hat-trick": "1/7"}
    )
    write_certificate(tmp_path / "c", files)
    found = verdict(capsys, tmp_path / "c", "--samples=2")
    assert found["accepted"], found["reason"]


def test_a_way_of_the_dealer_that_is_moved_is_found_by_the_recount(bonus):
    forged = Forger(bonus)
    game = checker.Game("", checker.TRIPLE_SHOT_BONUS, {"soft-17": "hit"}, (), {}, ())
    ways, values = forged.tables["dealer.ways"], forged.tables["dealer.values"].astype(np.int64)
    assert checker.check_dealer(game, checker.BonusChoices(ways, {}, ways, values))
    at = np.flatnonzero(ways[3].sum(axis=1))[0]
    ways[3, at, :2] += [1, -1]
    with pytest.raises(checker.Wrong, match="for 1 sets"):
        checker.check_dealer(game, checker.BonusChoices(ways, {}, ways, values))


def test_forgeries_of_triple_shot_bonus_are_found(tmp_path, bonus):
    forged = Forger(bonus)
    first = forged.tables["choices.first"]
    first[tuple(np.argwhere(first == 0)[0])] = 1
    forged.tables["dealer.ways"][3, 100, 0] += 1
    certificate = read_tables(forged.write(tmp_path / "c"))
    intact = read_tables(Forger(bonus).write(tmp_path / "intact"))
    made = checker.load_bonus(certificate)
    with pytest.raises(checker.Wrong, match="1 pairs of cards have a choice that is not the best"):
        checker.check_bonus_choices(checker.read_game(certificate), made)
    with pytest.raises(checker.Wrong, match="do not add up"):
        checker.check_dealer_sums(made)
    wrapped = Forger(bonus).tables["dealer.ways"]
    wrapped[3, 100, :3] = [2**63 - 1, 2**63 - 1, wrapped[3, 100].sum() - wrapped[3, 100, 3:].sum() + 2]
    with pytest.raises(checker.Wrong, match="more ways than there are"):
        checker.check_dealer_sums(made._replace(ways=wrapped))
    values = made.values.copy()
    values[7] = values[8]
    with pytest.raises(checker.Wrong, match="not complete"):
        checker.check_dealer_sums(made._replace(values=values))
    later = {size: array.copy() for size, array in made.later.items()}
    place = tuple(np.argwhere(later[3] == checker.STAND)[0])
    later[3][place] = checker.HIT
    with pytest.raises(checker.Wrong, match="hands of 3 cards have a choice that is not the best"):
        checker.check_bonus_choices(
            checker.read_game(certificate), checker.load_bonus(intact)._replace(later=later)
        )
    for name in ("states.ranks", "states.suited", "states.odd"):
        forged.tables[name][7] = forged.tables[name][8]
    with pytest.raises(checker.Wrong, match="not all different"):
        checker.load_bonus(read_tables(forged.write(tmp_path / "d")))
