"""A session at a table with one seat, as an immutable value that knows no screen.

Every step returns the session after it, or refuses with one sentence; then nothing has changed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal, needs_shuffle
from feltlab.core.game import Game
from feltlab.core.layout import Choice, Spot
from feltlab.core.limits import STANDARD, Limits, why_unaffordable
from feltlab.core.round import Round, Settlement
from feltlab.errors import Refused
from feltlab.text import dollars, listing

Shuffle = Callable[[Cards], Cards]

SEATS = 1
LEFT = "The player left."


def practice_shuffle(cards: Cards, generator: np.random.Generator) -> Cards:
    return Cards(cards[place] for place in generator.permutation(len(cards)))


def practice(seed: int) -> Shuffle:
    """A shuffle that repeats itself: the same seed and the same actions give the same cards."""
    return partial(practice_shuffle, generator=np.random.default_rng(seed))


@dataclass(frozen=True)
class Session:
    game: Game
    shuffle: Shuffle
    bankroll: int = 100_000  # cents; what a round has staked is not in it
    limits: Limits = STANDARD
    placed: Mapping[str, int] = field(default_factory=dict)  # wagers for the next round
    last: Mapping[str, int] = field(default_factory=dict)  # wagers of the round before
    deal: Deal | None = None
    rounds: int = 0  # settled so far
    won: int = 0  # by them, in cents

    # -- Wagers --------------------------------------------------------------------------------------

    def place(self, name: str, cents: int) -> "Session":
        """This much on a spot, instead of what is there; nothing takes the wager back."""
        return self._placing({**self.placed, name: cents})

    def add(self, name: str, cents: int) -> "Session":
        """A chip more, or with a negative amount one less."""
        return self.place(name, max(0, self.placed.get(name, 0) + cents))

    def clear(self) -> "Session":
        return self._placing({})

    def rebet(self) -> "Session":
        """The wagers of the last round once more."""
        if not self.last:
            raise Refused("There is no earlier round to repeat.")
        return self._placing(self.last)

    def double(self) -> "Session":
        """Twice of every wager."""
        if not self.placed:
            raise Refused("There is no wager to double.")
        return self._placing({name: 2 * cents for name, cents in self.placed.items()})

    def _placing(self, wagers: Mapping[str, int]) -> "Session":
        self._check_between_rounds()
        if wagers.keys() - {spot.name for spot in self.game.wagers}:
            self.game.check_wagers(wagers)  # which says what is wrong with the name
        kept = {spot.name: wagers[spot.name] for spot in self.game.wagers if wagers.get(spot.name)}
        for name, cents in kept.items():
            self.limits.check_most(self.game.spot(name), cents)
        self._check_bankroll(sum(kept.values()))
        return replace(self, placed=kept)

    def check(self) -> None:
        """Refuse wagers that cannot be dealt."""
        self._check_between_rounds()
        self.game.check_wagers(self.placed)
        for name, cents in self.placed.items():
            self.limits.check(self.game.spot(name), cents)
        self._check_bankroll(sum(self.placed.values()))

    def _check_between_rounds(self) -> None:
        if self.playing:
            raise Refused("Wagers are closed until the round is over.")

    def _check_bankroll(self, cents: int) -> None:
        if cents > self.bankroll:
            raise Refused(f"The wagers come to {dollars(cents)}; your bankroll is {dollars(self.bankroll)}.")

    # -- The round -----------------------------------------------------------------------------------

    def start(self) -> "Session":
        """Deal a round on the wagers placed."""
        self.check()
        deal = Deal.start(self.game, self._shoe(), [self.placed])
        left = self.bankroll - sum(self.placed.values())
        return replace(self, bankroll=left, placed={}, last=self.placed, deal=deal)._paid()

    def choose(self, name: str) -> "Session":
        """The session after a choice, its raise taken from the bankroll."""
        self._check_choice(name)
        deal = self.deal.choose(0, name) if self.deal else None
        return replace(self, deal=deal, bankroll=self.bankroll - self._round.cost(name))._paid()

    def _check_choice(self, name: str) -> None:
        if name in (choice.name for choice in self._open()) and (barred := self._barred(name)):
            raise Refused(barred)
        offered = [choice.name for choice in self.choices]
        if name not in offered:
            raise Refused(f"{name!r} cannot be chosen here; the choice is {listing(offered, 'or')}.")

    def void(self, reason: str) -> "Session":
        """The running round taken out of play, every wager given back; without one, nothing happens."""
        if self.deal is None or self.deal.over:
            return self
        return replace(self, deal=self.deal.voided(reason), bankroll=self.bankroll + self.staked)

    def _paid(self) -> "Session":
        if self.settlement is None:
            return self
        back, net = self.settlement.staked + self.settlement.net, self.settlement.net
        return replace(self, bankroll=self.bankroll + back, rounds=self.rounds + 1, won=self.won + net)

    def _shoe(self) -> Cards:
        """What is left of the shoe; the whole deck anew once the cut card has come out."""
        if self.deal is None or needs_shuffle(self.game, len(self.game.deck) - len(self.deal.rest), SEATS):
            return self.shuffle(self.game.deck.cards)
        return self.deal.rest

    # -- What stands on the table --------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        return self.deal is not None and not self.deal.over

    @property
    def broke(self) -> bool:
        """Is there too little left for any wager?"""
        return not self.playing and self.bankroll < self.limits.minimum

    @property
    def round(self) -> Round | None:
        return self.deal.rounds[0] if self.deal else None

    @property
    def _round(self) -> Round:
        if self.round is None:
            raise Refused("No round is dealt.")
        return self.round

    @property
    def settlement(self) -> Settlement | None:
        """The last round's end, until the next is dealt."""
        return self.round.settlement if self.round and not self.playing else None

    @property
    def staked(self) -> int:
        """The cents on the felt."""
        return sum(self.on(spot) for spot in self.game.spots)

    def on(self, spot: Spot) -> int:
        """The cents on a spot."""
        return self._round.staked(spot) if self.playing else self.placed.get(spot.name, 0)

    @property
    def in_hand(self) -> int:
        """The bankroll less what lies on the felt for the next round."""
        return self.bankroll if self.playing else self.bankroll - self.staked

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What may be chosen now and can be paid for."""
        return tuple(choice for choice in self._open() if not self._barred(choice.name))

    @property
    def notes(self) -> tuple[str, ...]:
        """Why choices that the rules would allow are not offered."""
        return tuple(filter(None, (self._barred(choice.name) for choice in self._open())))

    def _open(self) -> Iterator[Choice]:
        names = self._round.choices if self.playing else ()
        return (choice for choice in self.game.choices if choice.name in names)

    def _barred(self, name: str) -> str:
        return why_unaffordable(self._round, name, self.bankroll, self.limits)

    # -- In words ------------------------------------------------------------------------------------

    @property
    def player_reading(self) -> str:
        return self._round.player_reading if self.playing else ""

    @property
    def dealer_reading(self) -> str:
        return self.round.dealer_reading if self.round else ""

    @property
    def result(self) -> str:
        """What the last round brought."""
        net = self.settlement.net if self.settlement else 0
        return (
            f"You win {dollars(net)}."
            if net > 0
            else f"You lose {dollars(-net)}."
            if net
            else "You break even."
        )

    @property
    def summary(self) -> str:
        """What is said on leaving."""
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds:,} rounds"
        balance = (
            f"{dollars(self.won)} up"
            if self.won > 0
            else f"{dollars(-self.won)} down"
            if self.won
            else "even"
        )
        return f"{self.game.title}: {rounds}, {balance}; you leave with {dollars(self.bankroll)}."
