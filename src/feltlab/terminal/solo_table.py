"""A table with one seat, as an immutable value that knows no screen.

Every step returns the table after it, or raises `Refused` with one sentence and changes nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from feltlab.core.cards import Cards
from feltlab.core.choices import name_choice, split_choice
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import Choice, Spot
from feltlab.core.limits import STANDARD_LIMITS, Limits, most_cents, why_unaffordable
from feltlab.core.round import Round
from feltlab.core.settlement import Settled, Settlement
from feltlab.errors import Refused
from feltlab.text import dollars, listing

Shuffle = Callable[[Cards], Cards]

SEATS = 1
PLAYER_LEFT = "The player left."  # the reason of a void round


def seeded_shuffle(seed: int) -> Shuffle:
    """A shuffle for practice: the same seed and the same actions deal the same cards."""
    return partial(_permute, generator=np.random.default_rng(seed))


def _permute(cards: Cards, generator: np.random.Generator) -> Cards:
    return Cards(cards[place] for place in generator.permutation(len(cards)))


@dataclass(frozen=True)
class SoloTable:
    """A player's bankroll and wagers, the running round, and the results so far. Amounts are cents."""

    game: Game
    shuffle: Shuffle
    bankroll: int = 100_000  # without the wagers of a running round
    limits: Limits = STANDARD_LIMITS
    placed: Mapping[str, int] = field(default_factory=dict)  # wagers for the next round
    last_wagers: Mapping[str, int] = field(default_factory=dict)
    deal: Deal | None = None
    rounds_settled: int = 0
    net: int = 0  # the player's result over all settled rounds

    # -- Wagers --------------------------------------------------------------------------------------

    def place(self, name: str, cents: int) -> "SoloTable":
        """Set the wager on a spot, and on those that must equal it; 0 takes it back."""
        return self.place_all({**self.placed, **self._fill_equal({name: cents})})

    def place_with_equal(self, wagers: Mapping[str, int]) -> "SoloTable":
        """Place these wagers; one that must equal another and is left out is placed with it."""
        return self.place_all({**self._fill_equal(wagers), **wagers})

    def _fill_equal(self, wagers: Mapping[str, int]) -> dict[str, int]:
        known = self.game.spot_numbers
        equal = {name: self.game.equal_wagers(name) if name in known else (name,) for name in wagers}
        return {other: cents for name, cents in wagers.items() for other in equal[name]}

    def add_chips(self, name: str, cents: int) -> "SoloTable":
        """Add chips to a spot, or remove them if the amount is negative."""
        return self.place(name, max(0, self.placed.get(name, 0) + cents))

    def clear(self) -> "SoloTable":
        """Take back every wager."""
        return self.place_all({})

    def rebet(self) -> "SoloTable":
        """Place the wagers of the last round again."""
        if not self.last_wagers:
            raise Refused("There is no earlier round to repeat.")
        return self.place_all(self.last_wagers)

    def double(self) -> "SoloTable":
        """Double every wager."""
        if not self.placed:
            raise Refused("There is no wager to double.")
        return self.place_all({name: 2 * cents for name, cents in self.placed.items()})

    def place_all(self, wagers: Mapping[str, int]) -> "SoloTable":
        """Place these wagers and no others."""
        self._check_between_rounds()
        if wagers.keys() - {spot.name for spot in self.game.wagers}:
            self.game.check_wagers(wagers)  # refuses the unknown name
        placed = {spot.name: wagers[spot.name] for spot in self.game.wagers if wagers.get(spot.name)}
        for name, cents in placed.items():
            self.limits.check_maximum(self.game.spot(name), cents)
        self._check_bankroll(sum(placed.values()))
        return replace(self, placed=placed)

    def check_wagers(self) -> None:
        """Refuse to deal unless the wagers placed are complete, within the limits and affordable."""
        self._check_between_rounds()
        self.game.check_wagers(self.placed)
        for name, cents in self.placed.items():
            self.limits.check(self.game.spot(name), cents)
        self._check_bankroll(sum(self.placed.values()))

    def _check_between_rounds(self) -> None:
        if self.is_playing:
            raise Refused("Wagers are closed until the round is over.")

    def _check_bankroll(self, cents: int) -> None:
        if cents > self.bankroll:
            raise Refused(f"The wagers come to {dollars(cents)}; your bankroll is {dollars(self.bankroll)}.")

    # -- The round -----------------------------------------------------------------------------------

    def deal_round(self) -> "SoloTable":
        """Deal a round on the wagers placed."""
        self.check_wagers()
        deal = Deal.start(self.game, self._shoe(), [self.placed])
        left = self.bankroll - sum(self.placed.values())
        return replace(self, bankroll=left, placed={}, last_wagers=self.placed, deal=deal)._pay_out(0)

    def choose(self, name: str) -> "SoloTable":
        """Make a choice and take its cost from the bankroll.

        `insure=250` puts down 250 cents; `insure` puts down the most that rules and bankroll allow.
        """
        made = self._check_choice(name)
        settled, deal = len(self.payments), self.deal.choose(0, made) if self.deal else None
        return replace(self, deal=deal, bankroll=self.bankroll - self._round.cost(made))._pay_out(settled)

    def _check_choice(self, typed: str) -> str:
        """The choice as it is made; refused if it is not open or not affordable."""
        name, cents = split_choice(typed)
        choice = next((choice for choice in self._legal_choices() if choice.name == name), None)
        if choice is None:
            offered = listing((choice.name for choice in self.choices), "or")
            raise Refused(f"{name!r} cannot be chosen here; the choice is {offered}.")
        made = typed if cents is not None else self._make_most(choice)
        self._round.choose(made)  # refuses an amount that the rules do not allow
        if barred := self._why_barred(made):
            raise Refused(barred)
        return made

    def void(self, reason: str) -> "SoloTable":
        """Void the running round and return every wager; without a running round, change nothing."""
        if self.deal is None or self.deal.over:
            return self
        won = sum(wager.net for wager in self.payments)  # before
        deal = self.deal.declare_void(reason)
        return replace(self, deal=deal, bankroll=self.bankroll + self.staked, net=self.net + won)

    def _pay_out(self, settled: int) -> "SoloTable":
        """Pay what was settled since the first `settled` wagers of the round."""
        back = sum(wager.returned for wager in self.payments[settled:])
        table = replace(self, bankroll=self.bankroll + back)
        if table.settlement is None:
            return table
        return replace(table, rounds_settled=self.rounds_settled + 1, net=self.net + table.settlement.net)

    def _shoe(self) -> Cards:
        """The rest of the shoe, or a freshly shuffled one once the cut card has come out."""
        if self.deal is None or self.game.needs_shuffle(len(self.game.deck) - len(self.deal.rest), SEATS):
            return self.shuffle(self.game.deck.cards)
        return self.deal.rest

    # -- State ---------------------------------------------------------------------------------------

    @property
    def is_playing(self) -> bool:
        """Does a round wait for a choice?"""
        return self.deal is not None and not self.deal.over

    @property
    def is_broke(self) -> bool:
        """Is the bankroll below the minimum wager?"""
        return not self.is_playing and self.bankroll < self.limits.minimum

    @property
    def round(self) -> Round | None:
        """The player's round: the running one, or the last."""
        return self.deal.rounds[0] if self.deal else None

    @property
    def _round(self) -> Round:
        if self.round is None:
            raise Refused("No round is dealt.")
        return self.round

    @property
    def settlement(self) -> Settlement | None:
        """The settlement of the last round, until the next is dealt."""
        return self.round.settlement if self.round and not self.is_playing else None

    @property
    def payments(self) -> tuple[Settled, ...]:
        """The wagers of the last round that are settled so far, in the order of the dealer."""
        return tuple(wager for _, wager in self.deal.payments) if self.deal else ()

    @property
    def staked(self) -> int:
        """The cents on the felt."""
        return sum(self.staked_on(spot) for spot in self.game.spots)

    def staked_on(self, spot: Spot) -> int:
        """The cents on a spot."""
        if self.deal and self.is_playing:
            return self.deal.on_felt(0).get(spot.name, 0)
        return self.placed.get(spot.name, 0)

    @property
    def free_cents(self) -> int:
        """The bankroll without the wagers placed for the next round."""
        return self.bankroll if self.is_playing else self.bankroll - self.staked

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The legal choices that the player can afford."""
        return tuple(choice for choice in self._legal_choices() if not self._why_barred_at_most(choice))

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for each legal choice that is not offered: why the player cannot afford it."""
        return tuple(filter(None, map(self._why_barred_at_most, self._legal_choices())))

    def most_cents(self, choice: Choice) -> int:
        """The cents that a choice puts down; for one of any amount, the most that the bankroll covers."""
        return most_cents(self._round, choice, self.bankroll, self.limits)

    def step_cents(self, choice: Choice, cents: int, up: bool) -> int:
        """The next amount above or below for a choice of any amount."""
        step = self.limits.step
        if up:
            return min(cents // step * step + step, self.most_cents(choice))
        return max((cents - 1) // step * step, min(step, cents))

    def _legal_choices(self) -> Iterator[Choice]:
        names = self._round.choices if self.is_playing else ()
        return (choice for choice in self.game.choices if choice.name in names)

    def _why_barred_at_most(self, choice: Choice) -> str:
        """Why the player cannot afford a choice, not even for less where the rules allow that, or ''."""
        return self._why_barred(self._make_most(choice))

    def _make_most(self, choice: Choice) -> str:
        return name_choice(self.game, self._round.wagers, choice.name, self.most_cents(choice))

    def _why_barred(self, name: str) -> str:
        return why_unaffordable(self._round, name, self.bankroll, self.limits)

    # -- In words ------------------------------------------------------------------------------------

    @property
    def player_reading(self) -> str:
        return self._round.player_reading if self.is_playing else ""

    @property
    def dealer_reading(self) -> str:
        return self.round.dealer_reading if self.round else ""

    @property
    def result(self) -> str:
        """The player's result of the last round."""
        net = self.settlement.net if self.settlement else 0
        if not net:
            return "You break even."
        return f"You {'win' if net > 0 else 'lose'} {dollars(abs(net))}."

    @property
    def summary(self) -> str:
        """The sentence that a player reads on leaving."""
        rounds = "1 round" if self.rounds_settled == 1 else f"{self.rounds_settled:,} rounds"
        balance = f"{dollars(abs(self.net))} {'up' if self.net > 0 else 'down'}" if self.net else "even"
        return f"{self.game.title}: {rounds}, {balance}; you leave with {dollars(self.bankroll)}."
