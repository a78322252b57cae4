"""Acts at a table that concern a progressive: a player's bet, and the dealer's count of all bets."""

from feltlab.errors import Refused
from feltlab.pit.jackpots.link import Link
from feltlab.pit.jackpots.sensors import lit_sensors
from feltlab.pit.seats import ROUND_PHASES
from feltlab.pit.table import Table
from feltlab.text import dollars


def place_bet(table: Table, player: str, seat: int, link: Link) -> Table:
    """Put the bet of a seat on a progressive, while bets are open."""
    place = table._place_of(player, seat)
    table._check_betting("No more bets: the round is on.")
    cents = link.progressive.bet_cents
    if place.jackpot:
        raise Refused(f"Seat {seat + 1} has its bet on the progressive already; there is one for each seat.")
    if place.bankroll < cents:
        raise Refused(f"A bet on the progressive is {dollars(cents)}; you have {dollars(place.bankroll)}.")
    bet = {"seat": seat, "player": player, "link": link.name, "cents": cents}
    return table._record("jackpot-sensor", bet)


def take_bet_back(table: Table, player: str, seat: int) -> Table:
    """Take the bet of a seat on a progressive back, while bets are open."""
    place = table._place_of(player, seat)
    table._check_betting("No more bets: the round is on.")
    if not place.jackpot:
        raise Refused(f"Seat {seat + 1} has no bet on the progressive.")
    bet = {"seat": seat, "player": player, "link": place.jackpot, "cents": 0}
    return table._record("jackpot-sensor", bet)


def has_open_bets(table: Table, link: str) -> bool:
    """Whether seats have bets on this progressive that "no more bets" would lock."""
    return table.phase not in ROUND_PHASES and any(place and place.jackpot == link for place in table.places)


def return_open_bets(table: Table, link: str) -> Table:
    """Turn off the sensors of a progressive that the table no longer feeds; no money has moved yet."""
    table._check_betting("No more bets: the round is on.")
    for seat, place in enumerate(table.places):
        if place and place.jackpot == link:
            off = {"seat": seat, "player": place.player, "link": link, "cents": 0}
            table = table._record("jackpot-sensor", off | {"why": "The progressive ended at this table."})
    return table


def close_bets(table: Table, by: str, counted: int | None) -> Table:
    """Close the betting with the dealer's count of the bets on a progressive.

    A count that differs from the sensors is recorded, and the betting stays open until they agree.
    """
    sensors = len(lit_sensors(table))
    if counted is None and sensors:
        raise Refused("Count the bets on the progressive first, and send the number with the act.")
    if counted is not None and counted != sensors:
        table._check_betting("There are no more bets to close: the round is on.")
        return table._record("jackpot-mismatch", {"by": by, "counted": counted, "sensors": sensors})
    return table.no_more_bets(by)
