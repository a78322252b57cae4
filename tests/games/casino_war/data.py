"""What the shared tests have to know of Casino War."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

DATA = GameData(
    game="casino-war",
    playthrough_seed=4,  # a war
    wager_steps={"primary": 2, "tie": 1},  # a surrender loses half
    shuffler=Mode("shoe", 1, 312, True),
    ledger_rounds=120,  # there is a choice only after a tie
    prints_hands=False,
    deciding_pay=ChangedPay("primary", "war won", Fraction(1, 10)),
    idle_pays=(
        (Setting({}, {}), ChangedPay("tie", "tie", Fraction(77))),
        (Setting({}, {}), ChangedPay("primary", "higher card", Fraction(77))),
    ),
    simulations=(Setting({"decks": "1"}, {}), Setting({"decks": "8"}, {"tie": 1})),
    draws={"war": 1},
    tiny_decks=(
        # Two and three of a rank: ties, and wars that tie again.
        TinyDeck("Ac Ad Ah Kc Kd 9c 9d 9h 2c 2d", (("player", 1), ("dealer", 1)), {"decks": "1"}),
    ),
    examples=(
        Example("9c 9d", "9h 9s", "war", {"primary": "war tied", "tie": "tie"}),
        Example("9c Ad", "9h Ks", "war", {"primary": "war won"}),
        Example("9c 2d", "9h 3s", "war", {"primary": "war lost"}),
        Example("9c", "9h", "surrender", {"primary": "surrender"}),
    ),
    prepared_hands=(
        # Primary, Tie. A war is lost with both wagers; won it pays one of them, tied both.
        PreparedHand("Kh", "9c", "", +10 - 10),
        PreparedHand("4s", "Jd", "", -10 - 10),
        PreparedHand("9h 5s", "9s 7h", "war", -20 + 100),
        PreparedHand("9d", "9c", "surrender", -5 + 100),
        PreparedHand("Qd Ah", "Qc 2s", "war", +10 + 100),
        PreparedHand("8d 6h", "8c 6s", "war", +20 + 100),
    ),
)  # fmt: skip
