"""Verdicts that stay in the server until the answer is there."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass

from feltlab.errors import Refused, Unknown
from feltlab.text import listing
from feltlab.workers.training.decisions import Data

VERDICT = ("values", "row", "reason", "after")  # of a decision; `after` leads to what follows the best choice
MAX_SEALED = 5_000


@dataclass
class Sealed:
    """A decision, and the answer to it."""

    decision: Data
    choice: str = ""


class SealedVerdicts:
    """Decisions by the random token under which the answer is sent."""

    def __init__(self) -> None:
        self._sealed: OrderedDict[str, Sealed] = OrderedDict()

    def seal(self, decision: Data) -> Data:
        """The decision without its verdict, and with a token."""
        token = secrets.token_urlsafe(12)
        self._sealed[token] = Sealed(decision)
        if len(self._sealed) > MAX_SEALED:
            self._sealed.popitem(last=False)
        return hide_verdict(decision, token)

    def open(self, token: str, choice: str) -> Data:
        """The verdict, for the first answer that is given; the same answer may be sent again."""
        sealed = self._sealed.get(token)
        if sealed is None:
            raise Unknown("This hand has been put away; deal another.")
        verdict = give_verdict(sealed.decision, choice)
        if sealed.choice not in ("", choice):
            raise Refused(f"You have answered {sealed.choice} already.")
        sealed.choice = choice
        return verdict


def hide_verdict(decision: Data, token: str) -> Data:
    shown = {name: value for name, value in decision.items() if name not in VERDICT}
    return shown | {"token": token}


def give_verdict(decision: Data, choice: str) -> Data:
    """The verdict on a decision; refuses an answer that is none of its choices."""
    choices = [one["choice"] for one in decision["choices"]]
    if choice not in choices:
        raise Refused(f"The choices are {listing(choices)}, not {choice!r}.")
    return {name: decision[name] for name in VERDICT}
