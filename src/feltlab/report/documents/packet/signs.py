"""Parts of a submission packet for players: the rack card, the placard and the signs at the table.

Card and placard are sections on sheets of their own size, ready for a printer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from feltlab.analysis.par_sheet import ParSheet
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.payout_rules import PayoutRules, describe_reference
from feltlab.games.data import RackTable, packet_data, printed_lines
from feltlab.report.document import Block, Items, Paragraph, Section, TableBlock, columns
from feltlab.report.documents.packet.letter import REVISION_DIGITS
from feltlab.report.documents.wager_costs import describe_stake
from feltlab.report.felt_layout import pay_notes
from feltlab.report.numbers import count_of
from feltlab.submission.aggregate_limits import AGGREGATE_LIMIT
from feltlab.submission.packet import Packet
from feltlab.submission.pay_text import describe_pay_to_player
from feltlab.submission.venues import Venue
from feltlab.text import capitalised, dollars, percent

PRINTS = (  # print, trimmed size, place, file
    ("rack card", "4 by 9 inches; with A4, 99 by 210 mm", "at every table", "print/rack-card.pdf"),
    ("placard", "5.5 by 8.5 inches; with A4, A5", "on the table, facing the players", "print/placard.pdf"),
)
POSTED = "$ __________"


# -- The rack card ----------------------------------------------------------------------------------


def rack_card(packet: Packet) -> Iterator[Section]:
    return (replace(section, sheet="rack card") for section in _card(packet))


def _card(packet: Packet) -> Iterator[Section]:
    game, data = packet.game, packet_data(packet.game)
    yield Section(game.title, (Paragraph(game.rules.SUMMARY),))
    yield Section("How to play", (Items(data.rack_card, numbered=True),))
    yield from map(_rack_table, data.rack_table)
    yield Section("What each wager pays", (_pays(game, data.outcomes),))
    yield Section("Play for fun", (Paragraph(packet.venue.help_line), Paragraph(_revision(packet), "note")))


def _pays(game: Game, names: Mapping[str, str]) -> TableBlock:
    rows = tuple(row for spot in game.spots for row in _wins(game, spot, names))
    return TableBlock(columns("wager", "outcome", ">pays"), rows)


def _rack_table(table: RackTable) -> Section:
    first, *others = table.columns
    return Section(table.title, (TableBlock(columns(first, *(f">{title}" for title in others)), table.rows),))


def _wins(game: Game, spot: Spot, names: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The winning lines of a spot, each once even if two outcomes read the same."""
    lines = [line for line in printed_lines(game, spot) if line.result == "win"]
    wins = {names.get(line.outcome, line.outcome): describe_pay_to_player(spot, line) for line in lines}
    for n, (outcome, pays) in enumerate(wins.items()):
        yield spot.title if n == 0 else "", outcome, pays


def _revision(packet: Packet) -> str:
    """The number of this print: a changed rule, option or pay changes it."""
    revision = packet.digest[:REVISION_DIGITS]
    return f"{packet.game.title}, rules of {packet.game.date}, revision {revision}."


# -- Signs ------------------------------------------------------------------------------------------


def table_signs(packet: Packet, sheet: ParSheet) -> Iterator[Section]:
    game, venue = packet.game, packet.venue
    yield Section("Limits", tuple(_limits(game, venue)))
    if venue.payouts:
        yield Section("Payout limits", tuple(_payout_limits(game, venue.payouts, packet.aggregate_limits)))
    yield Section("Games on one hand", tuple(_games_on_one_hand(game, venue)))
    if lines := list(_options_at_table(game)):
        yield Section("At this table", (Items(tuple(lines)),))
    yield Section("Odds", tuple(_odds(sheet)))
    if venue.posting:
        yield Section("What the house posts", (Items(venue.posting),))
    yield Section("For the printer", tuple(_prints(packet)))
    yield from rack_card(packet)
    yield from (replace(section, sheet="placard") for section in _placard(packet))


