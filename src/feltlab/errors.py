"""What feltlab says when it will not do a thing."""


class Refused(ValueError):
    """Input that the rules, the table or the reader does not accept.

    The message is one sentence meant for the person who gave the input. Nothing has changed.
    """


class Unknown(Refused, KeyError):
    """A name that nothing here has; a `KeyError` too, so that mappings behave as mappings do."""

    __str__ = Refused.__str__  # a KeyError would print the sentence in quotes
