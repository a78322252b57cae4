"""The shuffle of a live table: every order of the cards is equally likely, and nobody can foresee it.

Nothing here can be seeded. Practice with a seed has its own shuffle, in `feltlab.play.session`.
"""

import secrets

from feltlab.cards import Cards


def shuffled(cards: Cards) -> Cards:
    """Fisher and Yates: each place from the last on takes one of the cards not placed yet.

    `randbelow` draws from the operating system and rejects what would favour some cards.
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        drawn = secrets.randbelow(last + 1)
        order[last], order[drawn] = order[drawn], order[last]
    return Cards(order)
