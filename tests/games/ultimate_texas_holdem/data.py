"""What the shared tests have to know of Ultimate Texas Hold'em."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

LAST = "check check raise-1x"

DATA = GameData(
    game="ultimate-texas-holdem",
    playthrough_seed=4,
    wager_steps={"ante": 2, "blind": 2, "trips": 1, "bad-beat": 1},  # a flush pays the Blind 3 to 2
    shuffler=Mode("packets of 2", 2, 52, False),
    deciding_pay=ChangedPay("play", "better hand", Fraction(2)),
    idle_pays=((Setting({}, {"trips": 1}), ChangedPay("trips", "Flush", Fraction(77))),),
    simulations=(Setting({"fold-loses-trips": "yes"}, {"trips": 5, "bad-beat": 1}),),
    slow_proof=True,
    slow_advice=True,
    tiny_decks=(
        # Royal and lower straight flushes, full houses, and dealers without a pair.
        TinyDeck("Ah Kh Qh Jh Th 9h Ac Kc 2d 3s", (("player", 2), ("board", 5), ("dealer", 2))),
    ),
    examples=(
        Example("Ah Kh", "2c 2d", "raise-4x", {"blind": "Royal Flush", "trips": "Royal Flush"},
                board="Qh Jh Th 4c 5c"),
        Example("9h 8h", "2c 2d", "raise-4x", {"blind": "Straight Flush", "trips": "Straight Flush"},
                board="Qh Jh Th 4c 5c"),
        Example("9h 8h", "Ah Kh", "raise-4x", {"blind": "worse hand", "bad-beat": "Straight Flush"},
                board="Qh Jh Th 4c 5c"),
        Example("9h 9c", "Ah Kd", "raise-3x", {"blind": "Four of a Kind", "trips": "Four of a Kind"},
                board="9d 9s Th 4c 5c"),
        Example("9h 9c", "Th Td", "raise-3x", {"bad-beat": "Four of a Kind"}, board="9d 9s Ts Tc 5c"),
        Example("9h 9c", "Ah Kd", "check raise-2x", {"blind": "Full House", "trips": "Full House"},
                board="9d Ts Th 4c 5c"),
        Example("9h 9c", "Th 4d", "check raise-2x", {"bad-beat": "Full House"}, board="9d Ts Td 4c 5c"),
        Example("9h 8h", "Ac Kd", LAST, {"blind": "Flush", "trips": "Flush"}, board="2h 3h Th Jc 5c"),
        Example("9h 8h", "Ah Kd", LAST, {"bad-beat": "Flush"}, board="2h 3h Th Jh 5c"),
        Example("9h 8c", "Ac Ad", LAST, {"blind": "Straight", "trips": "Straight"}, board="7h 6s 5d Jc Kc"),
        Example("9h 8c", "Ac 3c", LAST, {"bad-beat": "Straight"}, board="7h 6s 5c Jc Kc"),
        Example("9h 9c", "Ac Ad", LAST, {"bad-beat": "Three of a Kind"}, board="9s As 2d 6c Jc"),
        Example("2h 7c", "Ac Kd", "check check fold", {"trips": "fold", "ante": "fold"},
                {"fold-loses-trips": "yes"}, board="9s Js 3d 6c Qc"),
        Example("2h 7c", "3c 4d", LAST, {"play": "tie", "ante": "tie", "blind": "tie"},
                board="As Ks Qd Jc Tc"),
    ),
    prepared_hands=(
        # Play, Ante, Blind, Trips, Bad Beat.
        PreparedHand("As Ah", "Kc 7d", "raise-4x", 40 + 10 + 0 - 10 - 10, board="2c 3d 8h Js Kd"),
        PreparedHand("9h 9c", "Ah Kd", "raise-3x", 30 + 0 + 0 - 10 - 10, board="2c 3d 8h Js 5d"),
        PreparedHand("9h 8h", "Ac Kd", "check raise-2x", 20 + 10 + 15 + 70 - 10, board="2h 3h Th Jc Kc"),
        PreparedHand("9h 8c", "Ac Ad", LAST, 10 + 10 + 10 + 40 - 10, board="7h 6s 5d Jc Kc"),
        PreparedHand("2h 7c", "Ac Kd", "check check fold", -10 - 10 - 10 - 10, board="9s Js 3d 6c Qc"),
    ),
)  # fmt: skip
