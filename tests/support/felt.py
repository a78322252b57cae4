"""A table on a record in memory, for tests.

Every act is written as the ledger would write it, and then held to three things: the record folds to the
very same table, no draft tells a secret, and no money came or went.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from math import lcm
from typing import Any

import orjson
import pytest

from feltlab.core.cards import name
from feltlab.core.game import Game
from feltlab.core.layout import BURNT
from feltlab.core.limits import STANDARD_LIMITS, Limits
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.ledger.event import GENESIS, Draft, Entry, Event
from feltlab.pit.recovery import recover_table, shuffle_from_event
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.table import Table
from feltlab.pit.view import view
from feltlab.shuffling.machine import commitment_of
from tests.support.chains import chain_event

CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b")
BY_HAND = Timers(*[None] * 7)  # no phase passes by itself
OVER = (Phase.BETTING, Phase.CLOSED)  # where what lies on the table is of the round before
MONEY = 10_000_000  # cents, more than any test loses


class Record:
    """The ledger and the vault of one table."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.secrets: dict[str, bytes] = {}

    def write(self, entry: Entry) -> None:
        for draft in entry.drafts:
            plain = Draft(draft.chain, draft.kind, orjson.loads(canonical_json(draft.data)), draft.round)
            digest = self.events[-1].digest if self.events else GENESIS
            self.events.append(chain_event(plain, len(self.events), digest, "now"))
        for spent in entry.unsealed:
            del self.secrets[spent]
        self.secrets |= entry.sealed

    def last_events(self, _: str, kinds: Iterable[str], count: int = 1) -> list[Event]:
        return [event for event in self.events if event.kind in kinds][-count:]

    def events_from_last(self, _: str, kind: str) -> list[Event]:
        numbers = [event.number for event in self.events if event.kind == kind]
        return self.events[(numbers[-1] if numbers else 1) - 1 :]

    def load_sealed(self, name: str) -> bytes | None:
        return self.secrets.get(name)

    def unseal(self, sealed: bytes) -> bytes:
        return sealed


