"""What the shared tests have to know of Triple Shot Bonus."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

DEAL = (("player", 1), ("dealer", 1), ("player", 1), ("dealer", 1))
WITH_HAT_TRICK = Setting({}, {"hat-trick": 1})

DATA = GameData(
    game="triple-shot-bonus",
    playthrough_seed=141,  # insurance and doubles
    wager_steps={"war": 2, "blackjack": 2, "poker": 2, "hat-trick": 1},  # halves: War ties, 3 to 2, Insurance
    shuffler=Mode("single cards", 1, 52, False),
    slow_proof=True,
    slow_advice=True,
    deciding_pay=ChangedPay("blackjack", "six cards", Fraction(5)),
    idle_pays=(
        (WITH_HAT_TRICK, ChangedPay("poker", "flush", Fraction(77))),
        (WITH_HAT_TRICK, ChangedPay("blackjack", "blackjack", Fraction(77))),
        (Setting({}, {}), ChangedPay("hat-trick", "none", Fraction(77))),
    ),
    simulations=(
        Setting({"soft-17": "stand"}, {"hat-trick": 1, "poker": 1}),
        Setting({"six-card-rule": "off"}, {"hat-trick": 3}),
    ),
    draws={"hit": 1, "double": 1, "split": 2},
    tiny_decks=(
        # Aces to split and insure, tens for blackjacks, a royal flush; the dealer hits soft 17.
        TinyDeck("As Ah Ks Qs Js Ts Th 6h 5s", DEAL),
        # Small cards, so that six of them do not bust: half a million ways to play.
        TinyDeck(
            "As Ah 2s 2h 3s 6s Th Ts 9h", DEAL, {"soft-17": "stand", "six-card-rule": "off"},
            name="stand", slow=True,
        ),
    ),
    examples=(
        # Split aces: a card on the first, a card on the second; two more for Poker. The dealer has 20, or 19.
        *(
            Example(f"Ac Ad {first} {second} 5c 5d", "Kc Qd", "split",
                    {"blackjack": f"split, {one} and {other}", "hat-trick": trick})
            for first, second, one, other, trick in (
                ("8c", "7d", "lose", "lose", "lost at Blackjack"),
                ("8c", "9d", "lose", "tie", "lost at Blackjack"),
                ("8c", "Td", "lose", "win", "none of the three lost"),
                ("9c", "7d", "tie", "lose", "lost at Blackjack"),
                ("9c", "9d", "tie", "tie", "none of the three lost"),
                ("9c", "Td", "tie", "win", "none of the three lost"),
                ("Tc", "8d", "win", "lose", "none of the three lost"),
                ("Tc", "9d", "win", "tie", "none of the three lost"),
                ("Tc", "Jd", "win", "win", "none of the three lost"),
            )
        ),
        Example("2c 2d 3c 3d 4c 5c", "Kc Qd", "hit hit hit hit",
                {"blackjack": "six cards", "poker": "Two Pair", "hat-trick": "lost at War"}),
        Example("2c 2d 3c 3d 4c 5c", "Kc Qd", "hit hit hit hit", {"blackjack": "lose"},
                {"six-card-rule": "off"}),
        Example("As Ks Qs Js Ts 2d", "9c 8d", "",
                {"blackjack": "blackjack", "poker": "Royal Flush", "hat-trick": "none of the three lost"}),
        Example("9s Ks Qs Js Ts 2d", "Ac 8d", "decline stand",
                {"war": "lower card", "poker": "Straight Flush", "hat-trick": "lost at War"}),
        Example("9s 9c 9d 9h Ts 2d", "8c Td", "stand",
                {"poker": "Four of a Kind", "blackjack": "push", "hat-trick": "none of the three lost"}),
        Example("Ks 9c 9d 9h Kc 2d", "Ad Kd", "insure",
                {"insurance": "dealer blackjack", "blackjack": "dealer blackjack", "poker": "Full House"}),
        Example("Ks Ac 2s 2h Kc 2d", "Ad Kd", "decline", {"blackjack": "push", "war": "lower card"}),
        Example("5s 6c Tc 9h Kc 2d", "5d Jd 3d", "double", {"blackjack": "win", "war": "tie"}),
        Example("5s 6c 7c 9h Kc 2d", "5d Jd 3d", "double", {"blackjack": "push"}),
        Example("8s 8c Tc 9h Kc 2d", "5d Jd 3d", "double",
                {"blackjack": "bust", "hat-trick": "lost at Blackjack"}),
        Example("Ks 8c 5d 9h 4c 2d", "7d Td", "stand",
                {"blackjack": "win", "poker": "less than a pair of Jacks", "hat-trick": "lost at Poker"}),
    ),
    prepared_hands=(
        # War, Insurance, Blackjack, Poker, Hat Trick. The dealer hits soft 17; six cards end every round.
        PreparedHand("5h 6c Ts 2d 7h Kc", "6s Td 9h", "double", -10 + 20 - 10 - 10),
        PreparedHand("9h 2c 8d 9c 8s 3d", "7s Tc", "hit stand", 10 + 10 + 15 + 90),
        PreparedHand("As Ad 9c Kh 2d 7s", "8h Tc", "split", 10 + 20 + 10 + 90),
        PreparedHand("Ac Ah 5d 2s 9h 8d", "Tc 9c", "split", 10 - 20 + 10 - 10),
        PreparedHand("Th 9h 2c 4d 6s 8s", "Ac Kd", "insure", -10 + 10 - 10 - 10 - 10),
        PreparedHand("Kc 8c 3d 5h 7d 2s", "Ah 6d Th", "decline stand", -10 + 10 - 10 - 10),
        PreparedHand("Ah Kd 2c 4s 6h 8c", "9c 7d", "", 10 + 15 - 10 - 10),
        PreparedHand("Tc 6d Kh 2h 3s 4c", "9s 8h", "hit", 10 - 10 - 10 - 10),
    ),
)  # fmt: skip