def _prints(packet: Packet) -> Iterator[Block]:
    yield Paragraph(
        "The pages behind this section have the size of the prints: black on white, with nothing within 8 mm "
        f"of the edge. Both have the revision {packet.digest[:REVISION_DIGITS]}. It changes with every rule, "
        "option and pay: a print of another revision is withdrawn."
    )
    yield TableBlock(columns("print", "trimmed size", "place", "file of this packet"), PRINTS)


def _options_at_table(game: Game) -> Iterator[str]:
    """The options that change what a player wins, with their values in force."""
    for option in game.rules.OPTIONS:
        if not option.procedure:
            yield f"{capitalised(option.help).rstrip('?')}: {game.options[option.name]}"


def _placard(packet: Packet) -> Iterator[Section]:
    game, data = packet.game, packet_data(packet.game)
    notices = [*pay_notes(game), *_placard_notices(game)]
    yield Section(game.title, (Paragraph(" · ".join(notices)),) if notices else ())
    yield Section("Limits at this table", tuple(_placard_limits(packet)))
    yield Section("What each wager pays", (_pays(game, data.outcomes),))
    yield Section("Please note", (Items(tuple(_placard_notes(packet))), Paragraph(_revision(packet), "note")))


def _placard_limits(packet: Packet) -> Iterator[Block]:
    """Blanks for the house: the limits, and aggregate limits of the prizes that may have one."""
    game, highest, posted = packet.game, packet.venue.highest_wager, packet.aggregate_limits
    rows = tuple((spot.title, POSTED, POSTED) for spot in game.wagers)
    yield TableBlock(columns("wager", ">minimum", ">maximum"), rows)
    limited = [spot for spot in game.spots if highest and highest.least_limit(game, spot) is not None]
    amounts = tuple((s.title, dollars(posted[s.name]) if s.name in posted else POSTED) for s in limited)
    if amounts:
        yield TableBlock(
            columns("most paid to all players for one prize in one deal", ">limit, if any"), amounts
        )


def _placard_notices(game: Game) -> Iterator[str]:
    """The notices of the table and of first wagers, each with the spot that the layout prints it at."""
    for notice in packet_data(game).notice:
        title = game.spot(notice.spot).title if notice.spot else ""
        if not title or not game.spot(notice.spot).raises:
            yield notice.text if notice.text.startswith(title) else f"{title}: {notice.text}"


def _placard_notes(packet: Packet) -> Iterator[str]:
    yield "The rules of this game are at hand: ask the dealer or a floor supervisor."
    yield "Tell the dealer at once if you do not agree with a decision; a floor supervisor decides."
    yield packet.venue.help_line


def _limits(game: Game, venue: Venue) -> Iterator[Block]:
    rows = tuple((spot.title, POSTED, POSTED) for spot in game.spots)
    yield TableBlock(columns("wager", ">minimum", ">maximum"), rows)
    if venue.caps:
        cap = venue.caps[-1]
        limit = f"{dollars(cap.cents)} a wager, the limit of {venue.limits_reference} {cap.since}".rstrip()
        yield Paragraph(f"No wager, raises included, may exceed {limit}.")
    else:
        also = ", raises included" if any(spot.raises for spot in game.spots) else ""
        yield Paragraph(f"Highest wager{also}: {venue.limits_reference}.")


def _payout_limits(game: Game, rules: PayoutRules, limits: Mapping[str, int]) -> Iterator[Block]:
    """The aggregate payout limits that the house has chosen, if any."""
    if not limits:
        yield Paragraph("No aggregate payout limit applies: every winner is paid in full.")
        return
    rows = tuple((game.spot(name).title, dollars(cents)) for name, cents in limits.items())
    yield TableBlock(columns("each prize of", ">aggregate payout limit"), rows)
    reference = describe_reference(rules.limit_reference, rules.limit_confirmed)
    yield Paragraph(f"This is {AGGREGATE_LIMIT} ({reference}; on the layout or on a sign at the table).")


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
