"""The made-up game with a board as a game of a user's own, which tables, pages and ledgers can deal."""

from pathlib import Path

from feltlab.core.game import Game
from feltlab.games import GAMES
from tests.support.own_games import new_game
from tests.support.toy_games import streets

CHANGES = (
    # A choice may put as many units on the second street, although only one is ever legal there.
    ('SHOWDOWN),), raises="ante"),', 'SHOWDOWN),), raises="ante", most_units=4),'),
    ("        fixed_cents=100,\n", ""),
)
CLAUSES = (
    "**6.3** The Ace pays 2 to 1.",
    "**7.1** A wrong number of cards in any hand makes the round void.",
)


def load_board_game(folder: Path) -> Game:
    """Write the game into a folder with a rule sheet, and load it; `nothing_named` forgets it again."""
    new_game(folder)
    text = Path(str(streets.__file__)).read_text()
    for old, new in CHANGES:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "rules.py").write_text(text)
    (folder / "packet.toml").unlink()
    sheet = (folder / "rules.md").read_text()
    clauses = {line[:7]: line for line in CLAUSES}
    kept = (clauses.get(line[:7], line) for line in sheet.splitlines())
    (folder / "rules.md").write_text("\n".join(kept) + "\n")
    return GAMES[f"{folder}/"]
