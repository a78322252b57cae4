"""Why a product of chances is wrong, explained for readers who do not calculate."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from feltlab.analysis.audit_report import MultipliedChances
from feltlab.analysis.multiplied_chances import Product, StrategyEdges, even_chance, win_edge
from feltlab.report import svg
from feltlab.report.document import Block, Items, Paragraph, Picture, Section, TableBlock, Tone, columns
from feltlab.report.numbers import decimal, describe_edge
from feltlab.text import listing, percent


def sections(found: MultipliedChances) -> Iterator[Section]:
    """The first product in full; those of other options in one table."""
    product, *others = found.products
    title = f"Why the figures of the {product.bet.title} are wrong"
    yield Section(title, tuple(_mistake_blocks(product)))
    yield Section("Why multiplying is wrong", tuple(_reason_blocks(product, found.strategies)), level=2)
    yield Section("What it means in money", tuple(_money_blocks(product, found.strategies)), level=2)
    if others:
        yield Section("Under other options", tuple(_other_options(found.products)), level=2)


# -- The mistake ------------------------------------------------------------------------------------


def _mistake_blocks(product: Product) -> Iterator[Block]:
    title = product.bet.title
    yield Paragraph(
        f"The {title} wins when all of these happen in one round: {listing(product.events)}. The packet "
        f"takes the chance of each, multiplies them, and prints the product as the chance that the {title} "
        f"wins: {product.figure.published}. In truth it wins {percent(product.hit)} of the time. Each chance "
        "on its own is right. Multiplying them is not."
    )
    rows = [
        (factor.event, factor.published, percent(product.chance([n])))
        for n, factor in enumerate(product.factors)
    ]
    total = ("all together", f"{percent(product.printed)}, the product", percent(product.hit))
    yield TableBlock(columns("event", ">printed", ">proved"), (*rows, total), totals=1)
    yield _picture(product)


def _picture(product: Product) -> Picture:
    """Both chances, and the chance at which each pay that may be offered breaks even."""
    bet = product.bet
    limits = listing(f"{percent(even_chance(pay), 2)} at {pay} to 1" for pay in product.pays)
    words = (
        f"Two bars: the published chance that the {bet.title} wins, {percent(product.printed, 2)}, and the "
        f"proved chance, {percent(product.hit, 2)}. The lines mark the chances above which the house loses: "
        f"{limits}."
    )
    rows = (
        (f"published: {percent(product.printed, 2)}", float(product.printed), "even"),
        (f"proved: {percent(product.hit, 2)}", float(product.hit), "behind"),
    )
    marks = {float(even_chance(pay)): f"even at {pay} to 1" for pay in product.pays}
    return Picture(f"{product.proof.game.name}-{bet.name}", svg.draw_chances(rows, marks), words)


# -- The reason -------------------------------------------------------------------------------------


def _reason_blocks(product: Product, strategies: Sequence[StrategyEdges]) -> Iterator[Block]:
    yield Paragraph(
        "Chances may be multiplied only if one event says nothing about the others, as with tosses of a "
        "coin. " + product.figure.because
    )
    yield _conditional_table(product)
    yield from _chain_blocks(product)
    yield _joint_table(product)
    assumed = next(s.words for s in strategies if s.name == product.figure.strategy)
    yield Paragraph(
        f"{product.law[product.all_happened]:,} of {product.proof.tally.deals:,} equally likely deals win "
        f"the {product.bet.title}. Strategy: {assumed}.",
        "note",
    )


def _conditional_table(product: Product) -> TableBlock:
    """The chance of each event: overall, given another, and given all others."""
    every = range(len(product.factors))
    rows = [
        (
            product.events[n],
            percent(product.chance([n]), 2),
            *("" if n == m else percent(product.chance([n], [m]), 2) for m in every),
            percent(product.chance([n], {*every} - {n}), 2),
        )
        for n in every
    ]
    given = (f">given {event}" for event in product.events)
    return TableBlock(
        columns("chance of", ">overall", *given, ">given all others"),
        tuple(rows),
        "If the events were independent, each line would show the same number throughout.",
    )


def _chain_blocks(product: Product) -> Iterator[Block]:
    """The right way to multiply: each chance among the rounds that the events before it leave."""
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
        f"At each step only the rounds that are left may be counted: {' × '.join(chances)} is "
        f"{percent(product.hit, 2)}."
    )


def _joint_table(product: Product) -> TableBlock:
    rows = [
        (
            *("yes" if yes else "no" for yes in happened),
            percent(product.share(happened)),
            percent(product.share_if_independent(happened)),
        )
        for happened in product.law
    ]
    plain: list[Tone] = ["plain"] * (len(rows) - 1)
    return TableBlock(
        columns(*product.events, ">share of all rounds", ">if independent"),
        tuple(rows),
        f"How often the events happen together; the first line is the {product.bet.title}.",
        tones=("bad", *plain),
    )


# -- In money ---------------------------------------------------------------------------------------


def _money_blocks(product: Product, strategies: Sequence[StrategyEdges]) -> Iterator[Block]:
    pay = product.pay
    yield Paragraph(
        f"At {pay} to 1 the house breaks even if the wager wins {percent(even_chance(pay), 2)} of the time. "
        f"By the published chance, the house {describe_edge(win_edge(product.printed, pay))} of each $100 "
        f"wagered. By the proved chance it {describe_edge(win_edge(product.hit, pay))}."
    )
    rows = [
        (f"{pay} to 1", percent(win_edge(product.printed, pay)), *(percent(s.edges[n]) for s in strategies))
        for n, pay in enumerate(product.pays)
    ]
    yield TableBlock(
        columns("pays", ">published chance", *(f">{strategy.name}" for strategy in strategies)),
        tuple(rows),
        "House edge by pay and by strategy; a negative edge is the player's advantage.",
    )
    yield Items(
        tuple(f"{s.name}: {s.words}; the wager wins {percent(s.hit)} of the time" for s in strategies)
    )
    yield from _break_even(product)


def _break_even(product: Product) -> Iterator[Block]:
    even = product.even_pay
    whole = Fraction(even.numerator // even.denominator)
    above = "" if even == whole else f"At {whole + 1} to 1 it {_pay_edge(product, whole + 1)}. "
    yield Paragraph(
        f"The wager is even at {decimal(even)} to 1: a player who wins once in {decimal(1 / product.hit, 2)} "
        f"rounds must be paid that much to come out even. At {whole} to 1 the house "
        f"{_pay_edge(product, whole)} of each $100. {above}So {whole} to 1 is the highest whole pay "
        "that does not favour the player."
    )
    yield Paragraph(f"Exactly: the wager is even at {even.numerator}/{even.denominator} to 1.", "note")


def _pay_edge(product: Product, pay: Fraction) -> str:
    return describe_edge(win_edge(product.hit, pay))


def _other_options(products: Sequence[Product]) -> Iterator[Block]:
    yield Paragraph("The packet does the same for each of the house's options, and is wrong in the same way.")
    yield TableBlock(
        columns("options", ">published chance", ">proved chance", ">proved edge", ">even at"),
        tuple(map(_option_row, products)),
    )


def _option_row(product: Product) -> tuple[str, ...]:
    pay = product.pay
    return (
        ", ".join(f"{name}={value}" for name, value in product.figure.options.items()),
        product.figure.published,
        percent(product.hit),
        f"{percent(win_edge(product.hit, pay))} at {pay} to 1",
        f"{decimal(product.even_pay)} to 1",
    )
