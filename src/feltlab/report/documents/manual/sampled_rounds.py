"""Rounds for questions and mistakes of a training manual: dealt from a fixed seed, settled by the rules."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.settlement import Settled
from feltlab.core.stake import default_stake
from feltlab.report.round_frames import describe_result, has_money
from feltlab.submission.chips import describe_chips

SAMPLED_ROUNDS = 250
STAKE_CENTS = (500, 1_000, 1_500, 2_500, 4_000)


@lru_cache(maxsize=32)
def sample_rounds(game: Game) -> tuple[Deal, ...]:
    """Rounds of one seat, each played to its end by choices at random; the same for the same rules."""
    random = Random(game.digest)
    return tuple(_play_round(game, random) for _ in range(SAMPLED_ROUNDS))


def _play_round(game: Game, random: Random) -> Deal:
    shoe = list(game.deck.cards)
    random.shuffle(shoe)
    deal = Deal.start(game, Cards(shoe), [_choose_wagers(game, random)])
    while deal.turn is not None:
        open_now = deal.rounds[deal.turn].choices
        staying = [choice for choice in open_now if not game.choice(choice).gives_up] or open_now
        deal = deal.choose(deal.turn, random.choice(staying if random.random() < 0.8 else open_now))
    return deal


def _choose_wagers(game: Game, random: Random) -> Mapping[str, int]:
    """The wagers that one hand may carry together, all of one size where the rules leave the size open."""
    cents = random.choice(STAKE_CENTS)
    required = {name for name, units in default_stake(game).items() if units}
    spots = game.wagers[: game.rules.GAMES_PER_HAND]
    taken = [
        spot for spot in spots if spot.name in required or game.is_required(spot) or random.random() < 0.7
    ]
    found = {spot.name: spot.fixed_cents or _whole_steps(cents, game.step(spot)) for spot in taken}
    return (
        found
        if required <= found.keys()
        else found | {name: _whole_steps(cents, game.step(game.spot(name))) for name in required}
    )


def _whole_steps(cents: int, step: int) -> int:
    """The amount, or the next one above that pays whole cents."""
    return -(-cents // step) * step


def settled_wagers(deal: Deal) -> Iterator[Settled]:
    """The wagers of a round of one seat in the order in which the dealer settles them."""
    return (paid for _, paid in deal.payments if has_money(paid))


def describe_settled(paid: Settled) -> str:
    """'Ante: better hand (Pair of Jacks against Ace high), pay $25: 1 green.'"""
    chips = f": {describe_chips(paid.net)}" if paid.net > 0 else ""
    return f"{paid.spot.title}: {paid.outcome} ({paid.why}), {describe_result(paid)}{chips}."
