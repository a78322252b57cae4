"""The table at the terminal: the session without a screen, the screen by its keys, the lines by a pipe."""

import fcntl
import inspect
import os
import pty
import re
import secrets
import signal
import struct
import subprocess
import sys
import termios
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from itertools import repeat

import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from textual.pilot import Pilot

from feltlab.cli.main import main
from feltlab.core.cards import FACE_DOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.layout import Choice
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.shuffling.uniform import BLOCK, WORDS, below, shuffled
from feltlab.submission.rule_sheet import read_rule_sheet
from feltlab.terminal import drawing, lines
from feltlab.terminal.panels import describe_pay_tables, settlement
from feltlab.terminal.screen import Help, Table
from feltlab.terminal.solo_table import Session, practice

FIVE = 500  # cents
WAR = GAMES["casino-war"]
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def seated(game: Game, seed: int = 1, **changes: object) -> Session:
    return replace(Session(game, practice(seed)), **changes)  # type: ignore[arg-type]


def wagered(session: Session, cents: int = FIVE) -> Session:
    for spot in session.game.wagers:
        session = session.place(spot.name, cents)
    return session


@cache
def seed_of(game: Game, choice: str) -> int:
    """The first seed that opens a choice at once to a player with every wager."""
    for seed in range(1, 5000):
        session = wagered(seated(game, seed)).start()
        if session.round and choice in session.round.choices:
            return seed
    raise AssertionError(f"{choice} is never open")


def at_choice(game: Game, choice: str) -> Session:
    return wagered(seated(game, seed_of(game, choice))).start()


# -- Shuffling --------------------------------------------------------------------------------------


def test_a_shuffle_keeps_every_card_and_reaches_every_order() -> None:
    deck = WAR.deck.cards
    assert Counter(shuffled(deck)) == Counter(deck)
    seen = {shuffled(cards("As Kd 2c")) for _ in range(400)}
    assert len(seen) == 6  # an order stays unseen with probability 6 * (5/6)**400, about 1e-31


def test_the_live_shuffle_cannot_be_seeded() -> None:
    """It takes cards and nothing else, and the module knows no source but the operating system's."""
    import feltlab.shuffling.uniform as module

    assert list(inspect.signature(shuffled).parameters) == ["cards"]
    assert inspect.signature(below).parameters["source"].default is secrets.token_bytes
    assert {"random", "np", "numpy"}.isdisjoint(vars(module))


