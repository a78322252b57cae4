"""Cards, chips and settlements as text."""

import re

import pytest
from rich.console import Console

from feltlab.core.cards import FACE_DOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.terminal import drawing
from feltlab.terminal.panels import settlement
from tests.support.solo_tables import every_game, seated, wagered


@pytest.mark.parametrize("size", [drawing.SMALL, drawing.LARGE])
@pytest.mark.parametrize("count", range(1, 11))
def test_every_index_is_readable_however_many_cards_there_are(count: int, size: drawing.CardSize) -> None:
    held = Cards(4 * 8 + n % 4 for n in range(count))  # tens: the widest index
    rows = drawing.draw_hand(held, 51, size).plain.splitlines()
    assert len(rows) == size.height
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows[0]) <= 51
    assert re.findall("10[♣♦♥♠]", rows[1]) == ["10" + "♣♦♥♠"[n % 4] for n in range(count)]


def test_a_card_face_down_shows_nothing_and_a_joker_its_name() -> None:
    assert "░" in drawing.draw_hand(Cards([FACE_DOWN]), 51, drawing.SMALL).plain
    assert "Jk" in drawing.draw_hand(cards("Jk"), 51, drawing.SMALL).plain
    assert drawing.draw_chips(13_600).plain == "●" * 5  # 100 + 25 + 2 * 5 + 1
    assert len(drawing.draw_chips(10**40).plain) == drawing.MAX_CHIPS


@every_game
def test_the_longest_settlement_fits_below_the_table_of_80_by_24(game: Game) -> None:
    console = Console(width=80)
    for seed in range(1, 150):
        table = wagered(seated(game, seed, bankroll=10**6, limits=Limits(1, 40_000, 1)), 39_990).deal_round()
        while table.is_playing:
            table = table.choose(table.choices[seed % len(table.choices)].name)
        assert table.settlement
        assert len(console.render_lines(settlement(table.settlement))) <= 9  # 24 less 13 of cards, 2 of lines
