"""What the shared tests have to know of Triple Shot Rummy."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

DATA = GameData(
    game="triple-shot-rummy",
    playthrough_seed=10,  # folds and plays
    wager_steps={"ante": 1, "pair-plus": 1, "six-card-bonus": 1},
    shuffler=Mode("packets of 3", 3, 52, False),
    deciding_pay=ChangedPay("ante", "dealer does not play", Fraction(3, 2)),
    idle_pays=((Setting({}, {"pair-plus": 1}), ChangedPay("pair-plus", "flush", Fraction(77))),),
    tiny_decks=(
        # Runs, pairs and triples worth 0, loose high cards above 20, straights and flushes of six.
        TinyDeck("Ah Kh Qh Jh Th Tc Td 5c 2s 2d", (("player", 3), ("dealer", 3))),
    ),
    examples=(
        Example("Ah Kh Qh", "Jh Th 2c", "play",
                {"pair-plus": "Royal Flush", "six-card-bonus": "Royal Flush"}),
        Example("4h 3h 2h", "6h 5h Kc", "play",
                {"pair-plus": "Straight Flush", "play": "fewer points with 0",
                 "six-card-bonus": "Straight Flush"}),
        Example("4h 4c 4d", "4s 8h Kc", "fold",
                {"pair-plus": "Three of a Kind", "six-card-bonus": "Four of a Kind", "ante": "fold"}),
        Example("4h 4c 8d", "4s 8h Kc", "fold", {"pair-plus": "Pair", "six-card-bonus": "Full House"}),
        Example("9h 4h 2h", "Qh 7h Kc", "fold", {"pair-plus": "Flush", "six-card-bonus": "Flush"}),
        Example("4h 3c 2d", "6h 5s Kc", "fold", {"pair-plus": "Straight", "six-card-bonus": "Straight"}),
        Example("4h 4c 9d", "4s 8h Kc", "fold", {"six-card-bonus": "Three of a Kind"}),
        Example("2h 2c 5d", "9s 7h 3c", "play", {"play": "fewer points with 1 to 5"}),
        Example("2h 2c 6d", "9s 7h 3c", "play", {"play": "fewer points with 6 to 19"}),
        Example("2h 2c 6d", "9s 9h 6c", "play", {"play": "tie", "ante": "tie"}),
        Example("2h 2c 6d", "Ks Jh Ac", "play", {"play": "dealer does not play"}),  # 21 points
        Example("2h 2c 6d", "Ks 9h Ac", "play", {"play": "fewer points with 6 to 19"}),  # 20 points
    ),
    prepared_hands=(
        # Play, Ante, Pair Plus, 6 Card Bonus. The dealer plays with 20 points or fewer.
        PreparedHand("Jd 9h Qd", "Tc 2s 8d", "play", 10 + 10 - 10 + 100),
        PreparedHand("5d Qs 4d", "Tc 2s 8d", "fold", -10 - 10 - 10),
        PreparedHand("7c 7d 2h", "Ks Qh Jd", "play", 0 + 10 + 10 - 10),
        PreparedHand("5s 6s 7s", "2c 9d 4h", "play", 40 + 10 + 400 - 10),
    ),
)  # fmt: skip
