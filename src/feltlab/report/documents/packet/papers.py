"""The letters that approve a game to its maker, as a section of a submission packet."""

from collections.abc import Iterator

from feltlab.core.game import Game
from feltlab.games.letters import ApprovalLetter, letters_of
from feltlab.report.document import Items, Section


def approval_letters(game: Game) -> Iterator[Section]:
    """One section for each letter; none for a game that is not in the papers."""
    for letter in letters_of(game):
        yield Section(f"Letter of {letter.day_in_words}", (Items(tuple(_sentences(letter, game))),))


def _sentences(letter: ApprovalLetter, game: Game) -> Iterator[str]:
    number = f"Submission {letter.submission}. " if letter.submission else ""
    yield f"From the {letter.regulator} to {letter.maker}. {number}Subject: {letter.subject}."
    yield letter.describe_rules(game)
    yield from filter(None, (letter.amendments_in_words, *letter.notices))
