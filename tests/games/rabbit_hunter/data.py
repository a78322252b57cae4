"""What the shared tests have to know of Rabbit Hunter Stud Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

NOTHING = "Kc 9d 7h 5c 3d"  # a dealer's hand without an ace, a pair or a straight

DATA = GameData(
    game="rabbit-hunter",
    playthrough_seed=0,  # a bought card
    wager_steps={"ante": 1, "tens-up": 1, "bad-beat": 1},
    shuffler=Mode("Rabbit Hunter or Six Card Poker", 6, 52, False),
    slow_proof=True,
    deciding_pay=ChangedPay("ante", "better hand", Fraction(2)),
    idle_pays=((Setting({}, {}), ChangedPay("tens-up", "flush", Fraction(77))),),
    simulations=(Setting({}, {"tens-up": 1, "bad-beat": 1}),),
    tiny_decks=(
        # Two of each rank of a royal flush: pairs around the tens, straights that tie, hands without an ace.
        TinyDeck("As Ks Qs Js Ts Ac Kd Qh Jd Td 2h", (("player", 5), ("player", 1), ("dealer", 5))),
    ),
    examples=(
        Example("As Ks Qs Js Ts 2d", NOTHING, "play", {"tens-up": "Royal Flush", "play": "better hand"}),
        Example("As Ks Qs Js 2d Ts", NOTHING, "buy", {"tens-up": "Royal Flush", "sixth-card": "bought"}),
        Example("9s 8s 7s 6s 5s 2d", NOTHING, "play", {"tens-up": "Straight Flush"}),
        Example("9s 9c 9h 4d 2d 9d", "Kc 8d 7h 5c 3d", "buy", {"tens-up": "Four of a Kind"}),
        Example("9s 9c 9h 2d 2c 4d", "Kc 8d 7h 5c 3d", "play", {"tens-up": "Full House"}),
        Example("Ks Qs 9s 4s 2s 3c", NOTHING, "play", {"tens-up": "Flush"}),
        Example("8s 7c 6d 5s 4h 2h", NOTHING, "play", {"tens-up": "Straight"}),
        Example("8s 8c 8d 5s 4h 2h", NOTHING, "play", {"tens-up": "Three of a Kind"}),
        Example("8s 8c 4d 5s 4h 2h", NOTHING, "play", {"tens-up": "Two Pair"}),
        Example("Ts Tc 4d 5s 3h 2h", NOTHING, "play",
                {"tens-up": "Tens Up", "ante": "dealer does not qualify", "play": "better hand"}),
        Example("Ts Tc 4d 5s 3h 2h", "Jd Jc 4h 5d 3c", "play",
                {"bad-beat": "bad beat", "ante": "worse hand", "play": "worse hand"}),
        Example("As Kc 4d 5s 3h 2h", "Ad Kd 4h 5d 3c", "play",
                {"ante": "tie", "play": "tie", "bad-beat": "no bad beat"}),
        Example("As Ac 4d 5s 3h 2h", "Ad Ah 4h 5d 3c", "play",
                {"ante": "tie", "bad-beat": "no bad beat"}),  # neither beats the other
    ),
    prepared_hands=(
        # Sixth Card, Ante, Play, Tens Up, Two Way Bad Beat. The dealer qualifies with ace high.
        PreparedHand("2c 5d 7h 9s Jc Ad", "Ks Kd 3c 4c 6d", "fold", -10 - 10 - 10),
        PreparedHand("Ts Td 4h 8c 2s 3d", "Ac 9d 7c 5s 3h", "play", 10 + 10 + 10 - 10),
        PreparedHand("Kh Kd 4c 4s 2d Ks", "Qs Qd Qh 6c 5h", "buy", -10 + 10 + 10 + 300 + 100),
        PreparedHand("3h 7h Qc 6s Kd Qs", "6d 8h Jd 9h 2c", "buy", -10 + 0 + 10 + 10 - 10),
    ),
)  # fmt: skip
