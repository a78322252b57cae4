"""The panels of the screen, each drawn from the table's state."""

from collections.abc import Iterator
from itertools import zip_longest

from rich.console import JustifyMethod
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from feltlab.core.cards import Cards
from feltlab.core.layout import Spot
from feltlab.core.limits import CHIPS
from feltlab.core.settlement import Settled, Settlement
from feltlab.terminal.drawing import CardSize, draw_chips, draw_hand
from feltlab.terminal.solo_table import SoloTable
from feltlab.text import dollars, signed_dollars

WAGERS_WIDTH = 28  # columns of the panel of wagers, with its border
WAGERS_HEIGHT = 10  # rows inside that border, at 80x24
CHIP_KEYS = dict(zip("zxcv", CHIPS, strict=True))

SETTLEMENT_COLUMNS: tuple[tuple[str, JustifyMethod], ...] = (
    (" wager", "left"),
    ("staked", "right"),
    ("result", "left"),
    ("amount", "right"),
)

KEY = Style(bold=True, reverse=True)
STRONG = Style(bold=True)
FAINT = Style(dim=True)
RESULTS = {"win": Style(color="#80ff90", bold=True), "lose": Style(color="#ff9088", bold=True)}

KEYS = (
    ("1-9", "pick a spot (or tab, arrows)"),
    ("m M", "bet the minimum, the maximum"),
    ("".join(CHIP_KEYS), f"add {' '.join(map(dollars, CHIPS))}"),
    ("".join(CHIP_KEYS).upper(), "take those chips back"),
    ("d", "double every wager"),
    ("r", "rebet: repeat the last wagers"),
    ("0", "clear (backspace: one spot)"),
    ("enter", "deal (or space)"),
    ("?", "help: pay tables and rules"),
    ("q", "leave the table"),
)


def top_line(table: SoloTable, seed: int | None, columns: int) -> Text:
    """The game, the seed of a practice game, the player's money and the limits."""
    left = f" {table.game.title}" + ("" if seed is None else f", seed {seed}")
    right = f"  bankroll {dollars(table.free_cents)}  staked {dollars(table.staked)}  limits {table.limits} "
    room = max(0, columns - len(right))
    return Text(f"{left[:room]:{room}}{right}", STRONG, no_wrap=True)


def dealer_side(table: SoloTable, columns: int, size: CardSize) -> Text:
    """The dealer's cards under the dealer's calls, or under the hand's name once the round is over.

    A board lies to the right of them, or alone in a game without a dealer's hand.
    """
    words = " ".join(table.deal.calls) if table.deal and table.is_playing else table.dealer_reading
    names = [name for name in ("dealer", "board") if name in table.game.area_starts]
    each = columns // len(names)
    sides = [_side(name.capitalize(), "", _cards_in(table, name), each, size) for name in names[1:]]
    return _beside(
        [_side(names[0].capitalize(), words, _cards_in(table, names[0]), each, size), *sides], each
    )


def _cards_in(table: SoloTable, area: str) -> Cards:
    return table.round.view.areas[area] if table.round else Cards()


def _beside(sides: list[Text], columns: int) -> Text:
    """Drawings side by side, each in its own columns."""
    rows = []
    for lines in zip_longest(*(side.split("\n") for side in sides), fillvalue=Text()):
        row = Text(no_wrap=True)
        for line in lines[:-1]:
            row.append_text(line).append(" " * max(0, columns - line.cell_len))
        rows.append(row.append_text(lines[-1]))
    return Text("\n", no_wrap=True).join(rows)


def player_side(table: SoloTable, columns: int, size: CardSize) -> Text:
    held = table.round.view.player if table.round else Cards()
    return _side("You", "", held, columns, size)


def _side(name: str, words: str, held: Cards, columns: int, size: CardSize) -> Text:
    heading = Text(f"{name}  ", STRONG, no_wrap=True)
    heading.append(words, Style(bold=False))
    heading.truncate(columns - 1, overflow="ellipsis")
    return Text("\n").join((heading, draw_hand(held, columns - 1, size)))


def wagers(table: SoloTable, picked: int) -> Text:
    """The spots in the order of settling; a spot that takes a first wager has the number that picks it."""
    firsts = list(table.game.wagers)
    with_chips = 2 * len(table.game.spots) <= WAGERS_HEIGHT
    lines: list[Text] = []
    for spot in table.game.spots:
        number = firsts.index(spot) + 1 if spot in firsts else 0
        lines.append(_spot(table, spot, number, number == picked + 1))
        if with_chips:
            lines.append(Text("    ") + draw_chips(table.staked_on(spot)))
    return Text("\n", no_wrap=True).join(lines)


