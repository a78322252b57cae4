"""What the shared tests have to know of Crazy 4 Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

QUALIFIED, LOW = "Kd 9c 6s 4c 2s", "Jd 9c 6s 4c 2s"  # king high, and a dealer who does not qualify

DATA = GameData(
    game="crazy-4-poker",
    playthrough_seed=3,
    wager_steps={"ante": 2, "super-bonus": 2, "queens-up": 1},  # a flush pays 3 to 2
    shuffler=Mode("packets of 5", 5, 52, False),
    deciding_pay=ChangedPay("play", "dealer does not qualify", Fraction(3, 2)),
    idle_pays=((Setting({}, {}), ChangedPay("queens-up", "Flush", Fraction(77))),),
    tiny_decks=(
        # Straight flushes, fours, threes and pairs; dealers of a ten high at most do not qualify.
        TinyDeck("Ah Ac Ad As Kh Qh Jh Th 7c 4d 2s", (("player", 5), ("dealer", 5))),
    ),
    examples=(
        Example("Ah Ac Ad As 5h", QUALIFIED, "play-3x",
                {"super-bonus": "four Aces", "queens-up": "Four of a Kind", "play": "better hand"}),
        Example("9h 9d 9s 5h 9c", "Kd 8c 6s 4c 2s", "play-2x", {"super-bonus": "Four of a Kind"}),
        Example("9h 8h 7h 6h 5d", QUALIFIED, "play-3x",
                {"super-bonus": "Straight Flush", "queens-up": "Straight Flush"}),
        Example("8h 8c 8d 6h 5d", QUALIFIED, "play-3x",
                {"super-bonus": "Three of a Kind", "queens-up": "Three of a Kind"}),
        Example("Jh 8h 7h 2h 5d", QUALIFIED, "play-3x", {"super-bonus": "Flush", "queens-up": "Flush"}),
        Example("8h 7c 6d 5h 2d", QUALIFIED, "play-3x", {"super-bonus": "Straight", "queens-up": "Straight"}),
        Example("8h 8d 5c 5h 2d", QUALIFIED, "play-3x",
                {"super-bonus": "less than a straight", "queens-up": "Two Pair"}),
        Example("Qh Qd 5c 7h 2d", QUALIFIED, "play-1x", {"queens-up": "pair of Queens or better"}),
        Example("Jh Jc 5c 7h 3d", QUALIFIED, "play-1x", {"queens-up": "less than a pair of Queens"}),
        Example("Kh 9d 6d 4h 3d", QUALIFIED, "play-1x", {"ante": "tie", "play": "tie"}),
        Example("Kh 8d 6d 4h 3d", QUALIFIED, "play-1x",
                {"ante": "worse hand", "play": "worse hand",
                 "super-bonus": "worse hand, less than a straight"}),
        Example("Th 8d 6d 4h 3d", LOW, "play-1x",
                {"ante": "dealer does not qualify", "play": "dealer does not qualify",
                 "super-bonus": "less than a straight"}),
        Example("Ah Ac Ad As 5h", QUALIFIED, "fold",
                {"ante": "fold", "super-bonus": "fold", "queens-up": "fold"}),
    ),
    slow_proof=True,  # with all that is computed from it
    prepared_hands=(
        # Ante, Play, Super Bonus, Queens Up.
        PreparedHand("As Ad 9h 5c 3d", "Kh Qc 9d 4s 2c", "play-3x", 10 + 30 + 0 + 10),
        PreparedHand("Ks Kd Qh Qc 3d", "Jh Tc 8d 4s 2c", "play-2x", 0 + 20 + 0 + 20),
        PreparedHand("Ks Qd 9h 5c 3d", "Ah Ac 9d 4s 2c", "play-1x", -10 - 10 - 10 - 10),
        PreparedHand("Js 9h 7h 5c 3d", "Ah Ac 9d 4s 2c", "fold", -10 - 10 - 10),
    ),
)  # fmt: skip
