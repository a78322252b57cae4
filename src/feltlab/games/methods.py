"""The method of a game's proof in words: `methods.md` beside each game, and its only reader.

A game that is proved by its rules alone may go without; then the general prover describes itself.

The file is for a mathematician who wants to follow the proof or to do it again. It has headings, paragraphs
and lists, and nothing else. `tests/games/test_methods.py` computes every number in it.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import GAMES, has_solver, home_of

METHODS_FILE = "methods.md"
HEADING, ITEM = "## ", "- "

MethodBlock = str | tuple[str, ...]  # a paragraph, or the items of a list


@dataclass(frozen=True)
class MethodSection:
    """A heading and what is below it."""

    title: str
    blocks: tuple[MethodBlock, ...]


@cache
def _load(name: str) -> tuple[MethodSection, ...]:
    home = home_of(name)
    file = home.file(METHODS_FILE)
    if file.is_file():
        return parse_methods(file.read_text(encoding="utf-8"))
    if has_solver(GAMES[name]):
        raise Refused(f"games/{home.folder}/{METHODS_FILE} is missing.")
    text = (resources.files("feltlab.counting.tree") / METHODS_FILE).read_text(encoding="utf-8")
    return parse_methods(text)


def load_methods(game: Game) -> tuple[MethodSection, ...]:
    """The sections of a game's method."""
    return _load(game.name)


def parse_methods(text: str) -> tuple[MethodSection, ...]:
    """Sections from text; blank lines separate blocks.

    >>> parse_methods("## Counting\\n\\nEvery pair\\nof cards.\\n\\n- one\\n- two\\n  more")
    (MethodSection(title='Counting', blocks=('Every pair of cards.', ('one', 'two more'))),)
    """
    found: list[tuple[str, list[MethodBlock]]] = []
    for block in filter(None, (block.strip("\n") for block in text.split("\n\n"))):
        if block.startswith(HEADING):
            found.append((block.removeprefix(HEADING).strip(), []))
        elif found:
            found[-1][1].append(_parse_block(block))
        else:
            raise Refused(f"{METHODS_FILE} begins with a heading, not with {block.splitlines()[0]!r}.")
    return tuple(MethodSection(title, tuple(blocks)) for title, blocks in found)


def _parse_block(block: str) -> MethodBlock:
    if not block.startswith(ITEM):
        return " ".join(block.split())
    items = f"\n{block}".split(f"\n{ITEM}")[1:]
    return tuple(" ".join(item.split()) for item in items)
