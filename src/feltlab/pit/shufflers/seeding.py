"""Seats seal seeds for a shuffle while bets are open, and reveal them before its first card is dealt.

Until the bets have closed the table knows only the digest of a seed. So nobody, the house included, can
choose a seed, or anything else, in view of another one. A sealed seed that is not revealed makes the round
void: if it were left out, whoever keeps it back would choose between two orders.

A seed belongs to the shuffle, so in a shoe it mixes all rounds of it. Cards that are shuffled again while
bets are open take no seed from before.
"""

import re

from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.pit.seats import Phase
from feltlab.pit.table import Table
from feltlab.shuffling.seeds import parse_seed

DIGEST = re.compile("[0-9a-f]{64}")


def why_no_seed(table: Table) -> str:
    """Why no seat can seal a seed now, or ''."""
    if table.phase != Phase.BETTING:
        return "Seeds are sealed while bets are open."
    if table.used:
        return "Cards of this shoe have been dealt; seeds are sealed again after its next shuffle."
    return ""


def seal_seed(table: Table, player: str, seat: int, digest: str) -> Table:
    """Put the digest of a seat's own seed on record; another one of the seat takes its place."""
    table._place_of(player, seat)
    if why := why_no_seed(table):
        raise Refused(why)
    if not DIGEST.fullmatch(digest):
        raise Refused("A sealed seed is its SHA-256, 64 small hexadecimal digits.")
    return table._record("seed-sealed", {"seat": seat, "player": player, "digest": digest})


def reveal_seed(table: Table, player: str, seat: int, text: str) -> Table:
    """Reveal the seed that a seat has sealed, once the bets are closed; the last one lets the cards fall."""
    table._place_of(player, seat)
    if table.phase != Phase.NO_MORE_BETS:
        raise Refused("A seed is revealed after the bets have closed, before the first card.")
    sealed = next((one for one in table.awaited_seeds if (one.seat, one.player) == (seat, player)), None)
    if sealed is None:
        raise Refused(f"The table does not wait for a seed of seat {seat + 1}.")
    seed = parse_seed(text)
    if sha256_hex(seed.encode()) != sealed.digest:
        raise Refused(f"This is not the seed that seat {seat + 1} has sealed.")
    return table._record("seeded", {"seat": seat, "player": player, "seed": seed})._advance()
