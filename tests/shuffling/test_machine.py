"""The shuffler: fair, secret, bound by its commitment, and unable to deliver a wrong deck."""

import ast
import hashlib
import inspect
from collections import Counter
from dataclasses import replace
from itertools import permutations, product
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltlab.core.cards import JOKER, Cards, cards
from feltlab.core.chi_square import chi_square, chi_square_probability
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.shuffling import machine as shuffler
from feltlab.shuffling.machine import (
    BACKUP,
    FAULTS,
    Fault,
    Shuffle,
    Shuffler,
    commitment_of,
    shuffle_in_packets,
)
from feltlab.shuffling.models import Mode, mode_of
from tests.support.game_data import data_of

SHOE, PACKETS, SINGLE = GAMES["casino-war"], GAMES["rabbit-hunter"], GAMES["triple-shot-bonus"]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def order(text="As Kd 2c 7h"):
    return Shuffle("war-1/7", cards(text), "5a17", "red", "main")


# -- Modes ------------------------------------------------------------------------------------------


@every_game
def test_the_shuffler_is_set_to_the_mode_of_its_game(game):
    assert mode_of(game) == Shuffler(game).mode == data_of(game.name).shuffler


def test_options_change_the_mode():
    # With one deck, 22 cards stay behind the cut card.
    assert mode_of(SHOE.with_options({"decks": "1"})) == Mode("shoe", 1, 52, True)
    assert mode_of(SHOE.with_options({"decks": "8"})) == Mode("shoe", 1, 416, True)


# -- The order --------------------------------------------------------------------------------------


@every_game
def test_a_cycle_gives_back_every_card_of_the_deck(game):
    machine = Shuffler(game)
    shuffle = machine.cycle("table-1/1", 1)
    assert sorted(shuffle.order) == sorted(game.deck.cards)
    assert machine.deliver(shuffle) == shuffle.order
    assert (shuffle.name, shuffle.shuffler, machine.message(shuffle)) == ("table-1/1", "main", "READY")


@every_game
def test_no_two_cycles_are_alike(game):
    shuffles = [Shuffler(game).cycle("a", 1) for _ in range(20)]
    assert len({s.order for s in shuffles}) == len({s.salt for s in shuffles}) == 20
    assert all(len(bytes.fromhex(s.salt)) == 32 for s in shuffles)


