"""A submission packet as a folder: one PDF, its parts, prints, the strategy, JSON, and a manifest."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from feltlab import __version__
from feltlab.errors import Refused
from feltlab.files import check_folder_place, replace_folder
from feltlab.report.document import Document
from feltlab.report.documents.packet.parts import documents, join_parts, printed_cards
from feltlab.report.documents.sign_off import UNSIGNED, SignOff
from feltlab.report.packet_annex import ANNEX_FILE, ANNEX_FOLDER, AnnexChoice, write_annex
from feltlab.report.renderers.pdf import Paper, render
from feltlab.signing.manifest import MANIFEST_FILE, is_signed, list_manifest, names_in, write_manifest
from feltlab.submission.packet import DEMONSTRATION_MARK, RECORD_FILE, Packet, read_record
from feltlab.submission.packet_figures import PacketFigures

WHOLE_FILE, PARTS_FOLDER, PRINT_FOLDER = "packet.pdf", "parts", "print"
FIGURES_FILE = "figures.json"
MANIFEST_FORMAT = "feltlab-packet"
FILES_IN = {  # the names of files by folder
    PARTS_FOLDER: re.compile(r"\d\d-[a-z0-9-]+\.pdf"),
    PRINT_FOLDER: re.compile(r"[a-z-]+\.pdf"),
    ANNEX_FOLDER: re.compile(re.escape(ANNEX_FILE)),
}


def write_packet(
    folder: Path,
    packet: Packet,
    figures: PacketFigures,
    paper: Paper = "letter",
    signed: SignOff = UNSIGNED,
    annex: AnnexChoice = "never",
) -> int:
    """Write the files of a packet into a folder; returns the number of its parts."""
    parts = tuple(_stamp(packet, part) for part in documents(packet, figures, signed))
    for name in (PARTS_FOLDER, PRINT_FOLDER):
        (folder / name).mkdir(parents=True)
    strategy = write_annex(folder, figures.sheet, annex)
    _render_all(folder, dict(_files(packet, parts, strategy)), paper)
    proved = {**figures.as_json(), "sign_off": signed.as_json(), **packet.mark}
    for name, data in ((RECORD_FILE, packet.as_json()), (FIGURES_FILE, proved)):
        (folder / name).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    write_manifest(folder, _manifest_contents(packet, figures))
    return len(parts)


def _files(packet: Packet, parts: tuple[Document, ...], strategy: str) -> Iterator[tuple[str, Document]]:
    """The longest document first, because the others are set beside it."""
    yield WHOLE_FILE, _stamp(packet, join_parts(packet, parts, strategy))
    for n, part in sorted(enumerate(parts, 1), key=lambda pair: -len(pair[1].sections)):
        yield f"{PARTS_FOLDER}/{n:02}-{_file_name(part.kind)}.pdf", part
    for card in printed_cards(parts):
        yield f"{PRINT_FOLDER}/{_file_name(card.kind)}.pdf", _stamp(packet, card)


def _stamp(packet: Packet, document: Document) -> Document:
    """A document of a packet, marked if it is a demonstration's."""
    return replace(document, stamp=DEMONSTRATION_MARK) if packet.demonstration else document


def _file_name(kind: str) -> str:
    return re.sub("[^a-z0-9]+", "-", kind.lower())


def _render_all(folder: Path, documents: dict[str, Document], paper: Paper) -> None:
    """Set all documents; typst lets go of Python's lock, so threads are enough."""
    with ThreadPoolExecutor() as pool:
        made = {name: pool.submit(render, document, paper) for name, document in documents.items()}
        for name, rendered in made.items():
            (folder / name).write_bytes(rendered.result())


def _manifest_contents(packet: Packet, figures: PacketFigures) -> dict[str, Any]:
    """A manifest's statements beside the files: the rules, the program and every exact figure."""
    proof = {name: value for name, value in figures.sheet.proof.as_json().items() if name != "seconds"}
    return {
        "format": MANIFEST_FORMAT,
        "format_version": 1,
        "program": {"name": "feltlab", "version": __version__},
        "venue": packet.venue.name,
        "packet": packet.digest,
        **packet.mark,
        "proof": proof,
    }


def replace_packet(
    place: Path,
    packet: Packet,
    figures: PacketFigures,
    paper: Paper = "letter",
    signed: SignOff = UNSIGNED,
    annex: AnnexChoice = "unless large",
) -> int:
    """Replace a packet by a new one, so that nobody ever sees half a packet."""
    with replace_folder(place) as folder:
        return write_packet(folder, packet, figures, paper, signed, annex)


def check_place(place: Path) -> None:
    """Refuse a place that holds anything but a packet, because its contents will be replaced."""
    check_folder_place(place)
    if not place.exists():
        return
    if is_signed(place):
        raise Refused(f"{place} holds a signed packet, which is not replaced; name a new folder.")
    listed = list_manifest(place)
    own = all(map(_is_packet_file, place.iterdir()))
    if not own or (listed and any(name not in listed for name in names_in(place))):
        raise Refused(f"{place} holds other things than a feltlab packet; name an empty or a new folder.")
    if any(place.iterdir()):
        read_record(place)


def _is_packet_file(path: Path) -> bool:
    if path.name in FILES_IN and path.is_dir():
        return all(FILES_IN[path.name].fullmatch(file.name) for file in path.iterdir())
    return path.name in (WHOLE_FILE, RECORD_FILE, FIGURES_FILE, MANIFEST_FILE) and path.is_file()
