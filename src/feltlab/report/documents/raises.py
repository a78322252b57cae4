"""Raises and offers by themselves, as blocks of a document."""

from collections.abc import Iterator

from feltlab.analysis.par_sheet import ParSheet
from feltlab.analysis.raises import Offer, Raise, WagerOdds
from feltlab.core.game import Game
from feltlab.report.document import Block, Paragraph, Section, TableBlock, columns
from feltlab.report.numbers import count_units
from feltlab.text import listing, percent

ODDS = (">house edge", ">return to player", ">hit frequency")


def raise_sections(sheet: ParSheet) -> Iterator[Section]:
    """A section where the game has raises or offers on spots of their own."""
    blocks = (
        *_raise_blocks(sheet),
        *(block for offer in sheet.offers for block in _offer_blocks(sheet, offer)),
    )
    if blocks:
        yield Section("Raises and offers", blocks)


def _raise_blocks(sheet: ParSheet) -> Iterator[Block]:
    if not sheet.raises:
        return
    rows = tuple(_raise_row(sheet.game, found) for found in sheet.raises)
    caption = "Each raise by itself, in the rounds in which the strategy of this sheet makes it"
    yield TableBlock(columns("raise", "follows", ">made in", *ODDS), rows, caption)
    yield Paragraph(
        "Edge and return are for each unit of the raise. The edge of the bet includes its raises. A raise "
        "that is made with good hands only has a negative edge; the first wager pays for that.",
        "note",
    )


def _raise_row(game: Game, found: Raise) -> tuple[str, ...]:
    title = f"{found.spot.title} (a price)" if found.spot.is_price else found.spot.title
    return title, game.spot(found.spot.raises).title, percent(found.made), *_odds(found.odds)


def _odds(odds: WagerOdds) -> tuple[str, ...]:
    return percent(odds.edge), percent(odds.return_to_player), percent(odds.hit_frequency)


def _offer_blocks(sheet: ParSheet, offer: Offer) -> Iterator[Block]:
    title, followed = offer.spot.title, sheet.game.spot(offer.spot.raises).title
    yield Paragraph(
        f"{title} is offered in {percent(offer.offered)} of all rounds, for any amount up to "
        f"{count_units(offer.spot.size)} for each unit of the {followed} wager."
    )
    rows = [(hand.known, percent(hand.share), *_odds(hand.odds)) for hand in offer.hands]
    every = ("every hand", percent(1), *_odds(offer.odds))
    caption = f"{title}, for each unit of it, by the hand of a player who sees no other seat; best hand first"
    yield TableBlock(columns("player has", ">share of offers", *ODDS), (*rows, every), caption, totals=1)
    yield Paragraph(_verdict(offer))


def _verdict(offer: Offer) -> str:
    title, best = offer.spot.title, offer.best
    if offer.worth_taking:
        hands = listing((hand.known for hand in offer.worth_taking), "or")
        return f"The best play sometimes takes {title}: with {hands}."
    if best.odds.edge == 0:
        return f"The best play never gains by taking {title}; with {best.known} it loses nothing by it."
    loss = percent(best.odds.edge)
    return f"The best play never takes {title}: even with {best.known} it loses {loss} of the amount."
