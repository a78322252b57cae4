"""The drill of reading a hand: name it, and point out the cards that play."""

from collections.abc import Sequence

import numpy as np

from feltlab.core.cards import Cards
from feltlab.games.card_groups import CardGroup, group_cards
from feltlab.school.drills.question import HAND, AnswerOption, DrillQuestion, describe_felt
from feltlab.school.hands import Draw, TrainingHand, deal_hand, dealer_groups, player_groups
from feltlab.school.rule_book import RuleBook
from feltlab.school.slips import DealerSlip

NAME, TITLE = "read-hand", "Read the hand"
OPTIONS, TRIES = 4, 40
PLAIN_TITLES = ("hand", "card", "run")  # of groups that say themselves what they are


def ask(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion | None:
    """Ask for the name of a hand of a random deal; None where no hand of the game can be read."""
    hand = deal_hand(book.game, draw, level)
    hands = [
        (f"Seat {n + 1}", *player_groups(hand, n), hand.deal.seats[n].chosen) for n in range(len(hand.wagers))
    ]
    dealers = ("The dealer", *dealer_groups(hand), None)
    known = [each for each in (*hands, dealers) if each[2]]
    if not known:
        return None
    who, held, groups, chosen = known[int(draw.integers(len(known)))]
    group = groups[int(draw.integers(len(groups)))]
    names = _other_readings(hand, draw, held, group, chosen)
    order = [str(name) for name in draw.permutation(np.array([group.reading, *names]))]
    keys = {name: str(n) for n, name in enumerate(order, 1)}
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        f"{who} holds {held}. Name the {_name_group(group)} and {_say_pick(held)}.",
        HAND,
        (keys[group.reading], *map(str, group.cards)),
        tuple(AnswerOption(key, name) for name, key in keys.items()),
        cards=str(held),
        felt=describe_felt(hand),
        facts={"hand": hand, "group": group},
    )


def _name_group(group: CardGroup) -> str:
    """'hand' or 'card', and 'hand for Blackjack' where the cards count for several wagers."""
    return group.title if group.title in PLAIN_TITLES else f"hand for {group.title}"


def _say_pick(held: Cards) -> str:
    return "pick the cards that play" if len(held) > 1 else "pick it"


def _other_readings(
    hand: TrainingHand, draw: Draw, held: Cards, group: CardGroup, chosen: tuple[str, ...] | None
) -> list[str]:
    """Readings of other hands of as many cards, for wrong options."""
    found: list[str] = []
    deck = np.array(hand.game.deck.cards)
    for _ in range(TRIES):
        other = Cards(int(card) for card in draw.choice(deck, len(held), replace=False))
        for each in group_cards(hand.game, other, chosen):
            if each.title == group.title and each.reading not in (group.reading, *found):
                found.append(each.reading)
        if len(found) >= OPTIONS - 1:
            break
    return found[: OPTIONS - 1]


def judge(question: DrillQuestion, answer: Sequence[str], book: RuleBook) -> tuple[list[DealerSlip], str]:
    group: CardGroup = question.facts["group"]
    says = f"{group.reading}: {_name_cards(question, group.cards)}."
    clause = book.cite_hands(group.title)
    if answer[0] != question.truth[0]:
        chosen = next(option.text for option in question.options if option.key == answer[0])
        return [DealerSlip("misread-hand", f"The hand is {group.reading}, not {chosen}.", clause)], says
    if set(answer[1:]) != set(question.truth[1:]):
        clause = book.cite_hands(group.title, "playing-cards")
        return [DealerSlip("wrong-cards", f"The cards that play are {says}", clause)], says
    return [], says


def _name_cards(question: DrillQuestion, positions: Sequence[int]) -> str:
    names = question.cards.split()
    return " ".join(names[n] for n in positions) or "no cards"
