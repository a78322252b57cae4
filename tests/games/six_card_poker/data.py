"""What the shared tests have to know of Six Card Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, TinyDeck

DATA = GameData(
    game="six-card-poker",
    playthrough_seed=4,
    wager_steps={"ante": 1},
    shuffler=Mode("packets of 6", 6, 52, False),
    deciding_pay=ChangedPay("raise", "better hand", Fraction(3, 2)),
    tiny_decks=(
        # A-K and less on both sides, pairs, a straight, and a flush in hearts.
        TinyDeck("Ah Kh Qh 9h 7h Ac Kd Qc 9s 7c 4d 3s", (("player", 6), ("dealer", 6))),
    ),
    examples=(
        Example("Kc Kd 9h 7s 4c 2d", "Qs Jd 9c 6h 5s 3d", "raise",
                {"ante": "dealer does not qualify", "raise": "better hand"}),
        Example("Jc Td 8h 7s 4c 2d", "Qs Jd 9c 6h 5s 3d", "raise",
                {"ante": "dealer does not qualify", "raise": "worse hand"}),
        Example("Qc Jh 9d 6s 5c 2d", "Qs Jd 9c 6h 5s 3d", "raise",
                {"ante": "dealer does not qualify", "raise": "tie"}),
        Example("Kc Kd 9h 7s 4c 2d", "As Kh 9c 6h 5s 3d", "raise",
                {"ante": "better hand", "raise": "better hand"}),
        Example("Kc Kd 9h 7s 4c 2d", "As Ah 9c 6h 5s 3d", "raise",
                {"ante": "worse hand", "raise": "worse hand"}),
        Example("Kc Kd 9h 7s 4c 2d", "Ks Kh 9c 7h 4s 3d", "raise", {"ante": "tie", "raise": "tie"}),
    ),
    prepared_hands=(
        # Ante, Raise.
        PreparedHand("Kc Kd 9h 7s 4c 2d", "As Kh 9c 6h 5s 3d", "raise", 10 + 10),
        PreparedHand("Kc Kd 9h 7s 4c 2d", "Qs Jd 9c 6h 5s 3d", "raise", 0 + 10),
        PreparedHand("Jc Td 8h 7s 4c 2d", "As Kh 9c 6h 5s 3d", "fold", -10),
    ),
    slow_proof=True,
    prints_hands=False,
)  # fmt: skip
