"""Verdicts on rounds: values of choices against every deal of the unseen cards, and results that add up."""

from fractions import Fraction
from itertools import combinations

import pytest

from feltlab.core.cards import UNKNOWN, Cards
from feltlab.core.position import hide_unseen
from feltlab.core.round import Round
from feltlab.games import GAMES
from feltlab.games.offers import game_to_data
from feltlab.ledger.event import MentionKey
from feltlab.parallel.progress import nobody_listens
from feltlab.pit.hands.decisions import Decision
from feltlab.pit.hands.mentions import VALUED
from feltlab.pit.hands.played import luck_of
from feltlab.workers.judge import JudgeLane, RoundRequest, _value_seat
from feltlab.workers.verdicts import expect_stake, judge_decision


def average_net(round: Round, choice: str) -> Fraction:
    """The mean net after a last choice, over every deal of the cards that the player does not see."""
    hidden = [place for place, card in enumerate(round.shoe) if card == UNKNOWN]
    unseen = [card for card in round.game.deck.cards if card not in round.shoe]
    nets = []
    for drawn in combinations(unseen, len(hidden)):
        shoe = list(round.shoe)
        for place, card in zip(hidden, drawn, strict=True):
            shoe[place] = card
        nets.append(Round(round.game, Cards(shoe), round.wagers, round.chosen).choose(choice).settlement.net)
    return Fraction(sum(nets), len(nets))


def judge(round: Round, choice: str, barred: tuple[str, ...] = ()):
    return judge_decision(Decision(0, 0, hide_unseen(round), choice, by_house=False, barred=barred))


# A last choice with few unseen cards: one card of the board, and the dealer's three cards.
LAST_CHOICES = {
    "let-it-ride": (
        Round.of(
            GAMES["let-it-ride"], "Ts Js 4d", "Qs 2h", **{"bet-1": 1000, "bet-2": 1000, "bet-3": 1000}
        ).choose("pull"),
        "ride",
    ),
    "three-card-poker": (
        Round.of(GAMES["three-card-poker"], "Qs 6d 3c", "Kh 9d 2c", ante=1000),
        "fold",
    ),
}


@pytest.mark.parametrize("game", LAST_CHOICES)
def test_values_and_costs_are_those_of_every_deal_of_the_unseen_cards(game):
    round, made = LAST_CHOICES[game]
    values = {choice: average_net(hide_unseen(round), choice) for choice in round.choices}
    verdict = judge(round, made)
    assert {one["choice"]: one["expected"] for one in verdict["choices"]} == pytest.approx(
        {choice: float(value) for choice, value in values.items()}
    )
    assert verdict["cost"] == pytest.approx(float(max(values.values()) - values[made]))
    assert verdict["choices"][0]["choice"] == max(values, key=lambda choice: values[choice])


def test_a_tie_at_war_is_worth_what_the_ranks_left_say():
    """Of 310 cards left, 22 are nines and 24 each of twelve ranks: the war is won as often as it is lost."""
    tied = Round.of(GAMES["casino-war"], "9s", "9d", primary=1000)
    ties = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)
    won = (1 - ties) / 2
    war = 1000 * (won - 2 * won + 2 * ties)  # a war won wins one unit, lost loses two, tied wins two
    verdict = judge(tied, "surrender")
    assert verdict["cost"] == pytest.approx(float(war + 500))
    assert judge(tied, "surrender", barred=("war",))["cost"] == 0.0  # no chips for the war: no mistake


def test_a_choice_that_puts_down_less_costs_in_proportion():
    """Insurance on half of the most costs half as much: it is a wager of its own."""
    game = GAMES["triple-shot-bonus"]
    insured = next(choice for choice in game.choices if choice.any_amount)
    seen = {"decline": -100.0, insured.name: -180.0}

    class Open:
        """A round in which insurance of up to $5 is open."""

        def cost(self, choice):
            return 500 if choice == insured.name else 0

    from feltlab.workers.verdicts import _value_of

    made = Decision(0, 0, Open(), f"{insured.name}=250", by_house=False, barred=())
    assert _value_of(made, seen) == pytest.approx(-140.0)


# Published edges of the first wager, in percent: wizardofodds.com, "Casino War" (six decks, with a bonus on
# a tie in the war), "Let It Ride" (of the bet that stays) and "Three Card Poker" (ante and play, pays 5-4-1).
PUBLISHED = {"casino-war": 2.33, "let-it-ride": 3.51, "three-card-poker": 3.37}


@pytest.mark.parametrize(("game", "edge"), PUBLISHED.items())
def test_the_expected_result_is_that_of_the_published_edge(game, edge):
    wagers = {spot.name: 1000 for spot in GAMES[game].wagers if GAMES[game].is_required(spot)}
    wagers = wagers or {GAMES[game].wagers[0].name: 1000}
    question = {**game_to_data(GAMES[game]), "wagers": wagers}
    assert expect_stake(question, nobody_listens)["expected"] == pytest.approx(-10 * edge, abs=0.06)


def test_a_seat_adds_its_choices_up_and_the_house_rule_makes_no_mistakes():
    made = [
        {"cost": 60.5, "by_house": False, "number": 0},
        {"cost": 0.0, "by_house": False, "number": 1},
        {"cost": 12.0, "by_house": True, "number": 2},
    ]
    seat = {"player": "ann", "seat": 3, "wagers": {"ante": 1000}, "decisions": made}
    stored = _value_seat(77, {"game": "faro"}, seat)
    assert (stored.key, stored.state) == (MentionKey("ann", 77, 3), VALUED)
    assert (stored.cost, stored.decisions, stored.mistakes) == (72.5, 2, 1)
    assert luck_of(-2000, -35.0, 72.5) == -1892.5  # -2000 = -35 - 72.5 - 1892.5


def test_the_first_lane_leaves_slow_games_to_the_second():
    slow, fast = RoundRequest("t", 1, "slow"), RoundRequest("t", 2, "fast")
    quick_lane, patient_lane = JudgeLane(takes_slow=False), JudgeLane(takes_slow=True)
    for lane in (quick_lane, patient_lane):
        lane._seconds |= {"slow": 16.0, "fast": 0.1}
        assert lane.choose([slow]) is (slow if lane is patient_lane else None)
    assert quick_lane.choose([slow, fast]) is fast
    assert patient_lane.choose([slow, fast]) is slow
