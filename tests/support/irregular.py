"""Irregularities at a table in memory, one function for each clause that all rule sheets share."""

from feltlab.core.game import Game
from feltlab.ledger.event import Draft
from feltlab.pit.irregularities.actions import record_irregularity
from feltlab.pit.irregularities.corrections import PaymentInQuestion, correct_payment, largest_net
from feltlab.pit.recorded_round import RecordedPayment
from feltlab.pit.seats import Phase
from tests.support.felt import BY_HAND, Felt, kinds


def record(felt: Felt, kind: str, hand: str, decision: str, found: int | None = None) -> list[Draft]:
    return felt.act(lambda table: record_irregularity(table, "sue", kind, hand, decision, found))


def check_card_seen_too_early(game: Game) -> None:
    """While a seat has yet to choose, a supervisor can void; once all have chosen, the round continues."""
    _check_void(game, "exposed-card")
    _check_played_on(game, "exposed-card")


def check_card_out_of_turn(game: Game) -> None:
    _check_void(game, "wrong-seat")
    _check_played_on(game, "wrong-seat")


def _check_void(game: Game, kind: str) -> None:
    felt = Felt(game).until(Phase.CHOOSING, (0, 1))
    before = felt.chips + felt.meters.win + felt.win_in_round
    drafts = record(felt, kind, game.shared_areas[-1], "void")
    assert kinds(drafts)[:2] == ["irregularity", "void"]
    assert (felt.phase, felt.chips + felt.meters.win, felt.bettors) == (Phase.BETTING, before, [])


def _check_played_on(game: Game, kind: str) -> None:
    felt = Felt(game, timers=BY_HAND).until(Phase.REVEAL, (0, 1))
    assert kinds(record(felt, kind, "seat 1", "play-on")) == ["irregularity"]
    felt.over()
    assert felt.meters.voids == 0


def check_wrong_payment(game: Game) -> None:
    """The difference goes from the house to the player, and the round stays as it is."""
    felt = Felt(game)
    felt.dealt((0,))
    felt.over()
    round, win, bankroll = felt.round, felt.meters.win, felt.places[0].bankroll
    paid = RecordedPayment(0, game.wagers[0].name, "outcome", 1000, -1000)
    wrong = PaymentInQuestion(round - 1, "player 0", paid, -1000, -1000, largest_net(game, paid))
    drafts = felt.act(lambda table: correct_payment(table, "sue", wrong, -1000, 500, "It was a win."))
    assert [(draft.data["cents"], draft.data["house"]) for draft in drafts] == [(1500, -1500)]
    assert (felt.meters.win, felt.places[0].bankroll, felt.round) == (win - 1500, bankroll + 1500, round)
