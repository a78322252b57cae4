"""The accounts under which the ledger indexes the events of a table.

The end of a round is found under each of its players, with the player's net, and a correction under the
player whose payment it corrects.
"""

from collections.abc import Callable, Iterable

from feltlab.ledger.event import Mention
from feltlab.pit.event_kinds import ROUND_ENDS
from feltlab.pit.irregularities.recorded import CORRECTED
from feltlab.pit.seat_numbers import Data

# The states of a mention. A round has none at first; its choices are valued, and it is judged once it is
# known what its wagers are worth. A round that cannot be judged says why.
VOID, CORRECTION, VALUED, JUDGED, UNJUDGED = "void", "correction", "valued", "judged", "unjudged"
MENTIONING = frozenset((*ROUND_ENDS, CORRECTED))  # the kinds of events that mention accounts
OPEN_STATES = ("", VALUED)  # in which something is left to work out


def mentions_of(kind: str, data: Data, game: str, player_of: Callable[[int], str]) -> tuple[Mention, ...]:
    """The mentions in an event of a table, whose data number seats from 0."""
    if kind in ROUND_ENDS:
        return tuple(_round_mentions(data, game, player_of))
    if kind == CORRECTED:
        seat, round = data["seat"] + 1, data["corrects"]
        return (Mention(data["player"], seat, game, data["cents"], CORRECTION, round),)
    return ()


def _round_mentions(data: Data, game: str, player_of: Callable[[int], str]) -> Iterable[Mention]:
    nets: dict[int, int] = {}
    for seat, _, _, _, net in data.get("payments", ()):
        nets[seat] = nets.get(seat, 0) + net
    state = VOID if "reason" in data else ""
    for text in data["returned"]:
        seat = int(text)
        yield Mention(player_of(seat), seat + 1, game, nets.get(seat, 0), state)
