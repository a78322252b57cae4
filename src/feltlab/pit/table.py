"""A live table: every action that can be done at it.

Each action returns the table after it, or refuses with one sentence and changes nothing. A table carries the
drafts of the events since it was last written down. The caller writes those first and goes on with the
new table only then, so the table on record and the table in play never differ.

The table knows no clock and no account: its caller decides who may act, and when time is up.
"""

from dataclasses import dataclass

from feltlab.core.choices import name_choice, split_choice
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.limits import Limits, why_unaffordable
from feltlab.core.round import Round
from feltlab.core.seating import check_held
from feltlab.errors import Refused
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.ledger.event import HOUSE_ACTOR, Event
from feltlab.pit.jackpots.sensors import lock_sensors
from feltlab.pit.seats import ROUND_PHASES, WHY_NO_CHOICE, Phase, Place, Timers, Wagers, check_buy_in
from feltlab.pit.shufflers.table_cards import TableCards
from feltlab.shuffling.machine import Fault
from feltlab.shuffling.models import may_deal_by_hand
from feltlab.text import dollars
from feltlab.values import replace_unchecked

ROUND_OVER = "The round is over."  # why a seat is left whose player left in mid-round
DESERTED = "The last player has left."
CARDS_LOST = "The cards in play were lost with the key of the vault."
MAX_MISSED_ROUNDS = 5  # in a row that a seat may sit out
# That a dealer can end.
DEALER_PHASES = (Phase.NO_MORE_BETS, Phase.DEALING, Phase.PAYING, Phase.REVEAL, Phase.SETTLING)


