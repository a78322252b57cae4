"""What the shared tests have to know of Three Card Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

LOW = "9c 7d 2h"  # the dealer does not qualify
FOLDED = {"fold-loses-pair-plus": "no"}

DATA = GameData(
    game="three-card-poker",
    playthrough_seed=3,  # folds and plays
    wager_steps={"ante": 1, "pair-plus": 1, "six-card-bonus": 1},
    shuffler=Mode("packets of 3", 3, 52, False),
    deciding_pay=ChangedPay("ante", "dealer does not qualify", Fraction(3, 2)),
    idle_pays=((Setting({}, {}), ChangedPay("six-card-bonus", "Flush", Fraction(77))),),
    tiny_decks=(
        # Straights, flushes, threes and a queen that qualifies beside a jack that does not.
        TinyDeck("Ah Kh Qh Jh Th Tc Td 5c 2s 2d", (("player", 3), ("dealer", 3))),
    ),
    examples=(
        Example("Ah Kh Qh", "Jh Th 2c", "play",
                {"pair-plus": "Royal Flush", "ante-bonus": "Straight Flush",
                 "six-card-bonus": "Royal Flush"}),
        Example("4h 3h 2h", "6h 5h Kc", "play",
                {"pair-plus": "Straight Flush", "play": "better hand", "six-card-bonus": "Straight Flush"}),
        Example("4h 4c 4d", "4s 8h Kc", "play",
                {"pair-plus": "Three of a Kind", "ante-bonus": "Three of a Kind",
                 "six-card-bonus": "Four of a Kind"}),
        Example("4h 4c 8d", "4s 8h Kc", "fold",
                {"pair-plus": "fold", "ante-bonus": "no bonus", "six-card-bonus": "Full House"}),
        Example("9h 4h 2h", "Qh 7h Kc", "play", {"pair-plus": "Flush", "six-card-bonus": "Flush"}),
        Example("4h 3c 2d", "6h 5s Kc", "play",
                {"pair-plus": "Straight", "ante-bonus": "Straight", "six-card-bonus": "Straight"}),
        Example("4h 4c 9d", "4s 8h Kc", "play", {"pair-plus": "Pair", "six-card-bonus": "Three of a Kind"}),
        Example("Kh 4c 9d", "Ks 4d 9s", "play", {"play": "tie", "ante": "tie"}),
        Example("Kh 4c 9d", LOW, "play",
                {"play": "dealer does not qualify", "ante": "dealer does not qualify"}),
        Example("Kh Kc 9d", LOW, "fold", {"pair-plus": "Pair", "ante": "fold"}, FOLDED),
    ),
    slow_proof=True,  # some seconds through the rules alone
    prepared_hands=(
        # Play, Ante, Ante Bonus, Pair Plus, 6 Card Bonus.
        PreparedHand("Kd 9h Qd", "Qc 2s 8d", "play", 10 + 10 - 10 - 10),
        PreparedHand("5d Qs 4d", "Tc 2s 8d", "fold", -10 - 10 - 10),
        PreparedHand("7c 7d 2h", "9s 8h 3d", "play", 0 + 10 + 10 - 10),
        PreparedHand("5s 6s 7s", "2c 9d 4h", "play", 0 + 10 + 50 + 400 - 10),
    ),
)  # fmt: skip
