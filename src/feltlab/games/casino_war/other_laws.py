"""The laws of Casino War under other readings of its rules."""

from collections.abc import Mapping
from functools import partial

from feltlab.core.solver import SolveLaw
from feltlab.games.casino_war.solver import RANKS, Faces, solve

ACE_LOW = Faces([(rank + 1) % len(RANKS) for rank in RANKS], copies=4)
SUITS_RANKED = Faces(range(52), copies=1)

OTHER_LAWS: Mapping[str, SolveLaw] = {
    "ace-low": partial(solve, faces=ACE_LOW),
    "suits-ranked": partial(solve, faces=SUITS_RANKED),
}