def drawing_words(words: Iterable[int]) -> Callable[[int], bytes]:
    """A source of bytes that gives these words, and then nothing but zeros."""
    left = iter(words)
    return lambda size: array("I", [next(left, 0) for _ in range(size // 4)]).tobytes()


@pytest.mark.parametrize("limit", [1, 2, 3, 52, 53, 312, 416, 1000])
def test_as_many_words_lead_to_each_number(limit: int) -> None:
    """Words are taken up to the last whole multiple of the limit, so each remainder is as frequent."""
    fair = WORDS - WORDS % limit
    for first in (0, fair - 20 * limit):
        drawn = below(repeat(limit, 20 * limit), drawing_words(range(first, first + 20 * limit)))
        assert Counter(drawn) == dict.fromkeys(range(limit), 20)


@pytest.mark.parametrize("limit", [3, 52, 53, 312, 2**31 + 1, WORDS - 1])
def test_a_word_that_would_favour_small_numbers_is_drawn_again(limit: int) -> None:
    """Also where more than a block of them comes in a row."""
    unfair = range(WORDS - WORDS % limit, WORDS)
    for rejected in ([unfair[0]], [unfair[-1]], [unfair[-1]] * BLOCK):
        assert list(below([limit, 2], drawing_words([*rejected, limit - 1, 1]))) == [limit - 1, 1]


def test_each_number_is_below_its_own_limit() -> None:
    limits = [*range(1, 417), WORDS] * 5
    assert all(0 <= drawn < limit for drawn, limit in zip(below(limits), limits, strict=True))
    assert list(below([])) == []


@pytest.mark.parametrize("limit", [0, -1, WORDS + 1])
def test_nothing_is_drawn_below_an_impossible_limit(limit: int) -> None:
    with pytest.raises(ValueError, match=f"a number below {limit} cannot be drawn"):
        next(below([limit]))


@every_game
def test_the_same_seed_and_actions_deal_the_same_cards(game: Game) -> None:
    first, second = (wagered(seated(game, 7)).start() for _ in range(2))
    assert first.round == second.round
    assert first.round != wagered(seated(game, 8)).start().round


def test_the_shoe_goes_on_until_the_cut_card() -> None:
    session = wagered(seated(WAR)).start()
    sizes = []
    while len(sizes) < 400:
        while session.playing:
            session = session.choose("surrender")
        assert session.deal
        sizes.append(len(session.deal.shoe))
        before = session.deal.rest
        session = replace(session, bankroll=10_000).rebet().start()
        assert session.deal
        if len(before) > WAR.behind_cut:
            assert session.deal.shoe == before
        else:
            assert len(session.deal.shoe) == len(WAR.deck)
    assert (
        sizes.count(len(WAR.deck)) == 4
    )  # 312 cards, 78 of them behind the cut, at 2 a round: 117 rounds a shoe


@every_game
def test_a_deck_without_cut_card_is_shuffled_for_every_round(game: Game) -> None:
    if game.behind_cut == len(game.deck):
        session = finished(wagered(seated(game)).start())
        again = session.rebet().start()
        assert again.deal
        assert len(again.deal.shoe) == len(game.deck)


# -- Wagers and bankroll ----------------------------------------------------------------------------


def finished(session: Session) -> Session:
    while session.playing:
        session = session.choose(session.choices[-1].name)
    return session


@pytest.mark.parametrize(
    ("cents", "sentence"),
    [
        (400, "The Primary wager must be at least $5, not $4."),
        (550, "The Primary wager must be a multiple of $1, not $5.50."),
        (-500, "The Primary wager must be more than nothing, not -$5."),
    ],
)
def test_a_wager_outside_the_limits_is_not_dealt(cents: int, sentence: str) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)):
        seated(WAR).place("primary", cents).start()


def test_no_more_than_the_maximum_or_the_bankroll_can_be_placed() -> None:
    with pytest.raises(Refused, match=r"at most \$400, not \$401"):
        seated(WAR).place("primary", 40_100)
    with pytest.raises(Refused, match=r"come to \$105; your bankroll is \$100"):
        seated(WAR, bankroll=10_000).place("primary", 10_000).add("tie", FIVE)


def test_unknown_and_missing_wagers_are_refused() -> None:
    with pytest.raises(Refused, match="'ante' is not a wager of Casino War"):
        seated(WAR).place("ante", FIVE)
    with pytest.raises(Refused, match="requires the Primary wager"):
        seated(WAR).place("tie", FIVE).start()


def test_chips_go_on_and_come_off() -> None:
    session = seated(WAR).add("primary", 2_500).add("primary", 100)
    assert session.placed == {"primary": 2_600}
    assert (session.in_hand, session.staked) == (97_400, 2_600)
    assert session.add("primary", -10_000).placed == {}
    assert session.add("tie", FIVE).clear().placed == {}


def test_rebet_and_double() -> None:
    session = seated(WAR)
    with pytest.raises(Refused, match="no earlier round"):
        session.rebet()
    with pytest.raises(Refused, match="no wager to double"):
        session.double()
    session = finished(wagered(session).start())
    assert session.placed == {}
    assert session.rebet().double().placed == {"primary": 1_000, "tie": 1_000}
    with pytest.raises(Refused, match="at most"):
        session.place("primary", 40_000).double()


@every_game
def test_money_is_neither_made_nor_lost(game: Game) -> None:
    session = seated(game, 3)
    for _ in range(40):
        session = wagered(replace(session, bankroll=100_000))
        total = session.bankroll
        session = session.start()
        while session.playing:
            assert session.bankroll + session.staked == total
            session = session.choose(session.choices[session.rounds % len(session.choices)].name)
        assert session.settlement
        assert session.bankroll == total + session.settlement.net


def test_wagers_are_closed_while_a_round_runs() -> None:
    session = at_choice(WAR, "war")
    for step in (session.clear, session.rebet, session.start):
        with pytest.raises(Refused, match="Wagers are closed"):
            step()


@every_game
def test_a_choice_that_costs_too_much_is_not_offered_and_says_why(game: Game) -> None:
    for choice in game.choices:
        if choice.puts:
            poor = replace(at_choice(game, choice.name), bankroll=100)
            assert poor.round
            assert poor.round.cost(choice.name) > 100
            assert choice not in poor.choices
            assert any(note.startswith(f"To {choice.name} you need $") for note in poor.notes)
            with pytest.raises(Refused, match=f"To {choice.name} you need"):
                poor.choose(choice.name)


def test_a_raise_may_be_below_the_minimum_but_not_above_the_maximum() -> None:
    bonus = GAMES["triple-shot-bonus"]
    session = at_choice(bonus, "insure")
    assert session.choose("insure").on(bonus.spot("insurance")) == 250  # half of $5, as the rules size it
    tight = replace(session, limits=Limits(100, 200))
    assert "insure" not in [choice.name for choice in tight.choices]
    assert "exceed the maximum, $2, on Insurance" in " ".join(tight.notes)


def test_a_choice_that_is_not_open_is_refused() -> None:
    with pytest.raises(Refused, match="'hit' cannot be chosen here; the choice is war or surrender"):
        at_choice(WAR, "war").choose("hit")
    with pytest.raises(Refused, match="'war' cannot be chosen here"):
        seated(WAR).choose("war")


def test_leaving_in_mid_round_gives_every_wager_back() -> None:
    bonus = GAMES["triple-shot-bonus"]
    session = at_choice(bonus, "insure").choose("insure")
    assert session.playing
    assert session.bankroll == 100_000 - 4 * 500 - 250
    assert session.void("The player left.").bankroll == 100_000
    waiting = seated(WAR)
    assert waiting.void("There is nothing to void.") is waiting


@pytest.mark.parametrize("limits", [(0, 100), (-5, 100), (500, 400), (500, 10**13)])
def test_impossible_limits_are_refused(limits: tuple[int, int]) -> None:
    with pytest.raises(Refused):
        Limits(*limits)


def test_a_bankroll_below_the_minimum_is_broke() -> None:
    assert seated(WAR, bankroll=499).broke
    assert not seated(WAR, bankroll=500).broke


# -- Drawing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [drawing.SMALL, drawing.LARGE])
@pytest.mark.parametrize("count", range(1, 11))
def test_every_index_is_readable_however_many_cards_there_are(count: int, size: drawing.Size) -> None:
    held = Cards(4 * 8 + n % 4 for n in range(count))  # tens: the widest index
    rows = drawing.hand(held, 51, size).plain.splitlines()
    assert len(rows) == size.height
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows[0]) <= 51
    assert re.findall("10[♣♦♥♠]", rows[1]) == ["10" + "♣♦♥♠"[n % 4] for n in range(count)]


