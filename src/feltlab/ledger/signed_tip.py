"""The signed tip: the last event of the ledger, signed in the transaction that writes it.

Digests bind an event to all events before it, so the signature fixes the whole ledger. Whoever has the
database alone can append events whose digests fit, but cannot sign them: the key is in a file outside. A
server signs nothing that it does not know: it refuses to go on where the last event is not the signed one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, func, select, text, update

from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.database import EVENTS, META, SERVERS, SIGNED_SCHEMA, Database
from feltlab.ledger.event import GENESIS, HOUSE_CHAIN, TIP_SIGNED, UNSIGNED_ACCEPTED, Draft
from feltlab.ledger.head_keys import KEY_FILE, KEY_ROTATED, HeadKey, KeyTrust, Succession, is_signed, load_key
from feltlab.ledger.statements import statements_for
from feltlab.ledger.writing.transaction import Tip

PURPOSE = "feltlab tip"  # part of the message, so that no other signature can pose as one of a tip
TIP = "tip"  # the row of META
ALWAYS = "9999"  # a moment after every succession
STATE = text(  # one statement, which sees one moment of a ledger that others write
    f"SELECT (SELECT value FROM meta WHERE name = '{TIP}'),"
    " (SELECT sequence FROM events ORDER BY sequence DESC LIMIT 1),"
    " (SELECT digest FROM events ORDER BY sequence DESC LIMIT 1)"
)


@dataclass(frozen=True)
class SignedTip:
    """The last event of a ledger, signed."""

    sequence: int
    digest: str
    key: str  # public
    signature: str = ""

    @property
    def message(self) -> bytes:
        """The bytes that are signed."""
        return canonical_json([PURPOSE, self.sequence, self.digest])

    @classmethod
    def sign(cls, key: HeadKey, sequence: int, digest: str) -> "SignedTip":
        signature = key.sign_bytes(cls(sequence, digest, key.public).message)
        return cls(sequence, digest, key.public, signature)

    @classmethod
    def parse(cls, value: str) -> "SignedTip | None":
        """The tip of a row of META; None if it is no tip, or its signature is wrong."""
        try:
            tip = cls(**orjson.loads(value))
            holds = type(tip.sequence) is int and is_signed(tip.key, tip.signature, tip.message)
        except (ValueError, TypeError):
            return None
        return tip if holds else None


def _parse_object(data: object) -> dict[str, Any]:
    """The object of an event's data; an empty one if somebody put something else there."""
    try:
        found = orjson.loads(data)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


