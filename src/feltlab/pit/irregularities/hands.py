"""Hands of a deal by the names that are on record, 'seat 2', 'board' and 'dealer', and their cards."""

import re

from feltlab.core.deal import Deal
from feltlab.errors import Refused
from feltlab.text import listing

_SEAT = re.compile(r"seat ([1-9][0-9]?)")


def seat_hand(seat: int) -> str:
    """The name of the hand of a seat, which is counted from 0."""
    return f"seat {seat + 1}"


def seat_of_hand(hand: str) -> int | None:
    """The seat of a hand, counted from 0; None for cards that all seats share."""
    found = _SEAT.fullmatch(hand)
    return int(found[1]) - 1 if found else None


def hands_of(deal: Deal) -> list[str]:
    """The names of all hands of a deal; the board's and the dealer's come last."""
    return [*(seat_hand(position - 1) for position in deal.positions), *deal.game.shared_areas]


def check_hand(deal: Deal, hand: str) -> None:
    if hand not in hands_of(deal):
        raise Refused(f"{hand!r} is not a hand of this round; its hands are {listing(hands_of(deal))}.")


def cards_due(deal: Deal) -> dict[str, int]:
    """The number of cards that each hand has by the rules at this moment of the deal."""
    return dict(zip(hands_of(deal), deal.cards_due, strict=True))


def count_hand(deal: Deal, hand: str, found: int) -> Deal:
    """The deal after the cards of one hand were counted: void if the number is wrong."""
    counts = tuple((cards_due(deal) | {hand: found}).values())
    return deal.count_hands(counts[: len(deal.seats)], *counts[len(deal.seats) :])


def describe_hand(hand: str) -> str:
    """'The dealer', 'Seat 2'."""
    return f"The {hand}" if seat_of_hand(hand) is None else hand.capitalize()


def describe_count(count: int) -> str:
    """'1 card', '4 cards'."""
    return f"{count} card{'s' * (count != 1)}"
