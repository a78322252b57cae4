"""What the shared tests have to know of Mississippi Stud."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

ONE, THREE = "bet-1x bet-1x bet-1x", "bet-3x bet-3x bet-3x"


def all_spots(outcome: str, **more: str) -> dict[str, str]:
    """The outcome on the Ante and on every street."""
    return dict.fromkeys(("ante", "third", "fourth", "fifth"), outcome) | more


DATA = GameData(
    game="mississippi-stud",
    slow_proof=True,  # 156 million deals through the rules alone, for every pay table of the bonus
    playthrough_seed=3,
    wager_steps={"ante": 1, "three-card-bonus": 1},
    shuffler=Mode("packets of 2", 2, 52, False),
    deciding_pay=ChangedPay("ante", "Flush", Fraction(30)),
    idle_pays=((Setting({}, {}), ChangedPay("three-card-bonus", "Flush", Fraction(77))),),
    tiny_decks=(
        TinyDeck("Ah Kh Qh Jh Th Tc Td 6s 6d", (("player", 2), ("board", 3))),
    ),
    examples=(
        Example("Ah Kh", "", THREE, all_spots("Royal Flush"), board="Qh Jh Th"),
        Example("4h 3h", "", ONE, all_spots("Straight Flush"), board="2h 6h 5h"),
        Example("4h 4c", "", ONE, all_spots("Four of a Kind"), board="4d 4s 8h"),
        Example("4h 4c", "", ONE, all_spots("Full House"), board="8d 4s 8h"),
        Example("9h 4h", "", ONE, all_spots("Flush"), board="2h Qh 7h"),
        Example("4h 3c", "", ONE, all_spots("Straight"), board="2d 6h 5s"),
        Example("4h 4c", "", ONE, all_spots("Three of a Kind"), board="9d 4s 8h"),
        Example("4h 4c", "", ONE, all_spots("Two Pair"), board="9d 9s 8h"),
        Example("Kh Kc", "", ONE, all_spots("pair of Jacks or better"), board="9d 4s 8h"),
        Example("7h 7c", "", ONE, all_spots("pair of Sixes to Tens"), board="9d 4s 8h"),
        Example("5h 5c", "", ONE, all_spots("less"), board="9d 4s 8h"),
        Example("Kh 9c", "", "bet-2x bet-2x fold", {"fourth": "fold", "third": "fold",
                "three-card-bonus": "Royal Flush"}, board="Ad Kd Qd"),
        Example("Kh 9c", "", "fold", {"three-card-bonus": "Straight Flush"}, board="4d 3d 2d"),
        Example("Kh 9c", "", "fold", {"three-card-bonus": "Three of a Kind"}, board="4d 4h 4s"),
        Example("Kh 9c", "", "fold", {"three-card-bonus": "Straight"}, board="4d 3h 2s"),
        Example("Kh 9c", "", "fold", {"three-card-bonus": "Flush"}, board="4d 3d 8d"),
        Example("Kh 9c", "", "fold", {"three-card-bonus": "fold"}, {"fold-loses-bonus": "yes"},
                board="4d 3d 8d"),
    ),
    prepared_hands=(
        # Ante, third, fourth and fifth street, 3 Card Bonus.
        PreparedHand("Kd Kh", "", "bet-3x bet-3x bet-3x", 10 + 30 + 30 + 30 - 10, board="2s 8d 4c"),
        PreparedHand("9d 4h", "", "fold", -10 - 10, board="2s 8d Kc"),
        PreparedHand("7d 7h", "", "bet-1x bet-2x bet-1x", 0 + 0 + 0 + 0 - 10, board="2s 8d Kc"),
        PreparedHand("Kd 9h", "", "bet-1x bet-1x fold", -10 - 10 - 10 + 60, board="2s 4s 3d"),
    ),
)  # fmt: skip
