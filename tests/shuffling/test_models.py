"""Models of shufflers by name, the modes that fit each game, and the guide of each fault."""

import pytest

from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.catalogue import public_games
from feltlab.shuffling.guide import fault_guides, find_guide, replacement_steps
from feltlab.shuffling.machine import FAULTS
from feltlab.shuffling.models import (
    WrongMode,
    check_mode,
    find_model,
    fitting_models,
    load_models,
    may_deal_by_hand,
    mode_of,
    model_to_json,
)

# High Five Poker and Rabbit Hunter name the three models and the modes. The others are readings: the ACE page
# lists Three Card Poker and other single-deck stud games, and no document names a machine for a shoe.
FITS = {
    "casino-war": {"shoe shuffler": ("shoe",)},
    "high-five-poker": dict.fromkeys(("ACE", "i-Deal", "i-Deal Plus"), ("Pai Gow Poker",)),
    "rabbit-hunter": dict.fromkeys(("ACE", "i-Deal", "i-Deal Plus"), ("Rabbit Hunter", "Six Card Poker")),
    "triple-shot-rummy": {"ACE": ("Three Card Poker",)},
    "triple-shot-bonus": {"ACE": ("Single Deck Stud",)},
}
# Games of public sources, by the size of their packets; the Single Deck Stud mode delivers card by card.
FITS |= dict.fromkeys(("high-card-flush",), FITS["high-five-poker"])
FITS |= dict.fromkeys(("six-card-poker",), FITS["rabbit-hunter"])
FITS |= dict.fromkeys(("big-raise-stud", "let-it-ride", "three-card-poker"), FITS["triple-shot-rummy"])
STUD = ("caribbean-stud", "crazy-4-poker", "dj-wild", "four-card-poker")  # packets of five
BOARDS = ("mississippi-stud", "texas-holdem-bonus", "ultimate-texas-holdem")  # packets of two
FITS |= dict.fromkeys((*STUD, *BOARDS), FITS["triple-shot-bonus"])


@pytest.mark.parametrize("name", GAMES)
def test_the_models_and_modes_that_fit_a_game(name):
    assert fitting_models(GAMES[name]) == FITS[name]


def test_the_ace_has_the_applications_of_its_page():
    assert load_models()["ACE"].applications == (
        *("Let It Ride", "Let It Ride Bonus", "Pai Gow Poker", "Pai Wow Poker", "Caribbean Stud"),
        *("Three Card Poker", "Double Down Stud", "other single-deck stud poker games"),
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_mode_of_another_packet_is_refused_with_the_line_of_the_machine(name):
    game = GAMES[name]
    for model, fitting in fitting_models(game).items():
        assert [check_mode(model.upper(), mode.lower(), game) for mode in fitting] == list(fitting)
        for mode in find_model(model).mode:
            if mode.name not in fitting:
                with pytest.raises(WrongMode) as caught:
                    check_mode(model, mode.name, game)
                assert caught.value.message == f"WRONG MODE: SELECT {' OR '.join(fitting).upper()}"
                assert caught.value.message in str(caught.value)


@pytest.mark.parametrize(
    ("model", "mode", "game", "sentence"),
    [
        ("i-Deal", "Pai Gow Poker", "triple-shot-rummy", "The i-Deal has no mode for packets of 3"),
        ("ACE", "shoe", "casino-war", "The ACE takes 1 deck and no shoe"),
        ("shoe shuffler", "shoe", "rabbit-hunter", "The shoe shuffler shuffles shoes"),
        ("ACE", "bridge", "rabbit-hunter", "'bridge' is not a mode of the ACE"),
        (
            "Dealer 9",
            "x",
            "rabbit-hunter",
            "'Dealer 9' is not a model of shuffler; the models are ACE, i-Deal",
        ),
    ],
)
def test_a_model_without_a_mode_that_fits_is_refused(model, mode, game, sentence):
    with pytest.raises(Refused) as caught:
        check_mode(model, mode, GAMES[game])
    assert str(caught.value).startswith(sentence)


def test_every_mode_that_fits_delivers_the_packets_of_the_game():
    for game in GAMES.values():
        for model, modes in fitting_models(game).items():
            packets = {find_model(model).find_mode(mode).packet for mode in modes}
            assert packets == {mode_of(game).packet} or (packets == {1} and mode_of(game).packet in (2, 5))


def test_hand_dealing_where_the_documents_leave_the_shuffle_to_the_house():
    assert {name for name in GAMES if may_deal_by_hand(GAMES[name])} == {
        "casino-war",
        "triple-shot-rummy",
        "triple-shot-bonus",
        *(name for name in public_games() if name in GAMES),
    }


def test_a_model_as_plain_data_names_the_games_that_it_fits():
    assert model_to_json(find_model("i-Deal"))["fits"].keys() == {
        "high-five-poker", "rabbit-hunter", "high-card-flush", "six-card-poker",
    }  # fmt: skip


# -- The guide --------------------------------------------------------------------------------------


def test_there_is_a_guide_for_every_fault_and_no_other():
    assert tuple(fault_guides()) == FAULTS
    for guide in fault_guides().values():
        assert all((guide.shows, guide.means, guide.first, guide.service))
        assert len(guide.steps) >= 2


def test_a_guide_is_found_with_hyphens_and_another_is_refused():
    assert find_guide("Short-Deck").kind == "short deck"
    with pytest.raises(Refused, match="'fire' is not a fault; the faults are short deck"):
        find_guide("fire")


def test_a_replacement_has_the_seven_steps_of_the_letter():
    names = [step.name for step in replacement_steps()]
    assert names == ["off", "unplug", "backup", "cables", "on", "service", "resume"]
