"""What the shared tests have to know of Big Raise Stud Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

DATA = GameData(
    game="big-raise-stud",
    playthrough_seed=3,
    wager_steps={"ante": 1, "three-card-bonus": 1},
    shuffler=Mode("packets of 3", 3, 52, False),
    deciding_pay=ChangedPay("raise", "Flush", Fraction(30)),
    idle_pays=((Setting({}, {}), ChangedPay("three-card-bonus", "Flush", Fraction(77))),),
    tiny_decks=(
        # Every hand from four of a kind down, and a royal flush.
        TinyDeck("Ah Kh Qh Jh Th Tc Td Ts 6s 6d", (("player", 3), ("board", 2))),
    ),
    examples=(
        Example("Ah Kh Qh", "", "raise-4x",
                {"ante": "Royal Flush", "raise": "Royal Flush", "three-card-bonus": "Royal Flush"},
                board="Jh Th"),
        Example("4h 3h 2h", "", "raise-3x",
                {"ante": "Straight Flush", "raise": "Straight Flush", "three-card-bonus": "Straight Flush"},
                board="6h 5h"),
        Example("4h 4c 4d", "", "raise-2x",
                {"ante": "Four of a Kind", "raise": "Four of a Kind", "three-card-bonus": "Three of a Kind"},
                board="4s 8h"),
        Example("4h 4c 8d", "", "raise-1x",
                {"ante": "Full House", "raise": "Full House", "three-card-bonus": "Pair"}, board="4s 8h"),
        Example("9h 4h 2h", "", "raise-1x",
                {"ante": "Flush", "raise": "Flush", "three-card-bonus": "Flush"}, board="Qh 7h"),
        Example("4h 3c 2d", "", "raise-1x",
                {"ante": "Straight", "raise": "Straight", "three-card-bonus": "Straight"}, board="6h 5s"),
        Example("4h 4c 9d", "", "raise-1x", {"ante": "Three of a Kind", "raise": "Three of a Kind"},
                board="4s 8h"),
        Example("6h 6c 9d", "", "raise-1x", {"ante": "pair of Sixes to Nines"}, board="4s 8h"),
        Example("5h 5c 9d", "", "raise-1x", {"ante": "less"}, board="4s 8h"),
        Example("5h 5c 9d", "", "fold", {"ante": "fold", "three-card-bonus": "fold"},
                {"fold-loses-bonus": "yes"}, board="4s 8h"),
        Example("5h 5c 9d", "", "fold", {"ante": "fold", "three-card-bonus": "Pair"}, board="4s 8h"),
    ),
    prepared_hands=(
        # Ante, Raise, 3 Card Bonus.
        PreparedHand("Kd Kh 4c", "", "raise-4x", 10 + 40 + 10, board="2s 8d"),
        PreparedHand("Kd 9h 4c", "", "fold", -10 - 10, board="2s 8d"),
        PreparedHand("5s 6s 7s", "", "raise-3x", -10 - 30 + 400, board="Kd 2c"),
        PreparedHand("Kd 9h 4c", "", "raise-2x", 20 + 40 - 10, board="Ks 9d"),
        PreparedHand("9d 9h 4c", "", "raise-1x", 0 + 0 + 10, board="Ks 2d"),
    ),
)  # fmt: skip
