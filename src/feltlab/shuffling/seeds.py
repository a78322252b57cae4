"""Seeds of seats: players mix the committed order once more, so that nobody alone chooses the cards.

The machine commits to its order and its salt before a seed is given. When the bets close, the cards are
shuffled again by a method that anyone can repeat once both are revealed:

1. The key is the SHA-256 of `<salt>:<SHA-256 of the first seed>:<SHA-256 of the second>...`, all as small
   hexadecimal digits, seeds in the order of their seats.
2. Block n, from 0, is the SHA-256 of `<key>:<n>`; it gives eight numbers of four bytes, the highest first.
3. Fisher and Yates: from the last card to the second, the card at that place and the card at a drawn place
   up to it change places. A number is drawn below a limit as the next of those numbers modulo the limit; one
   past the last whole multiple of the limit is left out.

The result is uniform if the machine's order is, whatever the seeds; and nobody who does not know a seed in
advance can have prepared it, whatever the order.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count

from feltlab.core.cards import Cards
from feltlab.digests import sha256_hex
from feltlab.errors import Refused

MAX_SEED_CHARS = 64
WORD_COUNT = 2**32
WORD_BYTES = 4


def parse_seed(text: str) -> str:
    """A seed as it is recorded: printable text, without spaces around it."""
    seed = text.strip()
    if not 0 < len(seed) <= MAX_SEED_CHARS:
        raise Refused(f"A seed has 1 to {MAX_SEED_CHARS} characters.")
    if not seed.isprintable():
        raise Refused("A seed has only characters that can be printed.")
    return seed


def mix_cards(order: Cards, salt: str, seeds: Sequence[str]) -> Cards:
    """The order in which cards are dealt after seeds; without a seed, the order itself."""
    if not seeds:
        return order
    key = sha256_hex(":".join([salt, *(sha256_hex(seed.encode()) for seed in seeds)]).encode())
    mixed, words = list(order), _draw_words(key)
    for last in range(len(mixed) - 1, 0, -1):
        taken = _draw_below(last + 1, words)
        mixed[last], mixed[taken] = mixed[taken], mixed[last]
    return Cards(mixed)


def _draw_below(limit: int, words: Iterator[int]) -> int:
    fair = WORD_COUNT - WORD_COUNT % limit
    return next(word for word in words if word < fair) % limit


def _draw_words(key: str) -> Iterator[int]:
    for number in count():
        block = sha256(f"{key}:{number}".encode()).digest()
        for at in range(0, len(block), WORD_BYTES):
            yield int.from_bytes(block[at : at + WORD_BYTES], "big")
