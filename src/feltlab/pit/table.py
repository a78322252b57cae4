"""A live table, as an immutable value folded from its events.

Every act returns the table after it, or refuses with one sentence; then nothing has changed. A table
carries the drafts of what happened since it was last written down. Whoever runs it writes those first
and goes on with the new table only then, so what is on record and what is played never differ.

The table knows no clock and no account: who may act, and when time is up, is decided by who runs it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any

from feltlab.core.cards import FACE_DOWN, Cards, name
from feltlab.core.deal import Deal, Seat, needs_shuffle
from feltlab.core.game import MOST_CENTS, MOST_SEATS, Game
from feltlab.core.layout import BURNT, DEALER
from feltlab.core.limits import STANDARD, Limits, why_unaffordable
from feltlab.core.round import Round
from feltlab.core.seating import check_held
from feltlab.errors import Refused
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.ledger.event import HOUSE_ACTOR, Draft, Event
from feltlab.pit.meters import NO_METERS, Meters
from feltlab.pit.seat_numbers import Data, read, written
from feltlab.shuffling.machine import BACKUP, MAIN, Fault, Shuffle, Shuffler
from feltlab.text import dollars
from feltlab.values import replace_unchecked

LOST = "The cards in play were lost with the key of the vault."
MOST_MISSED = 5  # rounds in a row that a seat may sit out
Wagers = Mapping[str, int]
Changes = dict[str, Any]  # fields of a table and what they become


class Phase(StrEnum):
    CLOSED = "closed"
    BETTING = "betting"
    NO_MORE_BETS = "no more bets"
    DEALING = "dealing"
    CHOOSING = "choosing"
    REVEAL = "reveal"
    SETTLING = "settling"


RUNNING = (Phase.NO_MORE_BETS, Phase.DEALING, Phase.CHOOSING, Phase.REVEAL)  # wagers stand and cards are out


@dataclass(frozen=True)
class Timers:
    """Seconds that a phase lasts; None waits for somebody to act, 0 waits for nobody."""

    betting: float | None = None  # from the first wager on
    no_more_bets: float | None = 0
    dealing: float | None = 0
    choosing: float | None = None
    reveal: float | None = 0
    settling: float | None = 0

    def __post_init__(self) -> None:
        for timer in fields(self):
            seconds = getattr(self, timer.name)
            if seconds is not None and not 0 <= seconds <= 3600:
                raise Refused(f"The timer of {timer.name} must be between 0 and 3,600 seconds.")

    def of(self, phase: Phase) -> float | None:
        seconds: float | None = getattr(self, phase.replace(" ", "_"), None)
        return seconds


@dataclass(frozen=True)
class Place:
    """An occupied seat."""

    player: str
    bankroll: int  # cents in front of the player, without what lies on the felt
    wagers: Wagers = field(default_factory=dict, hash=False)  # first wagers on the felt
    chosen: tuple[str, ...] = ()
    raised: int = 0  # cents that choices put down
    last: Wagers = field(default_factory=dict, hash=False)  # first wagers of the round before
    ready: bool = False  # has nothing more to bet
    leaves: bool = False  # is played by the house rule and paid out after the round
    missed: int = 0  # rounds in a row without a wager

    @classmethod
    def seated(cls, data: Data) -> "Place":
        """As a round finds it."""
        return cls(data["player"], data["cents"], last=data["last"], missed=data["missed"])

    def standing(self, missed: int) -> dict[str, Any]:
        return {**_chips(self), "last": dict(self.wagers or self.last), "missed": missed}

    @property
    def on_felt(self) -> int:
        return sum(self.wagers.values()) + self.raised

    def given_back(self, cents: int) -> "Place":
        """After the round, with so many cents from the felt."""
        last = self.wagers or self.last
        return Place(self.player, self.bankroll + cents, last=last, leaves=self.leaves)


@dataclass(frozen=True)
class Table:
    name: str
    game: Game
    limits: Limits = STANDARD
    timers: Timers = Timers()
    approval: int = 0  # under which it is open
    digest: str = ""  # of the rules under which it was opened
    phase: Phase = Phase.CLOSED
    round: int = 0
    places: tuple[Place | None, ...] = ()
    shuffler: Shuffler = field(default=None, repr=False)  # type: ignore[assignment]  # made below
    shuffle: Shuffle | None = field(default=None, repr=False)  # secret
    cycles: int = 0
    used: int = 0  # cards of the shuffle that are gone
    start: int = 0  # those that were gone before this round
    spent: bool = False  # the shuffle's order is revealed
    commitment: str = ""
    playing: tuple[int, ...] = ()  # the seats that are in the round
    ended: tuple[Place | None, ...] = ()  # the seats as the round left them, before they were paid
    voided: str = ""  # why the round does not count, if it does not
    void_before: str = ""  # why the last one did not
    known: Deal | None = field(default=None, repr=False, compare=False)  # the deal, once it was computed
    last: Deal | None = field(default=None, repr=False, compare=False)  # of the round before
    closes: str = ""  # who closes the table after the round
    meters: Meters = NO_METERS
    opening: Meters = NO_METERS  # as they were when the table was opened
    alarm: str = ""
    unwritten: tuple[Draft, ...] = field(default=(), repr=False)
    sealed: tuple[Shuffle, ...] = field(default=(), repr=False)  # for the vault
    unsealed: tuple[str, ...] = ()  # names that leave it

    @classmethod
    def of(cls, opened: Event) -> "Table":
        """The table as it was opened."""
        terms, game = opened.data, game_from_data(opened.data)
        return cls(opened.chain, game, Limits(**terms["limits"]), Timers(**terms["timers"])).after(opened)

    def __post_init__(self) -> None:
        if self.shuffler is None:
            object.__setattr__(self, "shuffler", Shuffler(self.game))
        if not self.places:
            object.__setattr__(self, "places", (None,) * min(MOST_SEATS, self.game.seats))

    # -- Opening and closing -------------------------------------------------------------------------

    def open(self, by: str, approval: int) -> "Table":
        """Open under an approval: the first round's betting begins."""
        if self.phase != Phase.CLOSED:
            raise Refused(f"{self.name} is open already.")
        terms = {
            "by": by,
            "approval": approval,
            **game_to_data(self.game),
            "limits": vars(self.limits),
            "timers": vars(self.timers),
            "meters": self.meters.to_json(),
        }
        return self._did("opened", terms)._next_round()

    def close(self, by: str, why: str = "") -> "Table":
        """Close now, or after the round that is on; wagers on the felt go back to their players."""
        self._check_open()
        if self.phase in RUNNING:
            if self.closes:
                raise Refused(f"{self.name} closes after this round already.")
            return self._did("closing", {"by": by, "why": why})
        table = self
        for seat, place in enumerate(table.places):
            if place:
                table = table._did("left", {"seat": seat, **_chips(place), "why": "The table closes."})
        return table._spent()._did("closed", {"by": by, "why": why, "meters": table.meters.to_json()})

    # -- Seats and bankrolls -------------------------------------------------------------------------

    def sit(self, player: str, seat: int, cents: int) -> "Table":
        """Take a seat with so many chips."""
        self._check_open()
        self._check_seat(seat)
        if self.places[seat]:
            raise Refused(f"Seat {seat + 1} is taken.")
        check_held(self.game, "You", [*self._seat_numbers(player), seat + 1])
        self._check_buy_in(cents, 0)
        return self._did("seated", {"seat": seat, "player": player, "cents": cents})

    def buy(self, player: str, seat: int, cents: int) -> "Table":
        """More chips, between rounds."""
        place = self._place_of(player, seat)
        self._check_betting("Chips are bought between rounds.")
        self._check_buy_in(cents, place.bankroll + place.on_felt)
        return self._did("bought", {"seat": seat, "player": player, "cents": cents})

    def leave(self, player: str, seat: int, why: str = "") -> "Table":
        """Leave with all chips: at once, or after the round if wagers stand; the house rule plays it out."""
        place = self._place_of(player, seat)
        if not self._stands(seat):
            return self._did("left", {"seat": seat, **_chips(place), "why": why})._flow()
        if place.leaves:
            raise Refused(f"Seat {seat + 1} leaves after this round already.")
        return self._did("leaving", {"seat": seat, "player": player, "why": why})._flow()

    def _stands(self, seat: int) -> bool:
        """Is the seat in a round that cannot be left?"""
        return self.phase in RUNNING and seat in self.playing

    def _seat_numbers(self, player: str) -> list[int]:
        """The numbers of the seats that a player holds, counted from 1."""
        return [number for number, place in enumerate(self.places, 1) if place and place.player == player]

    def _check_buy_in(self, cents: int, has: int) -> None:
        if not isinstance(cents, int) or isinstance(cents, bool) or cents <= 0:
            raise Refused(f"A buy-in is a whole number of cents above nothing, not {cents!r}.")
        if has + cents > MOST_CENTS:
            raise Refused(f"A bankroll may be at most {dollars(MOST_CENTS)}.")
        if has + cents < self.limits.minimum:
            raise Refused(f"A seat is bought for at least the minimum wager, {dollars(self.limits.minimum)}.")

    # -- Betting -------------------------------------------------------------------------------------

    def wager(self, player: str, seat: int, wagers: Wagers) -> "Table":
        """These wagers instead of what the seat has on the felt; none takes all back."""
        place = self._place_of(player, seat)
        self._check_betting("No more bets: the round is on.")
        if wagers:
            self.game.check_wagers(wagers)
            for spot, cents in wagers.items():
                self.limits.check(self.game.spot(spot), cents)
        if sum(wagers.values()) > place.bankroll + place.on_felt:
            have = dollars(place.bankroll + place.on_felt)
            raise Refused(f"The wagers come to {dollars(sum(wagers.values()))}; your bankroll is {have}.")
        return self._did("wagered", {"seat": seat, "player": player, "wagers": dict(wagers)})._flow()

    def ready(self, player: str, seat: int) -> "Table":
        """Nothing more to bet. The round begins when every seat is ready and some wager stands."""
        place = self._place_of(player, seat)
        self._check_betting("The round is on already.")
        if place.ready:
            raise Refused(f"Seat {seat + 1} is ready already.")
        return self._did("ready", {"seat": seat, "player": player})._flow()

    def no_more_bets(self, by: str = HOUSE_ACTOR) -> "Table":
        """Close the betting. The deck is counted down before any card reaches a player."""
        self._check_betting("There are no more bets to close: the round is on.")
        if not self.bettors:
            raise Refused("Nobody has placed a wager.")
        return self._closed(by)._flow()

    @property
    def bettors(self) -> list[int]:
        return [seat for seat, place in enumerate(self.places) if place and place.wagers]

    def _closed(self, by: str) -> "Table":
        try:
            self.shuffler.deliver(self._secret)
        except Fault as fault:
            return self._faulted(fault)
        deal = self._dealt_to(self.bettors)
        return self._did("no-more-bets", {"by": by, "playing": self.bettors, "calls": list(deal.calls)}, deal)

    # -- The round -----------------------------------------------------------------------------------

    def choose(self, player: str, seat: int, choice: str) -> "Table":
        self._place_of(player, seat)
        self._check_turn(seat)
        if choice in self.rounds[seat].choices and (barred := self.barred(seat, choice)):
            raise Refused(barred)
        return self._chose(player, choice)._flow()

    def _chose(self, player: str, choice: str, **why: str) -> "Table":
        """The seat in turn chose, or somebody for it."""
        assert self.deal is not None
        assert self.turn is not None
        deal = self.deal.choose(self.playing.index(self.turn), choice)
        cents = self.rounds[self.turn].cost(choice)
        made = {"seat": self.turn, "player": player, "choice": choice, "cents": cents, **why}
        return self._did("chose", made, deal)

    def _check_turn(self, seat: int) -> None:
        if self.phase != Phase.CHOOSING:
            raise Refused("No choice is open: " + _WAITS[self.phase])
        if seat != self.turn:
            raise Refused(f"It is the turn of seat {(self.turn or 0) + 1}, not of seat {seat + 1}.")

    def barred(self, seat: int, choice: str) -> str:
        """Why a choice that the rules allow cannot be made here, or ''."""
        return why_unaffordable(self.rounds[seat], choice, self._place(seat).bankroll, self.limits)

    def time_is_up(self) -> "Table":
        """The phase ends by the clock: betting closes, the seat in turn is played by the house rule."""
        return self._passed()._flow()

    def _house_rule(self, why: str) -> "Table":
        """The choice made for who is not there: it gives up or stands, and never puts money down."""
        assert self.turn is not None
        return self._chose(HOUSE_ACTOR, house_choice(self.game, self.rounds[self.turn]), why=why)

    def _flow(self) -> "Table":
        """Go on as far as nobody has to be waited for."""
        table = self
        while (after := table._unasked()) is not table:
            table = after
        return table

    def _unasked(self) -> "Table":
        """After what needs nobody's act; this table, if somebody is waited for."""
        if self.timers.of(self.phase) == 0 or (self.phase == Phase.CHOOSING and self.turn is None):
            return self._passed()
        if self.phase == Phase.BETTING:
            return self._closed(HOUSE_ACTOR) if self._all_ready else self
        if self.phase == Phase.CHOOSING and self._place(self.turn or 0).leaves:
            return self._house_rule("The player left.")
        return self

    @property
    def _all_ready(self) -> bool:
        awaited = (place for place in self.places if place and (place.wagers or not place.missed))
        return bool(self.bettors) and all(place.ready for place in awaited)

    def _passed(self) -> "Table":
        """After a phase that nobody acted to end."""
        match self.phase:
            case Phase.BETTING if self.bettors:
                return self._closed(HOUSE_ACTOR)
            case Phase.NO_MORE_BETS:
                return self._did("dealt", {"hands": len(self.playing) + 1})
            case Phase.DEALING if self.turn is not None:
                return self._did("choosing", {})
            case Phase.CHOOSING if self.turn is not None:
                return self._house_rule("Time is up.")
            case Phase.DEALING | Phase.CHOOSING:
                return self._revealed()
            case Phase.REVEAL:
                return self._did("settled", self.settlement)
            case Phase.SETTLING:
                return self._next_round()
        return self

    def _revealed(self) -> "Table":
        """The cards are laid open; the whole order too, if no later round is dealt from it."""
        table = self._did("revealed", {"dealt": self.laid_open, "used": self._taken})
        return table._spent() if needs_shuffle(self.game, table.used, len(self.places)) else table

    @property
    def _taken(self) -> int:
        """Cards of the shuffle that are used once this round is over."""
        return self.start + len(self.deal.dealt) if self.deal else self.start

    @property
    def laid_open(self) -> str:
        """Who received each card, in order; burnt cards stay face down."""
        return laid_open(self.deal) if self.deal else ""

    @property
    def settlement(self) -> dict[str, Any]:
        """Every payment in the order in which the dealer makes it, and what each seat takes back."""
        assert self.deal is not None
        payments: list[list[Any]] = [
            [self.playing[seat], paid.spot.name, paid.outcome, paid.staked, paid.net]
            for seat, paid in self.deal.payments
        ]
        back = {str(seat): 0 for seat in self.playing}
        for seat, _, _, staked, net in payments:
            back[str(seat)] += staked + net
        return {"payments": payments, "returned": back}

    def void(self, by: str, reason: str) -> "Table":
        """Take the round out of play: every wager goes back, the cards are shuffled anew."""
        self._check_open()
        if not reason.strip():
            raise Refused("A void round needs a reason.")
        if not self.bettors:
            raise Refused("There is no wager to give back.")
        return self._voided(by, reason)._next_round()

    def _voided(self, by: str, reason: str) -> "Table":
        refunds = {str(seat): self._place(seat).on_felt for seat in self.bettors}
        return self._did("void", {"by": by, "reason": reason, "returned": refunds})._spent()

    def stop(self, by: str, reason: str) -> "Table":
        """Close at once, whatever is on: wagers that stand go back."""
        self._check_open()
        return (self._voided(by, reason) if self.bettors else self).close(by)

    # -- The shuffler --------------------------------------------------------------------------------

    def drill(self, by: str, fault: str) -> "Table":
        """Make the shuffler fail in this round, to see that nothing is lost."""
        self._check_betting("A fault can be tried out only while bets are open.")
        return self._did("drill", {"by": by, "fault": fault})._spent()._shuffled()

    def change_shuffler(self, by: str) -> "Table":
        """Put the other shuffler into use, between rounds; the cards are shuffled anew."""
        self._check_betting("The shuffler is changed between rounds.")
        other = BACKUP if self.shuffler.name == MAIN else MAIN
        return self._did("shuffler", {"by": by, "shuffler": other})._spent()._shuffled()

    def lose_cards(self) -> "Table":
        """The cards in play cannot be read any more: the round is void, and others are shuffled."""
        if self.phase == Phase.CLOSED or self.spent:
            return self
        name = f"{self.name}/{self.cycles}"
        table = self._voided(HOUSE_ACTOR, LOST) if self.bettors else self
        table = replace_unchecked(table._did("lost", {"shuffle": name}), unsealed=(*table.unsealed, name))
        return table._next_round()

    def _faulted(self, fault: Fault) -> "Table":
        """Void the round; the backup shuffler takes over, and a failing backup closes the table."""
        found = {"shuffler": self.shuffler.name, "fault": fault.kind, "message": str(fault)}
        table = self._did("fault", found)._voided(HOUSE_ACTOR, str(fault))
        if self.shuffler.name != MAIN:
            return table.close(HOUSE_ACTOR, "The backup shuffler failed too.")
        return replace_unchecked(table, shuffler=self.shuffler.replaced())._next_round()

    def _shuffled(self) -> "Table":
        number = self.cycles + 1
        shuffle = self.shuffler.cycle(f"{self.name}/{number}", number)
        made = {
            "shuffle": shuffle.name,
            "cycle": number,
            "commitment": shuffle.commitment,
            "deck": shuffle.deck,
            "shuffler": shuffle.shuffler,
        }
        table = replace_unchecked(self, shuffle=shuffle, sealed=(*self.sealed, shuffle))
        return table._did("shuffled", made)

    def _spent(self) -> "Table":
        """Reveal the order of a shuffle from which nothing more is dealt."""
        if self.spent or self.shuffle is None:
            return self
        secret = self.shuffle
        backs = {"deck": secret.deck, "shuffler": secret.shuffler}
        shown = {"shuffle": secret.name, "salt": secret.salt, "order": str(secret.order), **backs}
        return replace_unchecked(self._did("order", shown), unsealed=(*self.unsealed, secret.name))

    @property
    def _secret(self) -> Shuffle:
        if self.shuffle is None:
            raise Refused(f"{self.name} has no shuffled cards.")
        return self.shuffle

    def _next_round(self) -> "Table":
        """The next betting begins, or the table closes."""
        table = replace_unchecked(self, phase=Phase.SETTLING)
        for seat, place in enumerate(table.places):
            if place and (place.leaves or table._missed(seat) > MOST_MISSED):
                why = "The round is over." if place.leaves else "The seat was not played for a while."
                table = table._did("left", {"seat": seat, **_chips(place), "why": why})
        if table.closes:
            return table.close(table.closes)
        if table.spent or table.shuffle is None:
            table = table._shuffled()
        return table._did("standing", table.standing)

    # -- What stands ---------------------------------------------------------------------------------

    @property
    def standing(self) -> dict[str, Any]:
        """The whole table between two rounds: what comes back after a crash begins here."""
        return {
            "round": self.round + 1,
            "seats": self.seated,
            "shuffle": self._secret.name,
            "commitment": self._secret.commitment,
            "cycles": self.cycles,
            "used": self.used,
            "shuffler": self.shuffler.name,
            "meters": self.meters.to_json(),
            "alarm": self.alarm,
            "void": self.voided,
        }

    @property
    def seated(self) -> list[dict[str, Any] | None]:
        """The seats as the next round finds them."""
        return [place.standing(self._missed(n)) if place else None for n, place in enumerate(self.places)]

    def _missed(self, seat: int) -> int:
        """Rounds in a row without a wager, this one included if it was played."""
        if seat in self.playing:
            return 0
        return self._place(seat).missed + bool(self.playing)

    @property
    def deal(self) -> Deal | None:
        """The running round, computed from the wagers and the choices on record."""
        if self.known is None and self.playing:
            object.__setattr__(self, "known", self._dealt_to(self.playing))
        return self.known

    def _dealt_to(self, seats: Sequence[int]) -> Deal:
        places = self.ended or self.places
        held = [(seat + 1, place) for seat in seats if (place := places[seat])]
        dealt = tuple(Seat(place.wagers, place.chosen, place.player, number) for number, place in held)
        return Deal(self.game, Cards(self._secret.order[self.start :]), dealt, self.voided)

    @property
    def turn(self) -> int | None:
        """The seat whose choice is waited for."""
        turn = self.deal.turn if self.deal else None
        return None if turn is None else self.playing[turn]

    @cached_property
    def rounds(self) -> Mapping[int, Round]:
        """The round of each seat that is in it; between rounds, of the last one."""
        deal = self.deal or self.last
        pairs = zip(deal.seats, deal.rounds, strict=True) if deal else ()
        return {seat.position - 1: round for seat, round in pairs}

    @property
    def chips(self) -> int:
        """All cents of the players at the table."""
        return sum(place.bankroll + place.on_felt for place in self.places if place)

    def alarmed(self, alarm: str) -> "Table":
        """The result left the band that the theory gives it, or came back."""
        return self if alarm == self.alarm else self._did("alarm", {"alarm": alarm})

    def written(self) -> "Table":
        """This table, once its drafts are on record."""
        return replace_unchecked(self, unwritten=(), sealed=(), unsealed=())

    def _check_open(self) -> None:
        if self.phase == Phase.CLOSED:
            raise Refused(f"{self.name} is closed.")

    def _check_betting(self, otherwise: str) -> None:
        self._check_open()
        if self.phase != Phase.BETTING:
            raise Refused(otherwise)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or seat not in range(len(self.places)):
            raise Refused(f"{self.name} has seats 1 to {len(self.places)}.")

    def _place(self, seat: int) -> Place:
        place = self.places[seat]
        if place is None:
            raise Refused(f"Seat {seat + 1} is empty.")
        return place

    def _place_of(self, player: str, seat: int) -> Place:
        self._check_open()
        self._check_seat(seat)
        place = self._place(seat)
        if place.player != player:
            raise Refused(f"Seat {seat + 1} is not yours.")
        return place

    # -- Events --------------------------------------------------------------------------------------

    def _did(self, kind: str, data: Data, *known: Deal) -> "Table":
        """This happened; a deal that is known already is not dealt again."""
        draft = Draft(self.name, kind, written(data), self.round + (kind == "standing"))
        return replace_unchecked(
            self, **self._changes(kind, data, *known), unwritten=(*self.unwritten, draft)
        )

    def after(self, event: Event) -> "Table":
        """The table after something that is on record."""
        return replace_unchecked(self, **self._changes(event.kind, read(event.data)))

    def _changes(self, kind: str, data: Data, *known: Deal) -> Changes:
        """What an event makes of this table."""
        changes = getattr(self, f"_on_{kind.replace('-', '_')}", None)
        if changes is None:
            raise Refused(f"{kind!r} is nothing that happens at a table.")
        changed: Changes = changes(data, *known)
        return changed

    def _on_opened(self, data: Data) -> Changes:
        meters = Meters.from_json(data["meters"])
        terms = {"approval": data["approval"], "digest": data["digest"]}
        return {**terms, "meters": meters, "opening": meters, "phase": Phase.SETTLING}

    def _on_closing(self, data: Data) -> Changes:
        return {"closes": data["by"]}

    def _on_closed(self, data: Data) -> Changes:
        return {"phase": Phase.CLOSED, "closes": "", "playing": (), "ended": (), "known": None}

    def _on_standing(self, data: Data) -> Changes:
        """A round begins with nothing on the felt, and with a shuffler that shows no fault."""
        seats = [seat and Place.seated(seat) for seat in data["seats"]]
        named = {name: data[name] for name in ("round", "cycles", "used", "commitment", "alarm")}
        return named | {
            "phase": Phase.BETTING,
            "places": tuple(seats),
            "start": data["used"],
            "meters": Meters.from_json(data["meters"]),
            "shuffler": Shuffler(self.game, data["shuffler"]),
            "playing": (),
            "ended": (),
            "voided": "",
            "void_before": data["void"],
            "last": self.known if self.playing or self.voided else self.last,
            "known": None,
        }

    def _on_shuffled(self, data: Data) -> Changes:
        made = {"cycles": data["cycle"], "commitment": data["commitment"]}
        return made | {"used": 0, "start": 0, "spent": False}

    def _on_order(self, data: Data) -> Changes:
        return {"spent": True}

    def _on_seated(self, data: Data) -> Changes:
        return self._on_bought(data, Place(data["player"], 0))

    def _on_bought(self, data: Data, newcomer: Place | None = None) -> Changes:
        place = newcomer or self._place(data["seat"])
        seats = self._seat(data["seat"], replace_unchecked(place, bankroll=place.bankroll + data["cents"]))
        return {"places": seats, "meters": self.meters.after_buy_in(data["cents"])}

    def _on_left(self, data: Data) -> Changes:
        return {"places": self._seat(data["seat"], None)}

    def _on_leaving(self, data: Data) -> Changes:
        return self._placed(data, leaves=True)

    def _on_wagered(self, data: Data) -> Changes:
        place = self._place(data["seat"])
        left = place.bankroll + place.on_felt - sum(data["wagers"].values())
        return self._placed(data, bankroll=left, wagers=data["wagers"], ready=False)

    def _on_ready(self, data: Data) -> Changes:
        return self._placed(data, ready=True)

    def _on_no_more_bets(self, data: Data, known: Deal | None = None) -> Changes:
        return {"phase": Phase.NO_MORE_BETS, "playing": tuple(data["playing"]), "known": known}

    def _on_dealt(self, data: Data) -> Changes:
        return {"phase": Phase.DEALING}

    def _on_choosing(self, data: Data) -> Changes:
        return {"phase": Phase.CHOOSING}

    def _on_chose(self, data: Data, known: Deal | None = None) -> Changes:
        place, cents = self._place(data["seat"]), data["cents"]
        put = {"raised": place.raised + cents, "bankroll": place.bankroll - cents}
        return self._placed(data, chosen=(*place.chosen, data["choice"]), **put) | {"known": known}

    def _on_revealed(self, data: Data) -> Changes:
        return {"phase": Phase.REVEAL, "used": data["used"]}

    def _on_settled(self, data: Data) -> Changes:
        staked = sum(payment[3] for payment in data["payments"])
        net = sum(payment[4] for payment in data["payments"])
        wagers = [self._place(seat).wagers for seat in self.playing]
        return self._returned(data) | {"meters": self.meters.after_round(wagers, staked, net)}

    def _on_void(self, data: Data) -> Changes:
        known = self.known.voided(data["reason"]) if self.known else None
        void = {"voided": data["reason"], "known": known, "meters": self.meters.after_void()}
        return self._returned(data) | void | {"shuffler": replace_unchecked(self.shuffler, fault="")}

    def _returned(self, data: Data) -> Changes:
        """The round is over, and what lay on the felt is with the players or gone."""
        places = list(self.places)
        for seat, cents in data["returned"].items():
            places[int(seat)] = self._place(int(seat)).given_back(cents)
        return {"phase": Phase.SETTLING, "places": tuple(places), "ended": self.places}

    def _on_lost(self, data: Data) -> Changes:
        return {"spent": True, "phase": Phase.SETTLING}

    def _on_fault(self, data: Data) -> Changes:
        return {}

    def _on_drill(self, data: Data) -> Changes:
        return {"shuffler": Shuffler(self.game, self.shuffler.name, data["fault"])}

    def _on_shuffler(self, data: Data) -> Changes:
        return {"shuffler": Shuffler(self.game, data["shuffler"])}

    def _on_alarm(self, data: Data) -> Changes:
        return {"alarm": data["alarm"]}

    def _placed(self, data: Data, **changes: Any) -> Changes:
        seat = data["seat"]
        return {"places": self._seat(seat, replace_unchecked(self._place(seat), **changes))}

    def _seat(self, seat: int, place: Place | None) -> tuple[Place | None, ...]:
        return (*self.places[:seat], place, *self.places[seat + 1 :])


_WAITS = {
    Phase.CLOSED: "the table is closed.",
    Phase.BETTING: "bets are still taken.",
    Phase.NO_MORE_BETS: "the cards are about to be dealt.",
    Phase.DEALING: "the cards are being dealt.",
    Phase.REVEAL: "the round is over.",
    Phase.SETTLING: "the round is over.",
}


def laid_open(deal: Deal) -> str:
    """Who received each card, in order; burnt cards stay face down."""
    return " ".join(_received(deal, who, card) for who, card in deal.dealt)


def _received(deal: Deal, who: int, card: int) -> str:
    if who == BURNT:
        return f"burnt:{name(FACE_DOWN)}"
    return f"{'dealer' if who == DEALER else deal.positions[who]}:{name(card)}"


def house_choice(game: Game, round: Round) -> str:
    """What is chosen for who is not there."""
    return next(name for name in round.choices if game.choice(name).house_rule)


def _chips(place: Place) -> dict[str, Any]:
    return {"player": place.player, "cents": place.bankroll + place.on_felt}
