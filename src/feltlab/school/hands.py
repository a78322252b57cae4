"""Hands to judge: a random deal of a game to one to seven seats, with bets such as people make.

A hand is drawn by a generator that is given, so an exam can store its seed. It is an ordinary `Deal`: what
is true of it comes from the same rounds and settlements as everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import lcm

import numpy as np

from feltlab.core.cards import FACE_DOWN, Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.limits import STANDARD_LIMITS, Limits
from feltlab.core.payout_rules import largest_raise
from feltlab.core.seating import Seat
from feltlab.core.settlement import Settled
from feltlab.games.card_groups import CardGroup, group_cards
from feltlab.school.chips import SMALLEST_CENTS

LEVELS = (1, 2, 3, 4, 5)
SEATS_BY_LEVEL = (1, 2, 3, 5, 7)
UNITS_BY_LEVEL = (
    (500, 1000),
    (500, 1000, 2500),
    (500, 1500, 2500),
    (500, 1500, 3500, 5000),
    (700, 3500, 6200),
)
OPTIONAL_SHARE = (0.2, 0.4, 0.5, 0.6, 0.7)  # of seats that make an optional wager, by level
ODD_LEVEL = 4  # from here on payments need the smallest chips
GIVE_UP_WEIGHT, OTHER_WEIGHT = 1, 4  # of choices of the program's players

Draw = np.random.Generator


@dataclass(frozen=True)
class TrainingHand:
    """A deal that is over, with every state on the way to it."""

    game: Game
    shoe: Cards
    wagers: tuple[Mapping[str, int], ...]
    chosen: tuple[tuple[str, ...], ...]
    level: int = 1

    @cached_property
    def states(self) -> tuple[Deal, ...]:
        """The deal before the first choice and after each one."""
        deal = Deal.start(self.game, self.shoe, self.wagers)
        states = [deal]
        while deal.turn is not None:
            made = len(deal.seats[deal.turn].chosen)
            deal = deal.choose(deal.turn, self.chosen[deal.turn][made])
            states.append(deal)
        return tuple(states)

    @property
    def deal(self) -> Deal:
        """The deal when it is over."""
        return self.states[-1]

    @property
    def payments(self) -> list[tuple[int, Settled]]:
        """Seats and wagers in the approved order, without those where no chip moves."""
        return [(seat, paid) for seat, paid in self.deal.payments if paid.staked or paid.net]

    def to_json(self) -> dict[str, object]:
        """Plain data, from which `read_hand` makes the hand again."""
        return {
            "game": str(self.game),
            "shoe": str(self.shoe),
            "wagers": [dict(wagers) for wagers in self.wagers],
            "chosen": [list(chosen) for chosen in self.chosen],
            "level": self.level,
        }


def read_hand(game: Game, data: Mapping[str, object]) -> TrainingHand:
    """A hand from plain data."""
    wagers, chosen = data["wagers"], data["chosen"]
    assert isinstance(wagers, list)
    assert isinstance(chosen, list)
    level = data["level"]
    assert isinstance(level, int)
    return TrainingHand(game, cards(str(data["shoe"])), tuple(wagers), tuple(map(tuple, chosen)), level)


def deal_hand(game: Game, draw: Draw, level: int = 1, seats: int | None = None) -> TrainingHand:
    """A random hand of a game; a higher level has more seats, more wagers and odder amounts."""
    shoe, wagers = draw_table(game, draw, level, seats)
    deal = Deal(game, shoe, tuple(map(Seat, wagers)))
    while deal.turn is not None:
        deal = deal.choose(deal.turn, draw_choice(deal, draw))
    return TrainingHand(game, shoe, wagers, tuple(seat.chosen for seat in deal.seats), level)


def draw_table(
    game: Game, draw: Draw, level: int = 1, seats: int | None = None
) -> tuple[Cards, tuple[dict[str, int], ...]]:
    """The cards and the wagers of a hand, before any choice."""
    most = min(SEATS_BY_LEVEL[level - 1], game.seats)
    count = seats or int(draw.integers(max(1, most // 2), most + 1))
    shuffled = Cards(int(card) for card in draw.permutation(np.array(game.deck.cards)))
    shoe = Cards(shuffled[: game.cards_needed(count)])
    return shoe, tuple(draw_wagers(game, draw, level) for _ in range(count))


# -- Bets and choices of the program's players -------------------------------------------------------


def draw_wagers(game: Game, draw: Draw, level: int, limits: Limits = STANDARD_LIMITS) -> dict[str, int]:
    """The wagers of one seat, within the limits and such that the tray can pay every outcome."""
    found: dict[str, int] = {}
    required = [spot.name for spot in game.wagers if game.is_required(spot)] or [game.wagers[0].name]
    for spot in game.wagers:
        wanted = spot.name in required or draw.random() < OPTIONAL_SHARE[level - 1]
        if wanted and (len(found) < game.rules.GAMES_PER_HAND or spot.name in required):
            found |= _wager_on(game, spot, found, draw, level, limits)
    return found


def _wager_on(
    game: Game, spot: Spot, found: Mapping[str, int], draw: Draw, level: int, limits: Limits
) -> dict[str, int]:
    """The wager on a spot beside others; none where the rules leave no room for it."""
    if spot.fixed_cents:
        return {spot.name: spot.fixed_cents}
    if spot.equals:
        return {spot.name: found[spot.equals]} if spot.equals in found else {}
    units = UNITS_BY_LEVEL[level - 1]
    cents = int(units[int(draw.integers(len(units)))])
    step = payable_step(game, spot, level)
    cents = max(limits.minimum, min(cents, int(limits.maximum / largest_raise(game, spot))))
    cents += -cents % step
    if spot.at_most:
        cents = min(cents, found.get(spot.at_most, 0))
    return {spot.name: cents} if cents else {}


def payable_step(game: Game, spot: Spot, level: int = len(LEVELS)) -> int:
    """The cents of which a wager is a multiple so that the tray can pay it; whole dollars at low levels."""
    chip = SMALLEST_CENTS if level >= ODD_LEVEL else 100
    return lcm(100, game.step(spot) * chip)


def draw_choice(deal: Deal, draw: Draw) -> str:
    """A choice of the seat in turn: any that is open, those that give up wagers less often."""
    assert deal.turn is not None
    names = deal.rounds[deal.turn].choices
    weights = [GIVE_UP_WEIGHT if deal.game.choice(n).gives_up else OTHER_WEIGHT for n in names]
    return str(draw.choice(np.array(names), p=np.array(weights) / sum(weights)))


# -- What can be read off a hand ---------------------------------------------------------------------

NOT_QUALIFIED = "dealer does not"  # the beginning of outcomes of a dealer's hand that is too low


def has_qualification(game: Game) -> bool:
    """Whether an outcome of the game depends on the dealer's hand being good enough."""
    return any(outcome.startswith(NOT_QUALIFIED) for spot in game.spots for outcome in spot.outcomes)


