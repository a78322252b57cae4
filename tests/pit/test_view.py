"""The felt of a game, as clients are sent it. Views of tables are held to the rules in test_table_machine."""

from typing import Any

import pytest

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.pit.seats import Phase
from feltlab.pit.view import layout, view
from tests.support.felt import BY_HAND, Felt

# Side bets that a fold loses under an option, which is not the default.
KEPT_AFTER_A_FOLD = {
    ("big-raise-stud", "three-card-bonus"),
    ("mississippi-stud", "three-card-bonus"),
    ("ultimate-texas-holdem", "trips"),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_the_felt_prints_exactly_the_listed_lines_of_each_pay_table(game: Game) -> None:
    for spot in layout(game)["spots"]:
        table = game.pay_table(game.spot(spot["spot"]))
        printed = [line["outcome"] for line in spot["pays"]]
        absent = [line.outcome for line in table.lines if line.listed and line.outcome not in printed]
        assert printed == [line.outcome for line in table.lines if line.listed and line.outcome not in absent]
        assert absent == (["fold"] if (game.name, spot["spot"]) in KEPT_AFTER_A_FOLD else [])


def test_pair_plus_1_lists_no_royal_flush() -> None:
    """It pays a Royal Flush as a Straight Flush, and its sign has no line for it."""
    game = GAMES["triple-shot-rummy"]
    assert game.options["pair-plus"] == "1"
    (pair_plus,) = (spot for spot in layout(game)["spots"] if spot["spot"] == "pair-plus")
    assert next(line["outcome"] for line in pair_plus["pays"] if line["result"] == "win") == "Straight Flush"
    lines = game.pay_table(game.spot("pair-plus")).lines
    assert [line.outcome for line in lines if line.result == "win" and not line.listed] == ["Royal Flush"]


BACK = "##"
BONUS = GAMES["triple-shot-bonus"]


def hand_seen(felt: Felt, viewer: str) -> list[str]:
    cards: list[str] = view(felt.table, viewer)["seats"][0]["cards"]
    return cards


@pytest.mark.parametrize(("dealt", "hidden"), [("face-up", False), ("face-down", True)])
def test_poker_cards_dealt_face_down_are_seen_by_their_player_only_until_they_are_paid(
    dealt: str, hidden: bool
) -> None:
    felt = Felt(BONUS.with_options({"poker-cards": dealt}), timers=BY_HAND).until(Phase.REVEAL)
    own, others = hand_seen(felt, "player 0"), hand_seen(felt, "somebody")
    round = felt.table.rounds[0]
    size = 2 + sum({"hit": 1, "double": 1, "split": 2}.get(choice, 0) for choice in round.chosen)
    assert BACK not in own
    assert others == (own[:size] + [BACK] * (6 - size) if hidden else own)
    felt.time_is_up()
    assert felt.phase == Phase.SETTLING
    assert hand_seen(felt, "somebody") == own


@pytest.mark.parametrize("phase", [Phase.REVEAL, Phase.PAYING])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_void_round_shows_what_was_refunded_and_no_new_card(game: Game, phase: Phase) -> None:
    if phase == Phase.PAYING and game.name != "triple-shot-bonus":
        pytest.skip("The dealer settles all seats at the end only.")
    felt = Felt(game, timers=BY_HAND).until(phase, (0, 1))
    paid = {(seat + 1, spot) for seat, spot, *_ in felt.table.paid}
    before = view(felt.table)
    felt.void("boss", "A card fell.")
    shown = view(felt.table)
    assert shown["dealer"] == before["dealer"]
    assert [len(seat["cards"]) for seat in shown["seats"]] == [len(seat["cards"]) for seat in before["seats"]]
    assert paid <= {(one["seat"], one["spot"]) for one in shown["payments"]}
    assert {(one["seat"], one["spot"]) for one in shown["payments"] if one["result"] != "refund"} <= paid


def test_a_newcomer_is_not_shown_the_last_hand_of_the_seat_as_their_own() -> None:
    felt = Felt(BONUS, timers=BY_HAND).until(Phase.REVEAL).over()
    felt.act(lambda table: table.leave("player 0", 0))
    left = view(felt.table, "newcomer")
    assert left["payments"]
    assert left["dealer"]
    felt.act(lambda table: table.sit("newcomer", 0, 10_000))
    found = view(felt.table, "newcomer")
    assert found["seats"][0]["yours"]
    assert found["seats"][0]["cards"] == []
    assert found["payments"] == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_groups_are_of_cards_that_the_viewer_sees_and_a_hand_is_named_at_its_result(game: Game) -> None:
    felt, viewers = Felt(game, timers=BY_HAND), ("player 0", "player 1", "somebody")
    felt.dealt((0, 1))
    while felt.phase != Phase.BETTING:
        for viewer in viewers:
            check_groups(view(felt.table, viewer))
        felt.time_is_up()
    shown = view(felt.table, "player 0")
    check_groups(shown)
    own = shown["seats"][0]
    assert own["reading"] == "; ".join(
        f"{group['title']}: {group['reading']}" if group["title"] else group["reading"]
        for group in own["groups"]
    )


def check_groups(seen: dict[str, Any]) -> None:
    """Every position of a group is that of a card that is face up."""
    hands = [(seat["cards"], seat["groups"]) for seat in seen["seats"]]
    for cards, groups in [*hands, (seen["dealer"], seen["dealer_groups"])]:
        for group in groups:
            assert BACK not in [cards[n] for n in group["cards"]]
            assert BACK not in [seen["board"][n] for n in group["board"]]


def test_a_choice_says_what_it_does_with_money() -> None:
    felt = Felt(GAMES["ultimate-texas-holdem"], timers=BY_HAND).until(Phase.CHOOSING)
    kinds = {one["choice"]: one["kind"] for one in view(felt.table, "player 0")["seats"][0]["choices"]}
    assert kinds["check"] == "goes-on"
    assert {kind for choice, kind in kinds.items() if choice != "check"} == {"puts-down"}
