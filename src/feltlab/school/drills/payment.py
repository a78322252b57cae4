"""The drill of paying: the amount in the fewest chips, half a loss, odd chips, and colouring up."""

from collections.abc import Sequence
from typing import Any

from feltlab.core.settlement import Settled
from feltlab.school.chips import fewest_chips, name_chips, parse_chips, tray_chips
from feltlab.school.drills.moments import show_wagers
from feltlab.school.drills.question import CHIPS, DrillQuestion, describe_felt
from feltlab.school.hands import Draw, TrainingHand, deal_hand
from feltlab.school.rule_book import RuleBook
from feltlab.school.settling import bonus_base, cite_wager, count_outcomes, wager_slip
from feltlab.school.slips import DealerSlip, split_cost
from feltlab.submission.chips import Chip
from feltlab.text import dollars

NAME, TITLE = "payment", "The payment in chips"
TRIES = 40
COLOUR_UP_SHARE = 0.15  # of the questions
COLOUR_UP_CHIPS = 30  # at most, of the player's stack
VARIED_LEVEL = 2  # from here on 3 to 2, 1 to 2 and half a loss are as frequent as even money,
VARIED_HANDS = 12  # as far as as many hands have them

Payment = tuple[TrainingHand, int, Settled]  # a wager of a seat that wins or loses a part


def ask(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion | None:
    """Ask for the chips of a payment of a random deal, or for a stack in larger chips."""
    if draw.random() < COLOUR_UP_SHARE:
        return _ask_colour_up(book, draw, seed, level)
    found: list[Payment] = []
    for dealt in range(1, TRIES + 1):
        hand = deal_hand(book.game, draw, level)
        found += [(hand, n, paid) for n, paid in hand.payments if paid.net > 0 or -paid.staked < paid.net < 0]
        if found and (level < VARIED_LEVEL or dealt >= VARIED_HANDS):
            return _ask_payment(book, *_choose(book, found, draw, level), seed, level)
    return _ask_colour_up(book, draw, seed, level)


def _choose(book: RuleBook, found: list[Payment], draw: Draw, level: int) -> Payment:
    """A payment: from level 2 on all odds are equally likely, and above it many chips are."""
    if level >= VARIED_LEVEL:
        odds = list(dict.fromkeys(_name_odds(book, paid) for *_, paid in found))
        chosen = odds[int(draw.integers(len(odds)))]
        found = [each for each in found if _name_odds(book, each[2]) == chosen]
    if level > VARIED_LEVEL and draw.random() < 0.5:
        return max(found, key=lambda each: len(fewest_chips(abs(each[2].net))))
    return found[int(draw.integers(len(found)))]


def _name_odds(book: RuleBook, paid: Settled) -> str:
    """'3 to 2' or 'lose half'."""
    lines = book.game.pay_table(paid.spot).lines
    return str(next(line.odds for line in lines if line.outcome == paid.outcome))


def _ask_payment(
    book: RuleBook, hand: TrainingHand, seat: int, paid: Settled, seed: int, level: int
) -> DrillQuestion:
    staked, odds = dollars(paid.staked or hand.wagers[seat][paid.spot.bonus_on]), _name_odds(book, paid)
    does = "Pay it" if paid.net > 0 else "Take what is lost"
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        f"Seat {seat + 1} has {staked} on {paid.spot.title}: {paid.outcome}, {odds}. {does}.",
        CHIPS,
        tuple(map(str, fewest_chips(abs(paid.net)))),
        felt=describe_felt(hand),
        facts={
            "hand": hand,
            "paid": paid,
            "cents": abs(paid.net),
            "clause": cite_wager(book, hand, seat, paid),
            "base": bonus_base(hand, seat, paid),
            "met": count_outcomes([(seat, paid)]),
        },
    )


def _ask_colour_up(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion:
    chip = tray_chips()[int(draw.integers(min(level, 3)))]
    count = int(draw.integers(5, COLOUR_UP_CHIPS))
    cents = chip.cents * count
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        f"A player leaves with {count} {chip.colour} chips of {dollars(chip.cents)}. Colour them up.",
        CHIPS,
        tuple(map(str, fewest_chips(cents))),
        felt=_show_stack(book, chip, count),
        facts={"cents": cents},
    )


def _show_stack(book: RuleBook, chip: Chip, count: int) -> dict[str, Any]:
    """The layout with the stack of a player who leaves."""
    felt = show_wagers(book, [{}])
    felt["seats"][0]["stack"] = [chip.cents] * count
    return felt


def judge(question: DrillQuestion, answer: Sequence[str], book: RuleBook) -> tuple[list[DealerSlip], str]:
    chips, cents = parse_chips(answer), question.facts["cents"]
    paid: Settled | None = question.facts.get("paid")
    right = fewest_chips(cents)
    says = f"{dollars(cents)}: {name_chips(right)}."
    clause = question.facts["clause"] if paid else book.cite("procedure")
    if sum(chips) != cents:
        sign = -1 if paid and paid.net < 0 else 1  # too much taken costs the player
        what = f"{dollars(cents)} is due, not {dollars(sum(chips))}."
        if paid:
            base = question.facts["base"]
            return [wager_slip("wrong-amount", what, clause, paid, sign * sum(chips), base)], says
        return [DealerSlip("wrong-amount", what, clause, **split_cost(sum(chips), cents))], says
    if len(chips) > len(right):
        return [
            DealerSlip("wrong-chips", f"The fewest chips are {name_chips(right)}.", book.cite("procedure"))
        ], says
    return [], says
