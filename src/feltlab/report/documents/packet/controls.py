"""Parts of a submission packet for the house to complete: internal controls, and a tribal venue's dossier."""

from collections.abc import Iterator

from feltlab.core.game import Game
from feltlab.report.document import BLANK, Block, Paragraph, Section, TableBlock, columns
from feltlab.submission.controls import ControlTopic, draft_controls
from feltlab.submission.packet import Packet
from feltlab.submission.packet_figures import PacketFigures
from feltlab.submission.packet_parts import name_parts
from feltlab.submission.venues import Dossier, DossierItem, Venue

SHORT_BLANK = "_" * 18
DRAFT = (
    "This is a draft, made from the rules, options and pay tables of this packet. It is not complete: the "
    "last column names what the house has to fill in, and the house is responsible for all of it. Where it "
    "differs from controls that are approved for the house, those take precedence."
)
OTHER_RULES = (
    "The references, amounts and times below are those of the rules for card rooms. They do not hold at this "
    "venue by themselves: confirm each control against the tribe's compact and the agency's own rules."
)


def internal_controls(packet: Packet, figures: PacketFigures) -> Iterator[Section]:
    venue = packet.venue
    intro = [Paragraph(DRAFT), Paragraph(f"Required by: {venue.controls_reference}.")]
    if not venue.caps:
        intro.append(Paragraph(OTHER_RULES, "bad"))
    yield Section("Draft for completion", (*intro, _house_fields(venue)))
    for n, topic in enumerate(draft_controls(figures.sheet, venue, packet.aggregate_limits), 1):
        if topic.control:
            yield Section(f"{n} {topic.title}", (_topic_table(n, topic),))


def _house_fields(venue: Venue) -> TableBlock:
    names = (venue.operator, "licence number", "tables of this game", "completed by", "date")
    return TableBlock(columns("item", "to be filled in"), tuple((name, BLANK) for name in names))


def _topic_table(number: int, topic: ControlTopic) -> TableBlock:
    rows = tuple(
        (f"{number}.{n}", control.does, control.reference, _to_complete(control.house))
        for n, control in enumerate(topic.control, 1)
    )
    return TableBlock(
        columns("no.", "control", "reference", "for the house to complete"), rows, shares=(5, 45, 20, 30)
    )


def _to_complete(house: str) -> str:
    return f"{house}: {SHORT_BLANK}" if house else ""


# -- The dossier ------------------------------------------------------------------------------------


def dossier(game: Game, venue: Venue) -> Iterator[Section]:
    """The place of each subject in this packet; nothing for a venue that asks for no dossier."""
    if venue.dossier:
        yield Section("What is asked for", tuple(_dossier_lead(venue.dossier)))
        yield Section("Subjects", tuple(_subjects(game, venue, venue.dossier)))


def _dossier_lead(found: Dossier) -> Iterator[Block]:
    yield Paragraph(f"Reference: {found.reference}.")
    yield Paragraph(found.caution, "bad")


def _subjects(game: Game, venue: Venue, found: Dossier) -> Iterator[Block]:
    rows = tuple(_subject_row(venue, n, item) for n, item in enumerate(found.item, 1))
    titles = columns(">no.", "subject", "in this packet", "added by the gaming operation", "confirmed")
    yield TableBlock(titles, rows, f"Supplemental information for {game.title}")


def _subject_row(venue: Venue, number: int, item: DossierItem) -> tuple[str, ...]:
    where = name_parts(venue, item.parts) if item.parts else "not in this packet"
    return str(number), item.subject, where, _to_complete(item.house), "[  ]"
