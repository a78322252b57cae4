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

from feltlab.core.game import Game
from feltlab.core.layout import Choice
from feltlab.core.rehearsal import rehearse
from feltlab.errors import Refused
from feltlab.terminal import panels
from feltlab.terminal.drawing import LARGE, SMALL
from feltlab.terminal.help_text import describe_options, describe_pay_tables, rules_text
from feltlab.terminal.panels import CHIP_KEYS, KEYS, STRONG, WAGERS_WIDTH
from feltlab.terminal.solo_table import PLAYER_LEFT, SoloTable

Action = Callable[[], None]
Step = Callable[[SoloTable], SoloTable]

# Columns and rows of the terminal.
MIN_SIZE = (80, 24)
LARGE_CARDS_SIZE = (100, 32)


class HelpScreen(Screen[None]):
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
    HelpScreen > #help-title { height: 1; background: $primary; color: $text; text-style: bold; }
    HelpScreen VerticalScroll { padding: 0 1; }
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        title = f" {self.game.title}: help    scroll with ↑ ↓ page up page down    close with esc"
        yield Static(title, id="help-title", markup=False)
        with VerticalScroll(can_focus=False):
            yield Static("Keys\n" + "\n".join(f"  {key:6} {action}" for key, action in KEYS), markup=False)
            yield Static("         during a round, the key shown beside a choice", markup=False)
            yield Static(f"\nOptions in force\n{describe_options(self.game)}", markup=False)
            yield Static(f"\nPay tables\n\n{describe_pay_tables(self.game)}", markup=False)
            yield Static(Markdown(rules_text(self.game)))

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)


class FeltScreen(Screen[None]):
    """The table itself: draws the state and turns keys into steps."""

    CSS = f"""
    FeltScreen {{ background: #0b3d2a; color: #f0f0e8; }}
    #top {{ height: 1; background: #062418; }}
    #table, #side {{ height: auto; }}
    #side {{ width: 1fr; }}
    #wagers {{ width: {WAGERS_WIDTH}; height: 100%; padding: 0 1; border: round #50a080; }}
    #table {{ height: 12; }}
    #message, #keys {{ height: 1; }}
    #keys {{ background: #062418; }}
    #below {{ height: 1fr; }}
    #small {{ display: none; }}
    FeltScreen.small > * {{ display: none; }}
    FeltScreen.small > #small {{ display: block; }}
    FeltScreen.large #table {{ height: 16; }}
    """

    def __init__(self, table: SoloTable, seed: int | None) -> None:
        super().__init__()
        self.table = table
        self.seed = seed
        self.picked = 0  # the index of the wager that the chip keys change
        self.cents: int | None = None  # picked for a choice of any amount; at first it is the most
        self.message = table.game.rules.SUMMARY
        self.kernels_ready = False
        self.deal_pending = False  # the player has asked to deal before the kernels are ready
        self.leave_pending = False  # the player has asked once to leave in mid-round

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
        # A daemon thread, so that leaving does not wait for it.
        threading.Thread(target=self._load_kernels, daemon=True).start()

    def _load_kernels(self) -> None:
        with suppress(Exception):  # the first deal would raise it again
            rehearse(self.table.game)
        with suppress(RuntimeError):  # the player has left
            self.app.call_from_thread(self._on_kernels_ready)

    def _on_kernels_ready(self) -> None:
        self.kernels_ready = True
        if self.deal_pending:
            self._run(self._deal)

    def on_resize(self, event: events.Resize) -> None:
        self.draw()

    def _fits(self, size: tuple[int, int]) -> bool:
        """Is the terminal at least this large?"""
        return self.size.width >= size[0] and self.size.height >= size[1]

    def draw(self) -> None:
        is_large = self._fits(LARGE_CARDS_SIZE)
        self.set_class(not self._fits(MIN_SIZE), "small")
        self.set_class(is_large, "large")
        columns, size = self.size.width - WAGERS_WIDTH, LARGE if is_large else SMALL
        drawn: dict[str, Text | Grid] = {
            "top": panels.top_line(self.table, self.seed, self.size.width),
            "dealer": panels.dealer_side(self.table, columns, size),
            "player": panels.player_side(self.table, columns, size),
            "wagers": panels.wagers(self.table, self.picked),
            "message": Text(f" {self.message}", STRONG),
            "panel": panels.lower_panel(self.table, self.cents),
            "keys": panels.key_line(self.table),
            "small": Text(f"The table needs a terminal of {_by(MIN_SIZE)}; this one is {_by(self.size)}."),
        }
        for name, content in drawn.items():
            self.query_one(f"#{name}", Static).update(content)

    # -- Keys ----------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        typed = event.character if event.is_printable and event.character else event.key
        action = self._action_of(typed)
        if action is None:
            return
        event.stop()
        event.prevent_default()
        if self._fits(MIN_SIZE) or typed == "q":
            self._run(action)

    def _run(self, action: Action) -> None:
        """Run an action; show its message or its refusal."""
        shown, self.message, self.deal_pending = self.message, "", False
        self.leave_pending = self.leave_pending and action == self._ask_to_leave
        try:
            action()
            if action == self._show_help:
                self.message = shown
        except Refused as refused:
            self.message = str(refused)
        self.draw()

    def _action_of(self, typed: str) -> Action | None:
        """The action of a key. The keys of a round's choices come before all others."""
        if self.table.is_playing:
            by_key = {choice.key: choice for choice in self.table.game.choices}
            choice = by_key.get(typed) or by_key.get(typed.lower())
            if choice:
                return partial(self._choose, choice)
            return {**self._common_actions(), **self._amount_actions()}.get(typed)
        return {**self._common_actions(), **self._betting_actions()}.get(typed)

    def _common_actions(self) -> dict[str, Action]:
        scroll = self.query_one("#below", VerticalScroll)
        return {
            "q": self._ask_to_leave,
            "?": self._show_help,
            "pageup": partial(scroll.scroll_page_up, animate=False),
            "pagedown": partial(scroll.scroll_page_down, animate=False),
        }

    def _amount_actions(self) -> dict[str, Action]:
        """The keys that change the amount of a choice that may put down less than the most."""
        actions: dict[str, Action] = {}
        for choice in self.table.choices:
            if choice.any_amount:
                actions |= dict.fromkeys(("+", "=", "right"), partial(self._change_cents, choice, True))
                actions |= dict.fromkeys(("-", "_", "left"), partial(self._change_cents, choice, False))
        return actions

    def _change_cents(self, choice: Choice, up: bool) -> None:
        self.message = panels.message(self.table)
        self.cents = self.table.step_cents(choice, self.cents or self.table.most_cents(choice), up)

    def _choose(self, choice: Choice) -> None:
        made = choice.name if self.cents is None else f"{choice.name}={self.cents}"
        self._step(lambda table: table.choose(made))

    def _betting_actions(self) -> dict[str, Action]:
        spot = self.table.game.wagers[self.picked].name
        limits = self.table.limits
        steps: dict[str, Step] = {
            "m": lambda table: table.place(spot, limits.minimum),
            "M": lambda table: table.place(spot, limits.maximum),
            "backspace": lambda table: table.place(spot, 0),
            "delete": lambda table: table.place(spot, 0),
            "0": SoloTable.clear,
            "r": SoloTable.rebet,
            "d": SoloTable.double,
        }
        for key, chip in CHIP_KEYS.items():
            steps[key] = partial(SoloTable.add_chips, name=spot, cents=chip)
            steps[key.upper()] = partial(SoloTable.add_chips, name=spot, cents=-chip)
        return {
            **self._picking_actions(),
            **dict.fromkeys(("enter", " "), self._deal),
            **{key: partial(self._step, step) for key, step in steps.items()},
        }

    def _picking_actions(self) -> dict[str, Action]:
        by_number = {str(n + 1): partial(self._pick, n) for n in range(min(9, len(self.table.game.wagers)))}
        forward = dict.fromkeys(("tab", "down", "right"), partial(self._move_pick, 1))
        back = dict.fromkeys(("shift+tab", "up", "left"), partial(self._move_pick, -1))
        return {**by_number, **forward, **back}

    def _pick(self, spot: int) -> None:
        self.picked = spot

    def _move_pick(self, by: int) -> None:
        self.picked = (self.picked + by) % len(self.table.game.wagers)

    def _deal(self) -> None:
        self.table.check_wagers()
        self.deal_pending = not self.kernels_ready
        if self.kernels_ready:
            self._step(SoloTable.deal_round)
        else:
            self.message = "The table is being prepared; the cards will be dealt in a moment."

    def _step(self, step: Step) -> None:
        was_playing = self.table.is_playing
        self.table, self.cents = step(self.table), None
        self.message = panels.message(self.table)
        if step == SoloTable.clear or (was_playing and not self.table.is_playing):
            self.picked = 0

    def _show_help(self) -> None:
        self.app.push_screen(HelpScreen(self.table.game))

    def _ask_to_leave(self) -> None:
        """Leave; in mid-round ask once more, because leaving voids the round."""
        if self.leave_pending or not self.table.is_playing:
            self.leave()
            return
        self.leave_pending = True
        self.message = "Leaving now voids the round and returns your wagers. Press q again to leave."

    def leave(self) -> None:
        self.app.exit(self.table.void(PLAYER_LEFT))