def test_a_card_face_down_shows_nothing_and_a_joker_its_name() -> None:
    assert "░" in drawing.hand(Cards([FACE_DOWN]), 51, drawing.SMALL).plain
    assert "Jk" in drawing.hand(cards("Jk"), 51, drawing.SMALL).plain
    assert drawing.chips(13_600).plain == "●" * 5  # 100 + 25 + 2 * 5 + 1
    assert len(drawing.chips(10**40).plain) == drawing.MOST_CHIPS


@every_game
def test_the_longest_settlement_fits_below_the_table_of_80_by_24(game: Game) -> None:
    console = Console(width=80)
    for seed in range(1, 150):
        session = wagered(seated(game, seed, bankroll=10**6, limits=Limits(1, 40_000, 1)), 39_990).start()
        while session.playing:
            session = session.choose(session.choices[seed % len(session.choices)].name)
        assert session.settlement
        assert (
            len(console.render_lines(settlement(session.settlement))) <= 9
        )  # 24 less 13 of cards, 2 of lines


# -- The screen -------------------------------------------------------------------------------------


def shown(app: Table) -> str:
    return "\n".join("".join(part.text for part in strip) for strip in app.screen._compositor.render_strips())


async def ready(app: Table, pilot: Pilot[Session]) -> None:
    while not app.felt.ready:
        await pilot.pause(0.05)


@pytest.mark.parametrize(
    ("game", "choice"),
    [(game, choice) for game in GAMES.values() for choice in game.choices],
    ids=lambda value: value.name,
)
async def test_every_choice_of_every_game_by_its_key(game: Game, choice: Choice) -> None:
    app = Table(seated(game, seed_of(game, choice.name)))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(app, pilot)
        for number in range(len(game.wagers)):
            await pilot.press(str(number + 1), "m")
        assert game.title in shown(app)
        await pilot.press("enter")
        assert choice.help in shown(app)
        await pilot.press(choice.key)
        while app.felt.session.playing:
            await pilot.press(app.felt.session.choices[-1].key)
        text = shown(app)
        assert app.felt.session.result in text
        assert app.felt.session.round
        assert choice.name in app.felt.session.round.chosen
        assert app.felt.session.settlement
        at = text.index("outcome and why")
        for wager in app.felt.session.settlement.wagers:  # in the order of settling
            at = text.index(f" {wager.spot.title} ", at)
            assert wager.result in text[at : at + 80]
        assert len(text.splitlines()) == 24
        assert {len(line) for line in text.splitlines()} == {80}


