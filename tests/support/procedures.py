"""Rule sheets and rounds as tests of the dealing procedure read them."""

from collections.abc import Iterator, Mapping, Sequence

from feltlab.core.cards import Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import BOARD, BURNT, DEALER
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
    deal = Deal.start(game, _stack_shoe(game, cards(first)), wagers)
    told, cards_told, stages_told = [], 0, 0
    for choice in (*choices, ""):
        for end, payments in (*deal.stages[stages_told:], (len(deal.dealt), ())):
            told += _cards(deal, cards_told, end)
            told += [f"{seat + 1} {paid.spot.name} {paid.net:+}" for seat, paid in payments]
            cards_told = end
        stages_told = len(deal.stages)
        if choice:
            assert deal.turn is not None, f"nobody chose {choice}"
            told.append(f"{deal.turn + 1} {choice}")
            deal = deal.choose(deal.turn, choice)
    assert deal.over
    return told


def _cards(deal: Deal, first: int, end: int) -> Iterator[str]:
    names = {DEALER: "dealer", BOARD: "board", BURNT: "burned"}
    for who, card in deal.dealt[first:end]:
        yield f"{names.get(who, who + 1)}: {Cards([card])}"


def is_before(told: Sequence[str], *events: str) -> bool:
    """Did these events happen, in this order?"""
    places = [told.index(event) for event in events]
    return places == sorted(places)
