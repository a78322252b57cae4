"""The book of all links, folded from the events of their chain, and the drafts of new ones.

A `plan_...` method returns the drafts to write, those of the cage included, and changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import HOUSE_ACTOR, JACKPOT_CHAIN, Draft, Event, now
from feltlab.pit.cage import Cage
from feltlab.pit.jackpots.account import FUNDS
from feltlab.pit.jackpots.decreases import parse_decrease
from feltlab.pit.jackpots.link import Link, Lock, float_cents, seed_cents
from feltlab.pit.jackpots.link_events import apply, feed_link, open_link
from feltlab.pit.jackpots.must_hits import find_winning_bet, secret_meters, win_meter
from feltlab.pit.jackpots.triggers import Triggers
from feltlab.pit.jackpots.winning import settle_claims
from feltlab.pit.players.names import call_player
from feltlab.progressives.claims import attach
from feltlab.progressives.payments import Claim
from feltlab.progressives.progressive import Progressive
from feltlab.progressives.progressive_file import digest_progressive, progressive_to_json
from feltlab.progressives.rates import MILLICENTS_PER_CENT
from feltlab.text import dollars, listing
from feltlab.values import replace_unchecked

SNAPSHOT_EVENTS = 5_000  # between two snapshots
MAX_OPEN_LINKS = 100
Drafts = tuple[Draft, ...]
Beside = Callable[["JackpotBook", Cage], Drafts]  # what is written beside a table's entry


@dataclass(frozen=True)
class JackpotBook:
    links: Mapping[str, Link] = field(default_factory=dict, hash=False)
    number: int = 0  # of the last event
    snapshot_number: int = 0

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> "JackpotBook":
        """The book after these events: the whole chain, or its events from a snapshot on."""
        book = cls()
        for event in events:
            book = book.after(event)
        return book

    def after(self, event: Event) -> "JackpotBook":
        begins = not self.number and event.kind == "standing"
        if not begins and event.number != self.number + 1:
            raise Refused(
                f"The progressives are at event {self.number}; event {event.number} does not follow."
            )
        if event.kind == "standing":
            return self._after_snapshot(event)
        return replace_unchecked(self._apply(event.kind, event.data, event.at), number=event.number)

    def _after_snapshot(self, event: Event) -> "JackpotBook":
        if self.number and event.data["links"] != self.to_json():
            raise Refused("The snapshot of the progressives is not the sum of their events.")
        links = {name: Link.from_json(data) for name, data in event.data["links"].items()}
        return JackpotBook(links, event.number, event.number)

    def _apply(self, kind: str, data: Mapping[str, Any], at: str) -> "JackpotBook":
        name = data["link"]
        if kind == "link-opened":
            if name in self.links:
                raise Refused(f"{name} is open already.")
            link = open_link(data)
        else:
            link = apply(self.find(name), kind, data, at)
        return replace_unchecked(self, links={**self.links, name: link})

    def after_drafts(self, drafts: Iterable[Draft]) -> "JackpotBook":
        """The book as it will be once these drafts are written."""
        book = self
        for draft in drafts:
            if draft.chain == JACKPOT_CHAIN:
                book = book._apply(draft.kind, draft.data, now())
        return book

    # -- Questions ------------------------------------------------------------------------------------

    def find(self, name: str) -> Link:
        if name not in self.links:
            known = listing(self.links) if self.links else "none yet"
            raise Unknown(f"{name!r} is not a progressive of this pit; there are {known}.")
        return self.links[name]

    def link_of(self, table: str) -> Link | None:
        """The link that a table feeds. A table feeds one at a time (WAC 230-15-685)."""
        return next((link for link in self.links.values() if table in link.tables), None)

    def check_bet(self, table: str, moment: datetime | None = None) -> Link:
        """The link that takes a bet at a table now; refuses where there is none or it is stopped."""
        link = self.link_of(table)
        if link is None:
            raise Refused(f"{table} feeds no progressive.")
        if why := link.why_stopped(moment or datetime.now(UTC)):
            raise Refused(why)
        return link

    @property
    def is_snapshot_due(self) -> bool:
        return self.number - self.snapshot_number >= SNAPSHOT_EVENTS

    def to_json(self) -> dict[str, Any]:
        return {name: link.to_json() for name, link in self.links.items()}

    # -- Plans of the house -----------------------------------------------------------------------------

    def plan_snapshot(self) -> Drafts:
        return (Draft(JACKPOT_CHAIN, "standing", {"links": self.to_json()}),)

    def check_new(self, progressive: Progressive) -> None:
        """Refuse a progressive that cannot be opened as a link."""
        if progressive.name in self.links:
            raise Refused(f"{progressive.name} is open already, or was; a jackpot is opened once.")
        if sum(not link.closed for link in self.links.values()) >= MAX_OPEN_LINKS:
            raise Refused(f"{MAX_OPEN_LINKS} progressives are open already; close one first.")
        for meter in progressive.meters:
            if meter.must_hit and meter.cap_cents is not None:
                raise Refused(f"Meter {meter.name!r} is won at a secret amount, so it needs no cap.")

    def plan_open(
        self,
        cage: Cage,
        progressive: Progressive,
        by: str,
        verifiers: int,
        commitments: Mapping[str, str] | None = None,
    ) -> Drafts:
        """Open a link under the name of its progressive; the house pays in the seeds and the fixed prizes.

        `commitments` are the digests of the secret amounts of its must-hit-by meters.
        """
        self.check_new(progressive)
        cents = seed_cents(progressive) + float_cents(progressive)
        data = {
            "by": by,
            "cents": cents,
            "verifiers": verifiers,
            "digest": digest_progressive(progressive),
            "progressive": progressive_to_json(progressive),
        } | ({"commitments": dict(commitments)} if commitments else {})
        opened = _draft("link-opened", progressive.name, **data)
        account = open_link(opened.data).account
        return (opened, *cage.plan_issue(account, cents, FUNDS))

    def plan_join(self, name: str, table: str, game: Game, by: str) -> Drafts:
        link = self._open_link(name)
        if other := self.link_of(table):
            raise Refused(
                f"{table} feeds {other.name}; a table feeds one progressive at a time (WAC 230-15-685)."
            )
        attach(link.progressive, game)
        return (_draft("table-joined", name, table=table, game=game.name, by=by),)

    def plan_leave(self, name: str, table: str, by: str) -> Drafts:
        return self._checked(_draft("table-left", name, table=table, by=by))

    def plan_fund(self, cage: Cage, name: str, cents: int, by: str, note: str = "") -> Drafts:
        """The house pays in."""
        return self._plan_pay_in(cage, self._open_link(name), cents, by, note)

    def _plan_pay_in(self, cage: Cage, link: Link, cents: int, by: str, note: str) -> Drafts:
        issued = cage.plan_issue(link.account, cents, FUNDS)
        return (_draft("funded", link.name, cents=cents, by=by, note=note), *issued)

    def plan_deposit(self, name: str, cents: int, by: str, reference: str) -> Drafts:
        """Record that accrued money is in the bank."""
        link = self.find(name)
        if type(cents) is not int or cents <= 0:
            raise Refused("A deposit is a whole number of cents above nothing.")
        if not reference.strip():
            raise Refused("A deposit names its receipt.")
        if cents > link.undeposited_cents:
            due = dollars(link.undeposited_cents) if link.undeposited else "nothing"
            raise Refused(f"{link.progressive.title} has {due} to deposit; {dollars(cents)} is more.")
        return (_draft("deposited", link.name, cents=cents, by=by, reference=reference.strip()),)

    def plan_decrease(self, name: str, meter: str, cents: int, reason: str, by: str, note: str) -> Drafts:
        """Lower a meter for one of the reasons of the law."""
        link = self.find(name)
        link.progressive.meter_named(meter)
        given = parse_decrease(reason)
        if type(cents) is not int or cents <= 0:
            raise Refused("A decrease is a whole number of cents above nothing.")
        if not note.strip():
            raise Refused("A decrease needs a note: everything about it is documented (WAC 230-15-695).")
        data = {
            "meter": meter,
            "millicents": cents * MILLICENTS_PER_CENT,
            "reason": str(given),
            "by": by,
            "note": note.strip(),
        }
        return self._checked(_draft("decreased", name, **data))

    def plan_close(self, name: str, by: str) -> Drafts:
        return self._checked(_draft("link-closed", self._open_link(name).name, by=by))

    def _open_link(self, name: str) -> Link:
        link = self.find(name)
        if link.closed:
            raise Refused(f"{name} is closed.")
        return link

    def _checked(self, *drafts: Draft) -> Drafts:
        """These drafts, if the book can follow them."""
        self.after_drafts(drafts)
        return drafts

    # -- Plans of claims ----------------------------------------------------------------------------------

    def plan_verify(self, cage: Cage, name: str, number: int, by: str) -> Drafts:
        """A person verifies a claim; the last one who has to pays it."""
        link = self.find(name)
        claim = link.claim(number)
        seen = self._checked(_draft("claim-verified", name, claim=number, by=by))
        if len(claim.verified_by) + 1 < link.verifiers:
            return seen
        paid = _draft("claim-paid", name, claim=number, cents=claim.cents, player=claim.player, by=by)
        return (*seen, paid, *cage.plan_jackpot(link.account, claim.player, claim.cents))

    def plan_refuse(self, name: str, number: int, by: str, why: str) -> Drafts:
        """Refuse a claim as one person; the last person who has to sends its amount back."""
        if not why.strip():
            raise Refused("A claim is refused with a reason.")
        return self._checked(_draft("claim-refused", name, claim=number, by=by, why=why.strip()))

    # -- Plans of a round ---------------------------------------------------------------------------------

    def plan_feed(
        self, cage: Cage, link: Link, table: str, round: int, bettors: Mapping[int, str], secrets: Triggers
    ) -> Drafts:
        """Lock the bets of a round: every meter rises, and one bet may carry a meter to its secret amount.

        `bettors` are the players by seat, in dealing order.
        """
        lock, hits = Lock(round, tuple(bettors), {}), []
        fed = feed_link(link, len(bettors), now())
        for meter in secret_meters(link):
            trigger = secrets.find(link.name, link.commitments[meter.name].digest)
            if find_winning_bet(link, meter, trigger.amount, len(bettors)) is not None:
                words = (meter, trigger, table, lock, bettors, secrets.draw(meter))
                fed, hit = win_meter(link, fed, *words)
                hits.append(hit)
        data: dict[str, Any] = {
            "table": table,
            "round": round,
            "seats": [seat + 1 for seat in bettors],
            "cents": link.progressive.bet_cents,
            "displayed": {name: balance.displayed for name, balance in fed.balances.items()},
        }
        if not hits:
            return (_draft("fed", link.name, **data),)
        paid = [draft for hit in hits if not hit["claim"]
                for draft in cage.plan_jackpot(link.account, hit["player"], hit["cents"])]  # fmt: skip
        won = _draft("must-hit", link.name, **data, hits=hits)
        return (won, *self._plan_play_money(cage, fed), *paid)

    def _plan_play_money(self, cage: Cage, link: Link) -> Drafts:
        """Where nobody verifies, the house pays what it owes at once: play money is never short."""
        if link.verifiers or link.house >= 0:
            return ()
        owed = -(link.house // MILLICENTS_PER_CENT)
        return self._plan_pay_in(cage, link, owed, HOUSE_ACTOR, "play money")

    def plan_upkeep(self, cage: Cage, name: str, moment: datetime) -> Drafts:
        """Pay in and deposit play money, where the house owes it or the deposit is overdue."""
        link = self._open_link(name)
        drafts = self._plan_play_money(cage, link)
        if link.is_deposit_overdue(moment):
            drafts += self.plan_deposit(name, link.undeposited_cents, HOUSE_ACTOR, "play money")
        return drafts

    def plan_win(
        self, cage: Cage, link: Link, table: str, claims: Sequence[Claim], players: Mapping[int, str]
    ) -> Drafts:
        """Settle the claims of a round whose bets are locked."""
        lock, drafts = link.locks[table], list[Draft]()
        won = settle_claims(link, lock, claims, players, table)
        if won.frozen and not link.verifiers:  # play money is never short, and nobody is there to verify
            cents = sum(claim.cents for claim in won.frozen)
            drafts += self._plan_pay_in(cage, link, cents, HOUSE_ACTOR, "play money")
            funded = self.after_drafts(drafts).find(link.name)
            won = settle_claims(funded, lock, claims, players, table)
        data = {
            "table": table,
            "round": lock.round,
            "claims": [[claim.seat + 1, claim.level] for claim in claims],
            "players": [players[seat] for seat in lock.seats],
            **won.to_json(),
        }
        drafts += [_draft("won", link.name, **data), *self._plan_play_money(cage, won.link)]
        for player, payment in won.payments:
            drafts += cage.plan_jackpot(link.account, player, payment.cents)
        return tuple(drafts)

    def plan_return(self, cage: Cage, link: Link, table: str, players: Mapping[int, str]) -> Drafts:
        """The house returns the bets of a void round."""
        lock, cents = link.locks[table], link.progressive.bet_cents
        data = {"table": table, "round": lock.round, "cents": cents * len(lock.seats)}
        back = (
            draft for seat in lock.seats for draft in cage.plan_jackpot(link.account, players[seat], cents)
        )
        return (_draft("bets-returned", link.name, **data), *back)


def _draft(kind: str, link: str, **data: Any) -> Draft:
    return Draft(JACKPOT_CHAIN, kind, {"link": link, **data})


def describe_frozen(link: Link) -> str:
    """The jackpots that wait for their verification, in one sentence; '' if there are none."""
    if not link.claims:
        return ""
    waits = listing(
        f"{dollars(claim.cents)} to {call_player(claim.player)} at {claim.table}" for claim in link.claims
    )
    return f"Waiting for verification: {waits}."
