"""What feltlab says when it will not do a thing."""

from math import ceil


class Refused(ValueError):
    """Input that the rules, the table or the reader does not accept.

    The message is one sentence meant for the person who gave the input. Nothing has changed.
    """


class Unknown(Refused, KeyError):
    """A name that nothing here has; a `KeyError` too, so that mappings behave as mappings do."""

    __str__ = Refused.__str__  # a KeyError would print the sentence in quotes


class TooOften(Refused):
    """Asked again too soon; `seconds` says when it is not."""

    def __init__(self, what: str, seconds: float) -> None:
        self.seconds = max(1, ceil(seconds))
        unit = "second" if self.seconds == 1 else "seconds"
        super().__init__(f"Too many {what}; try again in {self.seconds} {unit}.")
