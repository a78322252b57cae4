"""A question of a drill, the answers that are possible, and the verdict on an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from feltlab.core.deal import Deal
from feltlab.errors import Refused
from feltlab.school.hands import TrainingHand, shown_cards
from feltlab.school.slips import DealerSlip, total_cost

# The forms of an answer, which is always a sequence of words.
ONE = "one"  # the key of one option
HAND = "hand"  # the key of an option, then the positions of the cards that play, from 0
SETTLE = "settle"  # "SEAT SPOT take|push|pay" for each wager, in order; seats from 1
CHIPS = "chips"  # the value of each chip, in cents
EVENT = "event"  # the number of an event from 1, and the key of an option; ("0", "none") if nothing is wrong
FORMS = (ONE, HAND, SETTLE, CHIPS, EVENT)
NONE = "none"
MAX_WORDS = 200  # of an answer


@dataclass(frozen=True)
class AnswerOption:
    """A possible answer."""

    key: str
    text: str


@dataclass(frozen=True)
class DrillQuestion:
    """A question: the same game, drill, seed and level ask the same one again."""

    drill: str
    game: str  # its words
    seed: int
    level: int
    prompt: str
    form: str
    truth: tuple[str, ...] = field(repr=False)  # a right answer
    options: tuple[AnswerOption, ...] = ()
    events: tuple[str, ...] = ()  # of a table, in order
    frames: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)  # the table during the events,
    shows: tuple[int, ...] = ()  # and the number of the frame after each event
    cards: str = ""  # of the hand in question
    felt: Mapping[str, Any] = field(default_factory=dict, hash=False)  # what lies on the table
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)  # for the judge

    def to_json(self, with_truth: bool = False) -> dict[str, Any]:
        """Plain data for a page; without the truth it is safe to show."""
        shown = {name: value for name, value in vars(self).items() if name not in ("truth", "facts")}
        shown |= {"options": [vars(option) for option in self.options], "events": list(self.events)}
        shown |= {"frames": list(self.frames), "shows": list(self.shows)}
        return shown | ({"truth": list(self.truth)} if with_truth else {})


@dataclass(frozen=True)
class DrillVerdict:
    """The judgement of an answer."""

    answer: tuple[str, ...]
    truth: tuple[str, ...]
    slips: tuple[DealerSlip, ...] = ()
    says: str = ""  # the truth in a sentence
    met: Mapping[str, int] = field(default_factory=dict, hash=False)  # outcomes that were to be settled

    @property
    def is_right(self) -> bool:
        return not self.slips

    def to_json(self) -> dict[str, Any]:
        return {
            "right": self.is_right,
            "answer": list(self.answer),
            "truth": list(self.truth),
            "says": self.says,
            "slips": [slip.to_json() for slip in self.slips],
            "cost": total_cost(self.slips),
            "met": dict(self.met),
        }


def check_answer(question: DrillQuestion, answer: Sequence[str]) -> tuple[str, ...]:
    """The words of an answer; refuses one that the form does not allow."""
    words = tuple(map(str, answer))
    if len(words) > MAX_WORDS:
        raise Refused(f"An answer has at most {MAX_WORDS} words, not {len(words)}.")
    keys = [option.key for option in question.options]
    if question.form == ONE and (len(words) != 1 or words[0] not in keys):
        raise Refused("Answer with one of the options of the question.")
    if question.form == HAND and (not words or words[0] not in keys):
        raise Refused("Answer with one of the options and the cards that play.")
    if question.form == EVENT:
        _check_event(question, words, keys)
    return words


def _check_event(question: DrillQuestion, words: tuple[str, ...], keys: list[str]) -> None:
    numbers = [str(n) for n in range(len(question.events) + 1)]
    if len(words) != 2 or words[0] not in numbers or words[1] not in keys:
        raise Refused(
            "Answer with the number of an event and one of the options; 0 and none if all is right."
        )
    if (words[0] == "0") != (words[1] == NONE):
        raise Refused("Name an event and what is wrong with it, or 0 and none.")


def describe_felt(hand: TrainingHand, state: Deal | None = None) -> dict[str, Any]:
    """The table of a hand at its end or in another state, as plain data.

    It has the wagers of each seat, its cards and choices, and the shared cards.
    """
    deal = state or hand.deal
    gone = {(n, paid.spot.name) for _, paid_then in deal.stages for n, paid in paid_then if deal != hand.deal}
    seats = [
        {
            "seat": n + 1,
            "wagers": {
                spot.name: round.staked(spot)
                for spot in hand.game.spots
                if round.staked(spot) and (n, spot.name) not in gone
            },
            "cards": str(round.view.player),
            "chosen": list(round.chosen),
        }
        for n, round in enumerate(deal.rounds)
    ]
    shared = {name: str(cards) for name, cards in shown_cards(deal).items()}
    return {"seats": seats, "spots": {s.name: s.title for s in hand.game.spots}, **shared}
