"""What the shared tests have to know of Texas Hold'em Bonus."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

PLAIN = "2c 7d 9h Js 4d"  # a board without a pair, a straight or a flush

DATA = GameData(
    game="texas-holdem-bonus",
    playthrough_seed=4,
    wager_steps={"ante": 1, "bonus": 1},
    shuffler=Mode("packets of 2", 2, 52, False),
    deciding_pay=ChangedPay("turn", "better hand", Fraction(2)),
    idle_pays=((Setting({}, {}), ChangedPay("bonus", "A-K", Fraction(77))),),
    simulations=(Setting({"ante-pays-from": "flush"}, {"bonus": 1}),),
    slow_proof=True,
    slow_advice=True,
    tiny_decks=(
        # Aces against aces, flushes, straights and full houses.
        TinyDeck("Ah Kh Qh Jh Th Ac Ad As 2d 2s", (("player", 2), ("board", 5), ("dealer", 2))),
    ),
    examples=(
        Example("Ah Ac", "Ad As", "play bet check", {"bonus": "A-A against the dealer's A-A", "turn": "tie"},
                board=PLAIN),
        Example("Ah Ac", "Kd Ks", "play check bet", {"bonus": "A-A", "ante": "better hand, too low to pay"},
                board=PLAIN),
        Example("Ah Kh", "3d 3s", "play bet bet", {"bonus": "A-K suited"}, board=PLAIN),
        Example("Ah Qh", "3d 3s", "play bet bet", {"bonus": "A-Q or A-J suited"}, board=PLAIN),
        Example("Ah Kd", "3d 3s", "play bet bet", {"bonus": "A-K"}, board=PLAIN),
        Example("Kh Kd", "3d 3s", "play bet bet", {"bonus": "K-K, Q-Q or J-J"}, board=PLAIN),
        Example("Ah Jd", "3d 3s", "play bet bet", {"bonus": "A-Q or A-J"}, board=PLAIN),
        Example("Td Tc", "3d 3s", "play bet bet", {"bonus": "2-2 to T-T"}, board=PLAIN),
        Example("Td 8c", "3d 3s", "play bet bet", {"ante": "better hand"}, board=PLAIN),
        Example("Td 8c", "3d 3s", "play bet bet", {"ante": "better hand, too low to pay"},
                {"ante-pays-from": "flush"}, board=PLAIN),
    ),
    prepared_hands=(
        # Flop, Turn, River, Ante, Bonus.
        PreparedHand("Td 8c", "3d 3s", "play bet bet", 20 + 10 + 10 + 10 - 10, board=PLAIN),
        PreparedHand("Ah Kd", "3d 3s", "play check check", -20 - 10 + 150, board=PLAIN),
        PreparedHand("2h 3c", "Ad Ks", "fold", -10 - 10, board=PLAIN),
    ),
)  # fmt: skip
