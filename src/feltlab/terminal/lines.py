"""The table in plain lines, for pipes and screen readers: no colour, no cursor, one line per decision."""

from collections.abc import Callable, Iterator, Mapping

from feltlab.core.cards import FACE_DOWN, JOKER, RANK_NAMES, Cards, rank_of, suit_of
from feltlab.core.round import Settled
from feltlab.errors import Refused
from feltlab.submission.rule_sheet import read_rule_sheet
from feltlab.terminal.panels import describe_options, describe_pay_tables
from feltlab.terminal.solo_table import LEFT, Session
from feltlab.text import dollars, listing, parse_dollars, parse_pairs

Say = Callable[[str], None]

SUIT_NAMES = ("Clubs", "Diamonds", "Hearts", "Spades")
LONGEST = 200  # characters of a line; what means nothing is repeated

COMMANDS = """Commands
  NAME=DOLLARS ...  place wagers and deal; min and max stand for the limits
  rebet             the wagers of the last round once more
  double            the wagers of the last round twice
  help              this text, the pay tables and the rules
  quit              leave the table
In a round, type the name of a choice or its key."""


class _Leave(Exception):
    """The player wants no more."""


def play(session: Session, typed: Iterator[str], say: Say) -> Session:
    """Play until the lines end, the player quits or interrupts, or the bankroll is gone."""
    for text in opening(session):
        say(text)
    try:
        while not session.broke:
            say(prompt(session))
            session = _answer(session, _next(typed), say)
        say("Your bankroll is less than the minimum.")
    except (_Leave, KeyboardInterrupt):
        if session.playing:
            say("The round is void; your wagers are given back.")
    session = session.void(LEFT)
    say(session.summary)
    return session


def _next(typed: Iterator[str]) -> str:
    for line in typed:
        text = "".join(sign if sign.isprintable() or sign.isspace() else "?" for sign in line.rstrip("\r\n"))
        return text.strip() if len(text) <= LONGEST else text  # refused, and not shortened to what fits
    raise _Leave


def _answer(session: Session, line: str, say: Say) -> Session:
    """The session after a line. What is refused is said, and the session stays as it was."""
    try:
        if len(line) > LONGEST:
            raise Refused(f"A line may have at most {LONGEST} characters.")
        after = _choose(session, line) if session.playing else _wager(session, line)
    except Refused as refused:
        return _common(session, line, refused, say)
    for text in described(after, fresh=not session.playing):
        say(text)
    return after


def _common(session: Session, line: str, refused: Refused, say: Say) -> Session:
    """Words that mean the same at any time; the round's own words come before them."""
    match line.lower():
        case "quit" | "q":
            raise _Leave
        case "help" | "?":
            say(help_text(session))
        case _:
            say(str(refused))
    return session


def opening(session: Session) -> Iterator[str]:
    yield f"{session.game.title}. {session.game.rules.SUMMARY}"
    wagers = [spot for spot in session.game.wagers if session.game.requires(spot)] or session.game.wagers[:1]
    example = " ".join(f"{spot.name}={dollars(session.limits.minimum)[1:]}" for spot in wagers)
    yield f"Each wager is {session.limits}. Type wagers such as {example}, or help, or quit."


def prompt(session: Session) -> str:
    if session.playing:
        open_now = (
            f"{choice.name} ({choice.key}){_cost(session, choice.name)}" for choice in session.choices
        )
        return f"Your choice: {listing(open_now, 'or')}?"
    names = listing(spot.name for spot in session.game.wagers)
    again = ", rebet or double" if session.last else ""
    return f"Bankroll {dollars(session.bankroll)}. Your wagers on {names}{again}?"


def _cost(session: Session, choice: str) -> str:
    cost = session.round.cost(choice) if session.round else 0
    return f" for {dollars(cost)}" if cost else ""


# -- Reading ----------------------------------------------------------------------------------------


def _choose(session: Session, line: str) -> Session:
    by_key = {choice.key: choice.name for choice in session.choices}
    return session.choose(by_key.get(line, by_key.get(line.lower(), line.lower())))


def _wager(session: Session, line: str) -> Session:
    match line.lower():
        case "":
            raise Refused("Type your wagers, or help.")
        case "rebet" | "r":
            return session.rebet().start()
        case "double" | "d":
            return session.rebet().double().start()
    return _placed(session.clear(), parse_pairs(line.lower().split(), "A wager")).start()


def _placed(session: Session, wagers: Mapping[str, str]) -> Session:
    for spot, amount in wagers.items():
        session = session.place(spot, _amount(session, amount))
    return session


def _amount(session: Session, text: str) -> int:
    named = {"min": session.limits.minimum, "max": session.limits.maximum}
    amount = named[text] if text in named else parse_dollars(text)
    if not amount:
        raise Refused("A wager must be more than nothing.")
    return amount


# -- Saying -----------------------------------------------------------------------------------------


def described(session: Session, fresh: bool) -> Iterator[str]:
    """The table after a step; a fresh round begins with the dealer's calls."""
    if session.deal is None or session.round is None:
        return
    if fresh:
        yield f"Dealer: {' '.join(session.deal.calls)}"
    yield _side("Dealer", session.round.view.dealer, session.dealer_reading)
    yield _side("You", session.round.view.player, session.player_reading)
    yield from session.notes
    if session.settlement:
        yield from map(_settled, session.settlement.wagers)
        yield session.result


def _side(who: str, held: Cards, reading: str) -> str:
    return f"{who}: {'; '.join(filter(None, (in_words(held), reading)))}."


def in_words(held: Cards) -> str:
    """'As Kd, 1 face down (Ace of Spades, King of Diamonds)'."""
    open_now = Cards(card for card in held if card >= 0)
    down = f"{held.count(FACE_DOWN)} face down" if FACE_DOWN in held else ""
    short = ", ".join(filter(None, (str(open_now), down)))
    return f"{short} ({', '.join(map(spoken, open_now))})" if open_now else short or "no cards"


def spoken(card: int) -> str:
    return "Joker" if card == JOKER else f"{RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}"


def _settled(wager: Settled) -> str:
    sums = {"win": f"wins {dollars(wager.net)}", "lose": f"loses {dollars(-wager.net)}"}
    ends = sums.get(
        wager.result, {"push": "pushes", "refund": "is given back"}.get(wager.result, wager.result)
    )
    return f"{wager.spot.title} {dollars(wager.staked)} {ends}: {wager.outcome}; {wager.why}."


def help_text(session: Session) -> str:
    game = session.game
    try:
        rules = read_rule_sheet(game.name)
    except Refused as refused:
        rules = str(refused)
    parts = (
        COMMANDS,
        "Options in force\n" + describe_options(game),
        "Pay tables\n" + describe_pay_tables(game),
        rules,
    )
    return "\n\n".join(parts)
