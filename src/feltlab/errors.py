"""Errors with a message for the user."""

from math import ceil


class Refused(ValueError):
    """Input that is not accepted. Nothing has changed, and the message is one sentence for the user.

    >>> from feltlab import Refused, cards
    >>> try:
    ...     cards("Zz")
    ... except Refused as refusal:
    ...     print(refusal)
    'Zz' is not a card; cards are written like As, Td, 9h or Jk.
    """


class Unknown(Refused, KeyError):
    """A name that does not exist. It is also a `KeyError`, as mappings raise."""

    __str__ = Refused.__str__  # a KeyError would print the sentence in quotes


class TooOften(Refused):
    """A request that comes too soon after others; `seconds` says how long to wait."""

    def __init__(self, what: str, seconds: float) -> None:
        self.seconds = max(1, ceil(seconds))
        unit = "second" if self.seconds == 1 else "seconds"
        super().__init__(f"Too many {what}; try again in {self.seconds} {unit}.")
