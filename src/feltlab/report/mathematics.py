"""The mathematical report of a packet: the edges, how they were proved, and what they are the edges of."""

from collections.abc import Iterator
from fractions import Fraction

from feltlab.game import Game, listing
from feltlab.games import solver
from feltlab.layout import Spot
from feltlab.proof import Proof, default_stake, prove, root
from feltlab.report.document import Block, Column, Document, Paragraph, Section, Table
from feltlab.report.numbers import counted, decimal, kept, percent


def mathematics(game: Game) -> Document:
    sections = (
        Section("What is proved", tuple(_method(game))),
        Section("Each wager", tuple(_wagers(prove(game)))),
        Section("One unit on every wager", tuple(_together(game))),
    )
    return Document(game.title, "Mathematical report", game.digest, game.date, sections)


def played_for(game: Game) -> str:
    """The wagers that decide how a game is played where nothing else is said."""
    return listing(game.spot(name).title for name, units in default_stake(game).items() if units)


def _method(game: Game) -> Iterator[Block]:
    proof = prove(game)
    yield Paragraph(
        "Every figure here is a number of deals among all that are equally likely, counted from the rules "
        "under the options in force. Nothing is estimated; only what is printed is rounded."
    )
    method = proof.law.method[0].upper() + proof.law.method[1:].rstrip(".")
    facts = {
        "deals counted": f"{proof.tally.deals:,}",
        "method": method,
        "play": solver(game).strategies[proof.strategy],
        "digest of the rules": game.digest,
    }
    yield Table((Column("what"), Column("")), tuple(facts.items()))


def _wagers(proof: Proof) -> Iterator[Block]:
    """Each bet when the least stake decides how it is played."""
    titles = ("house edge", "wins", "pushes", "average wager", "element of risk", "standard deviation")
    yield Table(
        (Column("wager"), *(Column(title, right=True) for title in titles)),
        tuple(_measures(proof, bet) for bet in proof.game.wagers),
        f"Played as is best for {played_for(proof.game)}; raises belong to the wager that they follow.",
    )
    yield Paragraph(
        "House edge: the expected loss for each unit of the first wager. Average wager: in units of the "
        "first wager, raises included. Element of risk: the expected loss for each unit put down.",
        "note",
    )
    yield from (_warning(proof, bet) for bet in proof.game.wagers if proof.tally.expected(bet) > 0)


def _measures(proof: Proof, bet: Spot) -> tuple[str, ...]:
    tally = proof.tally
    return (
        bet.title,
        percent(-tally.expected(bet)),
        percent(tally.hit_frequency(bet)),
        percent(tally.push_frequency(bet)),
        decimal(tally.average_wager(bet)),
        percent(tally.element_of_risk(bet)),
        decimal(Fraction(root(tally.variance(bet)))),
    )


def _warning(proof: Proof, bet: Spot) -> Paragraph:
    edge = -proof.tally.expected(bet)
    return Paragraph(f"Of each $100 wagered on the {bet.title} the house {kept(edge)}.", "bad")


def _together(game: Game) -> Iterator[Block]:
    """All wagers at once, played as is best for them together."""
    proof = prove(game, {bet.name: Fraction(1) for bet in game.wagers})
    net = proof.tally.total_expected(proof.stake)
    yield Paragraph(
        f"With one unit on each of {counted(len(game.wagers), 'wager')}, played as is best for all of them "
        f"together, the expected loss of a round is {decimal(-net)} units: "
        f"{percent(-net / len(game.wagers))} of what is put down first, "
        f"{percent(-net / proof.average_wager)} of all that is put down."
    )
    if net > 0:
        yield Paragraph("A player who plays so has an advantage over the house.", "bad")
