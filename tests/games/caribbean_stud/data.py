"""What the shared tests have to know of Caribbean Stud Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, TinyDeck

QUALIFIED = "Ac Kd 8s 5s 3c"  # ace and king, and nothing else

DATA = GameData(
    game="caribbean-stud",
    playthrough_seed=3,
    wager_steps={"ante": 1},
    shuffler=Mode("packets of 5", 5, 52, False),
    deciding_pay=ChangedPay("ante", "dealer does not qualify", Fraction(3, 2)),
    tiny_decks=(
        # A royal flush, straights, pairs, and dealers with and without ace and king.
        TinyDeck("Ah Kh Qh Jh Th 9c 9d 4s 4c 2d 2s", (("player", 5), ("dealer", 5))),
    ),
    examples=(
        Example("Ah Kh Qh Jh Th", QUALIFIED, "raise", {"ante": "better hand", "raise": "Royal Flush"}),
        Example("9h 8h 7h 6h 5h", QUALIFIED, "raise", {"raise": "Straight Flush"}),
        Example("9h 9c 9d 9s 5h", QUALIFIED, "raise", {"raise": "Four of a Kind"}),
        Example("9h 9c 9d 5c 5h", QUALIFIED, "raise", {"raise": "Full House"}),
        Example("Qh 9h 7h 4h 2h", QUALIFIED, "raise", {"raise": "Flush"}),
        Example("9h 8c 7d 6h 5h", QUALIFIED, "raise", {"raise": "Straight"}),
        Example("9h 9c 9d 6h 2h", QUALIFIED, "raise", {"raise": "Three of a Kind"}),
        Example("9h 9c 6d 6h 2h", QUALIFIED, "raise", {"raise": "Two Pair"}),
        Example("Ah Kc 9d 6h 2h", QUALIFIED, "raise", {"raise": "less than two pair"}),
        Example("Ah Kc 8d 5h 3h", QUALIFIED, "raise", {"ante": "tie", "raise": "tie"}),
        Example("Ah Kc 7d 5h 3h", QUALIFIED, "raise", {"ante": "worse hand", "raise": "worse hand"}),
        Example("9h 9c 6d 6h 2h", "Ac Qd 8h 5s 3c", "raise",
                {"ante": "dealer does not qualify", "raise": "dealer does not qualify"}),
        Example("9h 9c 6d 6h 2h", QUALIFIED, "fold", {"ante": "fold"}),
    ),
    slow_proof=True,  # with all that is computed from it
    prepared_hands=(
        # Ante and Raise, which is twice the Ante.
        PreparedHand("Ks Kc 9h 5c 3d", "Ah Kd 7d 4s 2c", "raise", 10 + 20),
        PreparedHand("Qs Jd 9h 5c 3d", "Ah Kd 7d 4s 2c", "fold", -10),
        PreparedHand("7s 7c 7h 5c 3d", "Qh Tc 9d 4s 2c", "raise", 10 + 0),
        PreparedHand("5s 6s 7s 8s 2s", "9c 9d Kh Qs 3c", "raise", 10 + 5 * 20),
    ),
)  # fmt: skip
