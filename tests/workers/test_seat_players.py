"""The players of a dealer's table follow named strategies, as proofs and simulations do."""

import asyncio

import pytest

from feltlab.core.hands import three_card
from feltlab.errors import Refused
from feltlab.games import FOLDERS, GAMES
from feltlab.games.three_card_poker.rules import QUALIFIES
from feltlab.school.tables import TableSeed
from feltlab.workers.seat_players import STAY_IN, SeatPlayers, choose_by, name_strategies, play_seats

POKER = GAMES["three-card-poker"]


def play(game, seed, strategy, seats=3):
    shoe, wagers = TableSeed(seed, 3, seats).deal(game)
    return TableSeed(seed, 3, seats).build_hand(game, play_seats(game, shoe, wagers, [strategy] * seats))


def test_queen_high_plays_queen_high_and_folds_less():
    """Queen high is what the dealer qualifies with: the rule plays no lower hand and folds no higher one."""
    seen = set()
    for seed in range(25):
        hand = play(POKER, seed, "queen-high")
        for round, chosen in zip(hand.deal.rounds, hand.chosen, strict=True):
            plays = three_card.strength(*round.view.player) >= QUALIFIES
            assert chosen == (("play",) if plays else ("fold",))
            seen.add(plays)
    assert seen == {True, False}


def test_players_who_stay_in_never_give_up():
    for name in ("three-card-poker", "mississippi-stud", "casino-war"):
        game = GAMES[name]
        for seed in range(10):
            for chosen in play(game, seed, STAY_IN).chosen:
                assert not any(game.choice(choice).gives_up for choice in chosen)


def test_a_tie_goes_to_war_by_the_best_play():
    game = GAMES["casino-war"]
    tied = next(hand for hand in (play(game, seed, "surrender", 7) for seed in range(30)) if any(hand.chosen))
    assert {choice for chosen in tied.chosen for choice in chosen} == {"surrender"}
    seat = next(n for n, chosen in enumerate(tied.chosen) if chosen)
    assert choose_by(tied.states[0].rounds[seat], "optimal") == "war"


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS)
def test_every_game_has_a_best_play_to_follow(name):
    game = GAMES[name]
    assert next(iter(name_strategies(game))) == "optimal"
    assert play(game, 1, "optimal", 2).deal.turn is None


async def test_the_worker_lists_strategies_and_plays_by_them():
    game, players = GAMES["casino-war"], SeatPlayers()
    try:
        async with asyncio.timeout(300):
            while not (known := await players.list_strategies(game)):
                await asyncio.sleep(0.2)
            assert list(known) == ["optimal", "war", "surrender"]
            shoe, wagers = TableSeed(3, 3, 7).deal(game)
            names = ["surrender"] * 7
            assert await players.play(game, shoe, wagers, names) == play_seats(game, shoe, wagers, names)
            with pytest.raises(Refused, match="not a strategy"):
                await players.play(game, shoe, wagers, ["no-such-strategy"] * 7)
    finally:
        await players.close()
