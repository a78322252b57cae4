"""Rounds from one shoe: counted by pairs, and again by a Markov chain of what is left in the shoe."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from statistics import mean, stdev

import numpy as np
import pytest

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.games.casino_war import cut_card, rules
from feltlab.games.casino_war.cut_card import count_rounds, plan_shoe, sample_changes
from feltlab.kernel import plain_python
from feltlab.proving.proof import prove

WAR = GAMES["casino-war"]
ONE_DECK = WAR.with_options({"decks": "1"})
STAKE = default_stake(WAR)
PRIMARY, WAR_ENDS = WAR.spot("primary"), (rules.WAR_WON, rules.WAR_TIED, rules.WAR_LOST)

# -- A Markov chain of what is left -----------------------------------------------------------------

Left = tuple[int, ...]  # by number of copies left, from 0 to 4, the number of ranks
Chances = dict[Left, Fraction]


def size(left: Left) -> int:
    return sum(copies * ranks for copies, ranks in enumerate(left))


def draws(left: Left) -> Iterator[tuple[int, Left, Fraction]]:
    """One card: the copies that its rank had, what is left, and the probability."""
    for copies in range(1, len(left)):
        if left[copies]:
            after = list(left)
            after[copies] -= 1
            after[copies - 1] += 1
            yield copies, tuple(after), Fraction(copies * left[copies], size(left))


def draw(chances: Chances, cards: int) -> Chances:
    for _ in range(cards):
        found: Counter[Left] = Counter()
        for left, chance in chances.items():
            for _, after, share in draws(left):
                found[after] += chance * share  # type: ignore[assignment]
        chances = dict(found)  # type: ignore[arg-type]
    return chances


def first_cards(chances: Chances) -> tuple[Chances, Chances]:
    """What is left after two cards: with a tie, and without one."""
    tied: Counter[Left] = Counter()
    every = draw(chances, 2)
    for left, chance in chances.items():
        for copies in range(2, len(left)):
            if left[copies]:
                after = list(left)
                after[copies] -= 1
                after[copies - 2] += 1
                tie = Fraction(left[copies] * copies * (copies - 1), size(left) * (size(left) - 1))
                tied[tuple(after)] += chance * tie  # type: ignore[assignment]
    return dict(tied), {left: chance - tied[left] for left, chance in every.items()}  # type: ignore[return-value]


def match(chances: Chances) -> Fraction:
    """The probability that the next two cards match."""
    return sum(first_cards(chances)[0].values(), Fraction(0))


def follow_shoe(game: Game) -> tuple[Fraction, Fraction, Fraction]:
    """The expected rounds of a shoe of one deck, its ties, and its tied wars; every card is removed."""
    chances: Chances = {(0, 0, 0, 0, 13): Fraction(1)}
    rounds = ties = wars_tied = Fraction(0)
    while chances:
        rounds += sum(chances.values())
        tied, apart = first_cards(chances)
        ties += sum(tied.values())
        wars_tied += match(tied)
        chances = {}
        for some in (draw(tied, 2 * rules.BURNED + 2), apart):
            for left, chance in some.items():
                if not game.needs_shuffle(len(game.deck) - size(left), 1):
                    chances[left] = chances.get(left, Fraction(0)) + chance
    return rounds, ties, wars_tied


def test_pairs_count_what_a_markov_chain_counts() -> None:
    found = count_rounds(ONE_DECK, STAKE, "war")
    rounds, ties, wars_tied = follow_shoe(ONE_DECK)
    assert sum(found.values()) == rounds
    assert sum(n for (_, tie), n in found.items() if tie == rules.TIED) == ties
    won, tied, lost = (found[PRIMARY.number(end, 2), rules.TIED] for end in WAR_ENDS)
    assert tied == wars_tied
    assert found[rules.WIN, rules.NOT_TIED] == found[rules.LOSE, rules.NOT_TIED] == (rounds - ties) / 2
    assert won == lost == (ties - wars_tied) / 2


def test_a_shoe_ends_sooner_with_wars_so_its_average_round_has_fewer_ties() -> None:
    """One deck: with the next pair not looked at, a tie has 3 of 51."""
    found = count_rounds(ONE_DECK, STAKE, "war")
    ties = sum(n for (_, tie), n in found.items() if tie == rules.TIED)
    assert ties / sum(found.values()) < Fraction(3, 51)


@pytest.mark.parametrize(
    ("game", "strategy"),
    [
        (WAR, "surrender"),  # every round uses two cards
        (ONE_DECK.with_options({"war": "each"}), "war"),  # all cards are shuffled before every round
    ],
)
def test_where_the_number_of_rounds_is_fixed_the_average_is_a_full_shoe(game: Game, strategy: str) -> None:
    found = count_rounds(game, STAKE, strategy)
    rounds = sum(found.values())
    assert rounds.denominator == 1
    law = prove(game, STAKE, strategy)
    full = {outcomes: Fraction(n, law.tally.deals) for outcomes, n in law.law.counts.items()}
    assert {outcomes: n / rounds for outcomes, n in found.items()} == full


def test_surrender_deals_two_cards_a_round_to_the_cut_card() -> None:
    """312 cards, 78 behind the cut card: a round begins while fewer than 234 are used."""
    assert sum(count_rounds(WAR, STAKE, "surrender").values()) == 117


# -- Several seats ----------------------------------------------------------------------------------


def test_a_sample_of_one_seat_agrees_with_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within 4.5 standard errors of 2^16 shoes; the change itself is more than ten."""
    monkeypatch.setattr(cut_card, "BATCHES", 32)
    batches = sample_changes(ONE_DECK, STAKE, "war", 1, np.random.default_rng(7))
    counted = count_rounds(ONE_DECK, STAKE, "war")
    tied = [outcomes for outcomes in counted if outcomes[1] == rules.TIED]
    exact = sum(counted[outcomes] for outcomes in tied) / sum(counted.values()) - Fraction(3, 51)
    sampled = [sum(batch[outcomes] for outcomes in tied) for batch in batches]
    error = stdev(sampled) / len(sampled) ** 0.5
    assert abs(mean(sampled) - float(exact)) < 4.5 * error
    assert abs(float(exact)) > 10 * error


@pytest.mark.parametrize("war", ["one", "each"])
@pytest.mark.parametrize("seats", [1, 2, 7])
def test_a_round_uses_the_cards_that_the_rules_deal(war: str, seats: int) -> None:
    game, rng = WAR.with_options({"war": war}), np.random.default_rng(seats)
    plan, wars = plan_shoe(game, True, seats), 0
    for n in range(40):
        order = rng.permutation(np.array(game.deck.cards))
        if n % 2:  # a tie at the last seat
            same = np.flatnonzero(order[seats + 1 :] >> 2 == order[seats] >> 2)[0] + seats + 1
            order[[seats - 1, same]] = order[[same, seats - 1]]
        deal = Deal.start(game, Cards(order.tolist()), [{"primary": 200}] * seats)
        while deal.turn is not None:
            deal = deal.choose(deal.turn, "war")
            wars += 1
        used = plain_python(cut_card._cards_of_round)(plan, order >> 2, 0)
        assert used == len(deal.dealt)
    assert wars >= 20