async def test_the_keys_that_place_wagers() -> None:
    app = Table(seated(WAR))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(app, pilot)
        await pilot.press(*"zxcv")
        assert app.felt.session.placed == {"primary": 13_100}
        await pilot.press(*"ZXCV")
        assert app.felt.session.placed == {}
        await pilot.press("m", "tab", "x", "d")
        assert app.felt.session.placed == {"primary": 1_000, "tie": 1_000}
        await pilot.press("backspace", "up", "M")
        assert app.felt.session.placed == {"primary": 40_000}
        await pilot.press("v")
        assert "at most $400, not $500" in shown(app)
        await pilot.press("0", "enter")
        assert "requires the Primary wager" in shown(app)
        await pilot.press("m", "space")
        assert app.felt.session.deal
        app.felt.session = finished(app.felt.session)
        await pilot.press("r")
        assert app.felt.session.placed == {"primary": 500}


async def test_only_legal_choices_are_offered() -> None:
    app = Table(replace(at_choice(WAR, "war"), bankroll=100))
    async with app.run_test(size=(80, 24)) as pilot:
        text = shown(app)
        assert "give up half your wager" in text
        assert "match your wager" not in text
        assert "To war you need $4 more than your bankroll." in text
        await pilot.press("w")
        assert app.felt.session.playing


@every_game
async def test_help_shows_keys_pay_tables_and_rules(game: Game) -> None:
    app = Table(seated(game))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("?")
        await pilot.pause()
        assert isinstance(app.screen, Help)
        assert "leave the table" in shown(app)
        await pilot.press("pagedown", "down", "pageup")
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.felt


async def test_a_terminal_that_is_too_small_says_so_and_comes_back() -> None:
    app = Table(seated(WAR))
    async with app.run_test(size=(30, 8)) as pilot:
        assert " ".join(shown(app).split()) == "This table needs 80x24, not 30x8."
        await pilot.press("m", "enter")
        assert app.felt.session.placed == {}
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "bankroll $1,000" in shown(app)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "bankroll $1,000" in shown(app)


