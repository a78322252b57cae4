"""The ledger of a pit, opened with the key that signs it."""

from pathlib import Path

import orjson

from feltlab.digests import canonical_json
from feltlab.files import read_limited, write_file
from feltlab.ledger.backup import LEDGER
from feltlab.ledger.event import HOUSE_CHAIN, RESTORED, Draft, Entry
from feltlab.ledger.head_keys import KEY_FILE
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.signed_tip import TipSigner, is_signed_ledger

WAITING_FILE = "restored.json"  # a restoration that the next start records
MAX_WAITING_BYTES = 1 << 16


def open_signed_ledger(
    folder: Path,
    place: str | Path | None,
    address: str,
    is_shared: bool,
    accepts_unsigned: bool,
    has_process: bool,
) -> Ledger:
    """The ledger of a folder, or one in another database, for a server."""
    signer = TipSigner(folder, may_renew=True, accepts_unsigned=accepts_unsigned)
    ledger = Ledger.open(
        place or folder / LEDGER, address=address, is_shared=is_shared, signer=signer, has_process=has_process
    )
    path = folder / WAITING_FILE
    if path.exists():
        data = orjson.loads(read_limited(path, MAX_WAITING_BYTES))
        if data not in [event.data for event in ledger.last_events(HOUSE_CHAIN, (RESTORED,))]:
            ledger.append_blocking(Entry((Draft(HOUSE_CHAIN, RESTORED, data),)))
        path.unlink(missing_ok=True)
    return ledger


def record_restoration(folder: Path, data: dict[str, object]) -> None:
    """Record that a backup was restored; where the key is not there yet, the next start does so."""
    signer = TipSigner(folder) if (folder / KEY_FILE).exists() else None
    if signer is None and _is_signed(folder / LEDGER):
        write_file(folder / WAITING_FILE, canonical_json(data) + b"\n")
        return
    with Ledger.open(folder / LEDGER, signer=signer) as ledger:
        ledger.append_blocking(Entry((Draft(HOUSE_CHAIN, RESTORED, data),)))


def _is_signed(path: Path) -> bool:
    with Ledger.open(path, writer=False) as ledger, ledger.reading() as connection:
        return is_signed_ledger(connection)
