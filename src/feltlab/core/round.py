"""A round: one hand of one seat, as an immutable value.

A round is a game, a shoe, wagers and the choices made. Everything else is computed from those, so replaying
and undoing need no code of their own.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np

from feltlab.core.cards import FACE_DOWN, NOT_DEALT, UNKNOWN, Cards, cards, cards_or_unknown
from feltlab.core.choices import Bets, find_bets, multiply_cents, split_choice
from feltlab.core.game import Game
from feltlab.core.layout import OPEN, Choice, Spot, new_outcomes
from feltlab.core.settlement import Settled, Settlement, in_order
from feltlab.core.view import NOTHING, View
from feltlab.errors import Refused
from feltlab.kernel import Array
from feltlab.text import dollars, listing
from feltlab.values import build_unchecked, cached_property, replace_unchecked, set_frozen

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class Round:
    """One hand of one seat: its own cards and the dealer's, its wagers in cents, its choices.

    >>> from feltlab import GAMES, Round
    >>> tied = Round.of(GAMES["casino-war"], "9s 5c", "9d 4h", primary=500, tie=100)
    >>> tied.choices
    ('war', 'surrender')
    >>> over = tied.choose("war")
    >>> over
    Round.of(GAMES['casino-war'], '9s 5c', '9d 4h', primary=500, tie=100).choose('war')
    >>> print(over.settlement)
    Primary: war won, +$5 (Nine against Nine, then Five against Four)
    Tie: tie, +$10 (Nine against Nine)
    >>> over.settlement.net
    1500
    """

    game: Game
    shoe: Cards
    wagers: Mapping[str, int] = field(hash=False)  # mappings have no hash
    chosen: tuple[str, ...] = ()
    void: str = ""  # the reason, if the round is void
    waits: Cards = NOTHING  # while others act: the cards of all seats and the dealer that are shown
    paid: tuple[Settled, ...] = ()  # if it is void: the wagers that were settled before

    def __post_init__(self) -> None:
        self.game.check_wagers(self.wagers)
        set_frozen(self, wagers=order_wagers(self.game, self.wagers), shoe=cards_or_unknown(self.shoe))
        set_frozen(self, chosen=tuple(self.chosen), waits=Cards(self.waits))
        places = self.game.places
        if len(self.shoe) != places:
            raise Refused(f"A seat's shoe of {self.game.title} has {places} cards, not {len(self.shoe)}.")
        self.game.deck.check(self.shoe)
        for before, choice in enumerate(self.chosen):
            self._check_open(
                choice, self._open(find_bets(self.game, self.wagers, self.chosen[:before]).played)
            )

    @classmethod
    def of(cls, game: Game, /, *areas: str | Cards, **wagers: int) -> "Round":
        """A round of known cards, those of each area in the order in which they would be dealt to it.

        The player's cards come first; in games with a board it comes next, and the dealer's cards last. An
        area with more cards than the rules can deal to it makes the round void.
        """
        named = {name.replace("_", "-"): cents for name, cents in wagers.items()}
        held = tuple(map(cards, areas))
        round = cls(game, fill_shoe(game, *held), named)
        game.deck.check(Cards(chain.from_iterable(held)))
        return next(map(round.declare_void, _describe_surplus(game, held)), round)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields only; cached properties are computed again."""
        return Round, (self.game, self.shoe, dict(self.wagers), self.chosen, self.void, self.waits, self.paid)

    def __repr__(self) -> str:
        """An expression that gives this round again; where cards are hidden, only what the player sees."""
        if self._shows_all:
            return self._expression
        void = f", void={self.void!r}" if self.void else ""
        acts = f"wagers={dict(self.wagers)}, chosen={self.chosen}{void}"
        shown = " | ".join(map(str, self.view.areas.values()))
        return f"<Round {self.game}: {shown}, {acts}>"

    @property
    def _shows_all(self) -> bool:
        """Does the player see every known card, and do unknown cards come last on each side?"""
        seen = all(card in (UNKNOWN, shown) for card, shown in zip(self.shoe, self.seen, strict=True))
        known = map(_drop_unknown, self.game.split_areas(self.shoe).values())
        plain = seen and not (self.waits or self.paid)
        return plain and seat_shoe(self.game, *known) == self.shoe

    @property
    def _expression(self) -> str:
        """'Round.of(GAMES['casino-war'], 'As', 'Ad', primary=500).choose('war')'."""
        sides = (str(_drop_unknown(area)) for area in self.game.split_areas(self.shoe).values())
        wagers = (f"{name.replace('-', '_')}={cents}" for name, cents in self.wagers.items())
        start = ", ".join([repr(self.game), *map(repr, sides), *wagers])
        chosen = f".choose({', '.join(map(repr, self.chosen))})" if self.chosen else ""
        return f"Round.of({start}){chosen}" + (f".declare_void({self.void!r})" if self.void else "")

    # -- Choices -------------------------------------------------------------------------------------

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The choices that are open now; none when the round is over."""
        if self.void or self.waits:
            return ()
        return self._open(self._played)

    def choose(self, *names: str) -> "Round":
        """The round after these choices; `insure=250` puts down 250 cents instead of the most."""
        after = self
        for name in names:
            after.check_choice(name)
            after = replace_unchecked(after, chosen=(*after.chosen, name), _array=self._array)
        return after

    def check_choice(self, choice: str) -> None:
        """Refuse a choice that is not open."""
        self._check_open(choice, self.choices)

    def _check_open(self, choice: str, open_now: Sequence[str]) -> None:
        name, cents = split_choice(choice)
        if not open_now:
            raise Refused(f"{name!r} cannot be chosen: no choice is open.")
        if name not in open_now:
            raise Refused(f"{name!r} cannot be chosen here; {_are_open(open_now)}.")
        if cents is not None:
            self._check_amount(self.game.choice(name), cents)

    def _check_amount(self, choice: Choice, cents: int) -> None:
        if not choice.any_amount:
            raise Refused(f"The amount of {choice.name!r} is fixed by the rules.")
        if not 0 < cents <= self.cost(choice.name):
            most = dollars(self.cost(choice.name))
            raise Refused(f"You may {choice.name} for more than $0 and at most {most}, not {dollars(cents)}.")

    @property
    def over(self) -> bool:
        return not (self.choices or self.waits)

    def _open(self, played: Array) -> tuple[str, ...]:
        mask = self.game.rules.legal(self.game.kernel_data, self._array, played)
        if not mask:
            return ()
        choices = enumerate(self.game.choices)
        return tuple([choice.name for i, choice in choices if mask >> i & 1 and choice.wager in self.wagers])

    @cached_property
    def _played(self) -> Array:
        return self._bets.played

    @property
    def chosen_numbers(self) -> tuple[int, ...]:
        """The choices made, as the rules number them."""
        return tuple(self._played.tolist())

    @cached_property
    def _array(self) -> Array:
        return np.array(self.shoe, np.int8)

    # -- Visible cards -------------------------------------------------------------------------------

    @cached_property
    def seen(self) -> Cards:
        """The shoe as the player sees it: cards, and marks in place of hidden ones."""
        array = np.empty_like(self._array)
        self.game.rules.visible(self.game.kernel_data, self._array, self._played, array)
        seen = Cards(array.tolist())
        if self.void:  # where it stopped, a card that is not known was never dealt
            return Cards(
                NOT_DEALT if card == UNKNOWN else mark for card, mark in zip(self.shoe, seen, strict=True)
            )
        if not self.waits:
            return seen
        own = seen[: self.game.own_places]
        return Cards((*(NOT_DEALT if card == UNKNOWN else card for card in own), *self.waits))

    @cached_property
    def view(self) -> View:
        areas = self.game.split_areas(self.seen).items()
        return View({name: Cards(card for card in seen if card != NOT_DEALT) for name, seen in areas})

    @property
    def missing(self) -> str:
        """The first card that the round needs by now but that is unknown, or ''."""
        for area, seen in self.game.split_areas(self.seen).items():
            if UNKNOWN in seen and self._needs(area):
                return f"the {area}'s {ORDINALS[seen.index(UNKNOWN)]} card"
        return ""

    def _needs(self, area: str) -> bool:
        """Does anything depend on the cards of this area? On shared ones nothing does after some folds."""
        if area == "dealer" and not self._dealer_matters:
            return False
        return area == "player" or not (self.over and self._is_decided)

    @property
    def _is_decided(self) -> bool:
        """Do the known cards decide every wager?"""
        return len([*self.decided_wagers(self.staked_spots)]) == len(self.staked_spots)

    @property
    def _dealer_matters(self) -> bool:
        return any(spot.reads_dealer for spot, _ in self._bets.stakes if spot.name not in self.given_up)

    # -- In words ------------------------------------------------------------------------------------

    @cached_property
    def player_reading(self) -> str:
        """The player's hand in words, while a choice is open; after that the settlement says more."""
        if self.over:
            return ""
        held = Cards((*self.view.player, *self.view.board))
        return self._reading(held, lambda spot: bool(self.staked(spot)))

    @cached_property
    def dealer_reading(self) -> str:
        """The dealer's hand in words, once all of it is face up, for the wagers that it decides."""
        held = Cards((*self.view.dealer, *self.view.board))
        if FACE_DOWN in held or not self.view.dealer:
            return ""
        return self._reading(held, lambda spot: spot.reads_dealer)

    def _reading(self, held: Cards, matters: Callable[[Spot], bool]) -> str:
        left_out = {spot.title for spot in self.game.spots if not matters(spot)}
        read = self.game.rules.readings([card for card in held if card >= 0])
        shown = [(what, worth) for what, worth in read if what not in left_out]
        return shown[0][1] if len(shown) == 1 else "; ".join(f"{what}: {worth}" for what, worth in shown)

    # -- Settlement ----------------------------------------------------------------------------------

    @cached_property
    def settlement(self) -> Settlement:
        """Every wager with its outcome; refused until the round is over."""
        if self.void:
            return Settlement(in_order(self.game, (*self.paid, *self._refunds)))
        if self.waits:
            raise Refused("The round is not over; others have to act.")
        if not self.over:
            raise Refused(f"The round is not over; {_are_open(self.choices)}.")
        if self.missing:
            raise Refused(f"{self.missing.capitalize()} is missing.")
        return Settlement(tuple(self.decided_wagers(self.staked_spots)))

    def decided_wagers(self, asked: Collection[str], before_end: bool = False) -> Iterator[Settled]:
        """The wagers on these spots that the cards dealt so far decide, in the order of the felt."""
        if not asked:
            return
        outcomes = new_outcomes(len(self.game.spots))
        self.game.rules.settle(self.game.kernel_data, self._array, self._played, outcomes)
        if before_end:
            self.game.hold_back(outcomes)
        found, numbers = outcomes.tolist(), self.game.spot_numbers
        for spot, cents in self._bets.stakes:
            number = found[numbers[spot.name]]
            if number != OPEN and spot.name in asked:
                yield self._settle_spot(spot, cents, number)

    @property
    def _refunds(self) -> Iterator[Settled]:
        """The wagers of a void round that were not settled before."""
        paid = {settled.spot.name for settled in self.paid}
        for spot, cents in self._bets.stakes:
            if spot.name not in paid:
                yield Settled(spot, "void", "refund", cents, 0, self.void)

    def _settle_spot(self, spot: Spot, staked: int, number: int) -> Settled:
        outcome, result, pays = self.game.paid_outcomes[spot.name][number]
        # From the arguments of the rules, not from this round: a reference cycle would be freed late.
        describe = partial(self.game.rules.why, self.game.kernel_data, self._array, self._played, spot.name)
        won = multiply_cents(self._bets.unit(spot) if spot.bonus_on else staked, pays)
        return build_unchecked(
            Settled, spot=spot, outcome=outcome, result=result, staked=staked, net=won, _describe=describe
        )

    # -- Money, whatever the cards are ---------------------------------------------------------------

    @cached_property
    def _bets(self) -> Bets:
        return find_bets(self.game, self.wagers, self.chosen)

    @property
    def staked_spots(self) -> frozenset[str]:
        """The spots with wagers on them, and the bonuses on those."""
        return self._bets.staked_spots

    @property
    def forfeited(self) -> frozenset[str]:
        """The spots with wagers that the dealer takes because of a choice: given up, or a price."""
        return self._bets.forfeited

    @property
    def given_up(self) -> frozenset[str]:
        """The spots whose wagers a choice has given up."""
        return self._bets.given_up

    def staked(self, spot: Spot) -> int:
        """The cents on a spot now."""
        return self._bets.staked(spot)

    def units(self, spot: Spot) -> int:
        """The units on a spot now, whether or not a choice put down less than a whole one."""
        return self._bets.units(spot)

    def cost(self, choice: str) -> int:
        """The cents that a choice puts down: the amount that it names, or a unit on each of its spots."""
        return self._bets.cost(choice)

    def puts(self, choice: str) -> tuple[str, ...]:
        """The spots on which a choice would put a unit now, once for each unit."""
        return self._bets.puts(choice)

    def raises(self, choice: str) -> tuple[tuple[Spot, int], ...]:
        """The spots on which a choice would put units now, and the cents on each, rounded up."""
        return self._bets.raises(choice)

    def declare_void(self, reason: str) -> "Round":
        """This round declared void: every wager is refunded."""
        if not reason.strip():
            raise Refused("A void round needs a reason.")
        return replace(self, void=reason)