@pytest.mark.parametrize(("size", "packet"), [(2, 1), (4, 1), (4, 2), (5, 2), (6, 2), (5, 4), (3, 7)])
def test_over_all_draws_every_order_comes_equally_often(monkeypatch, size, packet):
    """Exhaustive: all sequences of draws are equally likely, so equally many must lead to each order."""
    deck, packets = Cards(range(size)), size // packet if packet > 1 else 0
    limits = [*range(size, 1, -1), *range(packets, 1, -1)]
    made = Counter()
    for draws in product(*map(range, limits)):
        source, asked = iter(draws), []
        replay = _replay(source, asked)
        monkeypatch.setattr(shuffler, "draw_descending", lambda count, of=replay: of(range(count, 1, -1)))
        made[shuffle_in_packets(deck, packet)] += 1
        assert asked == limits
    assert len(made) == factorial(size)
    assert set(made.values()) == {prod(limits) // factorial(size)}


def _replay(source, asked):
    def below(limits):
        for limit in limits:
            asked.append(limit)
            yield next(source)

    return below


@pytest.mark.parametrize(("size", "packet"), [(4, 1), (4, 2), (5, 1), (5, 2), (5, 3)])
def test_the_orders_of_a_tiny_deck_come_equally_often(size, packet):
    """With the real generator; a fair one fails one run in a million."""
    deck = Cards(range(size))
    made = Counter(shuffle_in_packets(deck, packet) for _ in range(100 * factorial(size)))
    found = chi_square(made, dict.fromkeys(permutations(deck), 1))
    assert found.freedom == factorial(size) - 1
    assert chi_square_probability(found.statistic, found.freedom) > 1e-6


def test_packets_stay_together_and_cards_too_few_for_one_come_last(monkeypatch):
    monkeypatch.setattr(shuffler, "draw_descending", lambda count: range(count - 1, 0, -1))
    # Always the last card left, then always the last packet: 76 54 32 in reverse, and 1 at the end.
    assert shuffle_in_packets(Cards([1, 2, 3, 4, 5, 6, 7]), 2) == (3, 2, 5, 4, 7, 6, 1)


def test_nothing_in_the_shuffler_can_be_seeded():
    tree = ast.parse(inspect.getsource(shuffler))
    froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not {module.split(".")[0] for module in froms | named} & {"random", "numpy", "time"}
    assert "secrets" in named | froms or "feltlab.shuffling.uniform" in froms
    words = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    assert not any("seed" in word or "random" in word for word in words)


@every_game
def test_decks_take_turns_and_a_shoe_is_a_shoe(game):
    decks = [Shuffler(game).cycle("a", number).deck for number in (1, 2, 3, 4)]
    assert decks == (["shoe"] * 4 if mode_of(game).shoe else ["red", "blue", "red", "blue"])


# -- Commitment and secrecy -------------------------------------------------------------------------


def test_the_commitment_is_the_digest_that_anyone_can_compute():
    by_hand = hashlib.sha256(b"5a17:As Kd 2c 7h").hexdigest()
    assert order().commitment == commitment_of(cards("As Kd 2c 7h"), "5a17") == by_hand


@given(st.data())
def test_any_swap_and_any_other_salt_changes_the_commitment(data):
    shuffle = Shuffler(PACKETS).cycle("a", 1)
    a, b = data.draw(st.lists(st.integers(0, 51), min_size=2, max_size=2, unique=True))
    swapped = list(shuffle.order)
    swapped[a], swapped[b] = swapped[b], swapped[a]
    assert commitment_of(Cards(swapped), shuffle.salt) != shuffle.commitment
    assert commitment_of(shuffle.order, shuffle.salt[::-1] + "0") != shuffle.commitment


def test_a_repr_shows_neither_cards_nor_salt():
    assert repr(order()) == str(order()) == "<Shuffle war-1/7: 4 cards, red, by the main shuffler>"


@every_game
def test_a_shuffle_comes_out_of_the_vault_as_it_went_in(game):
    shuffle = Shuffler(game).cycle("a", 1)
    assert Shuffle.from_bytes(shuffle.to_bytes()) == shuffle
    assert Shuffle.from_bytes(shuffle.to_bytes()).commitment == shuffle.commitment


@pytest.mark.parametrize("sealed", [b"", b"{}", b"[]", b"7", b'{"name": "a", "order": 7}', b"\xff"])
def test_a_secret_that_is_not_a_shuffle_is_refused(sealed):
    with pytest.raises(Refused, match="is not a shuffle"):
        Shuffle.from_bytes(sealed)


# -- Faults -----------------------------------------------------------------------------------------


def fault_of(machine, shuffle):
    with pytest.raises(Fault) as caught:
        machine.deliver(shuffle)
    assert machine.message(shuffle) == caught.value.message
    assert str(caught.value) == f"The shuffler shows {caught.value.message!r} and delivers no card."
    return caught.value.kind, caught.value.message


@every_game
@pytest.mark.parametrize("fault", FAULTS)
def test_every_injected_fault_is_found_named_and_gone_with_the_backup(game, fault):
    if fault not in Shuffler(game).possible_faults:
        assert (fault, game.deck.cards[-1]) == ("foreign card", JOKER)  # no card is foreign to 53
        return
    for number in range(1, 20):
        machine = Shuffler(game, fault=fault)
        kind, message = fault_of(machine, machine.cycle("a", number))
        assert kind == fault
        size = len(game.deck)
        assert message.startswith(
            {
                "short deck": f"DECK SHORT: {size - 1} OF {size} CARDS",
                "long deck": f"DECK LONG: {size + 1} OF {size} CARDS",
                "duplicate card": "DUPLICATE: ",
                "foreign card": "FOREIGN CARD: Jk",
                "jam": "JAM: CLEAR THE PATH",
            }[fault]
        )
    backup = Shuffler(game, BACKUP)
    shuffle = backup.cycle("a", 1)
    assert (shuffle.shuffler, backup.fault) == ("backup", "")
    assert backup.deliver(shuffle) == shuffle.order


def test_a_jam_shows_before_a_shuffle_and_other_faults_when_it_counts():
    assert [Shuffler(PACKETS, fault=fault).message() for fault in ("", *FAULTS)] == [
        *["READY"] * 5,
        "JAM: CLEAR THE PATH",
    ]


def altered(shuffle, change):
    changed = list(shuffle.order)
    change(changed)
    return replace(shuffle, order=Cards(changed))


@given(st.data())
@every_game
def test_missing_cards_are_caught(game, data):
    machine = Shuffler(game)
    size, lost = len(game.deck), data.draw(st.integers(1, 5))
    shuffle = altered(machine.cycle("a", 1), lambda order: order.__delitem__(slice(0, lost)))
    assert fault_of(machine, shuffle) == ("short deck", f"DECK SHORT: {size - lost} OF {size} CARDS")


@given(st.data())
@every_game
def test_an_extra_card_is_caught(game, data):
    machine = Shuffler(game)
    size, at, card = len(game.deck), data.draw(st.integers(0, 51)), data.draw(st.integers(0, JOKER))
    shuffle = altered(machine.cycle("a", 1), lambda order: order.insert(at, card))
    assert fault_of(machine, shuffle) == ("long deck", f"DECK LONG: {size + 1} OF {size} CARDS")


@given(st.data())
@every_game
def test_a_wrong_card_is_caught_and_named(game, data):
    machine = Shuffler(game)
    shuffle = machine.cycle("a", 1)
    at = data.draw(st.integers(0, len(game.deck) - 1))
    card = data.draw(st.integers(0, JOKER).filter(lambda card: card != shuffle.order[at]))
    kind, message = fault_of(machine, altered(shuffle, lambda order: order.__setitem__(at, card)))
    foreign = card not in game.deck.cards
    assert kind == ("foreign card" if foreign else "duplicate card")
    assert message == f"{'FOREIGN CARD' if foreign else 'DUPLICATE'}: {Cards([card])}"


@given(st.lists(st.tuples(st.integers(0, 51), st.integers(0, JOKER)), max_size=3))
def test_only_the_games_own_deck_is_delivered(changes):
    shuffle = Shuffler(PACKETS).cycle("a", 1)
    for at, card in changes:
        shuffle = altered(shuffle, lambda order, at=at, card=card: order.__setitem__(at, card))
    right = sorted(shuffle.order) == sorted(PACKETS.deck.cards)
    assert (Shuffler(PACKETS).message(shuffle) == "READY") == right


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": "third"}, "'third' is not a shuffler of a table; it has main and backup."),
        (
            {"fault": "fire"},
            "'fire' is not a fault that can happen here; possible are short deck, long deck, duplicate card, "
            "foreign card and jam.",
        ),
    ],
)
def test_other_shufflers_and_faults_are_refused(given, sentence):
    with pytest.raises(Refused) as caught:
        Shuffler(SINGLE, **given)
    assert str(caught.value) == sentence
