"""The cover letter of a submission packet, and the facts of its first page. Nothing is invented: a field that
the submitter did not give is a line to fill in."""

from collections.abc import Iterator
from datetime import date

from feltlab.analysis.par_sheet import ParSheet
from feltlab.core.game import Game
from feltlab.report.document import BLANK, Block, Paragraph, Section, TableBlock, columns
from feltlab.report.documents.wager_costs import describe_stake
from feltlab.report.numbers import chance, count_of, short
from feltlab.submission.packet import Packet
from feltlab.submission.packet_figures import PacketFigures
from feltlab.submission.packet_parts import CHANGE_LOG, MATHEMATICS, PAY_TABLES, name_part, part_titles
from feltlab.submission.submitter import Submitter
from feltlab.text import listing, percent

FACTS = columns("item", "value")
REVISION_DIGITS = 12  # of the digest of a packet, where people compare it by eye


def cover_letter(packet: Packet, figures: PacketFigures) -> Iterator[Section]:
    yield Section(f"RE: {packet.game.title}, request for approval", tuple(_letter(packet, figures)))


def _letter(packet: Packet, figures: PacketFigures) -> Iterator[Block]:
    sender, venue = packet.submitter, packet.venue
    addresses = zip_lines(_sender_lines(sender), [line or BLANK for line in venue.address])
    yield TableBlock(columns("from", "to"), addresses)
    yield TableBlock(FACTS, tuple(_fields(packet)))
    yield Paragraph(f"{venue.salutation}:")
    yield from map(Paragraph, _request(packet))
    yield from _mathematics(packet, figures)
    yield Paragraph(_changes(packet))
    yield Paragraph("Questions about this submission are answered by the contact named above.")
    yield Paragraph("Sincerely,")
    yield TableBlock(columns("signature", "name and title"), ((BLANK, sender.signed_by or BLANK),))
    yield Paragraph(f"Enclosures: parts 2 to {len(part_titles(venue))} of this packet.", "note")


def zip_lines(one: list[str], other: list[str]) -> tuple[tuple[str, str], ...]:
    """Two columns of lines side by side, the shorter one ending early."""
    rows = range(max(len(one), len(other)))
    return tuple(("".join(one[n : n + 1]), "".join(other[n : n + 1])) for n in rows)


def _sender_lines(sender: Submitter) -> list[str]:
    return [sender.company or BLANK, *(sender.address or (BLANK, BLANK))]


def _fields(packet: Packet) -> Iterator[tuple[str, str]]:
    sender, game = packet.submitter, packet.game
    yield "licence number", sender.licence or BLANK
    yield "submission number", sender.submission or BLANK
    yield "date", describe_date(sender.dated) or BLANK
    yield "game", game.title
    yield "version", describe_version(packet)
    yield "submitted for", packet.venue.title
    yield "contact", sender.contact or BLANK
    yield "telephone", sender.telephone or BLANK
    yield "email", sender.email or BLANK


def describe_date(day: date | None) -> str:
    """'November 16, 2026', as American letters have it; '' without a date."""
    return f"{day:%B} {day.day}, {day.year}" if day else ""


def describe_version(packet: Packet) -> str:
    """The submitter's own number if there is one, the date of the rules, and the revision of the packet."""
    own = f"{packet.submitter.version}; " if packet.submitter.version else ""
    return f"{own}rules of {packet.game.date}, revision {packet.digest[:REVISION_DIGITS]}"


def _request(packet: Packet) -> Iterator[str]:
    game, venue = packet.game, packet.venue
    kind = f"{venue.title.lower()}s"
    yield (
        f"We request approval of the card game {game.title} for {kind}, in the form that the enclosed parts "
        f"describe: {_describe_options(game)}. The pay tables applied for are marked in "
        f"{name_part(venue, PAY_TABLES)}."
    )
    yield (
        "Approval is requested for these rules, options and pay tables only. Any change will be submitted "
        "before it is used."
    )


def _describe_options(game: Game) -> str:
    if not game.options:
        return "the rules leave no option to the house"
    return "with the options " + listing(f"{name} = {value}" for name, value in game.options.items())


def _mathematics(packet: Packet, figures: PacketFigures) -> Iterator[Block]:
    """The edge of the game in one sentence, and every wager that favours the player."""
    sheet = figures.sheet
    where, stake = name_part(packet.venue, MATHEMATICS), describe_stake(sheet.game, sheet.proof.stake)
    who = "house" if sheet.total.loss >= 0 else "player"
    yield Paragraph(
        f"The mathematics is proved in {where}. With a stake, in units, of {stake} and the best play, "
        f"the {who} wins {percent(abs(sheet.total.edge), 2)} of the first wagers on average."
    )
    yield TableBlock(FACTS, tuple(_figures(sheet)))
    for cost in (cost for cost in sheet.costs if cost.main < 0):
        yield Paragraph(
            f"We draw attention to one wager: with {describe_stake(sheet.game, cost.stake)} and the best "
            f"play, the {cost.bet.title} gains the player {percent(-cost.main, 2)} of it on average.",
            "bad",
        )


def _figures(sheet: ParSheet) -> Iterator[tuple[str, str]]:
    """The figures of the whole stake, as the mathematical report has them."""
    total = sheet.total
    yield "joint edge of the first wagers", percent(total.edge)
    yield "return to player", percent(1 - total.edge)
    award, often = short(total.largest), chance(total.nets[total.largest])
    yield "highest award of the stake", f"{award} units net, with probability {often}"


def _changes(packet: Packet) -> str:
    where = name_part(packet.venue, CHANGE_LOG)
    if packet.changes is None:
        return f"No earlier packet was compared with this one; {where} says so."
    if not packet.changes:
        return f"Nothing has changed since the packet that it was compared with ({where})."
    return f"{where.capitalize()} lists {count_of(len(packet.changes), 'change')} from the previous packet."


def packet_facts(packet: Packet, strategy: str = "") -> TableBlock:
    """The facts of the first page; `strategy` is where the complete strategy is."""
    game, venue, sender = packet.game, packet.venue, packet.submitter
    facts = {
        "submitted by": sender.company or BLANK,
        "submission number": sender.submission or BLANK,
        "date": describe_date(sender.dated) or BLANK,
        "submitted for": venue.title,
        "to be approved by": venue.approves,
        "options": ", ".join(f"{name}={value}" for name, value in game.options.items()) or "none",
        "version": describe_version(packet),
        "digest of the rules": game.digest,
        "digest of this packet": packet.digest,
        **({"complete strategy": strategy} if strategy else {}),
    }
    return TableBlock(FACTS, tuple(facts.items()))
