"""The dealing procedure of a table's game for its dealer and supervisor, by the moments of a round."""

from dataclasses import asdict
from functools import lru_cache
from itertools import groupby

from feltlab.core.game import Game
from feltlab.submission.procedure import procedure
from feltlab.submission.venues import Venue, venue
from feltlab.web.page import Data


def describe_procedure(game: Game, at: Venue) -> list[Data]:
    return _moments(game, at.name)


@lru_cache(maxsize=256)
def _moments(game: Game, venue_name: str) -> list[Data]:
    """Moments with their steps: a page of the floor asks every few seconds."""
    steps = procedure(game, venue(venue_name))
    moments = groupby(steps, key=lambda step: step.moment)
    return [{"moment": moment, "steps": [asdict(step) for step in found]} for moment, found in moments]