def _by(size: tuple[int, int]) -> str:
    """'80x24'."""
    return f"{size[0]}x{size[1]}"


class KeyboardDriver(LinuxDriver):
    """textual's driver, which stops at a byte that is not UTF-8; this one drops that input and goes on."""

    def run_input_thread(self) -> None:
        while True:
            try:
                return super().run_input_thread()
            except UnicodeDecodeError:
                continue


class TableApp(App[SoloTable]):
    """Runs until the player leaves and returns the table by then, or None after an error."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q,ctrl+d", "quit", show=False, priority=True)
    ]

    def __init__(self, table: SoloTable, seed: int | None = None) -> None:
        # textual keeps greys under NO_COLOR unless it is limited to the terminal's own colours.
        no_colour = bool(os.environ.get("NO_COLOR"))
        super().__init__(driver_class=KeyboardDriver, ansi_color=True if no_colour else None)
        self.title = table.game.title
        self.felt = FeltScreen(table, seed)

    def on_mount(self) -> None:
        self.push_screen(self.felt)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.felt.leave)

    async def action_quit(self) -> None:
        self.felt.leave()

    # textual would print a traceback with local variables, and with them hidden cards.

    def panic(self, *renderables: RenderableType) -> None:
        self._fatal_error()

    def _fatal_error(self) -> None:
        self._return_value, self._return_code = None, 1
        self._close_messages_no_wait()

    @property
    def error_place(self) -> str:
        """The kind and the place of the error, without its message or any value."""
        if self._exception is None:
            return "an error"
        at = traceback.extract_tb(self._exception.__traceback__)[-1]
        return f"{type(self._exception).__name__} in {os.path.basename(at.filename)}, line {at.lineno}"
