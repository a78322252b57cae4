"""A submission packet: its parts, each a document, and all of them as one document."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from feltlab.core.game import Game
from feltlab.games.data import packet_data
from feltlab.report.document import Block, Document, Paragraph, Section, TableBlock, Tone, columns
from feltlab.report.documents import par_sheet as par
from feltlab.report.documents.packet.controls import dossier, internal_controls
from feltlab.report.documents.packet.equipment import equipment
from feltlab.report.documents.packet.letter import FACTS, cover_letter, packet_facts
from feltlab.report.documents.packet.papers import approval_letters
from feltlab.report.documents.packet.pay_tables import proved_pay_tables
from feltlab.report.documents.packet.rules import dealing, irregularities, rules_of_play
from feltlab.report.documents.packet.signs import table_signs
from feltlab.report.documents.sign_off import UNSIGNED, SignOff
from feltlab.report.documents.training_manual import training_manual
from feltlab.report.numbers import count_of
from feltlab.submission import packet_parts as parts
from feltlab.submission.packet import Packet
from feltlab.submission.packet_figures import PacketFigures
from feltlab.submission.venues import ChecklistStep

KIND = "Submission packet"
SHORT_ROWS = 4  # of the tables of a part that needs no page of its own


def documents(packet: Packet, figures: PacketFigures, signed: SignOff = UNSIGNED) -> tuple[Document, ...]:
    """The parts of a packet in order; `signed` is for the sign-off page of the mathematical report."""
    made = {part.kind: part for part in _documents(packet, figures, signed)}
    return tuple(made[title] for title in parts.part_titles(packet.venue))


def _documents(packet: Packet, figures: PacketFigures, signed: SignOff) -> Iterator[Document]:
    game, venue = packet.game, packet.venue
    yield _part(game, parts.COVER_LETTER, cover_letter(packet, figures))
    yield _part(game, parts.RULES, rules_of_play(game, venue))
    yield _part(game, parts.DEALING, dealing(game, venue))
    yield training_manual(game, venue)
    yield _part(game, parts.IRREGULARITIES, irregularities(game, venue))
    yield _part(game, parts.PAY_TABLES, proved_pay_tables(figures))
    yield _part(game, parts.EQUIPMENT, equipment(game, venue))
    yield _part(game, parts.SIGNS, table_signs(packet, figures.sheet))
    yield replace(par.document(figures.sheet, signed), kind=parts.MATHEMATICS)
    yield _part(game, parts.CHANGE_LOG, _change_log(packet))
    yield _part(game, parts.CONTROLS, internal_controls(packet, figures))
    yield _part(game, parts.DOSSIER, dossier(game, venue))
    yield _part(game, parts.CHECKLIST, _checklist(packet))


def _part(game: Game, kind: str, sections: Iterator[Section]) -> Document:
    return Document(game.title, kind, game.digest, game.date, tuple(sections))


def join_parts(packet: Packet, made: Sequence[Document], strategy: str = "") -> Document:
    """One document of all parts, each on a new page; `strategy` is where the complete strategy is."""
    game, facts = packet.game, packet_facts(packet, strategy)
    sections = [Section("This packet", (Paragraph(game.rules.SUMMARY, "lead"), facts))]
    for n, part in enumerate(made, 1):
        sections.append(Section(f"Part {n}: {part.kind}", (), new_page=not _is_short(part)))
        sections += [replace(section, level=section.level + 1) for section in part.sections]
    warnings = tuple(dict.fromkeys(text for part in made for text in part.warnings))
    return Document(game.title, KIND, game.digest, game.date, tuple(sections), warnings)


def _is_short(part: Document) -> bool:
    """Does the part fill only some lines, so that a page of its own would be empty?"""
    rows = sum(len(block.rows) for s in part.sections for block in s.blocks if isinstance(block, TableBlock))
    return len(part.sections) == 1 and rows <= SHORT_ROWS


def printed_cards(made: Sequence[Document]) -> Iterator[Document]:
    """The parts printed on sheets of their own, without the pages around them: rack card and placard."""
    for part in made:
        for sheet, cards in groupby(part.sections, key=lambda section: section.sheet):
            if sheet != "page":
                yield replace(part, kind=sheet.capitalize(), sections=tuple(cards))


# -- The change log and the checklist ---------------------------------------------------------------


def _change_log(packet: Packet) -> Iterator[Section]:
    before = packet.previous["digest"] if packet.previous else ""
    digests = {"digest of the previous packet": before, "digest of this packet": packet.digest}
    facts = TableBlock(FACTS, tuple((name, digest) for name, digest in digests.items() if digest))
    yield Section("Changes from the previous packet", (*_changes(packet), facts))


def _changes(packet: Packet) -> Iterator[Block]:
    changes = packet.changes
    if changes is None:
        yield Paragraph(
            "No previous packet was given to compare with. That does not make this a first submission: the "
            f"rules are those of {packet.game.date}, which may have been approved before."
        )
    elif not changes:
        yield Paragraph("Nothing changed: options, pay tables, clauses and rules are the same.", "good")
    else:
        yield Paragraph(f"{count_of(len(changes), 'change')}. A change may affect an existing approval.")
        rows = tuple((change.what, change.before or "none", change.now or "none") for change in changes)
        yield TableBlock(columns("item", "previous packet", "this packet"), rows)


def _checklist(packet: Packet) -> Iterator[Section]:
    venue = packet.venue
    yield Section(venue.title, (Paragraph(f"To be approved by: {venue.approves}."), *_steps(packet)))
    text = (
        "An approval covers the rules, the options and the pay tables of this packet and nothing else. The "
        "digest shows whether they are unchanged. Every change is submitted again before it is used."
    )
    facts = (("digest of this packet", packet.digest), ("approved on", ""), ("approved by", ""))
    yield Section("What the approval covers", (Paragraph(text), TableBlock(FACTS, facts)))
    yield from approval_letters(packet.game)


def _steps(packet: Packet) -> Iterator[Block]:
    steps = (*packet.venue.steps, *_posted_notices(packet))
    rows = tuple(_step_row(packet, step) for step in steps)
    tones: tuple[Tone, ...] = tuple("plain" if _is_sure(packet, step) else "bad" for step in steps)
    yield TableBlock(columns("done", "step", "responsible", "reference", "sure", "date"), rows, tones=tones)
    if "bad" in tones:
        yield Paragraph(
            "Not sure: the present text of the rule was not read, or the letter named is one of another game "
            "or venue. Confirm such a step with the regulator before relying on it.",
            "bad",
        )


def _step_row(packet: Packet, step: ChecklistStep) -> tuple[str, ...]:
    does = parts.fill_references(packet.venue, step.does)
    sure = "yes" if _is_sure(packet, step) else "not sure"
    return "[  ]", does, step.responsible, step.reference, sure, ""


def _is_sure(packet: Packet, step: ChecklistStep) -> bool:
    """Was the rule read, or is the letter among the papers of this game?"""
    return step.confirmed or any(n.required_by == step.reference for n in packet_data(packet.game).notice)


def _posted_notices(packet: Packet) -> Iterator[ChecklistStep]:
    """The notices that a paper of the game wants posted."""
    where = parts.name_parts(packet.venue, (parts.EQUIPMENT, parts.SIGNS))
    for notice in packet_data(packet.game).notice:
        if notice.required_by:
            does = f"“{notice.text}” is posted on the layout or on a placard at the table ({where})."
            yield ChecklistStep(does, packet.venue.operator, notice.required_by)