def _spot(table: SoloTable, spot: Spot, number: int, picked: bool) -> Text:
    cents = table.staked_on(spot)
    is_due = table.game.is_required(spot) and not table.is_playing
    amount = dollars(cents) if cents else "required" if is_due else ""
    mark = ">" if picked and not table.is_playing else " "
    room = WAGERS_WIDTH - 4 - 4 - len(amount) - 1
    style = STRONG if mark == ">" or cents else FAINT
    return Text(f"{mark}{number or ' '} {spot.title[:room]:{room}} {amount}", style, no_wrap=True)


def message(table: SoloTable) -> str:
    """The sentence to show after a step."""
    if table.is_playing:
        return f"Your choice. {table.player_reading}"
    if table.is_broke:
        return f"{table.result} Your bankroll is less than the minimum wager; press q to leave."
    return table.result if table.settlement and not table.placed else ""


def lower_panel(table: SoloTable, cents: int | None) -> Grid:
    """The open choices, the last settlement, or the keys that place wagers."""
    if table.is_playing:
        return choices(table, cents)
    return settlement(table.settlement) if table.settlement else betting_keys()


def choices(table: SoloTable, cents: int | None) -> Grid:
    """The offered choices with key, cost and meaning, why others are not offered, and what is settled.

    `cents` is what the player picked for a choice of any amount; at first it is the most.
    """
    grid = Grid.grid(padding=(0, 2))
    for choice in table.choices:
        picked = cents if cents and choice.any_amount else table.most_cents(choice)
        price = dollars(picked) if picked else ""
        grid.add_row(_key(choice.key), Text(choice.name, STRONG), price, Text(choice.help))
    for note in table.notes:
        grid.add_row("", "", "", Text(note, FAINT))
    for wager in table.payments:
        settled = f"{wager.spot.title}: {wager.outcome}, {signed_dollars(wager.net)}"
        grid.add_row("", "", "", Text(settled, RESULTS.get(wager.result, STRONG)))
    return grid


def _key(key: str) -> Text:
    return Text.assemble(" ", (f" {key} ", KEY))


def settlement(settled: Settlement) -> Grid:
    """Every wager in the order of settling, with its outcome and the reason."""
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False, expand=True, header_style="dim")
    for heading, side in SETTLEMENT_COLUMNS:
        grid.add_column(heading, no_wrap=True, justify=side)
    grid.add_column("outcome and why", ratio=1)
    first: dict[str, Settled] = {}
    for wager in settled.wagers:
        grid.add_row(*_settled_cells(wager, first.setdefault(wager.why, wager)))
    return grid


def _settled_cells(wager: Settled, first: Settled) -> Iterator[Text]:
    """One row of the settlement. A reason is printed once; later wagers refer to the `first` that has it."""
    yield Text(f" {wager.spot.title}")
    yield Text(dollars(wager.staked))
    yield Text(wager.result, RESULTS.get(wager.result, STRONG))
    yield Text(f"+{dollars(wager.net)}" if wager.net > 0 else dollars(wager.net))
    why = wager.why if first is wager else f"as {first.spot.title}"
    yield Text.assemble((wager.outcome, STRONG), f": {why}")


def betting_keys() -> Grid:
    """The keys that place wagers; shown below the table until the first round is dealt."""
    grid = Grid.grid(padding=(0, 2))
    for left, right in zip(KEYS[::2], KEYS[1::2], strict=True):
        grid.add_row(_key(left[0]), left[1], _key(right[0]), right[1])
    return grid


def key_line(table: SoloTable) -> Text:
    """The keys that work now, except those of a round's choices: the panel above explains them."""
    hints = {"?": "help", "q": "quit"}
    if not table.is_playing:
        chip_hints = {key: dollars(chip) for key, chip in CHIP_KEYS.items()}
        hints = {**chip_hints, **_wager_hints(table), **hints}
    for choice in table.choices:
        if choice.any_amount:
            most = dollars(table.most_cents(choice))
            hints = {"- +": f"{choice.name} for less, for more (at most {most})", **hints}
    return Text.assemble(
        *(part for key, action in hints.items() for part in ((f" {key}", STRONG), f" {action} "))
    )


def _wager_hints(table: SoloTable) -> dict[str, str]:
    if table.placed:
        return {"d": "double", "0": "clear", "enter": "deal"}
    return {"r": "rebet"} if table.last_wagers else {}
