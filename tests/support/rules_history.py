"""Record the wording of rules: `python -m tests.support.rules_history`.

Run it after the text of rules has changed. Without options it lists the games whose wording is not recorded.

    --write                 record it: no rule has changed, and approvals and tables are carried over
    --why TEXT              why the wording changed, in a sentence
    --changes-rules         a rule has changed: approvals of the game lapse and its tables close
    --new-options NAMES     new options, separated by commas, whose default is the rule of before
    --replace               instead of the last wording on record, which nobody has run yet
    GAME ...                only these games
"""

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from feltlab import __version__
from feltlab.core.game import Game
from feltlab.games import FOLDERS, GAMES, rules_history
from feltlab.games.rules_history import HISTORY_FILE, RenamedOutcome, is_recorded, wordings_of

FIRST = "The first wording on record."
SAME_RULES = "The rules are worded differently; every rule, option and pay is the same."
HEADER = """\
# Every recorded wording of the rules of {title}, the newest last (see feltlab/games/rules_history.py).
# `python -m tests.support.rules_history --write` adds one.
"""


def place_of(game: Game) -> Path:
    return Path(rules_history.__file__).parent / FOLDERS[game.name] / HISTORY_FILE


def describe_missing(game: Game) -> str:
    """What to do about a wording that is not recorded, in one sentence."""
    return (
        f"The rules of {game.title} are not worded as in the last entry of"
        f" games/{FOLDERS[game.name]}/{HISTORY_FILE}: run"
        " `python -m tests.support.rules_history --write` if no rule has changed, or with"
        " `--changes-rules --why SENTENCE` if one has, so that approvals lapse."
    )


def record(game: Game, why: str, changes_rules: bool, replace: bool, new_options: Sequence[str] = ()) -> None:
    place, known = place_of(game), wordings_of(game.name)
    text = place.read_text(encoding="utf-8") if known else HEADER.format(title=game.title)
    if not known:
        why, changes_rules = why or FIRST, True
    renamed: tuple[RenamedOutcome, ...] = ()
    if known and replace and len(known) > 1:
        why, changes_rules = why or known[-1].why, changes_rules or known[-1].changes_rules
        text, renamed = text[: text.rindex("\n[[wording]]")], known[-1].renamed
    new = [option.name for option in game.rules.OPTIONS if option.name in new_options]
    place.write_text(text + entry(game, why or SAME_RULES, changes_rules, new, renamed), encoding="utf-8")
    wordings_of.cache_clear()


def entry(
    game: Game,
    why: str,
    changes_rules: bool,
    new_options: Sequence[str],
    renamed: Sequence[RenamedOutcome] = (),
) -> str:
    new = f"new_options = {json.dumps(new_options)}\n" if new_options else ""
    new += f"renamed = [\n{''.join(map(_renamed_line, renamed))}]\n" if renamed else ""
    return f"""
[[wording]]
date = {datetime.now(UTC).date().isoformat()}
version = "{__version__}"
rules_digest = "{game.rules_digest}"
changes_rules = {str(changes_rules).lower()}
why = {json.dumps(why, ensure_ascii=False)}
{new}"""


def _renamed_line(one: RenamedOutcome) -> str:
    """An outcome that had another name; written by hand at first, and kept when its wording is replaced."""
    return (
        "    { " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in asdict(one).items()) + " },\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(usage=re.sub(r"\A.*?\n\n", "", str(__doc__), flags=re.DOTALL))
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--why", default="")
    parser.add_argument("--changes-rules", action="store_true")
    parser.add_argument("--replace", action="store_true")
    parser.add_argument("--new-options", default="")
    asked = parser.parse_args()
    if asked.changes_rules and not asked.why:
        parser.error("--changes-rules needs --why: which rule has changed")
    for game in (GAMES[name] for name in asked.games or GAMES):
        if is_recorded(game):
            continue
        if not asked.write:
            print(describe_missing(game))
            continue
        record(game, asked.why, asked.changes_rules, asked.replace, asked.new_options.split(","))
        print(f"Recorded the wording of {game.title}.")


if __name__ == "__main__":
    main()