class Felt:
    """A table at work: every act of `Table` is one of this."""

    def __init__(self, game: Game, limits: Limits = STANDARD_LIMITS, timers: Timers | None = None) -> None:
        self.record, self.bought, self.paid_out = Record(), 0, 0
        self.table = Table("table-1", game, limits, timers or Timers())
        self.act(lambda table: table.open("boss", 1))

    def __getattr__(self, name: str) -> Any:
        """An act, or what the table says."""
        if callable(getattr(Table, name, None)):
            return lambda *words: self.act(lambda table: getattr(table, name)(*words))
        return getattr(self.table, name)

    def act(self, change: Callable[[Table], Table]) -> list[Draft]:
        """The drafts of an act that was done, written down and checked."""
        after = change(self.table)
        drafts = list(after.unwritten)
        sealed = {shuffle.name: shuffle.to_bytes() for shuffle in after.sealed}
        self._check_secrets(drafts, after)
        self.record.write(Entry(after.unwritten, sealed, after.unsealed))
        self.table = after.without_drafts()
        self._count(drafts)
        self.check()
        return drafts

    def check(self) -> None:
        self._check_fold()
        assert self.chips + self.meters.win + self.table.win_in_round == self.bought - self.paid_out
        assert all(place.bankroll >= 0 for place in self.places if place)

    def _count(self, drafts: list[Draft]) -> None:
        self.bought += sum(draft.data["cents"] for draft in drafts if draft.kind in ("seated", "bought"))
        self.paid_out += sum(draft.data["cents"] for draft in drafts if draft.kind == "left")

    def folded(self) -> Table:
        """The table as a server would find it after a crash."""
        return recover_table(self.record, self.record, self.name)  # type: ignore[arg-type]

    def _check_fold(self) -> None:
        folded = self.folded()
        assert folded == self.table
        assert folded.deal == self.table.deal
        if self.phase not in OVER:
            assert all(view(folded, who) == view(self.table, who) for who in ("", *self.players))

    def _check_secrets(self, drafts: list[Draft], after: Table) -> None:
        """Nothing of a shuffle is told before it is revealed, but for the cards that were laid open."""
        shown = {draft.data["shuffle"] for draft in drafts if draft.kind == "order"}
        shuffles = [s for s in (self.table.shuffle, *after.sealed) if s and s.name not in shown]
        for draft in drafts if shuffles and not shown else ():
            text = canonical_json(draft.data).decode()
            assert not any(shuffle.salt in text or str(shuffle.order) in text for shuffle in shuffles)
            told = {name: value for name, value in draft.data.items() if name != "machines"}  # an old display
            named = [card for leaf in leaves(told) for card in CARD.findall(leaf)]
            assert named == (laid_open(after) if draft.kind == "revealed" else []), draft

    @property
    def players(self) -> list[str]:
        return [place.player for place in self.places if place]

    # -- Rounds --------------------------------------------------------------------------------------

    def wagered(self, seats: Iterable[int] = (0,)) -> "Felt":
        """Players at these seats, each with its wagers on the felt."""
        for seat in seats:
            if self.places[seat] is None:
                self.sit(f"player {seat}", seat, MONEY)
            self.wager(self.places[seat].player, seat, wagers(self.game, self.limits))
        return self

    def dealt(self, seats: Iterable[int] = (0,)) -> list[Draft]:
        """A round begins for these seats."""
        drafts: list[Draft] = self.wagered(seats).no_more_bets()
        return drafts

    def until(self, phase: Phase, seats: Iterable[int] = (0,)) -> "Felt":
        """Rounds until the table is in a phase, which not every round reaches."""
        seats = tuple(seats)
        for _ in range(1000):
            if self.phase == phase:
                return self
            if self.phase == Phase.BETTING:
                self.dealt(seats)
            else:
                self.time_is_up()
        raise AssertionError(f"{self.game} never came to {phase}")

    def over(self) -> "Felt":
        """The round to its end, by the house rule."""
        while self.phase not in OVER:
            self.time_is_up()
        return self


def wagers(game: Game, limits: Limits = STANDARD_LIMITS, units: int = 1) -> dict[str, int]:
    """As many first wagers as one hand may carry, each of so many of the smallest amount."""
    spots = sorted(game.wagers, key=lambda spot: not game.is_required(spot))[: game.rules.GAMES_PER_HAND]
    step = lcm(limits.step, *(game.step(spot) for spot in spots))
    least = -(-limits.minimum // step) * step
    return {spot.name: least * units for spot in game.wagers if spot in spots}


def laid_open(table: Table) -> list[str]:
    """The cards of the round that is over, as they fell; burnt ones stay face down."""
    deal = table.deal or table.last_deal
    return [name(card) for who, card in deal.dealt if who != BURNT] if deal else []


def leaves(data: Any) -> Iterator[str]:
    """All texts in some data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from leaves(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from leaves(value)


def kinds(drafts: Iterable[Draft]) -> list[str]:
    return [draft.kind for draft in drafts]


def keeps_its_word(events: Iterable[Event], committed: dict[str, str] | None = None) -> int:
    """How many shuffles were revealed, each as it was committed to: in these events, or earlier."""
    committed = {} if committed is None else committed
    shown = 0
    for event in events:
        if event.kind == "shuffled":
            committed[event.data["shuffle"]] = event.data["commitment"]
        if event.kind == "order":
            order = shuffle_from_event(event).order
            assert committed.pop(event.data["shuffle"]) == commitment_of(order, event.data["salt"])
            shown += 1
    return shown


def refused(felt: Felt, act: str, *words: object) -> str:
    """The sentence with which an act is refused; then nothing has changed."""
    before, written = felt.table, len(felt.record.events)
    with pytest.raises(Refused) as caught:
        getattr(felt, act)(*words)
    assert felt.table is before
    assert len(felt.record.events) == written
    assert str(caught.value).endswith(".")
    return str(caught.value)