def dealer_qualifies(hand: TrainingHand) -> bool | None:
    """Whether the dealer's hand is good enough, by the settlement; None where no wager depends on it."""
    spots = {s.name for s in hand.game.spots if any(o.startswith(NOT_QUALIFIED) for o in s.outcomes)}
    deal = hand.deal
    played = [
        paid.outcome
        for seat, paid in deal.payments
        if paid.spot.name in spots and paid.spot.name not in deal.rounds[seat].given_up
    ]
    return not any(outcome.startswith(NOT_QUALIFIED) for outcome in played) if played else None


def player_groups(hand: TrainingHand, seat: int) -> tuple[Cards, tuple[CardGroup, ...]]:
    """The cards of a seat and the board at the end, and the groups that count."""
    round = hand.deal.rounds[seat]
    held = Cards(card for card in (*round.view.player, *round.view.board) if card >= 0)
    return held, group_cards(hand.game, held, round.chosen)


def dealer_groups(hand: TrainingHand) -> tuple[Cards, tuple[CardGroup, ...]]:
    """The dealer's cards and the board at the end, and the groups that count; none without them."""
    view = hand.deal.rounds[0].view
    held = Cards((*view.dealer, *view.board))
    if not view.dealer or FACE_DOWN in held:
        return Cards(), ()
    return held, group_cards(hand.game, held, None)


def shown_cards(deal: Deal) -> dict[str, Cards]:
    """The cards of each shared area as the table sees them."""
    own, seen = deal.game.own_places, deal.rounds[deal.turn or 0].seen
    areas = deal.game.split_areas((*[FACE_DOWN] * own, *seen[own:]))
    return {name: areas[name] for name in deal.game.shared_areas}
