"""A round: one hand of one seat, as an immutable value.

A round is a game, a shoe, wagers and the choices made. Everything else is computed from those, so
replay, undo and "deal that hand again" need no code of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from feltlab.cards import NOT_DEALT, UNKNOWN, Cards, cards, told
from feltlab.errors import Refused, Unknown
from feltlab.game import Game, freeze, listing
from feltlab.kernel import Array
from feltlab.layout import NOT_PLACED, Choice, Spot

if TYPE_CHECKING:
    from feltlab.advice import Advice

NOTHING = Cards()
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class Settled:
    """A wager at its end."""

    spot: Spot
    outcome: str
    result: str  # win, push, lose or refund
    staked: int  # cents on the felt
    net: int  # cents won or lost
    why: str

    @property
    def returned(self) -> int:
        """What the player takes back from the felt, winnings included."""
        return self.staked + self.net


@dataclass(frozen=True)
class Settlement:
    """All wagers of a round at its end, in the order in which the dealer settles them."""

    wagers: tuple[Settled, ...]

    def __getitem__(self, spot: str) -> Settled:
        for settled in self.wagers:
            if settled.spot.name == spot:
                return settled
        raise Unknown(f"No wager on {spot!r} was settled.")

    @property
    def staked(self) -> int:
        return sum(settled.staked for settled in self.wagers)

    @property
    def net(self) -> int:
        return sum(settled.net for settled in self.wagers)


@dataclass(frozen=True)
class View:
    """What the player may see. A card face down is `FACE_DOWN`; cards not dealt yet are left out."""

    player: Cards
    dealer: Cards


@dataclass(frozen=True)
class Round:
    """A seat's own cards and the dealer's, its wagers in cents, and the choices it has made."""

    game: Game
    shoe: Cards
    wagers: Mapping[str, int] = field(hash=False)  # mappings have no hash
    chosen: tuple[str, ...] = ()
    void: str = ""  # why the round does not count, if it does not
    waits: Cards = NOTHING  # the dealer's cards as far as they are shown, while other seats have to choose

    def __post_init__(self) -> None:
        self.game.check_wagers(self.wagers)
        ordered = {spot.name: self.wagers[spot.name] for spot in self.game.wagers if spot.name in self.wagers}
        freeze(self, wagers=MappingProxyType(ordered), shoe=told(self.shoe))
        freeze(self, chosen=tuple(self.chosen), waits=Cards(self.waits))
        places = self.game.rules.PLAYER_CARDS + self.game.rules.DEALER_CARDS
        if len(self.shoe) != places:
            raise Refused(f"A seat's shoe of {self.game.title} has {places} cards, not {len(self.shoe)}.")
        self.game.deck.check(self.shoe)
        for made, name in enumerate(self.chosen):
            self._check_choice(name, self.chosen[:made])

    @classmethod
    def of(cls, game: Game, player: str | Cards, dealer: str | Cards, **wagers: int) -> "Round":
        """A round over known cards, each side's in the order in which it would receive them."""
        named = {name.replace("_", "-"): cents for name, cents in wagers.items()}
        return cls(game, seat_shoe(game, cards(player), cards(dealer)), named)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as what it was made of: what is computed from that is computed anew."""
        return Round, (self.game, self.shoe, dict(self.wagers), self.chosen, self.void, self.waits)

    def __repr__(self) -> str:
        """Only what the player may see, for a repr ends in logs."""
        void = f", void={self.void!r}" if self.void else ""
        made = f"wagers={dict(self.wagers)}, chosen={self.chosen}{void}"
        return f"<Round {self.game}: {self.view.player} | {self.view.dealer}, {made}>"

    # -- Choices -------------------------------------------------------------------------------------

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """What the player may do now; nothing when the round is over."""
        if self.void or self.waits:
            return ()
        return tuple(choice.name for choice in self._open(self.chosen))

    def choose(self, *names: str) -> "Round":
        """The round after these choices."""
        if names and not self.choices:
            raise Refused(f"{names[0]!r} cannot be chosen: no choice is open.")
        return replace(self, chosen=(*self.chosen, *names))

    @property
    def over(self) -> bool:
        return not (self.choices or self.waits)

    def _open(self, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
        mask = self.game.rules.legal(self.game.house, self._array, self._numbers(chosen))
        choices = enumerate(self.game.choices)
        return tuple(choice for i, choice in choices if mask >> i & 1 and choice.wager in self.wagers)

    def _check_choice(self, name: str, after: tuple[str, ...]) -> None:
        open_now = [choice.name for choice in self._open(after)]
        if not open_now:
            raise Refused(f"{name!r} cannot be chosen: no choice is open.")
        if name not in open_now:
            raise Refused(f"{name!r} cannot be chosen here; open {_are(open_now)}.")

    def _numbers(self, chosen: tuple[str, ...]) -> Array:
        return numbered(self.game, self.wagers, chosen)

    @cached_property
    def _array(self) -> Array:
        return np.array(self.shoe, np.int8)

    @property
    def advice(self) -> "list[Advice]":
        """What each open choice is worth in cents, best first."""
        from feltlab.advice import advise  # a round needs no solver until somebody asks

        return advise(self)

    # -- What is seen --------------------------------------------------------------------------------

    @cached_property
    def seen(self) -> Cards:
        """The shoe as the player sees it: cards, and what stands in place of the others."""
        array = np.empty_like(self._array)
        self.game.rules.visible(self.game.house, self._array, self._numbers(self.chosen), array)
        seen = Cards(array.tolist())
        if not self.waits:
            return seen
        player, _ = split_shoe(self.game, seen)
        return Cards((*(NOT_DEALT if card == UNKNOWN else card for card in player), *self.waits))

    @cached_property
    def view(self) -> View:
        sides = split_shoe(self.game, self.seen)
        return View(*(Cards(card for card in side if card != NOT_DEALT) for side in sides))

    @property
    def missing(self) -> str:
        """The first card that the round needs by now but that was never told, or ''."""
        player, dealer = split_shoe(self.game, self.seen)
        if UNKNOWN in player:
            return f"the player's {ORDINALS[player.index(UNKNOWN)]} card"
        if UNKNOWN in dealer and self._dealer_matters:
            return f"the dealer's {ORDINALS[dealer.index(UNKNOWN)]} card"
        return ""

    @property
    def _dealer_matters(self) -> bool:
        at_stake = [spot for spot in self.game.spots if self.staked(spot) and spot.name not in self.given_up]
        return any(spot.reads_dealer for spot in at_stake)

    # -- The end -------------------------------------------------------------------------------------

    @cached_property
    def settlement(self) -> Settlement:
        """Every wager with its outcome, once the round is over."""
        if self.void:
            placed = [(spot, self.staked(spot)) for spot in self.game.spots if self.staked(spot)]
            return Settlement(
                tuple(Settled(spot, "void", "refund", cents, 0, self.void) for spot, cents in placed)
            )
        if self.waits:
            raise Refused("The round is not over; other seats have to choose.")
        if not self.over:
            raise Refused(f"The round is not over; open {_are(self.choices)}.")
        if self.missing:
            raise Refused(f"{self.missing.capitalize()} is missing.")
        outcomes = np.full(len(self.game.spots), NOT_PLACED, np.int8)
        self.game.rules.settle(self.game.house, self._array, self._numbers(self.chosen), outcomes)
        numbered = zip(self.game.spots, outcomes.tolist(), strict=True)
        return Settlement(tuple(self._settled(spot, n) for spot, n in numbered if self.staked(spot)))

    def _settled(self, spot: Spot, outcome: int) -> Settled:
        line = self.game.pay_table(spot).lines[outcome]
        net = int(line.net * self._unit(spot))
        why = self.game.rules.why(self.game.house, self._array, self._numbers(self.chosen), spot.name)
        return Settled(spot, line.outcome, line.result, self.staked(spot), net, why)

    def staked(self, spot: Spot) -> int:
        """The cents on a spot by now."""
        puts = [put for choice in self.game.choices for put in choice.puts * self.chosen.count(choice.name)]
        return self._unit(spot) * (puts.count(spot.name) + (not spot.raises))

    def cost(self, choice: str) -> int:
        """The cents that a choice puts down."""
        return sum(self._unit(self.game.spot(put)) for put in self.game.choice(choice).puts)

    def _unit(self, spot: Spot) -> int:
        return int(self.wagers.get(spot.raises or spot.name, 0) * spot.size)

    @property
    def given_up(self) -> frozenset[str]:
        """The spots whose wagers a choice has lost, whatever the cards."""
        made = (choice for choice in self.game.choices if choice.name in self.chosen)
        return frozenset(spot for choice in made for spot in choice.gives_up)

    def voided(self, reason: str) -> "Round":
        """This round taken out of play: every wager is refunded."""
        if not reason.strip():
            raise Refused("A void round needs a reason.")
        return replace(self, void=reason)


def numbered(game: Game, wagers: Mapping[str, int], chosen: Sequence[str]) -> Array:
    """Choices as the rules number them. Who has no wager to choose for passes."""
    names = [choice.name for choice in game.choices]
    if not any(choice.wager in wagers for choice in game.choices):
        chosen = [next(choice.name for choice in game.choices if not choice.puts)]
    return np.array([names.index(name) for name in chosen], np.int8)


def seat_shoe(game: Game, player: Cards, dealer: Cards) -> Cards:
    """A seat's shoe from each side's cards; too few are filled up with unknown ones, too many not used."""

    def filled(held: Cards, places: int) -> Cards:
        return Cards((*held, *[UNKNOWN] * places)[:places])

    return Cards(filled(player, game.rules.PLAYER_CARDS) + filled(dealer, game.rules.DEALER_CARDS))


def split_shoe(game: Game, shoe: Cards) -> tuple[Cards, Cards]:
    """The player's and the dealer's part of a seat's shoe."""
    return Cards(shoe[: game.rules.PLAYER_CARDS]), Cards(shoe[game.rules.PLAYER_CARDS :])


def _are(names: Sequence[str]) -> str:
    return f"{'is' if len(names) == 1 else 'are'} {listing(names)}"
