"""The table in plain lines, for pipes and screen readers: no colour, no cursor, one line a decision."""

from collections.abc import Callable, Iterator, Mapping

from feltlab.core.cards import FACE_DOWN, JOKER, RANK_NAMES, Cards, rank_of, suit_of
from feltlab.core.choices import parse_choice
from feltlab.core.layout import Choice
from feltlab.core.settlement import Settled
from feltlab.errors import Refused
from feltlab.terminal.help_text import describe_options, describe_pay_tables, rules_text, without_markup
from feltlab.terminal.solo_table import PLAYER_LEFT, SoloTable
from feltlab.text import dollars, listing, parse_dollars, parse_pairs

Say = Callable[[str], None]

SUIT_NAMES = ("Clubs", "Diamonds", "Hearts", "Spades")
MAX_LINE_CHARS = 200  # a refusal repeats the player's words

COMMANDS = """Commands
  NAME=DOLLARS ...  place wagers and deal; min and max are the table's limits
  rebet             repeat the wagers of the last round
  double            repeat them, doubled
  help              show this text, the pay tables and the rules
  quit              leave the table
During a round, type the name of a choice or its key"""


class _Leave(Exception):
    """The player quits, or the input has ended."""


def play(table: SoloTable, typed: Iterator[str], say: Say) -> SoloTable:
    """Play until the input ends, the player quits or interrupts, or the bankroll is gone."""
    for text in introduce(table):
        say(text)
    try:
        while not table.is_broke:
            say(prompt(table))
            table = _answer(table, _next_line(typed), say)
        say("Your bankroll is less than the minimum wager.")
    except (_Leave, KeyboardInterrupt):
        if table.is_playing:
            say("The round is void; the wagers on the felt are returned.")
    table = table.void(PLAYER_LEFT)
    say(table.summary)
    return table


def _next_line(typed: Iterator[str]) -> str:
    """The next line without control characters. A line that is too long keeps its length and is refused."""
    for line in typed:
        text = "".join(char if char.isprintable() or char.isspace() else "?" for char in line.rstrip("\r\n"))
        return text.strip() if len(text) <= MAX_LINE_CHARS else text
    raise _Leave


def _answer(table: SoloTable, line: str, say: Say) -> SoloTable:
    """The table after a line; a refusal leaves it as it was."""
    try:
        if len(line) > MAX_LINE_CHARS:
            raise Refused(f"A line may have at most {MAX_LINE_CHARS} characters.")
        after = _choose(table, line) if table.is_playing else _wager(table, line)
    except Refused as refused:
        return _answer_command(table, line, refused, say)
    for text in describe(after, len(table.payments) if table.is_playing else None):
        say(text)
    return after


def _answer_command(table: SoloTable, line: str, refused: Refused, say: Say) -> SoloTable:
    """Obey quit and help, and refuse any other line. A choice of that name or key comes first."""
    match line.lower():
        case "quit" | "q":
            raise _Leave
        case "help" | "?":
            say(help_text(table))
        case _:
            say(str(refused))
    return table


def introduce(table: SoloTable) -> Iterator[str]:
    """The game, its limits and an example of a wager."""
    yield f"{table.game.title}. {table.game.rules.SUMMARY}"
    wagers = [spot for spot in table.game.wagers if table.game.is_required(spot)] or table.game.wagers[:1]
    example = " ".join(f"{spot.name}={dollars(table.limits.minimum)[1:]}" for spot in wagers)
    yield f"Each wager is {table.limits}. Type wagers such as {example}, or help, or quit."


def prompt(table: SoloTable) -> str:
    if table.is_playing:
        offered = (f"{choice.name} ({choice.key}){_cost_text(table, choice)}" for choice in table.choices)
        return f"Your choice: {listing(offered, 'or')}?"
    names = listing(spot.name for spot in table.game.wagers)
    repeat = ", rebet or double" if table.last_wagers else ""
    return f"Bankroll {dollars(table.bankroll)}. Your wagers on {names}{repeat}?"


