"""What a seen card is worth in High Five Poker: tiny decks settled by the rules, and hands dealt out."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.analysis.seen_cards import seen_cards as stored_seen_cards
from feltlab.core.cards import JOKER, cards
from feltlab.core.stake import check_stake, default_stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting import showdown
from feltlab.counting.dealer_cards import link_cards, sum_cards
from feltlab.counting.showdown_ranks import DEALER, PLAYER, Cuts, meet_by_rank
from feltlab.counting.suits import strengths_of
from feltlab.games import GAMES
from feltlab.games.high_five_poker import rules, seen_cards, seen_cards_gains
from feltlab.games.high_five_poker.seen_cards_bounds import HIGH_STRENGTH, STEPS
from feltlab.games.high_five_poker.seen_cards_gains import (
    DEAD,
    DEALERS,
    SURE_STRENGTH,
    SeenDeck,
    count_seen_deck,
    sum_gains,
)
from feltlab.games.high_five_poker.solver.choices import LISTED_NETS, Undecided, weigh_kinds
from feltlab.games.high_five_poker.solver.deck_proof import count_deck, counted_deck
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove
from tests.games.high_five_poker.test_solver import NO_END, TINY_DECKS, settle_all
from tests.support.tiny_subsets import subsets_of_deck

GAME = GAMES["high-five-poker"]
BOTH = check_stake(GAME, {"ante": Fraction(3, 7), "trips": Fraction(2, 5)})
every_tiny_deck = pytest.mark.parametrize("text", TINY_DECKS.values(), ids=TINY_DECKS)


# -- Tiny decks -----------------------------------------------------------------------------------------


@cache
def parts_of(outcomes: Outcomes) -> int:
    """The net of both bets in thirty-fifths of a unit."""
    whole = 35 * Tally(GAME, {outcomes: 1}).total_expected(BOTH)
    assert whole.denominator == 1
    return int(whole)


def settled_parts(shoes, choice: int):
    outcomes = np.empty((len(shoes), len(rules.SPOTS)), np.int8)
    settle_all(GAME.kernel_data, shoes, np.array([choice], np.int8), outcomes)
    return np.array([parts_of(tuple(row)) for row in outcomes.tolist()])


def settle_beside_cards(tiny: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """By hand, card outside and kind of card: rank, kind, and the net of both bets, unused and used."""
    places = list(combinations(range(len(tiny) - 7), 7))
    holds = np.array([[at in dealer for at in range(len(tiny) - 7)] for dealer in places])
    for hand in combinations(tiny, 7):
        rest = [card for card in tiny if card not in hand]
        shoes = np.array([[*hand, *(rest[at] for at in dealer)] for dealer in places], np.int8)
        played, folded = settled_parts(shoes, rules.PLAY), int(settled_parts(shoes[:1], rules.FOLD)[0])
        plays = played.sum() >= folded * len(places)
        for kind, dealt in ((DEAD, ~holds), (DEALERS, holds)):
            for card, play, fold in zip(rest, played @ dealt, folded * dealt.sum(axis=0), strict=True):
                yield card >> 2, kind, int(play if plays else fold), int(max(play, fold))


@every_tiny_deck
def test_the_ranks_of_a_tiny_deck_are_those_of_settling_every_deal(text: str) -> None:
    tiny = sorted(cards(text))
    listed = count_deck(subsets_of_deck(cards(text)), NO_END, nobody_listens)
    deck = count_seen_deck(listed.found, listed.order, NO_END, nobody_listens)
    gains = sum_gains(deck, listed.strengths, LISTED_NETS)
    known = np.zeros((2, 2, 14), np.int64)
    for rank, kind, unused, used in settle_beside_cards(tiny):
        known[kind, :, rank] += unused, used
    for kind in (DEAD, DEALERS):
        ranks = {each.rank: each for each in seen_cards.list_ranks(GAME, BOTH, deck, gains, kind)}
        assert sum(each.chance for each in ranks.values()) == 1
        for rank in {card >> 2 for card in tiny}:
            cards_of_rank = sum(card >> 2 == rank for card in tiny)
            deals = 35 * cards_of_rank * comb(len(tiny) - 1, 7) * deck.dealers[kind]
            found = ranks[seen_cards.RANK_NAMES[rank]]
            assert found.chance == Fraction(cards_of_rank, len(tiny))
            assert [found.unused * deals, found.used * deals] == known[kind, :, rank].tolist()
    assert (known[:, 1] > known[:, 0]).any(axis=1).all()  # both kinds of cards change choices in this deck


@every_tiny_deck
def test_the_deals_of_strong_players_by_rank_are_those_of_every_pair_of_hands(text: str) -> None:
    tiny = sorted(cards(text))
    listed = count_deck(subsets_of_deck(cards(text)), NO_END, nobody_listens)
    cuts = Cuts(*map(listed.order.at_least, (rules.QUALIFIES, STEPS[0], HIGH_STRENGTH)))
    hands = list(combinations(tiny, 7))
    indices = listed.order.index_of[strengths_of(np.array(hands, np.uint8))].tolist()
    index_of = {frozenset(hand): index for hand, index in zip(hands, indices, strict=True)}
    known = np.zeros((14, 2, 4), np.int64)
    for hand, player in zip(hands, indices, strict=True):
        rest = [card for card in tiny if card not in hand]
        for dealt in combinations(rest, 7) if player >= cuts.first else ():
            dealer = index_of[frozenset(dealt)]
            if dealer <= player:
                kind = int(player >= cuts.high) if dealer < cuts.qualified else 2 + (dealer == player)
                np.add.at(known[:, DEALER, kind], [card >> 2 for card in dealt], 1)
                np.add.at(known[:, PLAYER, kind], [card >> 2 for card in hand], 1)
    _, met = meet_by_rank(listed.found, listed.order, cuts, nobody_listens)
    assert met.tolist() == known.tolist()
    assert known.sum(axis=0).all()  # every kind occurs


@every_tiny_deck
def test_a_bound_that_does_not_decide_is_noticed(text: str) -> None:
    """In a deck of sixteen cards some hands from two pair on do fold."""
    listed = count_deck(subsets_of_deck(cards(text)), NO_END, nobody_listens)
    deck = count_seen_deck(listed.found, listed.order, SURE_STRENGTH, nobody_listens)
    with pytest.raises(Undecided):
        sum_gains(deck, listed.strengths, LISTED_NETS)


def test_pays_that_the_bound_does_not_decide_are_said_not_to_be_proved(monkeypatch) -> None:
    listed = count_deck(subsets_of_deck(cards(TINY_DECKS["without"])), NO_END, nobody_listens)
    monkeypatch.setattr(seen_cards, "counted_deck", lambda progress: listed)
    for card in seen_cards.see_cards(GAME, default_stake(GAME), nobody_listens):
        assert not card.ranks
        assert card.method == seen_cards.UNPROVED


# -- The whole deck -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole() -> SeenDeck:
    listed = counted_deck()
    return count_seen_deck(listed.found, listed.order, SURE_STRENGTH, nobody_listens)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "seen"),
    [
        ("2c 3d 5h 7s 9c Jd Kh", "Jk 2d"),  # below a pair of sixes
        ("9c 9d 2c 4c 6h Jd Kh", "Jk Ac"),  # three clubs
        ("Kc Kd 3c 4c 8c Jd Th", "Jk 2c"),  # four clubs
        ("Jk Ad Qc 9c 7c 4h 2s", "As Kc"),  # a pair of aces with the joker
    ],
)
def test_dealers_with_a_card_are_those_that_are_dealt(whole: SeenDeck, hand: str, seen: str) -> None:
    """All C(45, 7) dealers without the card are dealt one by one, and taken from all C(46, 7)."""
    held = np.sort(np.array(cards(hand), np.uint8))
    index = int(whole.order.index_of[strengths_of(held[np.newaxis])[0]])
    column = max(index - whole.cuts.qualified + 1, 0)
    ((weights, _),) = seen_cards_gains.weigh_columns(whole, [(column, slice(0, 1))], LISTED_NETS)
    sums = np.zeros((1, JOKER + 1), np.int64)
    sum_cards(link_cards(whole.found, whole.order.tables), weights, held[np.newaxis], sums)
    kinds = [*weigh_kinds(int(whole.order.strengths[index])), 0]

    def weigh(deck) -> int:
        return int(np.dot(showdown.count_against(deck, held, rules.QUALIFIES), kinds))

    everyone = weigh(whole.found.deck)
    assert sums.sum() == 7 * everyone
    for card in cards(seen):
        assert sums[0, card] == everyone - weigh(np.setdiff1d(whole.found.deck, [card]))


@pytest.mark.slow
def test_all_deals_of_strong_players_are_counted_once_for_each_card(whole: SeenDeck) -> None:
    met, first = counted_deck().meetings, whole.cuts.first
    known = [int(kind[first:].sum()) for kind in (met.unqualified, met.less, met.equal)]
    for holder in (DEALER, PLAYER):
        low, high, less, equal = whole.met[:, holder].sum(axis=0).tolist()
        assert [low + high, less, equal] == [7 * n for n in known]


@pytest.mark.slow
def test_the_gains_agree_with_a_sample_of_hands() -> None:
    """10,000 hands at random, of which each was valued beside every card, gave these edges and errors."""
    found = stored_seen_cards(GAME, default_stake(GAME))
    for card, edge, error in zip(found.cards, (0.035612, 0.02591), (0.000009, 0.00019), strict=True):
        assert abs(float(found.edge_with(card.used)) - edge) < 4 * error
        assert card.unused == -prove(GAME).loss
        assert card.gain_error == 0
        assert [each.rank for each in card.ranks] == [*"23456789TJQKA", "joker"]