class TipReader:
    """The signed tip of a ledger beside its last event, as both are at one moment."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._value, sequence, digest = connection.execute(STATE).one()
        self._last, self._digest = sequence or 0, digest or GENESIS

    @cached_property
    def successions(self) -> list[Succession]:
        """The successions on record of the keys that sign."""
        found = (Succession.from_data(data) for data in self._read_data(KEY_ROTATED))
        return [one for one in found if one]

    @cached_property
    def named_keys(self) -> list[str]:
        """The keys with which the record says that tips are signed, beside those of successions."""
        return [str(data.get("key")) for data in self._read_data(TIP_SIGNED)]

    @property
    def is_signed(self) -> bool:
        """Whether the ledger has to have a signed tip: its events say so, or there is one."""
        return self._value is not None or bool(self.named_keys)

    @cached_property
    def tip(self) -> SignedTip | None:
        return SignedTip.parse(self._value) if self._value is not None else None

    def _read_data(self, kind: str) -> Iterator[dict[str, Any]]:
        found = select(EVENTS.c.data).where(EVENTS.c.chain == HOUSE_CHAIN, EVENTS.c.kind == kind)
        for data in self._connection.execute(found.order_by(EVENTS.c.number)).scalars():
            yield _parse_object(data)

    # -- Faults --------------------------------------------------------------------------------------

    def describe_fault(self, keys: Iterable[str], is_shared: bool = False) -> str:
        """Why the last event is not one that a trusted key signed, or ''.

        A key that was replaced is trusted only for a server that shares the ledger and has not got the next.
        """
        if self._value is None:
            return "the signature of its last event is missing"
        if self.tip is None:
            return "the signature of its last event is wrong"
        trust = KeyTrust(keys, self.successions if keys else ())
        if doubt := trust.describe_doubt(self.tip.key, "" if is_shared else ALWAYS):
            return f"the signature of its last event is not to be trusted: {doubt}, {self.tip.key}"
        return self._describe_end(self.tip)

    def _describe_end(self, tip: SignedTip) -> str:
        """The difference between the end of the ledger and the event that was signed as its last, or ''."""
        if self._last < tip.sequence:
            gone = f"{_name_last(tip.sequence - self._last)} taken out"
            return f"it ends at event {self._last}, but event {tip.sequence} was signed as its last: {gone}"
        row = select(EVENTS.c.digest).where(EVENTS.c.sequence == tip.sequence)
        if self._connection.execute(row).scalar() != tip.digest:
            return f"event {tip.sequence} is not the one that was signed as its last"
        if self._last == tip.sequence:
            return ""
        first = select(EVENTS.c.at).where(EVENTS.c.sequence > tip.sequence).order_by(EVENTS.c.sequence)
        since, count = self._connection.execute(first.limit(1)).scalar(), self._last - tip.sequence
        return f"{_name_last(count)} not signed, after event {tip.sequence}, since {since}"

    def describe_span(self, fault: str) -> dict[str, Any]:
        """The data of the event that accepts a ledger as it is."""
        return {"why": fault, "signed": self.tip.sequence if self.tip else 0, "last": self._last}


def _name_last(count: int) -> str:
    return "the last event was" if count == 1 else f"the last {count} events were"


def find_tip_faults(connection: Connection, keys: Iterable[str] = ()) -> Iterator[str]:
    """Sentences about the end of a ledger that nobody signed, now or when a start accepted it.

    Without trusted keys, that with which the signing began is trusted, and those to which it handed over.
    """
    reader = TipReader(connection)
    if reader.is_signed and (fault := reader.describe_fault({*keys} or {*reader.named_keys[:1]})):
        yield f"The end of the ledger: {fault}."
    accepted = select(EVENTS.c.number, EVENTS.c.data).where(
        EVENTS.c.chain == HOUSE_CHAIN, EVENTS.c.kind == UNSIGNED_ACCEPTED
    )
    for number, data in connection.execute(accepted.order_by(EVENTS.c.number)):
        yield f"{HOUSE_CHAIN} {number}: the ledger was accepted as it was: {_parse_object(data).get('why')}."


def is_signed_ledger(connection: Connection) -> bool:
    """Whether the ledger is written only with a key."""
    return TipReader(connection).is_signed


# -- Signing ----------------------------------------------------------------------------------------


class TipSigner:
    """Signs the last event of each transaction with the key of a folder, and checks the one before."""

    def __init__(self, folder: Path, may_renew: bool = False, accepts_unsigned: bool = False) -> None:
        """One that may renew goes on with a new key where the old one is lost, as a server does."""
        self._folder, self._may_renew, self._accepts = folder, may_renew, accepts_unsigned
        self.options = (str(folder), may_renew, accepts_unsigned)  # for another process
        self._key: HeadKey | None = None
        self._followed = 0  # the number of the last event about keys

    def load(self, connection: Connection) -> None:
        """Read the key again: the next one, if its succession is on record."""
        self._take_key(TipReader(connection))

    def plan_start(self, connection: Connection, database: Database) -> list[Draft]:
        """Events of the house about the signed tip that are due at a start.

        Refuses a ledger whose last event is not the signed one, unless the operator accepts it.
        """
        reader = TipReader(connection)
        if not reader.is_signed:
            return [self._begin(connection)]
        own, known = self._take_key(reader).public, {*reader.named_keys}
        known.update(key for one in reader.successions for key in (one.old, one.new))
        if any(one.old == own for one in reader.successions):
            raise Refused(f"The key of {self._folder} was replaced; copy the newer {KEY_FILE} there.")
        is_new, is_alone = own not in known, _count_servers(connection) == 1
        may_renew = is_new and is_alone and self._may_renew
        fault = reader.describe_fault({own, *known} if may_renew else {own}, is_shared=not is_alone)
        if fault and not self._accepts:
            raise Refused(f"{database} was changed: {fault}; see `serve --accept-unsigned`.")
        drafts = [Draft(HOUSE_CHAIN, UNSIGNED_ACCEPTED, reader.describe_span(fault))] if fault else []
        return [*drafts, self._begin(connection)] if is_new else drafts

    def check(self, connection: Connection, is_shared: bool) -> None:
        """Refuse events that another server is said to have written, unless it signed them."""
        assert self._key
        if fault := TipReader(connection).describe_fault([self._key.public], is_shared):
            raise Refused(f"somebody changed it: {fault}")

    def save(self, connection: Connection, database: Database, tip: Tip) -> None:
        """Sign the tip of a transaction, whose events are in the database by now."""
        if tip.house_kinds.get(KEY_ROTATED, 0) > self._followed:
            self._follow_key(connection, tip)
        assert self._key
        signed = SignedTip.sign(self._key, tip.sequence, tip.digest)
        row = (TIP, canonical_json(vars(signed)).decode())
        connection.exec_driver_sql(
            statements_for(database.is_file).replace[META].put, {"rows": orjson.dumps([row]).decode()}
        )

    def _follow_key(self, connection: Connection, tip: Tip) -> None:
        """Sign with the key that has taken over; with the one before until its file is there."""
        reader = TipReader(connection)
        public = self._take_key(reader).public
        if all(one.old != public for one in reader.successions):
            self._followed = tip.house_kinds[KEY_ROTATED]

    def _take_key(self, reader: TipReader) -> HeadKey:
        creates = self._may_renew or not reader.is_signed
        self._key = load_key(self._folder, (one.new for one in reader.successions), creates)
        return self._key

    def _begin(self, connection: Connection) -> Draft:
        """The event that names the key; earlier versions of feltlab cannot write the ledger from then on."""
        assert self._key
        connection.execute(update(META).where(META.c.name == "schema").values(value=SIGNED_SCHEMA))
        return Draft(HOUSE_CHAIN, TIP_SIGNED, {"key": self._key.public})


def plan_signing(signer: TipSigner | None, connection: Connection, database: Database) -> list[Draft]:
    """Events of the house that are due at a start; without a signer, a signed ledger is refused."""
    if signer:
        return signer.plan_start(connection, database)
    if is_signed_ledger(connection):
        raise Refused(f"{database} is signed; it is written only with the {KEY_FILE} of its pit.")
    return []


def check_key(connection: Connection, folder: Path) -> None:
    """Refuse a folder whose key is none of those that sign the ledger."""
    reader, path = TipReader(connection), folder / KEY_FILE
    if reader.tip is None:
        return
    own = [HeadKey(path).public] if path.exists() else ["none"]
    if KeyTrust(own, reader.successions).describe_doubt(reader.tip.key, ""):
        raise Refused(f"{path} is not the key that signs this ledger; copy the other server's keys.")


def _count_servers(connection: Connection) -> int:
    """The number of servers that live. A key that is not on record does not go on beside others."""
    return connection.execute(select(func.count()).select_from(SERVERS)).scalar() or 0
