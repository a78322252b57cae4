"""A live table, as an immutable value folded from its events.

Every act returns the table after it, or refuses with one sentence; then nothing has changed. A table
carries the drafts of what happened since it was last written down. Whoever runs it writes those first
and goes on with the new table only then, so what is on record and what is played never differ.

The table knows no clock and no account: who may act, and when time is up, is decided by who runs it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from feltlab.cards import FACE_DOWN, Cards, name
from feltlab.deal import Deal, Seat
from feltlab.errors import Refused
from feltlab.game import MOST_CENTS, MOST_SEATS, Game, dollars
from feltlab.layout import BURNT, DEALER
from feltlab.limits import STANDARD, Limits
from feltlab.pit.event import Draft, Event
from feltlab.pit.meters import NO_METERS, Meters
from feltlab.pit.shuffler import Fault, Shuffle, Shuffler
from feltlab.pit.terms import game_of, terms_of
from feltlab.round import Round

HOUSE = "house"  # who acts where nobody did
Wagers = Mapping[str, int]


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
    """Seconds that a phase lasts; None waits for somebody to act, 0 passes at once."""

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
    voided: str = ""  # why the round does not count, if it does not
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
        terms, game = opened.data, game_of(opened.data)
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
            **terms_of(self.game),
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
        self._check_positions(player, seat)
        self._check_buy_in(cents, 0)
        return self._did("seated", {"seat": seat, "player": player, "cents": cents})

    def buy(self, player: str, seat: int, cents: int) -> "Table":
        """More chips, between rounds."""
        place = self._place_of(player, seat)
        self._check_betting("Chips are bought between rounds.")
        self._check_buy_in(cents, place.bankroll)
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

    def _check_positions(self, player: str, seat: int) -> None:
        held = [n for n, place in enumerate(self.places) if place and place.player == player]
        if not held:
            return
        if self.game.options.get("two-positions") != "yes":
            raise Refused(f"You sit at seat {held[0] + 1} already; this table allows one seat a player.")
        if len(held) > 1 or abs(held[0] - seat) != 1:
            raise Refused("You may hold two seats only, and only adjacent ones.")

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
        return self._did("wagered", {"seat": seat, "player": player, "wagers": dict(wagers)})

    def ready(self, player: str, seat: int) -> "Table":
        """Nothing more to bet. The round begins when every seat is ready and some wager stands."""
        place = self._place_of(player, seat)
        self._check_betting("The round is on already.")
        if place.ready:
            raise Refused(f"Seat {seat + 1} is ready already.")
        table = self._did("ready", {"seat": seat, "player": player})
        return table._flow()

    def no_more_bets(self, by: str = HOUSE) -> "Table":
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
        return self._did("no-more-bets", {"by": by, "seats": self.bettors, "calls": list(deal.calls)}, deal)

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
        round = self.rounds[seat]
        short = round.cost(choice) - self._place(seat).bankroll
        if short > 0:
            return f"To {choice} you need {dollars(short)} more than your bankroll."
        most = self.limits.maximum
        for put in map(self.game.spot, self.game.choice(choice).puts):
            if round.wagers.get(put.raises or put.name, 0) * put.size > most:
                return f"To {choice} you would exceed the maximum, {dollars(most)}, on {put.title}."
        return ""

    def time_is_up(self) -> "Table":
        """The phase ends by the clock: betting closes, the seat in turn is played by the house rule."""
        if self.phase == Phase.BETTING:
            return self._closed(HOUSE)._flow() if self.bettors else self
        if self.phase == Phase.CHOOSING:
            return self._house_rule("Time is up.")._flow()
        return self._passed()._flow()

    def _house_rule(self, why: str) -> "Table":
        """The choice made for who is not there: it gives up or stands, and never puts money down."""
        assert self.turn is not None
        return self._chose(HOUSE, house_choice(self.game, self.rounds[self.turn]), why=why)

    def _flow(self) -> "Table":
        """Go on as far as nobody has to be waited for."""
        table = self
        while (after := table._unasked()) is not table:
            table = after
        return table

    def _unasked(self) -> "Table":
        if self.phase == Phase.BETTING:
            seated = [place for place in self.places if place]
            everyone = bool(self.bettors) and all(place.ready for place in seated)
            return self._closed(HOUSE) if everyone else self
        if self.phase == Phase.CHOOSING and self.turn is not None:
            return self._house_rule("The player left.") if self._place(self.turn).leaves else self
        if self.phase == Phase.CHOOSING:
            return self._revealed()
        return self._passed() if self.timers.of(self.phase) == 0 else self

    def _passed(self) -> "Table":
        """After a phase in which nobody chooses."""
        if self.phase == Phase.NO_MORE_BETS:
            return self._did("dealt", {"hands": len(self.playing) + 1})
        if self.phase == Phase.DEALING:
            return self._did("choosing", {}) if self.turn is not None else self._revealed()
        if self.phase == Phase.REVEAL:
            return self._settled()
        return self._next_round() if self.phase == Phase.SETTLING else self

    def _revealed(self) -> "Table":
        """The cards are laid open; the whole order too, if no later round is dealt from it."""
        table = self._did("revealed", {"dealt": self.laid_open, "used": self._taken})
        return table._spent() if table._needs_shuffle(table.used) else table

    @property
    def _taken(self) -> int:
        """Cards of the shuffle that are used once this round is over."""
        return self.start + len(self.deal.dealt) if self.deal else self.start

    @property
    def laid_open(self) -> str:
        """Who received each card, in order; burnt cards stay face down."""
        return " ".join(self._received(who, card) for who, card in self.deal.dealt) if self.deal else ""

    def _received(self, who: int, card: int) -> str:
        if who == BURNT:
            return f"burnt:{name(FACE_DOWN)}"
        return f"{'dealer' if who == DEALER else self.playing[who] + 1}:{name(card)}"

    def _settled(self) -> "Table":
        return self._did("settled", self.settlement)

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
        shuffler = replace(self.shuffler, fault=fault)
        return replace(self._did("drill", {"by": by, "fault": fault}), shuffler=shuffler)._spent()._shuffled()

    def _faulted(self, fault: Fault) -> "Table":
        """Void the round; the backup shuffler takes over, and a failing backup closes the table."""
        found = {"shuffler": self.shuffler.name, "fault": fault.kind, "message": str(fault)}
        table = self._did("fault", found)._voided(HOUSE, str(fault))
        if self.shuffler.name != "main":
            return replace(table, phase=Phase.SETTLING).close(HOUSE)
        return replace(table, shuffler=self.shuffler.replaced())._next_round()

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
        table = replace(self, shuffle=shuffle, sealed=(*self.sealed, shuffle))
        return table._did("shuffled", made)

    def _spent(self) -> "Table":
        """Reveal the order of a shuffle from which nothing more is dealt."""
        if self.spent or self.shuffle is None:
            return self
        shuffle = self.shuffle
        shown = {"shuffle": shuffle.name, "salt": shuffle.salt, "order": str(shuffle.order)}
        return replace(self._did("order", shown), unsealed=(*self.unsealed, shuffle.name))

    def _needs_shuffle(self, used: int) -> bool:
        left = len(self.game.deck) - used
        return left <= self.game.behind_cut or left < self.game.rules.cards_needed(len(self.places))

    @property
    def _secret(self) -> Shuffle:
        if self.shuffle is None:
            raise Refused(f"{self.name} has no shuffled cards.")
        return self.shuffle

    def _next_round(self) -> "Table":
        """The next betting begins, or the table closes."""
        table = replace(self, phase=Phase.SETTLING)
        for seat, place in enumerate(table.places):
            if place and place.leaves:
                table = table._did("left", {"seat": seat, **_chips(place), "why": "The round is over."})
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
            "seats": [place and {**_chips(place), "last": _last(place)} for place in self.places],
            "shuffle": self._secret.name,
            "commitment": self._secret.commitment,
            "cycles": self.cycles,
            "used": self.used,
            "shuffler": self.shuffler.name,
            "meters": self.meters.to_json(),
            "alarm": self.alarm,
        }

    @property
    def deal(self) -> Deal | None:
        """The running round, computed from the wagers and the choices on record."""
        if self.known is None and self.playing:
            object.__setattr__(self, "known", self._dealt_to(self.playing))
        return self.known

    def _dealt_to(self, seats: Sequence[int]) -> Deal:
        held = [(seat + 1, self._place(seat)) for seat in seats]
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
        return replace(self, unwritten=(), sealed=(), unsealed=())

    def _check_open(self) -> None:
        if self.phase == Phase.CLOSED:
            raise Refused(f"{self.name} is closed.")

    def _check_betting(self, otherwise: str) -> None:
        self._check_open()
        if self.phase != Phase.BETTING:
            raise Refused(otherwise)

    def _check_seat(self, seat: int) -> None:
        if seat not in range(len(self.places)):
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

    def _did(self, kind: str, data: Mapping[str, Any], deal: Deal | None = None) -> "Table":
        """This happened; a deal that is known already is not dealt again."""
        draft = Draft(self.name, kind, data, self.round + (kind == "standing"))
        table = self._after(kind, data, *filter(None, [deal]))
        return replace(table, unwritten=(*self.unwritten, draft))

    def after(self, event: Event) -> "Table":
        """The table after something that is on record."""
        return self._after(event.kind, event.data)

    def _after(self, kind: str, data: Mapping[str, Any], *known: Deal) -> "Table":
        changed = getattr(self, f"_on_{kind.replace('-', '_')}", None)
        if changed is None:
            raise Refused(f"{kind!r} is nothing that happens at a table.")
        table: Table = changed(data, *known)
        return table

    def _on_opened(self, data: Mapping[str, Any]) -> "Table":
        meters = Meters.from_json(data["meters"])
        return replace(
            self,
            approval=data["approval"],
            digest=data["digest"],
            meters=meters,
            opening=meters,
            phase=Phase.SETTLING,
            closes="",
        )

    def _on_closing(self, data: Mapping[str, Any]) -> "Table":
        return replace(self, closes=data["by"])

    def _on_closed(self, data: Mapping[str, Any]) -> "Table":
        return replace(self, phase=Phase.CLOSED, closes="", playing=(), known=None)

    def _on_standing(self, data: Mapping[str, Any]) -> "Table":
        seats = [seat and Place(seat["player"], seat["cents"], last=seat["last"]) for seat in data["seats"]]
        named = {name: data[name] for name in ("round", "cycles", "used", "commitment", "alarm")}
        shuffler = self.shuffler if self.shuffler.name == data["shuffler"] else self.shuffler.replaced()
        return replace(
            self,
            phase=Phase.BETTING,
            places=tuple(seats),
            start=data["used"],
            meters=Meters.from_json(data["meters"]),
            shuffler=shuffler,
            playing=(),
            voided="",
            last=self.known or self.last,
            known=None,
            **named,
        )

    def _on_shuffled(self, data: Mapping[str, Any]) -> "Table":
        made = {"cycles": data["cycle"], "commitment": data["commitment"]}
        return replace(self, used=0, start=0, spent=False, **made)

    def _on_order(self, data: Mapping[str, Any]) -> "Table":
        return replace(self, spent=True)

    def _on_seated(self, data: Mapping[str, Any]) -> "Table":
        return self._bought(data, Place(data["player"], 0))

    def _on_bought(self, data: Mapping[str, Any]) -> "Table":
        return self._bought(data, self._place(data["seat"]))

    def _bought(self, data: Mapping[str, Any], place: Place) -> "Table":
        table = replace(self, meters=self.meters.bought(data["cents"]))
        return table._with(data["seat"], replace(place, bankroll=place.bankroll + data["cents"]))

    def _on_left(self, data: Mapping[str, Any]) -> "Table":
        return self._with(data["seat"], None)

    def _on_leaving(self, data: Mapping[str, Any]) -> "Table":
        return self._with(data["seat"], replace(self._place(data["seat"]), leaves=True))

    def _on_wagered(self, data: Mapping[str, Any]) -> "Table":
        place = self._place(data["seat"])
        left = place.bankroll + place.on_felt - sum(data["wagers"].values())
        return self._with(data["seat"], replace(place, bankroll=left, wagers=data["wagers"], ready=False))

    def _on_ready(self, data: Mapping[str, Any]) -> "Table":
        return self._with(data["seat"], replace(self._place(data["seat"]), ready=True))

    def _on_no_more_bets(self, data: Mapping[str, Any], deal: Deal | None = None) -> "Table":
        return replace(self, phase=Phase.NO_MORE_BETS, playing=tuple(data["seats"]), known=deal)

    def _on_dealt(self, data: Mapping[str, Any]) -> "Table":
        return replace(self, phase=Phase.DEALING)

    def _on_choosing(self, data: Mapping[str, Any]) -> "Table":
        return replace(self, phase=Phase.CHOOSING)

    def _on_chose(self, data: Mapping[str, Any], deal: Deal | None = None) -> "Table":
        place, cents = self._place(data["seat"]), data["cents"]
        chosen, raised = (*place.chosen, data["choice"]), place.raised + cents
        place = replace(place, chosen=chosen, raised=raised, bankroll=place.bankroll - cents)
        return replace(self._with(data["seat"], place), known=deal)

    def _on_revealed(self, data: Mapping[str, Any]) -> "Table":
        return replace(self, phase=Phase.REVEAL, used=data["used"])

    def _on_settled(self, data: Mapping[str, Any]) -> "Table":
        staked = sum(payment[3] for payment in data["payments"])
        net = sum(payment[4] for payment in data["payments"])
        meters = self.meters.after_round([self._place(seat).wagers for seat in self.playing], staked, net)
        return replace(self._returned(data["returned"]), meters=meters, phase=Phase.SETTLING)

    def _on_void(self, data: Mapping[str, Any]) -> "Table":
        deal = self.known.voided(data["reason"]) if self.known else None
        table = replace(self, meters=self.meters.voided(), voided=data["reason"], known=deal)
        return replace(table._returned(data["returned"]), phase=Phase.SETTLING)

    def _returned(self, returned: Mapping[str, int]) -> "Table":
        table = self
        for seat, cents in returned.items():
            table = table._with(int(seat), table._place(int(seat)).given_back(cents))
        return table

    def _on_fault(self, data: Mapping[str, Any]) -> "Table":
        return self

    def _on_drill(self, data: Mapping[str, Any]) -> "Table":
        return self

    def _on_alarm(self, data: Mapping[str, Any]) -> "Table":
        return replace(self, alarm=data["alarm"])

    def _with(self, seat: int, place: Place | None) -> "Table":
        return replace(self, places=(*self.places[:seat], place, *self.places[seat + 1 :]))


_WAITS = {
    Phase.CLOSED: "the table is closed.",
    Phase.BETTING: "bets are still taken.",
    Phase.NO_MORE_BETS: "the cards are about to be dealt.",
    Phase.DEALING: "the cards are being dealt.",
    Phase.REVEAL: "the round is over.",
    Phase.SETTLING: "the round is over.",
}


def house_choice(game: Game, round: Round) -> str:
    """What is chosen for who is not there."""
    return next(name for name in round.choices if game.choice(name).house_rule)


def _chips(place: Place) -> dict[str, Any]:
    return {"player": place.player, "cents": place.bankroll + place.on_felt}


def _last(place: Place) -> dict[str, int]:
    return dict(place.wagers or place.last)
