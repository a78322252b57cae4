"""The table on a screen: single keys, everything in view at 80x24."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import ClassVar

from rich.console import JustifyMethod
from rich.markdown import Markdown
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from feltlab.cards import Cards
from feltlab.errors import Refused
from feltlab.game import dollars
from feltlab.layout import Choice, Spot
from feltlab.play.drawing import LARGE, SMALL, Size, chips, hand
from feltlab.play.session import CHIPS, Session, rehearse
from feltlab.round import Settled, Settlement
from feltlab.sheets import options_in_force, pay_tables, rule_sheet

Step = Callable[[Session], Session]

LEAST = (80, 24)
ROOMY = (100, 32)  # from here on cards are drawn large
FELT_COLUMNS = 28
LEFT = "The player left."
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


class Help(Screen[None]):
    """Keys, options, pay tables and rules."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "dismiss", "Close"),
        Binding("down,j", "scroll(1)"),
        Binding("up,k", "scroll(-1)"),
        Binding("pagedown,space", "scroll(20)"),
        Binding("pageup,b", "scroll(-20)"),
    ]
    CSS = """
    Help > #help-title { height: 1; background: $primary; color: $text; text-style: bold; }
    Help VerticalScroll { padding: 0 1; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        game = self.session.game
        yield Static(
            f" {game.title}: help    ↑ ↓ page up, page down scroll    esc closes",
            id="help-title",
            markup=False,
        )
        with VerticalScroll(can_focus=False):
            yield Static("Keys\n" + "\n".join(f"  {key:6} {does}" for key, does in KEYS), markup=False)
            yield Static("         in a round, the key of a choice", markup=False)
            yield Static("\nOptions in force\n" + options_in_force(game), markup=False)
            yield Static("\nPay tables\n\n" + pay_tables(game), markup=False)
            yield Static(Markdown(_rules(game.name)))

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)


def _rules(name: str) -> str:
    try:
        return rule_sheet(name)
    except Refused as refused:
        return str(refused)


class Felt(Screen[None]):
    """The table itself. It draws the session and turns keys into steps of it."""

    CSS = f"""
    Felt {{ background: #0b3d2a; color: #f0f0e8; }}
    #top {{ height: 1; background: #062418; }}
    #table, #side {{ height: auto; }}
    #side {{ width: 1fr; }}
    #wagers {{ width: {FELT_COLUMNS}; height: 100%; padding: 0 1; border: round #50a080; }}
    #table {{ height: 12; }}
    #message, #keys {{ height: 1; }}
    #keys {{ background: #062418; }}
    #below {{ height: 1fr; }}
    #small {{ display: none; }}
    Felt.small > * {{ display: none; }}
    Felt.small > #small {{ display: block; }}
    Felt.roomy #table {{ height: 16; }}
    """

    def __init__(self, session: Session, seed: int | None) -> None:
        super().__init__()
        self.session = session
        self.seed = seed
        self.picked = 0  # which of the game's wagers the chip keys mean
        self.message = session.game.rules.SUMMARY
        self.ready = False  # kernels are compiled
        self.waiting = False  # for them, with a deal asked for

    def compose(self) -> ComposeResult:
        yield Static(id="top")
        with Horizontal(id="table"):
            with Vertical(id="side"):
                yield Static(id="dealer")
                yield Static(id="player")
            yield Static(id="wagers")
        yield Static(id="message")
        with VerticalScroll(id="below", can_focus=False):
            yield Static(id="panel")
        yield Static(id="keys")
        yield Static(id="small")

    # -- Drawing -------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.draw()
        # A daemon, so that leaving does not wait for it.
        threading.Thread(target=self._rehearse, daemon=True).start()

    def _rehearse(self) -> None:
        rehearse(self.session.game)
        with suppress(RuntimeError):  # the player has left
            self.app.call_from_thread(self._now_ready)

    def _now_ready(self) -> None:
        self.ready = True
        if self.waiting:
            self._take(self._deal)

    def on_resize(self, event: events.Resize) -> None:
        self.draw()

    @property
    def small(self) -> bool:
        return self.size.width < LEAST[0] or self.size.height < LEAST[1]

    @property
    def roomy(self) -> bool:
        return self.size.width >= ROOMY[0] and self.size.height >= ROOMY[1]

    def draw(self) -> None:
        self.set_class(self.small, "small")
        self.set_class(self.roomy, "roomy")
        columns, size = self.size.width - FELT_COLUMNS, LARGE if self.roomy else SMALL
        drawn: dict[str, Text | Grid] = {
            "top": top_line(self.session, self.seed, self.size.width),
            "dealer": dealer_side(self.session, columns, size),
            "player": player_side(self.session, columns, size),
            "wagers": wagers(self.session, self.picked),
            "message": Text(f" {self.message}", STRONG),
            "panel": panel(self.session),
            "keys": keys(self.session),
            "small": Text(
                f"This table needs {LEAST[0]}x{LEAST[1]}, not {self.size.width}x{self.size.height}."
            ),
        }
        for name, text in drawn.items():
            self.query_one(f"#{name}", Static).update(text)

    # -- Keys ----------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        typed = event.character if event.is_printable and event.character else event.key
        step = self._meant(typed)
        if step is None:
            return
        event.stop()
        event.prevent_default()
        if not self.small or typed == "q":
            self._take(step)

    def _take(self, step: Callable[[], None]) -> None:
        self.message, self.waiting = "", False
        try:
            step()
        except Refused as refused:
            self.message = str(refused)
        self.draw()

    def _meant(self, typed: str) -> Callable[[], None] | None:
        """What a key does now. The keys of a round's choices come before all others."""
        if self.session.playing:
            named = {choice.key: choice.name for choice in self.session.game.choices}
            name = named.get(typed) or named.get(typed.lower())
            if name:
                return partial(self._step, lambda session: session.choose(name))
            return self._always().get(typed)
        return {**self._always(), **self._betting()}.get(typed)

    def _always(self) -> dict[str, Callable[[], None]]:
        scroll = self.query_one("#below", VerticalScroll)
        return {
            "q": self._leave,
            "?": self._help,
            "pageup": partial(scroll.scroll_page_up, animate=False),
            "pagedown": partial(scroll.scroll_page_down, animate=False),
        }

    def _betting(self) -> dict[str, Callable[[], None]]:
        spot = self.session.game.wagers[self.picked].name
        limits = self.session.limits
        steps: dict[str, Step] = {
            "m": lambda session: session.place(spot, limits.minimum),
            "M": lambda session: session.place(spot, limits.maximum),
            "backspace": lambda session: session.place(spot, 0),
            "delete": lambda session: session.place(spot, 0),
            "0": Session.clear,
            "r": Session.rebet,
            "d": Session.double,
        }
        for key, chip in CHIP_KEYS.items():
            steps[key] = partial(_add, spot=spot, cents=chip)
            steps[key.upper()] = partial(_add, spot=spot, cents=-chip)
        dealing = {"enter": self._deal, " ": self._deal}
        return {
            **self._picking(),
            **dealing,
            **{key: partial(self._step, step) for key, step in steps.items()},
        }

    def _picking(self) -> dict[str, Callable[[], None]]:
        numbered = {str(n + 1): partial(self._pick, n) for n in range(min(9, len(self.session.game.wagers)))}
        on = dict.fromkeys(("tab", "down", "right"), partial(self._move, 1))
        back = dict.fromkeys(("shift+tab", "up", "left"), partial(self._move, -1))
        return {**numbered, **on, **back}

    def _pick(self, spot: int) -> None:
        self.picked = spot

    def _move(self, by: int) -> None:
        self.picked = (self.picked + by) % len(self.session.game.wagers)

    def _deal(self) -> None:
        self.session.check()
        self.waiting = not self.ready
        if self.ready:
            self._step(Session.start)
        else:
            self.message = "The cards are being shuffled for the first time; one moment."

    def _step(self, step: Step) -> None:
        self.session = step(self.session)
        self.message = said(self.session)

    def _help(self) -> None:
        self.app.push_screen(Help(self.session))

    def _leave(self) -> None:
        self.app.exit(self.session.void(LEFT))


def _add(session: Session, spot: str, cents: int) -> Session:
    return session.add(spot, cents)


class Table(App[Session]):
    """Runs until the player leaves; its value is the session by then."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q,ctrl+d", "quit", show=False, priority=True)
    ]

    def __init__(self, session: Session, seed: int | None = None) -> None:
        # Where colour is not wanted, not even greys are.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.title = session.game.title
        self.felt = Felt(session, seed)

    def on_mount(self) -> None:
        self.push_screen(self.felt)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.felt._leave)

    async def action_quit(self) -> None:
        self.felt._leave()


# -- The parts of the table -------------------------------------------------------------------------


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
        grid.add_row(_key(choice.key), Text(choice.name, STRONG), _price(session, choice), choice.help)
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
