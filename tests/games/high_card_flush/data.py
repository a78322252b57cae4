"""What the shared tests have to know of High Card Flush."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

DEALER = "9s 3s 2s Kd 8d Jc 7c"  # just qualifies
DATA = GameData(
    game="high-card-flush",
    playthrough_seed=4,
    wager_steps={"ante": 1, "flush-bonus": 1, "straight-flush-bonus": 1},
    shuffler=Mode("packets of 7", 7, 52, False),
    deciding_pay=ChangedPay("ante", "dealer does not qualify", Fraction(3, 2)),
    idle_pays=((Setting({}, {"flush-bonus": 1}), ChangedPay("flush-bonus", "four cards", Fraction(77))),),
    simulations=(Setting({}, {"flush-bonus": 1, "straight-flush-bonus": 1}),),
    tiny_decks=(
        # Hearts up to a run of six, dealers who do and do not qualify, equal hands.
        TinyDeck("7h 6h 5h 4h 3h 2h 9c 5c 2c 9d 5d 2d As Ks", (("player", 7), ("dealer", 7))),
    ),
    examples=(
        Example("8h 7h 6h 5h 4h 3h 2h", DEALER, "raise-3x",
                {"flush-bonus": "seven cards", "straight-flush-bonus": "run of seven"}),
        Example("8h 7h 6h 5h 4h 3h 2c", DEALER, "raise-2x",
                {"flush-bonus": "six cards", "straight-flush-bonus": "run of six"}),
        Example("8h 7h 6h 5h 4h Ac 2c", DEALER, "raise-2x",
                {"flush-bonus": "five cards", "straight-flush-bonus": "run of five"}),
        Example("8h 7h 6h 5h Ad Ac 2c", DEALER, "raise-1x",
                {"flush-bonus": "four cards", "straight-flush-bonus": "run of four"}),
        Example("Ah 2h 3h 5h Ad Ac 2c", DEALER, "fold", {"straight-flush-bonus": "run of three"}),
        Example("9h 3h 2h Ad Qd Ac 6c", DEALER, "raise-1x", {"ante": "tie", "raise": "tie"}),
        Example("9h 3h 2h Ad Qd Ac 6c", "9s 4s 2s Kd 8d Jc 7c", "raise-1x", {"ante": "worse hand"}),
        Example("9h 3h 2h Ad Qd Ac 6c", "8s 7s 6s Kd 8d Jc 7c", "raise-1x",
                {"ante": "dealer does not qualify"}),
    ),
    prepared_hands=(
        # Ante, Raise, Flush Bonus, Straight Flush Bonus.
        PreparedHand("8h 7h 6h 5h 4h 3h 2c", DEALER, "raise-3x", 10 + 30 + 1000 + 10000),
        PreparedHand("Ah Qh Th 8h 6h 2c 2d", DEALER, "raise-2x", 10 + 20 + 100 - 10),
        PreparedHand("9h 4h 2h Ad Qd Ac 6c", DEALER, "raise-1x", 10 + 10 - 10 - 10),
        PreparedHand("9h 4h 2h Ad Qd Ac 6c", "8s 7s 6s Kd 8d Jc 7c", "raise-1x", 10 + 0 - 10 - 10),
        PreparedHand("8h 7h 6h Ad Qd Ac 6c", DEALER, "fold", -10 - 10 + 70),
    ),
)  # fmt: skip
