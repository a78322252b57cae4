"""The state of a live table, as an immutable value, and everything that follows from it alone."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from feltlab.core.cards import FACE_DOWN, Cards
from feltlab.core.deal import Deal
from feltlab.core.game import MAX_SEATS, Game
from feltlab.core.layout import BOARD, BURNT, DEALER
from feltlab.core.limits import STANDARD_LIMITS, Limits
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.core.settlement import Settled
from feltlab.errors import Refused
from feltlab.ledger.event import Draft
from feltlab.pit.irregularities.kinds import irregularity_kind
from feltlab.pit.meters import NO_METERS, Meters
from feltlab.pit.seats import HOLD_SECONDS, ROUND_PHASES, STANDARD_TIMERS, Phase, Place, Timers
from feltlab.pit.shufflers.install import install_machines
from feltlab.pit.shufflers.machines import Machines
from feltlab.pit.shufflers.seeds import SEED_SECONDS, SealedSeed, SeatSeed, order_seeds, seeds_to_record
from feltlab.shuffling.card_names import CARD_NAMES
from feltlab.shuffling.machine import READY, Shuffle, Shuffler
from feltlab.shuffling.seeds import mix_cards
from feltlab.values import build_unchecked, cached_property, set_frozen

ENDING_PHASES = (Phase.REVEAL, Phase.SETTLING)
SHARED_RECEIVERS: Mapping[int, object] = {DEALER: "dealer", BOARD: "board"}
BURNT_CARD = f"burnt:{CARD_NAMES[FACE_DOWN]}"
Payment = tuple[int, str, str, int, int]  # seat, spot, outcome, cents staked, cents won or lost


@dataclass(frozen=True)
class TableState:
    name: str
    game: Game
    limits: Limits = STANDARD_LIMITS
    timers: Timers = STANDARD_TIMERS
    approval: int = 0  # the number of the approval under which it is open
    digest: str = ""  # of the rules under which it was opened, or to which it was carried over
    owner: str = ""  # the account whose private table it is; a public table has none
    practice: bool = False  # no approval covers its options and pays
    salt: str = ""  # of the invitation, once a private table is shared
    phase: Phase = Phase.CLOSED
    round: int = 0
    places: tuple[Place | None, ...] = ()
    machines: Machines = field(default=None, repr=False)  # type: ignore[assignment]  # made below
    shuffle: Shuffle | None = field(default=None, repr=False)  # secret
    cycles: int = 0  # of the shuffler
    used: int = 0  # cards of the shuffle that are gone
    start: int = 0  # cards of the shuffle that were gone before this round
    seeds: tuple[SeatSeed, ...] = ()  # that seats added to the shuffle
    sealed_seeds: tuple[SealedSeed, ...] = ()  # that seats reveal when the bets have closed
    spent: bool = False  # the shuffle's order is on record, and nothing more is dealt from it
    commitment: str = ""
    playing: tuple[int, ...] = ()  # the seats that are in the round
    stages: int | None = None  # stops to settle all seats in this round; None settles at its end only
    shown: int = 0  # cards that were dealt when cards were last shown
    paid: tuple[Payment, ...] = ()  # wagers settled in this round
    ended: tuple[Place | None, ...] = ()  # the seats as the round left them, before they were paid
    void_reason: str = ""  # why the round does not count, if it does not
    last_void_reason: str = ""  # why the round before did not count, if it did not
    known_deal: Deal | None = field(default=None, repr=False, compare=False)  # once it is computed
    last_deal: Deal | None = field(default=None, repr=False, compare=False)  # of the round before
    irregular: tuple[tuple[str, str], ...] = ()  # kind and hand of each irregularity recorded in the round
    rehearsal: str = ""  # the kind of irregularity that a drill asks the supervisor to record
    hold: int = 0  # the number of the request to void the round that holds it
    was_held: bool = False  # such a request has held this round, and none does so again
    closes: str = ""  # the account that closes the table after the round
    meters: Meters = NO_METERS
    opening: Meters = NO_METERS  # the meters when the table was opened
    alarm: str = ""
    number: int = field(default=0, compare=False)  # of its last event, unwritten ones included
    unwritten: tuple[Draft, ...] = field(default=(), repr=False)
    sealed: tuple[Shuffle, ...] = field(default=(), repr=False)  # shuffles for the vault
    unsealed: tuple[str, ...] = ()  # names of shuffles that leave the vault

    def __post_init__(self) -> None:
        if self.machines is None:
            set_frozen(self, machines=install_machines(self.game, self.name))
        if not self.places:
            set_frozen(self, places=(None,) * min(MAX_SEATS, self.game.seats))

    @property
    def is_held(self) -> bool:
        """Whether a drill holds the round until a supervisor has recorded the irregularity."""
        if not self.rehearsal or self.phase not in ENDING_PHASES:
            return False
        return irregularity_kind(self.rehearsal).is_of_round_in_play == (self.phase == Phase.REVEAL)

    # -- Whose table it is ---------------------------------------------------------------------------

    @property
    def is_private(self) -> bool:
        return bool(self.owner)

    @property
    def is_shared(self) -> bool:
        """Whether others may sit at a private table, by its invitation."""
        return bool(self.salt)

    @property
    def is_solo(self) -> bool:
        """Whether its owner alone plays here; nobody is hurried."""
        return self.is_private and sum(place is not None for place in self.places) <= 1

    @property
    def is_deserted(self) -> bool:
        """Whether it is private and nobody sits at it."""
        return self.is_private and not any(self.places)

    # -- Seats --------------------------------------------------------------------------------------

    def place(self, seat: int) -> Place:
        place = self.places[seat]
        if place is None:
            raise Refused(f"Seat {seat + 1} is empty.")
        return place

    @property
    def bettors(self) -> list[int]:
        """The seats with a wager on the felt."""
        return [seat for seat, place in enumerate(self.places) if place and place.wagers]

    def awaited_seats(self, absent: Collection[int] = ()) -> list[int]:
        """The seats that are not ready and have wagered, or did so in the last round and are not absent."""
        return [
            seat
            for seat, place in enumerate(self.places)
            if place and not place.ready and (place.wagers or not (place.missed or seat in absent))
        ]

    def is_ready_without(self, absent: Collection[int] = ()) -> bool:
        """Whether the round can begin, if nobody waits for absent players without a wager."""
        return bool(self.bettors) and not self.awaited_seats(absent)

    @property
    def chips(self) -> int:
        """All cents of the players at the table."""
        return sum(place.bankroll + place.on_felt for place in self.places if place)

    def missed_rounds(self, seat: int) -> int:
        """Rounds in a row without a wager, this one included if it was played."""
        if seat in self.playing:
            return 0
        return self.place(seat).missed + bool(self.playing)

    # -- Cards --------------------------------------------------------------------------------------

    @property
    def shuffler(self) -> Shuffler:
        """The shuffler in use."""
        return build_unchecked(Shuffler, game=self.game, name=self.machines.in_use, fault=self.machines.armed)

    @property
    def message(self) -> str:
        """The line on the shuffler's display."""
        line = self.machines.message
        return self.shuffler.message() if line == READY else line

    @property
    def current_shuffle(self) -> Shuffle:
        if self.shuffle is None:
            raise Refused(f"{self.name} has no shuffled cards.")
        return self.shuffle

    @property
    def dealt_order(self) -> Cards:
        """The order in which the shuffle is dealt: as the machine delivered it, mixed by the seats' seeds."""
        shuffle = self.current_shuffle
        return (
            mix_cards(shuffle.order, shuffle.salt, order_seeds(self.seeds)) if self.seeds else shuffle.order
        )

    @property
    def awaited_seeds(self) -> tuple[SealedSeed, ...]:
        """The sealed seeds that have to be revealed before the first card is dealt."""
        return self.sealed_seeds if self.phase == Phase.NO_MORE_BETS else ()

    @property
    def phase_seconds(self) -> float | None:
        """How long this phase lasts; None waits for somebody to act, 0 waits for nobody."""
        if self.hold:
            return HOLD_SECONDS
        return SEED_SECONDS if self.sealed_seeds and self.awaited_seeds else self.timers.of(self.phase)

    @property
    def deal(self) -> Deal | None:
        """The running round, computed from the wagers and the choices on record."""
        if self.known_deal is None and self.playing:
            set_frozen(self, known_deal=self.deal_to(self.playing, self.stops))
        return self.known_deal

    @property
    def stops(self) -> int | None:
        """The stops that the deal has made; while it pauses at one, the next cards are not dealt."""
        if self.stages is None or self.phase in ENDING_PHASES:
            return None
        return self.stages - (self.phase == Phase.PAYING)

    @property
    def stage(self) -> int:
        """The number of stops in this round at which the dealer has settled all seats."""
        return self.stages or 0

    def deal_to(self, seats: Sequence[int], settled: int | None) -> Deal:
        """The deal to these seats as it is on record."""
        return Deal(self.game, self._cards_to_come, self._seats_of(seats), self.void_reason, settled)

    def begin_deal(self) -> Deal:
        """The deal to the seats that have wagered, whose wagers were checked when they were placed."""
        return Deal.at_table(self.game, self._cards_to_come, self._seats_of(self.bettors))

    @property
    def _cards_to_come(self) -> Cards:
        return Cards(self.dealt_order[self.start :]) if self.start else self.dealt_order

    def _seats_of(self, seats: Sequence[int]) -> tuple[Seat, ...]:
        places = self.ended or self.places
        held = [(seat + 1, place) for seat in seats if (place := places[seat])]
        return tuple([Seat(place.wagers, place.chosen, place.player, number) for number, place in held])

    @property
    def turn(self) -> int | None:
        """The seat that has to choose."""
        deal = self.known_deal or self.deal
        turn = deal.turn if deal else None
        return None if turn is None else self.playing[turn]

    @cached_property
    def rounds(self) -> Mapping[int, Round]:
        """The round of each seat that is in it; between rounds, of the last one."""
        deal = self.deal or self.last_deal
        pairs = zip(deal.seats, deal.rounds, strict=True) if deal else ()
        return {seat.position - 1: round for seat, round in pairs}

    # -- As events record it ------------------------------------------------------------------------

    @property
    def snapshot(self) -> dict[str, Any]:
        """The whole table between two rounds: the data of the event from which a table is recovered."""
        return {
            "round": self.round + 1,
            "seats": self.seats_snapshot,
            "shuffle": self.current_shuffle.name,
            "commitment": self.current_shuffle.commitment,
            "cycles": self.cycles,
            "used": self.used,
            "shuffler": self.machines.in_use,
            "machines": self.machines.plain,
            "meters": self.meters.plain,
            "alarm": self.alarm,
            "void": self.void_reason,
            **({"seeds": seeds_to_record(self.seeds)} if self.seeds else {}),  # of a shoe
            **({"rehearsal": self.rehearsal} if self.rehearsal else {}),  # its round was void
        }

    @property
    def seats_snapshot(self) -> list[dict[str, Any] | None]:
        """The seats at the beginning of the next round."""
        missed = self.missed_rounds
        return [place.snapshot(missed(n)) if place else None for n, place in enumerate(self.places)]

    @property
    def settlement(self) -> dict[str, Any]:
        """Every payment of the round in the order of the dealer, and the cents that each seat takes back.

        What seats took back before the end is apart. Payments on record stay as they are: the rules may have
        named their outcomes otherwise.
        """
        assert self.deal is not None
        payments = self.payments_of(self.deal.payments)[len(self.paid) :]
        now = returns_of(payments, self.playing)
        return {"payments": [*self.paid, *payments], "returned": now, **self.returned_before}

    @property
    def win_in_round(self) -> int:
        """The house's win so far in a round that goes on; the meters have it when the round is over."""
        return -sum(net for *_, net in self.paid) if self.phase in ROUND_PHASES else 0

    @property
    def returned_before(self) -> dict[str, Any]:
        return {"before": returns_of(self.paid)} if self.paid else {}

    def unpaid(self, payments: Iterable[tuple[int, Settled]]) -> list[Payment]:
        """Those of a round's payments that are not on record yet."""
        return [] if self.stages is None else self.payments_of(payments)[len(self.paid) :]

    def payments_of(self, payments: Iterable[tuple[int, Settled]]) -> list[Payment]:
        return [
            (self.playing[seat], paid.spot.name, paid.outcome, paid.staked, paid.net)
            for seat, paid in payments
        ]

    def revelation(self, deal: Deal) -> dict[str, Any]:
        """The cards of the round in the order in which they fell, and how many of the shuffle are gone."""
        return {"dealt": cards_shown(deal), "used": self.start + deal.cards_dealt}


def returns_of(payments: Iterable[Payment], seats: Iterable[int] = ()) -> dict[str, int]:
    """The cents that payments return from the felt, by seat."""
    back = {str(seat): 0 for seat in seats}
    for seat, _, _, staked, net in payments:
        back[str(seat)] = back.get(str(seat), 0) + staked + net
    return back


def cards_shown(deal: Deal) -> str:
    """Each card after the seat, board or dealer that received it, in order; burnt cards stay face down."""
    receivers = {**SHARED_RECEIVERS, **dict(enumerate(deal.positions))}
    return " ".join(
        [BURNT_CARD if to == BURNT else f"{receivers[to]}:{CARD_NAMES[card]}" for to, card in deal.dealt]
    )
