"""Parts 6 and 7 of a submission packet, for players: the rack card and the signs at the table."""

from collections.abc import Iterator, Mapping

from feltlab.analysis.par_sheet import ParSheet
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.games.data import RackTable, packet_data, printed_lines
from feltlab.report.document import Block, Items, Paragraph, Section, TableBlock, columns
from feltlab.report.documents.wager_costs import describe_stake
from feltlab.report.numbers import count_of
from feltlab.submission.packet import Packet
from feltlab.submission.pay_text import describe_pay_to_player
from feltlab.submission.venues import Venue
from feltlab.text import capitalised, dollars, percent

REVISION_DIGITS = 12  # of the digest of a packet, on its rack card


# -- The rack card ----------------------------------------------------------------------------------


def rack_card(packet: Packet) -> Iterator[Section]:
    game, data = packet.game, packet_data(packet.game)
    yield Section("How to play", (Items(data.rack_card, numbered=True),))
    yield from map(_rack_table, data.rack_table)
    rows = tuple(row for spot in game.spots for row in _wins(game, spot, data.outcomes))
    yield Section("What each wager pays", (TableBlock(columns("wager", "outcome", ">pays"), rows),))
    yield Section("Play for fun", (Paragraph(packet.venue.help_line), Paragraph(_revision(packet), "note")))


def _rack_table(table: RackTable) -> Section:
    first, *others = table.columns
    return Section(table.title, (TableBlock(columns(first, *(f">{title}" for title in others)), table.rows),))


def _wins(game: Game, spot: Spot, names: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The winning lines of a spot, each once even if two outcomes read the same."""
    lines = [line for line in printed_lines(game, spot) if line.result == "win"]
    wins = {names.get(line.outcome, line.outcome): describe_pay_to_player(line) for line in lines}
    for n, (outcome, pays) in enumerate(wins.items()):
        yield spot.title if n == 0 else "", outcome, pays


def _revision(packet: Packet) -> str:
    """The number of this card: a changed rule, option or pay changes it."""
    return (
        f"Card {packet.game.name}, rules of {packet.game.date}, revision {packet.digest[:REVISION_DIGITS]}."
    )


# -- Signs ------------------------------------------------------------------------------------------


def table_signs(game: Game, venue: Venue, sheet: ParSheet) -> Iterator[Section]:
    yield Section("Limits", tuple(_limits(game, venue)))
    yield Section("Games on one hand", tuple(_games_on_one_hand(game, venue)))
    if options := [option for option in game.rules.OPTIONS if not option.procedure]:
        lines = (f"{capitalised(o.help).rstrip('?')}: {game.options[o.name]}" for o in options)
        yield Section("At this table", (Items(tuple(lines)),))
    yield Section("Odds", tuple(_odds(sheet)))


def _limits(game: Game, venue: Venue) -> Iterator[Block]:
    rows = tuple((spot.title, "$ ______", "$ ______") for spot in game.spots)
    yield TableBlock(columns("wager", ">minimum", ">maximum"), rows)
    if venue.caps:
        cap = venue.caps[-1]
        limit = f"{dollars(cap.cents)} a wager, the limit of {venue.limits_reference} {cap.since}".rstrip()
        yield Paragraph(f"No wager, raises included, may exceed {limit}.")
    else:
        also = ", raises included" if any(spot.raises for spot in game.spots) else ""
        yield Paragraph(f"Highest wager{also}: {venue.limits_reference}.")


def _games_on_one_hand(game: Game, venue: Venue) -> Iterator[Block]:
    """The notice of a game whose papers state a number; no other game's sign states one."""
    wagers = count_of(len(game.wagers), "wager")
    own = f"This game has {wagers} of its own; a raise is part of the wager that it follows."
    posted = [notice for notice in packet_data(game).notice if notice.required_by]
    for notice in posted:
        yield Paragraph(f"{notice.text}. ({notice.required_by}; on the layout or on a placard.)")
    if not posted:
        unsure = "; the number that it allows now is not confirmed" if venue.games_per_hand else ""
        yield Paragraph(
            f"The papers of this game state no number of games ({venue.games_reference}{unsure})."
        )
    yield Paragraph(own)


def _odds(sheet: ParSheet) -> Iterator[Block]:
    rows = tuple(
        (
            cost.bet.title,
            describe_stake(sheet.game, cost.stake),
            percent(cost.hit_frequency, 2),
            percent(cost.main, 2),
            *(percent(end, 2) if cost.depends_on_play and end is not None else "" for end in cost.ends),
        )
        for cost in sheet.costs
    )
    yield TableBlock(columns("wager", "stake", ">wins", ">costs", ">at least", ">at most"), rows)
    yield Paragraph(
        "Wins: the probability that the wager itself wins. Costs: what each unit of the wager adds to the "
        "average loss of a round, in percent of the wager, for a player who plays as well as possible for "
        "the stake named; for a wager that cannot be left out, its own average loss. At least and at most: "
        "the average loss on the wager under the play that is best for it alone, and for the other wagers "
        "alone. A negative cost is the player's gain.",
        "note",
    )
