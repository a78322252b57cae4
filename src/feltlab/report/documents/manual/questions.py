"""Questions of a training manual and their answers, which the rules and the procedure give."""

from collections.abc import Iterator
from dataclasses import dataclass

from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.games.data import printed_lines
from feltlab.report.document import Items, Paragraph, Section
from feltlab.report.documents.manual.payments import example_stakes
from feltlab.report.documents.manual.sampled_rounds import describe_settled, sample_rounds, settled_wagers
from feltlab.submission.chips import describe_chips
from feltlab.submission.procedure import procedure
from feltlab.submission.venues import Venue
from feltlab.text import capitalised, dollars, listing

MAX_HANDS = 8
MAX_CALLS = 5


@dataclass(frozen=True)
class Question:
    text: str
    answer: str


def describe_questions(game: Game, venue: Venue | None = None) -> Iterator[Section]:
    """The questions, and on a page of their own the answers."""
    asked = list(make_questions(game, venue))
    lead = Paragraph("Answer aloud, with cards and chips on the table. The answers are on the next page.")
    yield Section("Questions", (lead, Items(tuple(one.text for one in asked), numbered=True)), new_page=True)
    source = Paragraph("Each answer is computed from the rules: hands are settled as at a table.", "note")
    answers = Items(tuple(one.answer for one in asked), numbered=True)
    yield Section("Answers", (source, answers), new_page=True)


def make_questions(game: Game, venue: Venue | None = None) -> Iterator[Question]:
    """Questions on calls, on payments in chips, on hands to settle, on the order of settling."""
    yield from _ask_calls(game, venue)
    yield from _ask_payments(game)
    yield from map(_ask_hand, _choose_hands(game))


def _ask_calls(game: Game, venue: Venue | None) -> Iterator[Question]:
    spoken = [step for step in procedure(game, venue) if step.says and step.actor == "dealer"]
    for step in spoken[:MAX_CALLS]:
        clauses = f"clause{'s' * (len(step.clauses) > 1)} {listing(step.clauses)}"
        text = f"Step {step.number}, {step.moment}: “{step.does}” What do you say?"
        yield Question(text, f"{capitalised(step.says).rstrip('.')} ({clauses}).")


def _ask_payments(game: Game) -> Iterator[Question]:
    """The best-paying and the oddest line of each wager."""
    for spot in game.spots:
        wins = [line for line in printed_lines(game, spot) if line.result == "win"]
        odd = [line for line in wins if line.pays.denominator > 1]
        for line in dict.fromkeys([*odd[:1], *wins[len(wins) // 2 : len(wins) // 2 + 1]]):
            cents = example_stakes(game, spot)[-1]
            due = int(cents * line.pays)
            text = (
                f"{spot.title}: {dollars(cents)} wins with “{line.outcome}”. What do you pay, in which chips?"
            )
            yield Question(text, f"{line.odds}: {dollars(due)}, in the fewest chips {describe_chips(due)}.")


def _choose_hands(game: Game) -> list[Deal]:
    """Rounds that together have the most different outcomes, greedily."""
    left = list(sample_rounds(game))
    seen: set[tuple[str, str]] = set()
    chosen: list[Deal] = []
    while left and len(chosen) < MAX_HANDS:
        best = max(left, key=lambda deal: len(_outcomes(deal) - seen))
        if not _outcomes(best) - seen:
            break
        seen |= _outcomes(best)
        chosen.append(best)
        left.remove(best)
    return chosen


def _outcomes(deal: Deal) -> set[tuple[str, str]]:
    return {(paid.spot.name, paid.outcome) for paid in settled_wagers(deal)}


def _ask_hand(deal: Deal) -> Question:
    seat, round = deal.seats[0], deal.rounds[0]
    wagers = listing(
        f"{dollars(cents)} on {deal.game.spot(name).title}" for name, cents in seat.wagers.items()
    )
    chosen = f" The player chooses {listing(seat.chosen, 'then')}." if seat.chosen else ""
    held = ", ".join(f"{_holder(area)} {cards}" for area, cards in round.view.areas.items() if cards)
    text = f"A player has {wagers}.{chosen} At the end {held}. What do you take and pay, in which order?"
    return Question(text, " ".join(map(describe_settled, settled_wagers(deal))))


def _holder(area: str) -> str:
    return {"player": "the player holds", "dealer": "the dealer holds"}.get(area, f"the {area} is")
