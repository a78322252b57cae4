"""Rule sheets and rounds as tests of the dealing procedure read them."""

from collections.abc import Iterator, Mapping, Sequence

from feltlab.core.cards import Cards, cards
from feltlab.core.deal import Deal, Seat
from feltlab.core.game import Game
from feltlab.core.layout import BURNT, DEALER
from feltlab.games.data import _stack_shoe
from feltlab.submission.procedure import ProcedureStep, procedure
from feltlab.submission.rule_sheet import Clause, parse_rule_sheet


def clause_of(game: Game, number: str) -> Clause | None:
    """A clause of the sheet under the game's options, if it holds under them."""
    return next((clause for clause in parse_rule_sheet(game).clauses if clause.number == number), None)


def holds_only_with(game: Game, number: str, **options: str) -> bool:
    """Does a clause hold under these options, and under no other value of any one of them?"""
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    if clause_of(game.with_options(chosen), number) is None:
        return False
    others = (
        game.with_options(chosen | {option.name: value})
        for option in game.rules.OPTIONS
        for value in option.values
        if option.name in chosen and value != chosen[option.name]
    )
    return all(clause_of(other, number) is None for other in others)


def steps_at(game: Game, moment: str) -> str:
    """What is done and said at a moment of the round, as one text."""
    found: list[ProcedureStep] = [step for step in procedure(game) if step.moment == moment]
    assert found, f"{game} has no moment {moment!r}"
    return " ".join(f"{step.does} {step.says}" for step in found)


def course(
    game: Game, first: str, wagers: Sequence[Mapping[str, int]], choices: Sequence[str] = ()
) -> list[str]:
    """A round as its table sees it: cards in order, choices, and each wager when it is taken or paid."""
    shoe = _stack_shoe(game, cards(first))
    deal = Deal(game, shoe, tuple(map(Seat, wagers)), settled=0)
    left, told = list(choices), list(_cards(deal, 0))
    while not deal.over:
        done = len(deal.dealt)
        if deal.turn is None:
            told += [f"{seat + 1} {paid.spot.name} {paid.net:+}" for seat, paid in deal.due]
            deal = deal.settle_due()
        else:
            told.append(f"{deal.turn + 1} {left[0]}")
            deal = deal.choose(deal.turn, left.pop(0))
        told += _cards(deal, done)
    assert not left, f"nobody chose {left}"
    return told


def _cards(deal: Deal, done: int) -> Iterator[str]:
    names = {DEALER: "dealer", BURNT: "burned"}
    for who, card in deal.dealt[done:]:
        yield f"{names.get(who, who + 1)}: {Cards([card])}"


def is_before(told: Sequence[str], *events: str) -> bool:
    """Did these events happen, in this order?"""
    places = [told.index(event) for event in events]
    return places == sorted(places)
