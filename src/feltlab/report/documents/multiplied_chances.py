"""Why a product of chances is wrong, for readers who do not calculate."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from feltlab.analysis.multiplied_chances import Happened, Product
from feltlab.core.paytable import PayTable
from feltlab.games import solver_of
from feltlab.proving.proof import Proof, prove
from feltlab.report import svg as draw
from feltlab.report.document import Block, Items, Paragraph, Picture, Section, TableBlock, TableColumn, Tone
from feltlab.report.numbers import decimal, kept, percent
from feltlab.text import listing


def sections(found: Sequence[Product]) -> Iterator[Section]:
    """The first product in full; those of other options in one table."""
    for product in found[:1]:
        title = f"Why the figures of the {product.bet.title} are wrong"
        yield Section(title, tuple(_multiplied(product)), new_page=True)
        yield Section("Why multiplying is wrong", tuple(_together(product)), level=2)
        yield Section("What it means in money", (*_money(product), *_break_even(product)), level=2)
    if found[1:]:
        yield Section("Under other options", tuple(_others(found)), level=2)


# -- What was done ----------------------------------------------------------------------------------


def _multiplied(product: Product) -> Iterator[Block]:
    events = listing(event for event in product.events)
    yield Paragraph(
        f"The {product.bet.title} wins when all of these come together in one round: {events}. The packet "
        f"takes the chance of each, multiplies them, and prints the product as the chance that the "
        f"{product.bet.title} wins: {product.figure.published}. In truth it wins {percent(product.hit)} of "
        "the time. Each chance by itself is right. Multiplying them is not."
    )
    rows = [
        (factor.event, factor.published, percent(product.chance([n])))
        for n, factor in enumerate(product.factors)
    ]
    yield TableBlock(
        (TableColumn("event"), TableColumn("printed", right=True), TableColumn("proved", right=True)),
        (*rows, ("all together", f"{percent(product.printed)}, the product", percent(product.hit))),
        totals=1,
    )
    yield _picture(product)


def _picture(product: Product) -> Picture:
    """Both chances, and the chance at which each pay that is offered breaks even."""
    bet, pays = product.bet, [_pay(table) for table in product.bet.tables]
    told = (
        f"Two bars: the published chance that the {bet.title} wins, {percent(product.printed, 2)}, and the "
        f"proved one, {percent(product.hit, 2)}. Lines mark the chances above which the house loses: "
        + listing(f"{percent(_fair(pay), 2)} at {pay} to 1" for pay in pays)
        + "."
    )
    rows = (
        (f"published: {percent(product.printed, 2)}", float(product.printed), "even"),
        (f"proved: {percent(product.hit, 2)}", float(product.hit), "behind"),
    )
    marks = {float(_fair(pay)): f"even at {pay} to 1" for pay in pays}
    return Picture(f"{product.proof.game.name}-{bet.name}", draw.chances(rows, marks), told)


def _pay(table: PayTable) -> Fraction:
    return max(line.net for line in table.lines)


def _fair(pay: Fraction) -> Fraction:
    """The chance of winning at which a pay is even."""
    return 1 / (pay + 1)


# -- Why it is wrong --------------------------------------------------------------------------------


def _together(product: Product) -> Iterator[Block]:
    yield Paragraph(
        "Chances may be multiplied only if one event says nothing about the others, as with tosses of a "
        "coin. " + product.figure.because
    )
    yield _given(product)
    yield from _chain(product)
    yield _joint(product)
    yield Paragraph(
        f"{product.law[_all(product)]:,} of {product.proof.tally.deals:,} equally likely deals win the "
        f"{product.bet.title}. Play: {_play(product, product.figure.strategy)}.",
        "note",
    )


def _chain(product: Product) -> Iterator[Block]:
    """The right way to multiply: each chance among the rounds that the events before have left."""
    every = range(len(product.factors))
    chances = [percent(product.chance([n], every[:n]), 2) for n in every]
    yield Items(
        tuple(
            f"{product.events[n]}: {percent(product.chance([n]), 2)} of all rounds, but {chances[n]} of the "
            f"rounds with {listing(product.events[:n])}."
            for n in every[1:]
        )
    )
    yield Paragraph(
        f"Only the rounds that are left may be counted at each step: {' × '.join(chances)} is "
        f"{percent(product.hit, 2)}."
    )


def _all(product: Product) -> Happened:
    return (True,) * len(product.factors)


def _given(product: Product) -> TableBlock:
    """The chance of each event: overall, given another, and given all others."""
    every = range(len(product.factors))
    columns = [TableColumn(f"given {event}", right=True) for event in product.events]
    rows = [
        (
            product.events[n],
            percent(product.chance([n]), 2),
            *("" if n == m else percent(product.chance([n], [m]), 2) for m in every),
            percent(product.chance([n], {*every} - {n}), 2),
        )
        for n in every
    ]
    return TableBlock(
        (
            TableColumn("chance of"),
            TableColumn("overall", right=True),
            *columns,
            TableColumn("given all others", right=True),
        ),
        tuple(rows),
        "If the events were independent, each line would show one number throughout.",
    )


def _joint(product: Product) -> TableBlock:
    numbers = ("share of all rounds", "if independent")
    rows = [
        (
            *("yes" if yes else "no" for yes in happened),
            percent(product.share(happened)),
            percent(product.if_independent(happened)),
        )
        for happened in product.law
    ]
    plain: list[Tone] = ["plain"] * (len(rows) - 1)
    return TableBlock(
        (*map(TableColumn, product.events), *(TableColumn(title, right=True) for title in numbers)),
        tuple(rows),
        f"How often the events come together; the first line is the {product.bet.title}.",
        tones=("bad", *plain),
    )


# -- In money ---------------------------------------------------------------------------------------


def _money(product: Product) -> Iterator[Block]:
    bet, pay = product.bet, _pay(product.proof.game.pay_table(product.bet))
    yield Paragraph(
        f"At {pay} to 1 the house breaks even if the wager wins {percent(_fair(pay), 2)} of the time. By the "
        f"published chance, of each $100 wagered it {kept(_edge(product.printed, pay))}. By the proved one "
        f"it {kept(_edge(product.hit, pay))}."
    )
    plays = list(_plays(product))
    yield TableBlock(
        (TableColumn("pays"), *(TableColumn(title, right=True) for title in ("published chance", *plays))),
        tuple(_edges(product, table, plays) for table in bet.tables),
        "House edge by pay and by how the player plays; a negative edge is the player's advantage.",
    )
    table = product.proof.game.pay_table(bet)
    wins = {
        strategy: percent(_proof(product, table, strategy).tally.hit_frequency(bet)) for strategy in plays
    }
    yield Items(tuple(f"{s}: {_play(product, s)}; the wager wins {wins[s]} of the time" for s in plays))


def _edge(chance: Fraction, pay: Fraction) -> Fraction:
    return 1 - chance * (pay + 1)


def _plays(product: Product) -> Iterator[str]:
    """The play that the packet assumes, the one that aims at this bet, and the one best for all wagers."""
    known = solver_of(product.proof.game).strategies
    named = (product.figure.strategy, product.bet.name, "optimal")
    return (name for name in dict.fromkeys(named) if name in known)


def _play(product: Product, strategy: str) -> str:
    told = solver_of(product.proof.game).strategies[strategy]
    return f"{told}; here with one unit on every wager" if strategy == "optimal" else told


def _edges(product: Product, table: PayTable, plays: Sequence[str]) -> tuple[str, ...]:
    proved = (-_proof(product, table, strategy).tally.expected(product.bet) for strategy in plays)
    return f"{_pay(table)} to 1", *map(percent, (_edge(product.printed, _pay(table)), *proved))


def _proof(product: Product, table: PayTable, strategy: str) -> Proof:
    """The proof under a pay table of the bet, with one unit on every wager."""
    bet = product.bet
    game = product.proof.game.with_options({bet.option: table.name} if bet.option else {})
    return prove(game, {spot.name: Fraction(1) for spot in game.wagers}, strategy)


def _break_even(product: Product) -> Iterator[Block]:
    even = product.even_pay
    whole = even.numerator // even.denominator
    below = (
        "" if even == whole else f"At {whole + 1} to 1 it {kept(_edge(product.hit, Fraction(whole + 1)))}. "
    )
    yield Paragraph(
        f"The wager is even at {decimal(even)} to 1: a player who wins once in "
        f"{decimal(1 / product.hit, 2)} rounds must be paid that much to come out even. At {whole} to 1 the "
        f"house {kept(_edge(product.hit, Fraction(whole)))} of each $100. {below}"
        f"So {whole} to 1 is the highest whole pay that does not favour the player."
    )
    yield Paragraph(f"Exactly: the wager is even at {even.numerator}/{even.denominator} to 1.", "note")


def _others(found: Sequence[Product]) -> Iterator[Block]:
    titles = ("published chance", "proved chance", "proved edge", "even at")
    yield Paragraph("The same was done for each of the house's options, and is wrong in the same way.")
    yield TableBlock(
        (TableColumn("options"), *(TableColumn(title, right=True) for title in titles)),
        tuple(map(_other, found)),
    )


def _other(product: Product) -> tuple[str, ...]:
    pay = _pay(product.proof.game.pay_table(product.bet))
    options = ", ".join(f"{name}={value}" for name, value in product.figure.options.items())
    edge = f"{percent(_edge(product.hit, pay))} at {pay} to 1"
    return (
        options,
        product.figure.published,
        percent(product.hit),
        edge,
        f"{decimal(product.even_pay)} to 1",
    )