@dataclass(frozen=True)
class Table(TableCards):
    """A table and its actions."""

    @classmethod
    def from_event(cls, opened: Event) -> "Table":
        """The table as it was opened."""
        terms, game = opened.data, game_from_data(opened.data)
        return cls(opened.chain, game, Limits(**terms["limits"]), Timers(**terms["timers"])).after(opened)

    # -- Opening and closing -------------------------------------------------------------------------

    def open(self, by: str, approval: int, owner: str = "", practice: bool = False) -> "Table":
        """Open under an approval; the betting of the first round begins.

        A private table has an owner; a practice table is private and has no approval.
        """
        if self.phase != Phase.CLOSED:
            raise Refused(f"{self.name} is open already.")
        terms = {
            "by": by,
            "approval": approval,
            **({"owner": owner} if owner else {}),
            **({"practice": True} if practice else {}),
            **game_to_data(self.game),
            "limits": vars(self.limits),
            "timers": vars(self.timers),
            "meters": self.meters.to_json(),
            "machines": self.machines.plain,
        }
        return self._record("opened", terms)._next_round()

    def close(self, by: str, why: str = "") -> "Table":
        """Close now, or after the round that is on; all chips go back to their players."""
        self._check_open()
        if self.phase in ROUND_PHASES:
            if self.closes:
                raise Refused(f"{self.name} closes after this round already.")
            return self._record("closing", {"by": by, "why": why})
        table = self._end_drill(by, "The table closes.") if self.rehearsal else self
        for seat, place in enumerate(table.places):
            if place:
                table = table._record("left", {"seat": seat, **place.payout, "why": "The table closes."})
        return table._reveal_order()._record(
            "closed", {"by": by, "why": why, "meters": table.meters.to_json()}
        )

    def share(self, by: str, salt: str, timers: Timers) -> "Table":
        """Let others sit at a private table by an invitation; clocks run while more than one plays."""
        self._check_open()
        if by != self.owner:
            raise Refused("Only the owner of a private table may share it.")
        if self.is_shared:
            return self
        return self._record("shared", {"by": by, "salt": salt, "timers": vars(timers)})

    def _end_drill(self, by: str, why: str) -> "Table":
        return self._record("drill-ended", {"by": by, "kind": self.rehearsal, "why": why})

    def carry_over(self, why: str) -> "Table":
        """Go on under today's wording of the same rules, which has another digest."""
        change = {"by": HOUSE_ACTOR, "from": self.digest, "to": self.game.digest, "why": why}
        return self._record("carried-over", change)

    # -- Seats and bankrolls -------------------------------------------------------------------------

    def sit(self, player: str, seat: int, cents: int) -> "Table":
        """Take a seat with chips for these cents."""
        self._check_open()
        self._check_seat(seat)
        if self.places[seat]:
            raise Refused(f"Seat {seat + 1} is taken.")
        if self.is_private and not self.is_shared and player != self.owner:
            raise Refused(f"{self.name} is private.")
        check_held(self.game, "You", [*self._seat_numbers(player), seat + 1])
        check_buy_in(cents, 0, self.limits)
        return self._record("seated", {"seat": seat, "player": player, "cents": cents})

    def buy(self, player: str, seat: int, cents: int) -> "Table":
        """Buy more chips, between rounds."""
        place = self._place_of(player, seat)
        self._check_betting("Chips are bought between rounds.")
        check_buy_in(cents, place.bankroll + place.on_felt, self.limits)
        return self._record("bought", {"seat": seat, "player": player, "cents": cents})

    def leave(self, player: str, seat: int, why: str = "") -> "Table":
        """Leave with all chips: at once, or after a round that the house rule plays to its end."""
        place = self._place_of(player, seat)
        if not self._is_in_round(seat):
            table = self._record("left", {"seat": seat, **place.payout, "why": why})
            return table.close(HOUSE_ACTOR, DESERTED) if table.is_deserted else table._advance()
        if place.leaves:
            raise Refused(f"Seat {seat + 1} leaves after this round already.")
        return self._record("leaving", {"seat": seat, "player": player, "why": why})._advance()

    def _is_in_round(self, seat: int) -> bool:
        """Whether the seat has wagers that cannot be taken back."""
        return self.phase in ROUND_PHASES and seat in self.playing

    def _seat_numbers(self, player: str) -> list[int]:
        """The numbers of the seats that a player holds, counted from 1."""
        return [number for number, place in enumerate(self.places, 1) if place and place.player == player]

    # -- Betting -------------------------------------------------------------------------------------

    def wager(self, player: str, seat: int, wagers: Wagers) -> "Table":
        """Put these wagers on the felt instead of those that the seat has there; {} takes all back."""
        place = self._place_of(player, seat)
        self._check_betting("No more bets: the round is on.")
        if wagers:
            self.game.check_wagers(wagers)
            for spot, cents in wagers.items():
                self.limits.check(self.game.spot(spot), cents)
        total, have = sum(wagers.values()), place.bankroll + place.on_felt
        if total > have:
            raise Refused(f"The wagers come to {dollars(total)}; you have {dollars(have)} at this table.")
        return self._record("wagered", {"seat": seat, "player": player, "wagers": dict(wagers)})._advance()

    def take_back(self, seat: int, why: str) -> "Table":
        """Take the wagers of a seat back for its player, before the betting closes."""
        taken = {"seat": seat, "player": self.place(seat).player, "wagers": {}, "why": why}
        return self._record("wagered", taken)

    def ready(self, player: str, seat: int) -> "Table":
        """Say that the seat bets no more. The round begins when every seat is ready and one has wagered."""
        place = self._place_of(player, seat)
        self._check_betting("The round is on already.")
        if place.ready:
            raise Refused(f"Seat {seat + 1} is ready already.")
        return self._record("ready", {"seat": seat, "player": player})._advance()

    def no_more_bets(self, by: str = HOUSE_ACTOR) -> "Table":
        """Close the betting. The shuffler counts the deck before any card reaches a player."""
        self._check_betting("There are no more bets to close: the round is on.")
        if not self.bettors:
            raise Refused("Nobody has placed a wager.")
        return self._close_bets(by)._advance()

    def _close_bets(self, by: str) -> "Table":
        self._check_shuffler()
        try:
            self.shuffler.deliver(self.current_shuffle)
        except Fault as fault:
            return self._handle_fault(fault)
        deal = self.begin_deal()
        closed = {"by": by, "playing": self.bettors, "calls": list(deal.calls), "stages": True}
        return lock_sensors(self)._record("no-more-bets", closed, deal)

    # -- The round -----------------------------------------------------------------------------------

    def choose(self, player: str, seat: int, choice: str) -> "Table":
        """Choose for a seat whose turn it is; `insure=250` puts down 250 cents instead of the most."""
        self._place_of(player, seat)
        self._check_turn(seat)
        self.rounds[seat].check_choice(choice)
        if barred := self.why_barred(seat, choice):
            raise Refused(barred)
        return self._record_choice(player, choice)._advance()

    def _record_choice(self, player: str, choice: str, **why: str) -> "Table":
        """Record a choice of the seat in turn, by its player or by the house."""
        assert self.deal is not None
        assert self.turn is not None
        cents = self.rounds[self.turn].cost(choice)
        name, _ = split_choice(choice)
        named = name_choice(self.game, self.place(self.turn).wagers, name, cents)  # as it is read back
        deal = self.deal.choose(self.playing.index(self.turn), named)
        made = {"seat": self.turn, "player": player, "choice": name, "cents": cents, **why}
        return self._record("chose", made, deal)._collect(deal)

    def _collect(self, deal: Deal) -> "Table":
        """Record what the dealer took and paid at single seats, without a stop at all of them."""
        payments = self.unpaid(deal.payments)
        return self._record("paid", {"payments": payments}, deal) if payments else self

    def _check_turn(self, seat: int) -> None:
        if self.phase != Phase.CHOOSING:
            raise Refused("No choice is open: " + WHY_NO_CHOICE[self.phase])
        self._check_hold()
        if seat != self.turn:
            raise Refused(f"It is the turn of seat {(self.turn or 0) + 1}, not of seat {seat + 1}.")

    def why_barred(self, seat: int, choice: str) -> str:
        """Why bankroll or limits forbid a choice that the rules allow, or ''."""
        return why_unaffordable(self.rounds[seat], choice, self.place(seat).bankroll, self.limits)

    @property
    def waits_for_dealer(self) -> bool:
        """Whether this phase lasts until the dealer ends it."""
        return self.phase in DEALER_PHASES and self.phase_seconds is None

    def time_is_up(self) -> "Table":
        """End the phase by the clock: betting closes, or the house rule chooses for the seat in turn."""
        return (self._end_hold() if self.hold else self._end_phase())._advance()

    def _choose_by_house_rule(self, why: str) -> "Table":
        """Choose for an absent player: give up or stand, and never put money down."""
        assert self.turn is not None
        return self._record_choice(HOUSE_ACTOR, house_choice(self.game, self.rounds[self.turn]), why=why)

    def _advance(self) -> "Table":
        """Take every step that needs nobody's action."""
        table = self
        while (after := table._next_automatic()) is not table:
            table = after
        return table

    def _next_automatic(self) -> "Table":
        """Take one step that needs nobody's action; return this table if somebody has to act."""
        if self.hold or (self.phase is Phase.BETTING and self.machines.why_waiting):
            return self
        if self.phase_seconds == 0 or (self.phase is Phase.CHOOSING and self.turn is None):
            return self._end_phase()
        if self.phase is Phase.BETTING:
            return self._close_bets(HOUSE_ACTOR) if self.is_ready_without() else self
        if self.phase is Phase.CHOOSING and self.place(self.turn or 0).leaves:
            return self._choose_by_house_rule("The player left.")
        return self

    def _end_phase(self) -> "Table":
        """End a phase that nobody has to act to end."""
        match self.phase:
            case Phase.BETTING if self.bettors:
                return self._close_bets(HOUSE_ACTOR)
            case Phase.NO_MORE_BETS if self.awaited_seeds:
                return self._dismiss_unrevealed()._refund(HOUSE_ACTOR, self.why_unrevealed)._next_round()
            case Phase.NO_MORE_BETS:
                return self._deal_cards()
            case Phase.CHOOSING if self.turn is not None:
                return self._choose_by_house_rule("Time is up.")
            case Phase.DEALING | Phase.CHOOSING | Phase.PAYING:
                return self._continue_round()
            case Phase.REVEAL if not self.is_held:
                return self._record("settled", self.settlement)
            case Phase.SETTLING if not self.is_held:
                return self._next_round()
        return self

    def _deal_cards(self) -> "Table":
        assert self.deal is not None
        return self._show_cards(self.deal, len(self.playing) + 1)

    def _show_cards(self, deal: Deal, new_hands: int = 0) -> "Table":
        """Record that cards fell, and how many hands got their first ones."""
        return self._record("dealt", {"hands": new_hands, "cards": deal.cards_dealt}, deal)

    def _continue_round(self) -> "Table":
        """Show new cards, let a seat choose, settle what is decided at all seats, or end the round."""
        assert self.deal is not None
        deal = self.deal.settle_due() if self.phase == Phase.PAYING else self.deal
        if deal.ends:
            return self._reveal_cards(deal.finish())
        if self.phase != Phase.DEALING and deal.cards_dealt > self.shown:
            return self._show_cards(deal)
        if deal.turn is not None:
            return self._collect(deal)._record("choosing", {}, deal)
        due = self.unpaid([*deal.payments, *deal.due])
        stage = {"stage": (self.stages or 0) + 1, "payments": due}
        return self._record("paid", stage, deal)

    def _reveal_cards(self, end: Deal) -> "Table":
        """Show the cards of the round, and the whole order if no later round is dealt from it."""
        table = self._record("revealed", self.revelation(end), end)
        return table._reveal_order() if self.game.needs_shuffle(table.used, len(self.places)) else table

    def void(self, by: str, reason: str) -> "Table":
        """Void the round: return every wager and shuffle other cards."""
        self._check_open()
        if not reason.strip():
            raise Refused("A void round needs a reason.")
        if not self.bettors:
            raise Refused("There is no wager to give back.")
        return self._refund(by, reason)._next_round()

    def _refund(self, by: str, reason: str) -> "Table":
        refunds = {str(seat): self.place(seat).on_felt for seat in self.bettors}
        paid = {"payments": list(self.paid), **self.returned_before} if self.paid else {}
        return self._record("void", {"by": by, "reason": reason, "returned": refunds, **paid})._reveal_order()

    def stop(self, by: str, reason: str) -> "Table":
        """Close at once, in whatever phase, and return the wagers on the felt."""
        self._check_open()
        return (self._refund(by, reason) if self.bettors else self).close(by, reason)

    # -- The shuffler --------------------------------------------------------------------------------

    def consult_guide(self, by: str, fault: str = "") -> "Table":
        """Confirm that the guide was consulted about the fault that the shuffler shows."""
        return self._record_guide(by, fault)._advance()

    def confirm_step(self, by: str, step: int) -> "Table":
        """Confirm a step of the replacement of a shuffler; after the last one, the other shuffles."""
        return self._record_step(by, step)._advance()

    def deal_by_hand(self, by: str, why: str = "") -> "Table":
        """Go on without a machine, where the rules allow it and both are out of service."""
        return self._record_hand_dealing(by, why)._advance()

    def lose_cards(self, tampered: str = "") -> "Table":
        """Void the round, because the cards in play can no longer be read, and shuffle others.

        A table whose sealed cards were tampered with closes instead; the sentence says how.
        """
        if self.phase == Phase.CLOSED or self.spent:
            return self
        name = f"{self.name}/{self.cycles}"
        table = self._refund(HOUSE_ACTOR, tampered or CARDS_LOST) if self.bettors else self
        lost = {"shuffle": name, **({"why": tampered} if tampered else {})}
        table = table._record("lost", lost, unsealed=(*table.unsealed, name))
        return table.close(HOUSE_ACTOR, tampered) if tampered else table._next_round()

    def replace_cards(self, why: str) -> "Table":
        """Shuffle other cards, because those to come may have been seen; a round with wagers is void."""
        if self.phase == Phase.CLOSED or self.spent:
            return self
        if self.bettors:
            return self._refund(HOUSE_ACTOR, why)._next_round()
        return self._reveal_order()._shuffle_cards()

    def _handle_fault(self, fault: Fault) -> "Table":
        """Void the round; close the table if no shuffler is left and the rules do not allow hand dealing."""
        table = self._record_fault(fault)._refund(HOUSE_ACTOR, str(fault))
        if table.machines.is_stuck and not may_deal_by_hand(self.game):
            return table.close(HOUSE_ACTOR, "Both shufflers are out of service.")
        return table._next_round()

    def _next_round(self) -> "Table":
        """Begin the betting of the next round, or close the table."""
        table = self if self.phase is Phase.SETTLING else replace_unchecked(self, phase=Phase.SETTLING)
        for seat, place in enumerate(table.places):
            if place and (place.leaves or table.missed_rounds(seat) > MAX_MISSED_ROUNDS):
                own = place.why_leaves or ROUND_OVER
                why = own if place.leaves else "The seat was not played for a while."
                table = table._record("left", {"seat": seat, **place.payout, "why": why})
        if table.closes:
            return table.close(table.closes)
        if table.is_deserted and any(self.places):
            return table.close(HOUSE_ACTOR, DESERTED)
        if table.spent or table.shuffle is None:
            table = table._shuffle_cards()
        return table._record("standing", table.snapshot)

    def with_alarm(self, alarm: str) -> "Table":
        """Record that the win left the band that the proofs expect, or came back ('')."""
        return self if alarm == self.alarm else self._record("alarm", {"alarm": alarm})

    # -- Checks --------------------------------------------------------------------------------------

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < len(self.places):
            raise Refused(f"{self.name} has seats 1 to {len(self.places)}.")

    def _place_of(self, player: str, seat: int) -> Place:
        self._check_open()
        self._check_seat(seat)
        place = self.place(seat)
        if place.player != player:
            raise Refused(f"Seat {seat + 1} is not yours.")
        return place


def house_choice(game: Game, round: Round) -> str:
    """The choice that the house rule makes for an absent player."""
    return next(name for name in round.choices if game.choice(name).house_rule)
