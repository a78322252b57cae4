"""A submission packet as a folder: one PDF, its parts, the record, and a manifest for signatures."""

import json
import re
from pathlib import Path
from typing import Any

from feltlab import __version__
from feltlab.analysis.par_sheet import ParSheet
from feltlab.errors import Refused
from feltlab.files import replace_folder
from feltlab.report.documents.packet import documents, join_parts
from feltlab.report.renderers.pdf import render
from feltlab.signing.manifest import MANIFEST_FILE, is_signed, write_manifest
from feltlab.submission.packet import RECORD_FILE, Packet, read_record

WHOLE_FILE, PARTS_FOLDER = "packet.pdf", "parts"
MANIFEST_FORMAT = "feltlab-packet"
PART_FILE = re.compile(r"\d\d-[a-z-]+\.pdf")


def write_packet(folder: Path, packet: Packet, sheet: ParSheet) -> int:
    """Write the files of a packet into a folder; returns the number of its parts."""
    parts = documents(packet, sheet)
    (folder / PARTS_FOLDER).mkdir(parents=True)
    (folder / WHOLE_FILE).write_bytes(render(join_parts(packet, parts)))
    for n, part in enumerate(parts, 1):
        name = f"{n:02}-{re.sub('[^a-z]+', '-', part.kind.lower())}.pdf"
        (folder / PARTS_FOLDER / name).write_bytes(render(part))
    (folder / RECORD_FILE).write_text(json.dumps(packet.as_json(), indent=2) + "\n", encoding="utf-8")
    write_manifest(folder, _manifest_contents(packet, sheet))
    return len(parts)


def _manifest_contents(packet: Packet, sheet: ParSheet) -> dict[str, Any]:
    """What a packet's manifest binds beside its files: the rules, the program and every exact figure."""
    proof = {name: value for name, value in sheet.proof.as_json().items() if name != "seconds"}
    return {
        "format": MANIFEST_FORMAT,
        "format_version": 1,
        "program": {"name": "feltlab", "version": __version__},
        "venue": packet.venue.name,
        "packet": packet.digest,
        "proof": proof,
    }


def replace_packet(place: Path, packet: Packet, sheet: ParSheet) -> int:
    """Replace a packet by a new one, so that nobody ever sees half a packet."""
    with replace_folder(place) as folder:
        return write_packet(folder, packet, sheet)


def check_place(place: Path) -> None:
    """Refuse a place that holds anything but a packet, because its contents will be replaced."""
    if not place.exists():
        return
    if not place.is_dir():
        raise Refused(f"{place} is a file, not a folder.")
    if is_signed(place):
        raise Refused(f"{place} holds a signed packet, which is not replaced; name a new folder.")
    if not all(map(_is_packet_file, place.iterdir())):
        raise Refused(f"{place} holds other things than a feltlab packet; name an empty or a new folder.")
    if any(place.iterdir()):
        read_record(place)


def _is_packet_file(path: Path) -> bool:
    if path.name == PARTS_FOLDER and path.is_dir():
        return all(PART_FILE.fullmatch(part.name) for part in path.iterdir())
    return path.name in (WHOLE_FILE, RECORD_FILE, MANIFEST_FILE) and path.is_file()