async def test_one_q_in_mid_round_only_asks_and_another_key_takes_it_back() -> None:
    app = Table(at_choice(WAR, "war"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("q")
        assert "void" in app.felt.message
        await pilot.press("question_mark", "escape", "q")
        assert app.felt.session.playing
        assert "again leaves" in app.felt.message


async def test_help_leaves_the_message_as_it_was() -> None:
    app = Table(at_choice(WAR, "war"))
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.felt.message
        await pilot.press("question_mark", "escape")
        assert app.felt.message == before


@pytest.mark.parametrize("keys", ["q q", "ctrl+c", "ctrl+d", "ctrl+q"])
async def test_leaving_in_mid_round_by_key(keys: str) -> None:
    app = Table(at_choice(WAR, "war"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys.split())
        await pilot.pause()
    assert app.return_value
    assert app.return_value.bankroll == 100_000


async def test_no_colour_is_used_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Table(wagered(seated(WAR)).start())
    async with app.run_test(size=(80, 24)):
        strips = app.screen._compositor.render_strips()
        styles = [part.style for strip in strips for part in strip if part.style]
    assert all(style.color is None or style.color.is_default for style in styles)
    assert all(style.bgcolor is None or style.bgcolor.is_default for style in styles)


def until(terminal: int, words: bytes) -> bytes:
    """What a terminal shows until it has shown these words or is closed."""
    seen = b""
    with suppress(OSError):
        while words not in seen and (part := os.read(terminal, 4096)):
            seen += part
    return seen


SUMMARY = b"Casino War: 0 rounds, even; you leave with $1,000."


@contextmanager
def at_terminal(
    *python: str, stdin: int | None = None, stdout: int | None = None, stderr: int | None = None, **env: str
) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """`feltlab play` on a terminal of its own, the only place where the real driver runs."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, *(python or ("-m", "feltlab")), "play", "casino-war"],
        stdin=stdin or theirs,
        stdout=stdout or theirs,
        stderr=stderr or theirs,
        env={**os.environ, "TERM": "xterm-256color", **env},
    )
    os.close(theirs)
    with process:
        try:
            yield ours, process
        finally:
            process.kill()
            os.close(ours)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_the_screen_cleanly(number: signal.Signals) -> None:
    with at_terminal() as (terminal, process):
        until(terminal, b"limits $5 to $400")
        process.send_signal(number)
        assert SUMMARY in until(terminal, SUMMARY)
        assert process.wait(30) == 0


def test_bytes_that_are_no_text_do_not_end_the_screen() -> None:
    with at_terminal() as (terminal, process):
        until(terminal, b"limits $5 to $400")
        os.write(terminal, b"\xff\xfe\x80")
        time.sleep(0.5)  # read by itself, as from a keyboard
        os.write(terminal, b"q")
        assert SUMMARY in until(terminal, SUMMARY)
        assert process.wait(30) == 0


BREAKING = """
from feltlab.terminal.solo_table import Session
from feltlab.cli.main import main
def double(session):
    unseen = "the queen of hearts"
    raise ZeroDivisionError(unseen)
Session.double = double
main()
"""


def test_a_table_that_breaks_says_so_without_showing_anything() -> None:
    with at_terminal("-c", BREAKING) as (terminal, process):
        until(terminal, b"limits $5 to $400")
        os.write(terminal, b"d")
        seen = until(terminal, b"given back.")
        assert process.wait(30) == 1
    assert SUMMARY in seen
    assert b"feltlab: The table broke: ZeroDivisionError in <string>, line 6;" in seen
    assert b"queen" not in seen
    assert b"Traceback" not in seen


@pytest.mark.parametrize("other", ["stdin", "stdout", "stderr"])
def test_one_stream_that_is_no_terminal_means_plain_lines(other: str) -> None:
    with at_terminal(**{other: subprocess.PIPE}) as (terminal, process):
        typed = process.stdin.fileno() if process.stdin else terminal
        os.write(typed, b"quit\n")
        seen = process.stdout.read() if process.stdout else until(terminal, SUMMARY)
        assert process.wait(30) == 0
    assert SUMMARY in seen
    assert b"\x1b" not in seen


def test_an_encoding_without_suits_means_plain_lines() -> None:
    with at_terminal(PYTHONIOENCODING="latin-1") as (terminal, process):
        os.write(terminal, b"quit\n")
        seen = until(terminal, SUMMARY)
        assert process.wait(30) == 0
    assert b"\x1b" not in seen


# -- Plain lines ------------------------------------------------------------------------------------


def piped(*args: str, typed: str | bytes) -> Result:
    return CliRunner().invoke(main, ["play", *args], input=typed)


def wager_line(game: Game) -> str:
    return " ".join(f"{spot.name}=5" for spot in game.wagers)


@pytest.mark.parametrize(
    ("game", "choice"),
    [(game, choice) for game in GAMES.values() for choice in game.choices],
    ids=lambda value: value.name,
)
def test_every_choice_of_every_game_by_name_and_by_key(game: Game, choice: Choice) -> None:
    seed = str(seed_of(game, choice.name))
    rest = "decline\nstand\nfold\nsurrender\nquit\n"
    by_name, by_key = (
        piped(game.name, "--seed", seed, typed=f"{wager_line(game)}\n{word}\n{rest}")
        for word in (choice.name, choice.key.upper())
    )
    assert by_name.exit_code == 0
    assert by_name.output == by_key.output
    assert by_name.output.splitlines()[-1].startswith(f"{game.title}: 1 round, ")
    assert by_name.output.isascii()


@every_game
def test_the_end_of_input_in_mid_round_voids_it(game: Game) -> None:
    session = seated(game, seed_of(game, game.choices[0].name))
    result = piped(game.name, "--seed", str(seed_of(game, game.choices[0].name)), typed=wager_line(game))
    assert result.exit_code == 0
    assert result.output.splitlines()[-2:] == [
        "The round is void; your wagers are given back.",
        session.summary,
    ]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "Type your wagers, or help."),
        ("rebet", "There is no earlier round to repeat."),
        ("nonsense", "A wager takes NAME=VALUE, not 'nonsense'."),
        ("ante=5", "'ante' is not a wager of Casino War; its wagers are primary and tie."),
        ("primary=5 primary=6", "A wager names primary twice."),
        ("primary=much", "'much' is not an amount of dollars and whole cents."),
        ("primary=0", "A wager must be more than nothing."),
        ("primary=401", "The Primary wager may be at most $400, not $401."),
        ("primary=max tie=max", ""),
        ("tie=5", "Casino War requires the Primary wager."),
    ],
)
def test_a_line_that_means_nothing_repeats_the_question(line: str, sentence: str) -> None:
    result = piped("casino-war", "--seed", "1", typed=f"{line}\n")
    assert result.exit_code == 0
    assert sentence in result.output.splitlines() or not sentence
    assert result.output.count("Your wagers on primary and tie") == 2


def test_bytes_that_are_no_text_are_refused_like_any_nonsense() -> None:
    result = piped("casino-war", typed=b"\xff\xfe\x00=5\nquit\n")
    assert result.exit_code == 0
    assert "is not a wager of Casino War" in result.output


def test_a_line_that_is_too_long_is_refused_and_not_cut() -> None:
    result = piped(
        "casino-war", typed=f"primary=5 {' ' * 300} tie=5\n{'x' * 20_000}\nquit{' ' * 5_000}x\nquit\n"
    )
    assert result.output.count("A line may have at most 200 characters.") == 3
    assert SUMMARY.decode() in result.output


def test_control_characters_are_not_sent_back() -> None:
    assert "\x1b" not in piped("casino-war", typed="\x1b=5 \x1b=6\n\x1b[2J=5\nprimary=\x1b\n").output


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_lines_like_the_end_of_input(number: signal.Signals) -> None:
    seed = str(seed_of(WAR, "war"))
    command = [sys.executable, "-u", "-m", "feltlab", "play", "casino-war", "--seed", seed]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"primary=5 tie=5\n")
        process.stdin.flush()
        while b"Your choice" not in process.stdout.readline():
            pass
        process.send_signal(number)
        void, summary = process.stdout.read().splitlines()
        assert process.wait(30) == 0
    assert (void, summary) == (b"The round is void; your wagers are given back.", SUMMARY)


def test_rebet_and_double_in_lines() -> None:
    result = piped("casino-war", "--seed", "3", typed="primary=min\nrebet\ndouble\nhelp\n")
    assert "3 rounds" in result.output.splitlines()[-1]
    assert "Primary $10 " in result.output
    assert describe_pay_tables(WAR) in result.output
    assert read_rule_sheet("casino-war") in result.output


def test_a_lost_bankroll_ends_the_game() -> None:
    for seed in range(20):
        result = piped(
            "casino-war", "--seed", str(seed), "--bankroll", "5", typed="primary=5\nsurrender\n" * 50
        )
        if "Your bankroll is less than the minimum." in result.output:
            assert result.output.splitlines()[-1].endswith("$5 down; you leave with $0.")
            return
    raise AssertionError("nobody ever lost")


def test_an_interrupt_leaves_the_lines_cleanly() -> None:
    def typed() -> Iterator[str]:
        yield "primary=5"
        raise KeyboardInterrupt

    heard: list[str] = []
    session = lines.play(seated(WAR), typed(), heard.append)
    assert heard[-1] == session.summary


def test_the_same_seed_plays_the_same_in_a_real_pipe() -> None:
    command = [sys.executable, "-m", "feltlab", "play", "casino-war", "--seed", "9"]
    runs = [subprocess.run(command, input=b"primary=5\nprimary=5\n", capture_output=True) for _ in range(2)]
    assert runs[0].returncode == 0
    assert runs[0].stdout == runs[1].stdout
    assert not runs[0].stderr


@pytest.mark.parametrize(
    "args",
    [
        ["no-such-game"],
        ["casino-war", "--option", "decks=9"],
        ["casino-war", "--seed", "-1"],
        ["casino-war", "--minimum", "0"],
        ["casino-war", "--minimum", "50", "--maximum", "10"],
        ["casino-war", "--bankroll", "3"],
        ["casino-war", "--bankroll", "-3"],
        ["casino-war", "--bankroll", "1e12"],
        ["casino-war", "--minimum", "5", "--maximum", "400.50"],
        ["casino-war", "--minimum", "5.01"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_one_sentence_and_status_2(args: list[str]) -> None:
    result = CliRunner().invoke(main, ["play", *args], input="")
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1


# -- Sheets -----------------------------------------------------------------------------------------


@every_game
def test_pay_tables_list_what_the_table_prints(game: Game) -> None:
    text = describe_pay_tables(game)
    for spot in game.spots:
        for line in game.pay_table(spot).lines:
            assert (f"  {line.outcome} " in text) >= line.listed


@pytest.mark.parametrize("name", ["no-such-game", "../rules/casino-war", "", "casino-war.md"])
def test_a_sheet_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="no rule sheet"):
        read_rule_sheet(name)
