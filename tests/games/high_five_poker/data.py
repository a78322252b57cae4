"""What the shared tests have to know of High Five Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

LOW = "2c 3c 4c 5d 6d 8d 9d"  # seven cards with which the dealer makes a straight

DATA = GameData(
    game="high-five-poker",
    playthrough_seed=3,  # folds and plays
    wager_steps={"ante": 1, "trips": 1},
    shuffler=Mode("Pai Gow Poker", 7, 53, False),
    slow_proof=True,
    deciding_pay=ChangedPay("ante", "dealer does not qualify", Fraction(3, 2)),
    idle_pays=((Setting({}, {"trips": 1}), ChangedPay("trips", "flush", Fraction(77))),),
    tiny_decks=(
        # Four aces and the joker, a royal flush in spades, a straight flush up to the nine of hearts.
        TinyDeck("As Ac Ad Ah Jk Ks Qs Js 9h 8h 7h 6h 5c 5d", (("player", 7), ("dealer", 7))),
        # Pairs around the sixes with which the dealer qualifies, and no straight.
        TinyDeck(
            "2c 2d 3h 3s 5c 5d 7h 7s 7d 9c 9d Jh Kc Kd", (("player", 7), ("dealer", 7)),
            {"trips": "APP-03"}, name="pairs",
        ),
    ),
    examples=(
        Example("As Ac Ad Ah Jk Ks Qs", LOW, "play", {"trips": "Five Aces", "play": "better hand"}),
        Example("As Ks Qs Js Ts 2d 4d", LOW, "play", {"trips": "Royal Flush"}),
        Example("Jk Ks Qs Js Ts 2d 4d", LOW, "fold", {"trips": "Royal Flush", "ante": "fold"}),
        Example("9s Ks Qs Js Ts 2d 4d", LOW, "play", {"trips": "Straight Flush"}),
        Example("9s 9c 9d 9h Ts 2d 4d", "2c 3c 4c 5h 7d 8d Kd", "play", {"trips": "Four of a Kind"}),
        Example("As Ac Jk 9h 9s 2d 4d", LOW, "play", {"trips": "Full House (Aces Up)"}),
        Example("9s 9c 9h As Ac 2d 4d", LOW, "play", {"trips": "Full House (Other)"}),
        Example("Ac Kd Qh Js Tc 2d 3h", "Ad Kh Qs Jc Td 2s 3c", "play",
                {"play": "tie", "ante": "tie"}),
        # A pair of fives does not qualify, a pair of sixes does.
        Example("Kc Qd 9h 8s 7c 3d 2h", "5c 5d Ah Ks Jc 9d 2s", "play",
                {"play": "dealer does not qualify", "ante": "dealer does not qualify"}),
        Example("Kc Qd 9h 8s 7c 3d 2h", "6c 6d Ah Ks Jc 9d 2s", "play", {"play": "worse hand"}),
        Example("6c 7d 8h 9s Tc 3d 2h", "5c 5d Ah Ks Jc 9d 2s", "play",
                {"play": "dealer does not qualify, straight or better"}),
    ),
    prepared_hands=(
        # Play, Ante, Trips. The dealer qualifies with a pair of sixes.
        PreparedHand("Ah Kh Qh Jh Th 2c 3d", "2s 4s 6d 8c Tc Qd Kd", "play", 10 + 10 + 1000),
        PreparedHand("2c 4d 6s 8h Tc Qh Kc", "As Ad 3c 3d 5h 7s 9c", "play", -10 - 10 - 10),
        PreparedHand("2c 4d 6s 8h Tc Qh Kc", "As Ad 3c 3d 5h 7s 9c", "fold", -10 - 10),
        PreparedHand("Jk Ad Ah 3c 5d 7s 9h", "6c 6d 2h 4s 8c Tc Qd", "play", 10 + 10 + 10),
    ),
)  # fmt: skip
