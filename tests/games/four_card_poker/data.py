"""What the shared tests have to know of Four Card Poker."""

from fractions import Fraction

from feltlab.shuffling.models import Mode
from tests.support.game_data import ChangedPay, Example, GameData, PreparedHand, Setting, TinyDeck

LOW = "2c 4d 6h 8s Tc Qd"  # queen high for the dealer

DATA = GameData(
    game="four-card-poker",
    playthrough_seed=5,
    slow_proof=True,
    wager_steps={"ante": 1, "aces-up": 1},
    shuffler=Mode("packets of 5", 5, 52, False),
    deciding_pay=ChangedPay("ante", "better or equal hand", Fraction(3, 2)),
    idle_pays=((Setting({}, {"aces-up": 1}), ChangedPay("aces-up", "flush", Fraction(77))),),
    tiny_decks=(
        # Four aces, straight flushes in hearts, straights, flushes, two pairs, and high cards.
        TinyDeck("As Ac Ad Ah Kh Qh Jh 9c 8d 7s 4c 3c", (("player", 5), ("dealer", 6))),
    ),
    examples=(
        Example("9s 9c 9d 9h 2s", LOW, "play-3x",
                {"bonus": "Four of a Kind", "aces-up": "Four of a Kind", "play": "better or equal hand"}),
        Example("Ks Qs Js Ts 2s", LOW, "play-3x", {"bonus": "Straight Flush", "aces-up": "Straight Flush"}),
        Example("9s 9c 9d 3h 2s", LOW, "play-2x", {"bonus": "Three of a Kind", "aces-up": "Three of a Kind"}),
        Example("9s 9c 9d 3h 2s", "Ts Td Th 4h 5s 7d", "play-1x",
                {"bonus": "Three of a Kind", "ante": "worse hand", "play": "worse hand"}),
        Example("Ks 9s 7s 3s 2d", LOW, "play-1x", {"bonus": "no bonus", "aces-up": "Flush"}),
        Example("As 2h 3d 4c 9s", LOW, "play-1x", {"aces-up": "Straight"}),
        Example("9s 9c 3d 3h 2s", LOW, "play-1x", {"aces-up": "Two Pair"}),
        Example("As Ac 9d 3h 2s", LOW, "play-1x", {"aces-up": "pair of Aces"}),
        Example("Ks Kc 9d 3h 2s", "Kh Kd 9s 3c 4h 6s", "play-1x",
                {"aces-up": "less than a pair of Aces", "play": "worse hand"}),
        # Equal hands win for the player: K-K-9-8 on both sides.
        Example("Ks Kc 9d 8h 2s", "Kh Kd 9s 8c 4h 3c", "play-1x",
                {"play": "better or equal hand", "ante": "better or equal hand"}),
        Example("As Ac 9d 3h 2s", LOW, "fold",
                {"ante": "fold", "bonus": "no bonus", "aces-up": "pair of Aces"}),
    ),
    prepared_hands=(
        # Play, Ante, Bonus, Aces Up.
        PreparedHand("9s 9c 9d 3h 2s", LOW, "play-3x", 30 + 10 + 20 + 90),
        PreparedHand("Ks Qc 9d 3h 2s", "As Ac 9h 3c 4h 6s", "play-1x", -10 - 10 - 10),
        PreparedHand("Ks Kc 9d 3h 2s", "As Ac 9h 3c 4h 6s", "play-2x", -20 - 10 - 10),
        PreparedHand("Ks Qc 9d 3h 2s", "As Ac 9h 3c 4h 6s", "fold", -10 - 10),
    ),
)  # fmt: skip
