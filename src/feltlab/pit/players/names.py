"""Names of guests: two friendly words and forty random bits, and what people call a player.

What people call a player follows from the account's name alone. So every page, replay and report calls a
player the same, and nothing has to be looked up. A guest chooses among the words of these lists: names at a
table are public, and nobody has to be asked whether one is polite.
"""

import re
import secrets
import tomllib
from functools import lru_cache
from importlib import resources

from feltlab.errors import Refused

GUEST_PREFIX = "guest-"
GUEST_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # no two look alike
GUEST_CODE_CHARS = 8  # five bits each; with twelve bits of the two words more than fifty
_WORDS = tomllib.loads(resources.files("feltlab.pit.players").joinpath("guest_names.toml").read_text("utf-8"))
ADJECTIVES, ANIMALS = _WORDS["adjectives"].split(), _WORDS["animals"].split()
_GUEST_WORDS = re.compile(rf"{GUEST_PREFIX}([a-z]+)-([a-z]+)-[{GUEST_LETTERS}]{{{GUEST_CODE_CHARS}}}")


def is_guest(account: str) -> bool:
    return account.startswith(GUEST_PREFIX)


@lru_cache(maxsize=10_000)
def call_player(account: str) -> str:
    """A player's name at tables: 'Quiet Heron' for `guest-quiet-heron-4k2mp9x3`, else the account's name.

    Guests of earlier versions have no words in their names: `guest-7f3a9-c2k4m` is 'Guest 7f3a9'.
    """
    found = _GUEST_WORDS.fullmatch(account)
    if found and found[1] in ADJECTIVES and found[2] in ANIMALS:
        return f"{found[1].capitalize()} {found[2].capitalize()}"
    return f"Guest {account.split('-')[1]}" if is_guest(account) else account


def suggest_name() -> str:
    """A friendly name for a guest, at random."""
    return f"{secrets.choice(ADJECTIVES).capitalize()} {secrets.choice(ANIMALS).capitalize()}"


def suggest_names(count: int) -> list[str]:
    """Several friendly names, no two of them alike."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[suggest_name()] = None
    return list(found)


def new_guest_account(name: str = "") -> str:
    """The account of a new guest who is called this, or any friendly name; never the same account twice."""
    words = (name or suggest_name()).lower().split()
    if len(words) != 2 or words[0] not in ADJECTIVES or words[1] not in ANIMALS:
        raise Refused("A guest's name is one of the names that this house suggests; an account has any name.")
    code = "".join(secrets.choice(GUEST_LETTERS) for _ in range(GUEST_CODE_CHARS))
    return f"{GUEST_PREFIX}{words[0]}-{words[1]}-{code}"
