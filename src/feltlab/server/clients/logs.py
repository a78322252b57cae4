"""The server's log: what a client sent never reaches the terminal as a control code."""

import logging

from feltlab.ledger.plain_text import show_controls


class PlainFormatter(logging.Formatter):
    """Writes control characters as escapes; the lines of a traceback stay lines."""

    def format(self, record: logging.LogRecord) -> str:
        return show_controls(super().format(record), keep="\n")


def set_up_logs() -> None:
    """Log warnings and errors to standard error, unless somebody has set up logs already."""
    if not logging.root.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(PlainFormatter())
        handler.setLevel(logging.WARNING)
        logging.root.addHandler(handler)
