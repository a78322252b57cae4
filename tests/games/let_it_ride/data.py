"""What the shared tests have to know of Let It Ride."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

RIDE, PULL = "ride ride", "pull pull"

DATA = GameData(
    game="let-it-ride",
    playthrough_seed=3,
    wager_steps={"bet-3": 1, "bet-2": 1, "bet-1": 1, "three-card-bonus": 1},
    shuffler=Mode("packets of 3", 3, 52, False),
    deciding_pay=ChangedPay("bet-1", "Flush", Fraction(30)),
    idle_pays=((Setting({}, {}), ChangedPay("three-card-bonus", "Flush", Fraction(77))),),
    tiny_decks=(
        # Every hand from four of a kind down, and a royal flush.
        TinyDeck("Ah Kh Qh Jh Th Tc Td Ts 2s 2d", (("player", 3), ("board", 2))),
    ),
    examples=(
        Example("Ah Kh Qh", "", RIDE,
                {"bet-1": "Royal Flush", "bet-2": "Royal Flush", "bet-3": "Royal Flush",
                 "three-card-bonus": "Royal Flush"}, board="Jh Th"),
        Example("4h 3h 2h", "", RIDE,
                {"bet-1": "Straight Flush", "bet-2": "Straight Flush", "bet-3": "Straight Flush",
                 "three-card-bonus": "Straight Flush"}, board="6h 5h"),
        Example("4h 4c 4d", "", RIDE,
                {"bet-1": "Four of a Kind", "bet-2": "Four of a Kind", "bet-3": "Four of a Kind",
                 "three-card-bonus": "Three of a Kind"}, board="4s 8h"),
        Example("4h 4c 8d", "", RIDE,
                {"bet-1": "Full House", "bet-2": "Full House", "bet-3": "Full House",
                 "three-card-bonus": "Pair"}, board="4s 8h"),
        Example("9h 4h 2h", "", RIDE,
                {"bet-1": "Flush", "bet-2": "Flush", "bet-3": "Flush", "three-card-bonus": "Flush"},
                board="Qh 7h"),
        Example("4h 3c 2d", "", RIDE,
                {"bet-1": "Straight", "bet-2": "Straight", "bet-3": "Straight",
                 "three-card-bonus": "Straight"}, board="6h 5s"),
        Example("4h 4c 9d", "", RIDE,
                {"bet-1": "Three of a Kind", "bet-2": "Three of a Kind", "bet-3": "Three of a Kind"},
                board="4s 8h"),
        Example("4h 4c 9d", "", RIDE, {"bet-1": "Two Pair", "bet-2": "Two Pair"}, board="9s 8h"),
        Example("Th Tc 9d", "", RIDE, {"bet-1": "pair of Tens or better"}, board="4s 8h"),
        Example("9h 9c 3d", "", "pull ride", {"bet-1": "pulled back", "bet-2": "less"}, board="4s 8h"),
    ),
    prepared_hands=(
        # Bet 3, Bet 2, Bet 1, 3 Card Bonus.
        PreparedHand("Kd Kh 4c", "", RIDE, 10 + 10 + 10 + 10, board="2s 8d"),
        PreparedHand("Kd 9h 4c", "", PULL, -10 + 0 + 0 - 10, board="2s 8d"),
        PreparedHand("5s 6s 7s", "", "ride pull", -10 + 0 - 10 + 400, board="Kd 2c"),
        PreparedHand("Kd 9h 4c", "", "pull ride", 20 + 20 + 0 - 10, board="Ks 9d"),
    ),
)  # fmt: skip