def _cost_text(table: SoloTable, choice: Choice) -> str:
    cents = table.most_cents(choice)
    return f" for {'up to ' * choice.any_amount}{dollars(cents)}" if cents else ""


# -- Input ------------------------------------------------------------------------------------------


def _choose(table: SoloTable, line: str) -> SoloTable:
    typed, equals, amount = line.partition("=")
    by_key = {choice.key: choice.name for choice in table.choices}
    name = by_key.get(typed, by_key.get(typed.lower(), typed.lower()))
    if name not in by_key.values():
        return table.choose(name)  # refuses it
    return table.choose(parse_choice(f"{name}{equals}{amount}"))


def _wager(table: SoloTable, line: str) -> SoloTable:
    match line.lower():
        case "":
            raise Refused("Type your wagers, or help.")
        case "rebet" | "r":
            return table.rebet().deal_round()
        case "double" | "d":
            return table.rebet().double().deal_round()
    return _place(table.clear(), parse_pairs(line.lower().split(), "A wager")).deal_round()


def _place(table: SoloTable, wagers: Mapping[str, str]) -> SoloTable:
    return table.place_with_equal({spot: _parse_amount(table, amount) for spot, amount in wagers.items()})


def _parse_amount(table: SoloTable, text: str) -> int:
    limits = {"min": table.limits.minimum, "max": table.limits.maximum}
    amount = limits[text] if text in limits else parse_dollars(text)
    if not amount:
        raise Refused("A wager must be more than $0.")
    return amount


# -- Output -----------------------------------------------------------------------------------------


def describe(table: SoloTable, settled: int | None = None) -> Iterator[str]:
    """The table after a step: wagers settled since the first `settled`; without it, a new round."""
    if table.deal is None or table.round is None:
        return
    if settled is None:
        yield f"Dealer: {' '.join(table.deal.calls)}"
    if table.round.view.dealer:
        yield _side("Dealer", table.round.view.dealer, table.dealer_reading)
    if table.round.view.board:
        yield _side("Board", table.round.view.board, "")
    yield _side("You", table.round.view.player, table.player_reading)
    yield from map(_settled_line, table.payments[settled or 0 :])
    yield from table.notes
    if table.settlement:
        yield table.result


def _side(name: str, held: Cards, reading: str) -> str:
    return f"{name}: {'; '.join(filter(None, (cards_in_words(held), reading)))}."


def cards_in_words(held: Cards) -> str:
    """'As Kd, 1 face down (Ace of Spades, King of Diamonds)'."""
    face_up = Cards(card for card in held if card >= 0)
    face_down = f"{held.count(FACE_DOWN)} face down" if FACE_DOWN in held else ""
    short = ", ".join(filter(None, (str(face_up), face_down)))
    return f"{short} ({', '.join(map(card_name, face_up))})" if face_up else short or "no cards"


def card_name(card: int) -> str:
    """'Ace of Spades'."""
    return "Joker" if card == JOKER else f"{RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}"


def _settled_line(wager: Settled) -> str:
    results = {
        "win": f"wins {dollars(wager.net)}",
        "lose": f"loses {dollars(-wager.net)}",
        "push": "pushes",
        "refund": "is returned",
    }
    result = f"{wager.spot.title} {dollars(wager.staked)} {results[wager.result]}"
    outcome = "" if wager.outcome == wager.result else f" {wager.outcome};"
    return f"{result}:{outcome} {wager.why}."


def help_text(table: SoloTable) -> str:
    """Commands, options, pay tables and rules."""
    options = f"Options in force\n{describe_options(table.game)}"
    pays = f"Pay tables\n{describe_pay_tables(table.game)}"
    less = (
        f"; {choice.name}=2.50 puts down less than the most"
        for choice in table.game.choices
        if choice.any_amount
    )
    commands = f"{COMMANDS}{''.join(less)}."
    return "\n\n".join((commands, options, pays, without_markup(rules_text(table.game))))
