"""The table on a screen: single keys, everything in view at 80x24."""

import asyncio
import os
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import ClassVar

from rich.console import RenderableType
from rich.markdown import Markdown
from rich.table import Table as Grid
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from textual.widgets import Static

from feltlab.core.deal import rehearse
from feltlab.errors import Refused
from feltlab.submission.rule_sheet import read_rule_sheet
from feltlab.terminal import panels as parts
from feltlab.terminal.drawing import LARGE, SMALL
from feltlab.terminal.panels import (
    CHIP_KEYS,
    FELT_COLUMNS,
    KEYS,
    STRONG,
    describe_options,
    describe_pay_tables,
)
from feltlab.terminal.solo_table import LEFT, Session

Step = Callable[[Session], Session]

LEAST = (80, 24)
BROKEN = "The table broke."
ROOMY = (100, 32)  # from here on cards are drawn large


class Help(Screen[None]):
    """Keys, options, pay tables and rules."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "dismiss", "Close"),
        Binding("down,j", "scroll(1)"),
        Binding("up,k", "scroll(-1)"),
        Binding("pagedown,space", "scroll(20)"),
        Binding("pageup,b", "scroll(-20)"),
        Binding("home,g", "scroll(-100000)"),
        Binding("end,G", "scroll(100000)"),
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
            yield Static("\nOptions in force\n" + describe_options(game), markup=False)
            yield Static("\nPay tables\n\n" + describe_pay_tables(game), markup=False)
            yield Static(Markdown(_rules(game.name)))

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)


def _rules(name: str) -> str:
    try:
        return read_rule_sheet(name)
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
        self.leaving = False  # asked for in mid-round, to be asked for again

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
        with suppress(Exception):  # what is wrong will be said at the table
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
            "top": parts.top_line(self.session, self.seed, self.size.width),
            "dealer": parts.dealer_side(self.session, columns, size),
            "player": parts.player_side(self.session, columns, size),
            "wagers": parts.wagers(self.session, self.picked),
            "message": Text(f" {self.message}", STRONG),
            "panel": parts.panel(self.session),
            "keys": parts.keys(self.session),
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
        said, self.message, self.waiting = self.message, "", False
        self.leaving = self.leaving and step == self._ask_to_leave
        try:
            step()
            if step == self._help:  # which changes nothing
                self.message = said
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
            "q": self._ask_to_leave,
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
        was_playing = self.session.playing
        self.session = step(self.session)
        self.message = parts.said(self.session)
        if step == Session.clear or (was_playing and not self.session.playing):
            self.picked = 0

    def _help(self) -> None:
        self.app.push_screen(Help(self.session))

    def _ask_to_leave(self) -> None:
        """In a round once more is asked: leaving makes it void."""
        if self.leaving or not self.session.playing:
            self.leave()
            return
        self.leaving = True
        self.message = "Leave in mid-round? It would be void and your wagers given back. q again leaves."

    def leave(self) -> None:
        self.app.exit(self.session.void(LEFT))


def _add(session: Session, spot: str, cents: int) -> Session:
    return session.add(spot, cents)


class Keyboard(LinuxDriver):
    """textual's, which a byte that is no UTF-8 would end; here the keys that came with it are lost."""

    def run_input_thread(self) -> None:
        while True:
            try:
                return super().run_input_thread()
            except UnicodeDecodeError:
                continue


class Table(App[Session]):
    """Runs until the player leaves; its value is the session by then, or None if something broke."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q,ctrl+d", "quit", show=False, priority=True)
    ]

    def __init__(self, session: Session, seed: int | None = None) -> None:
        # Where colour is not wanted, not even greys are.
        super().__init__(driver_class=Keyboard, ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.title = session.game.title
        self.felt = Felt(session, seed)

    def on_mount(self) -> None:
        self.push_screen(self.felt)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.felt.leave)

    async def action_quit(self) -> None:
        self.felt.leave()

    # textual would print a traceback with local variables, and so cards that nobody may see.

    def panic(self, *renderables: RenderableType) -> None:
        self._fatal_error()

    def _fatal_error(self) -> None:
        self._return_value, self._return_code = None, 1
        self._close_messages_no_wait()

    @property
    def trouble(self) -> str:
        """What broke the table, as far as it may be told."""
        if self._exception is None:
            return ""
        at = traceback.extract_tb(self._exception.__traceback__)[-1]
        return f": {type(self._exception).__name__} in {os.path.basename(at.filename)}, line {at.lineno}"
