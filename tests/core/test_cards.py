"""Cards as text and as numbers, and decks that notice what is not theirs."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from feltlab.core import cards as module
from feltlab.core.cards import (
    FACE_DOWN,
    JOKER,
    NOT_DEALT,
    RANK_NAMES,
    RANKS,
    SUITS,
    UNKNOWN,
    Cards,
    Deck,
    card,
    cards,
    cards_or_unknown,
    name,
    plural,
    rank_of,
    suit_of,
)
from feltlab.errors import Refused
from tests.support.strategies import CARDS_AND_JOKER, spelled_cards, spellings

# -- Text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("As Kd", "As Kd"),
        ("AsTd", "As Td"),
        ("10h", "Th"),
        ("10h10s", "Th Ts"),
        ("as,10d", "As Td"),
        ("aS kD", "As Kd"),
        ("As; Kd,, 2c\n3h\t4s", "As Kd 2c 3h 4s"),
        ("  9c  ", "9c"),
        ("A♠ K♦ Q♥ J♣", "As Kd Qh Jc"),
        ("A♤ K♢ Q♡ J♧", "As Kd Qh Jc"),
        ("A♠\ufe0f10♥\ufe0f", "As Th"),  # the form that telephones write
        ("jk Jk JK joker Joker JOKER", "Jk Jk Jk Jk Jk Jk"),
        ("JkJsjokerKs", "Jk Js Jk Ks"),
        ("", ""),
        (" , ", ""),
    ],
)
def test_text_is_read_as_a_person_means_it(text, meant):
    assert str(cards(text)) == meant


@pytest.mark.parametrize(
    ("text", "offending"),
    [
        ("1s", "1s"),
        ("11s", "11s"),
        ("Ax", "Ax"),
        ("sA", "sA"),
        ("A s", "A"),
        ("As Kq 2c", "Kq"),
        ("AsKdX", "X"),
        ("AsKd2", "2"),
        ("A♠♠", "♠"),
        ("??", "??"),
        ("Jkr", "r"),
    ],
)
def test_what_is_no_card_is_refused_by_name(text, offending):
    with pytest.raises(Refused) as refusal:
        cards(text)
    assert str(refusal.value) == f"{offending!r} is not a card; cards are written like As, Td, 9h or Jk."


@pytest.mark.parametrize("lookalike", ["\u212as", "A\u017f"])  # the kelvin sign, the long s
def test_letters_that_only_fold_to_ours_are_refused(lookalike):
    with pytest.raises(Refused, match="is not a card"):
        cards(lookalike)


@given(spelled_cards())
def test_every_spelling_names_its_cards(spelled):
    meant, text = spelled
    assert cards(text) == meant


@given(CARDS_AND_JOKER.flatmap(lambda number: spellings(number).map(lambda text: (number, text))))
def test_one_card_is_read_alone(spelled):
    number, text = spelled
    assert card(text) == number


@pytest.mark.parametrize(("text", "how_many"), [("", 0), ("As Kd", 2)])
def test_one_card_means_one(text, how_many):
    with pytest.raises(Refused) as refusal:
        card(text)
    assert str(refusal.value) == f"One card was expected, {text!r} is {how_many}."


# -- Numbers ----------------------------------------------------------------------------------------


def test_a_card_is_four_times_its_rank_plus_its_suit():
    for number in range(52):
        assert number == 4 * rank_of(number) + suit_of(number)
        assert name(number) == RANKS[rank_of(number)] + SUITS[suit_of(number)]
    assert [name(number) for number in (0, 3, 4, 51, JOKER)] == ["2c", "2s", "3c", "As", "Jk"]


def test_names_differ_and_are_read_back():
    names = [name(number) for number in range(53)]
    assert len(set(names)) == 53
    assert [card(text) for text in names] == list(range(53))


def test_what_stands_in_a_cards_place_has_a_mark():
    assert str(Cards((UNKNOWN, FACE_DOWN, NOT_DEALT, 51))) == "?? ## -- As"


@given(spelled_cards())
def test_repr_can_be_pasted_back(spelled):
    held = cards(spelled[0])
    assert eval(repr(held), vars(module)) == held
    assert cards(str(held)) == held


@pytest.mark.parametrize("number", [-1, 53, 1000])
def test_a_number_that_is_no_card_is_refused(number):
    with pytest.raises(Refused) as refusal:
        cards([0, number])
    assert str(refusal.value) == f"{number} is not a card; cards are the numbers 0 to 52."


@pytest.mark.parametrize("slip", [True, False, 0.0, 51.0, np.True_, np.float64(3), None, "As"])
def test_what_only_equals_a_number_of_a_card_is_refused(slip):
    with pytest.raises(Refused, match=r" is not a card; cards are the numbers 0 to 52\.$"):
        cards([0, slip])


def test_numbers_of_numpy_become_ints():
    assert {type(number) for number in cards(np.array([0, 51, 52], np.int8))} == {int}


def test_a_card_that_was_not_told_may_stand_among_numbers():
    assert str(cards_or_unknown([51, UNKNOWN, np.int8(UNKNOWN)])) == "As ?? ??"
    for place in (FACE_DOWN, NOT_DEALT, -1.0):
        with pytest.raises(Refused, match="is not a card"):
            cards_or_unknown([51, place])


def test_cards_are_taken_as_they_are():
    held = cards("As Kd")
    assert cards(held) == held == cards(iter([51, 45]))


def test_ranks_have_plurals():
    assert plural(RANKS.index("6")) == "Sixes"
    assert [plural(rank) for rank in range(13) if rank != 4] == [f"{n}s" for n in RANK_NAMES if n != "Six"]


# -- Decks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", range(1, 9))
@pytest.mark.parametrize("joker", [False, True])
def test_a_deck_holds_each_card_once_for_each_deck(decks, joker):
    deck = Deck.standard(decks, joker)
    assert len(deck) == decks * (52 + joker)
    assert Counter(deck.cards) == dict.fromkeys(range(52 + joker), decks)


def test_a_deck_accepts_all_of_itself_and_places_without_cards():
    for deck in (Deck.standard(), Deck.standard(6), Deck.standard(joker=True)):
        deck.check(deck.cards)
        deck.check([*deck.cards, UNKNOWN, FACE_DOWN, NOT_DEALT, NOT_DEALT])


@pytest.mark.parametrize(
    ("deck", "dealt", "sentence"),
    [
        (Deck.standard(), "As Kd As", "As is given 2 times; the deck holds it once."),
        (Deck.standard(2), "Kd Kd As Kd", "Kd is given 3 times; the deck holds it 2 times."),
        (Deck.standard(), "As Jk", "Jk is not in this game's deck."),
        (Deck.standard(joker=True), "Jk As Jk", "Jk is given 2 times; the deck holds it once."),
        (Deck(cards("2c 3c")), "2c 4c", "4c is not in this game's deck."),
    ],
)
def test_a_deck_names_the_card_that_is_not_its_own(deck, dealt, sentence):
    with pytest.raises(Refused) as refusal:
        deck.check(cards(dealt))
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("number", [53, 60])
def test_a_deck_refuses_numbers_that_are_no_cards(number):
    with pytest.raises(Refused, match=str(number)):
        Deck.standard(joker=True).check([0, number])
