"""Tables of the dealer school for tests: their players stay in, so no strategy has to be solved."""

from feltlab.core.game import Game
from feltlab.school.session import DealingSession, open_session
from feltlab.school.tables import TableSeed
from feltlab.workers.seat_players import STAY_IN, play_seats

ACT_FIELDS = ("kind", "place", "words", "spot", "chips")


def open_table(game: Game, seed: int, level: int, seats: int) -> DealingSession:
    """The session of a table whose players stay in with every hand."""
    terms = TableSeed(seed, level, seats)
    return open_session(terms.build_hand(game, play_seats(game, *terms.deal(game), (STAY_IN,) * seats)))


def perfect_acts(session: DealingSession) -> list[dict[str, object]]:
    """The acts of a perfect dealer as a browser sends them."""
    return [{key: act.to_json()[key] for key in ACT_FIELDS} for act in session.due]
