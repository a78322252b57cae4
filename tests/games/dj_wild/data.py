"""What the shared tests have to know of DJ Wild Stud Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, TinyDeck

LOW = "3c 4d 6h 8s 9c"  # a high card for the dealer

DATA = GameData(
    game="dj-wild",
    playthrough_seed=3,
    wager_steps={"ante": 1, "blind": 1},
    shuffler=Mode("packets of 5", 5, 53, False),
    deciding_pay=ChangedPay("ante", "better hand", Fraction(3, 2)),
    tiny_decks=(
        # All five wild cards; royal flushes, fives and straight flushes, and hands without a wild card.
        TinyDeck("2c 2d 2h 2s Jk Ah Kh Th 9h 9c 5c 4d", (("player", 5), ("dealer", 5))),
    ),
    examples=(
        Example("2c 2d 2h 2s Jk", LOW, "play", {"blind": "Five Wilds", "play": "better hand"}),
        Example("2c 2d 2h 2s Th", LOW, "play", {"blind": "Royal Flush"}),
        Example("Ah Kh Jk Jh Th", LOW, "play", {"blind": "Royal Flush"}),
        Example("2c 2d 2h 2s 9h", LOW, "play", {"blind": "Five of a Kind"}),
        Example("2c 5h 4h 3h Ah", LOW, "play", {"blind": "Straight Flush"}),
        Example("2c 2d Jk Kh 7h", LOW, "play", {"blind": "Four of a Kind"}),
        Example("2c Kd Ks 7c 7h", LOW, "play", {"blind": "Full House"}),
        Example("2c 2d Kh 8h 5h", LOW, "play", {"blind": "Flush"}),
        Example("2c Ad 3s 4c 5h", LOW, "play", {"blind": "Straight"}),
        Example("2c 2d Ks 7c 4h", LOW, "play", {"blind": "less than a straight", "ante": "better hand"}),
        Example("2c 2d Ks 7c 4h", "2h 2s Kd 7d 4c", "play", {"play": "tie", "ante": "tie", "blind": "tie"}),
        Example("2c 2d 2h 2s Ah", "Jk Kh Qh Jh Th", "play", {"play": "tie"}),  # royal flushes are equal
        Example("2c 8d Ks 7c 4h", "2h 2s Qd 7d 5c", "fold", {"ante": "fold", "blind": "fold"}),
    ),
    prepared_hands=(
        # Play, Ante, Blind.
        PreparedHand("2c 2d 2h Ks Kd", "Ac 9d 7h 5s 3c", "play", 20 + 10 + 100),
        PreparedHand("Kc 9h 7d 5c 3h", "2h 2s Ad 8d 4c", "play", -20 - 10 - 10),
        PreparedHand("Kc 9h 7d 5c 3h", "2h 2s Ad 8d 4c", "fold", -10 - 10),
        PreparedHand("Jk Kc 9h 7d 5c", "2h Kd 9s 7c 5d", "play", 0),
    ),
)  # fmt: skip
