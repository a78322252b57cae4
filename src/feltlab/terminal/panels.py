"""The parts of the table on the screen, each drawn from the session."""

from collections.abc import Iterator

from rich.console import JustifyMethod
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.layout import Choice, Spot
from feltlab.core.limits import CHIPS
from feltlab.core.round import Settled, Settlement
from feltlab.submission.pay_text import describe_pay
from feltlab.terminal.drawing import Size, chips, hand
from feltlab.terminal.solo_table import Session
from feltlab.text import dollars

FELT_COLUMNS = 28
CHIP_KEYS = dict(zip("zxcv", CHIPS, strict=True))

SETTLED: tuple[tuple[str, JustifyMethod], ...] = (
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
    ("1-9", "pick a spot, or tab, arrows"),
    ("m M", "the minimum, the maximum"),
    ("".join(CHIP_KEYS), f"put {' '.join(map(dollars, CHIPS))} on it"),
    ("".join(CHIP_KEYS).upper(), "take them back"),
    ("d", "double every wager"),
    ("r", "rebet: the last wagers again"),
    ("0", "clear all, backspace a spot"),
    ("enter", "deal, or space"),
    ("?", "help: pay tables and rules"),
    ("q", "leave the table"),
)


def top_line(session: Session, seed: int | None, columns: int) -> Text:
    left = f" {session.game.title}" + ("" if seed is None else f", seed {seed}")
    right = f"  bankroll {dollars(session.in_hand)}  felt {dollars(session.staked)}  limits {session.limits} "
    room = max(0, columns - len(right))
    return Text(f"{left[:room]:{room}}{right}", STRONG, no_wrap=True)


def dealer_side(session: Session, columns: int, size: Size) -> Text:
    """The dealer's cards, and what the dealer says of them or called before the first."""
    said = " ".join(session.deal.calls) if session.deal and session.playing else session.dealer_reading
    return _side("Dealer", said, session.round.view.dealer if session.round else Cards(), columns, size)


def player_side(session: Session, columns: int, size: Size) -> Text:
    held = session.round.view.player if session.round else Cards()
    return _side("You", "", held, columns, size)


def _side(who: str, said: str, held: Cards, columns: int, size: Size) -> Text:
    heading = Text(f"{who}  ", STRONG, no_wrap=True)
    heading.append(said, Style(bold=False))
    heading.truncate(columns - 1, overflow="ellipsis")
    return Text("\n").join((heading, hand(held, columns - 1, size)))


def wagers(session: Session, picked: int) -> Text:
    """The spots in the order of settling; those of the first wagers with the number that picks them."""
    firsts = list(session.game.wagers)
    with_chips = 2 * len(session.game.spots) <= 10
    lines: list[Text] = []
    for spot in session.game.spots:
        number = firsts.index(spot) + 1 if spot in firsts else 0
        lines.append(_spot(session, spot, number, number == picked + 1))
        if with_chips:
            lines.append(Text("    ") + chips(session.on(spot)))
    return Text("\n", no_wrap=True).join(lines)


def _spot(session: Session, spot: Spot, number: int, picked: bool) -> Text:
    cents = session.on(spot)
    amount = dollars(cents) if cents else "required" if session.game.requires(spot) else ""
    mark = ">" if picked and not session.playing else " "
    room = FELT_COLUMNS - 4 - 4 - len(amount) - 1
    style = STRONG if mark == ">" or cents else FAINT
    return Text(f"{mark}{number or ' '} {spot.title[:room]:{room}} {amount}", style, no_wrap=True)


def said(session: Session) -> str:
    """The message after a step."""
    if session.playing:
        return f"Your choice. {session.player_reading}"
    if session.broke:
        return f"{session.result} Your bankroll is less than the minimum; press q to leave."
    return session.result if session.settlement and not session.placed else ""


def panel(session: Session) -> Grid:
    if session.playing:
        return choices(session)
    return settlement(session.settlement) if session.settlement else betting()


def choices(session: Session) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for choice in session.choices:
        grid.add_row(_key(choice.key), Text(choice.name, STRONG), _price(session, choice), Text(choice.help))
    for note in session.notes:
        grid.add_row("", "", "", Text(note, FAINT))
    return grid


def _price(session: Session, choice: Choice) -> str:
    cost = session.round.cost(choice.name) if session.round else 0
    return dollars(cost) if cost else ""


def _key(key: str) -> Text:
    return Text.assemble(" ", (f" {key} ", KEY))


def settlement(settled: Settlement) -> Grid:
    """Wager by wager in the order of settling."""
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False, expand=True, header_style="dim")
    for heading, side in SETTLED:
        grid.add_column(heading, no_wrap=True, justify=side)
    grid.add_column("outcome and why", ratio=1)
    first: dict[str, Settled] = {}
    for wager in settled.wagers:
        grid.add_row(*_settled(wager, first.setdefault(wager.why, wager)))
    return grid


def _settled(wager: Settled, first: Settled) -> Iterator[Text]:
    """A line of the settlement. A reason is given once; later wagers point to the `first` that has it."""
    yield Text(f" {wager.spot.title}")
    yield Text(dollars(wager.staked))
    yield Text(wager.result, RESULTS.get(wager.result, STRONG))
    yield Text(f"+{dollars(wager.net)}" if wager.net > 0 else dollars(wager.net))
    why = wager.why if first is wager else f"as {first.spot.title}"
    yield Text.assemble((wager.outcome, STRONG), f": {why}")


def betting() -> Grid:
    """Which keys place wagers; below the table until the first round is dealt."""
    grid = Grid.grid(padding=(0, 2))
    for left, right in zip(KEYS[::2], KEYS[1::2], strict=True):
        grid.add_row(_key(left[0]), left[1], _key(right[0]), right[1])
    return grid


def keys(session: Session) -> Text:
    """The keys that do something now, the choices of a round aside: those are explained above."""
    hints = {"?": "help", "q": "quit"}
    if not session.playing:
        chip_hints = {key: dollars(chip) for key, chip in CHIP_KEYS.items()}
        hints = {**chip_hints, **_wager_hints(session), **hints}
    return Text.assemble(
        *(part for key, does in hints.items() for part in ((f" {key}", STRONG), f" {does} "))
    )


def _wager_hints(session: Session) -> dict[str, str]:
    if session.placed:
        return {"d": "double", "0": "clear", "enter": "deal"}
    return {"r": "rebet"} if session.last else {}


def describe_options(game: Game) -> str:
    """A line for each option of the house."""
    lines = (f"  {o.name}={game.options[o.name]}  ({o.help})" for o in game.rules.OPTIONS)
    return "\n".join(lines) or f"  {game.title} has none."


def describe_pay_tables(game: Game) -> str:
    """What every wager pays under the options in force."""
    return "\n\n".join("\n".join(_describe_pay_table(game, spot)) for spot in game.spots)


def _describe_pay_table(game: Game, spot: Spot) -> Iterator[str]:
    table = game.pay_table(spot)
    yield f"{spot.title}, pay table {table.name}" if spot.option else spot.title
    listed = [line for line in table.lines if line.listed]
    width = max(len(line.outcome) for line in listed)
    yield from (f"  {line.outcome:{width}}  {describe_pay(line)}" for line in listed)