def order_wagers(game: Game, wagers: Mapping[str, int]) -> Mapping[str, int]:
    """Wagers in the order of the felt, read-only."""
    return MappingProxyType({spot.name: wagers[spot.name] for spot in game.wagers if spot.name in wagers})


def seat_shoe(game: Game, *areas: Cards) -> Cards:
    """A seat's shoe from each area's cards; missing cards are unknown, and surplus cards are refused."""
    for surplus in _describe_surplus(game, areas):
        raise Refused(surplus)
    return fill_shoe(game, *areas)


def fill_shoe(game: Game, *areas: Cards) -> Cards:
    """A seat's shoe from each area's cards, without those that the rules have no place for."""
    if len(areas) > len(game.areas):
        known = listing(area.name for area in game.areas)
        raise Refused(f"{game.title} has cards of {known}; cards of {len(areas)} areas are given.")
    given = (*areas, *[NOTHING] * (len(game.areas) - len(areas)))
    pairs = zip(game.areas, given, strict=True)
    filled = ((*held, *[UNKNOWN] * area.cards)[: area.cards] for area, held in pairs)
    return Cards(chain.from_iterable(filled))


def _describe_surplus(game: Game, areas: Sequence[Cards]) -> Iterator[str]:
    """A sentence for each area with more cards than the rules can deal to it."""
    for area, held in zip(game.areas, areas, strict=False):
        if len(held) > area.cards:
            yield f"The {area.name} has {len(held)} cards; the rules deal at most {area.cards}."


def _drop_unknown(side: Cards) -> Cards:
    return Cards(card for card in side if card != UNKNOWN)


def _are_open(names: Sequence[str]) -> str:
    """'open is fold', 'open are play and fold'."""
    return f"open {'is' if len(names) == 1 else 'are'} {listing(names)}"
