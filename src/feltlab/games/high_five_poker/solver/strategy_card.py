"""Optimal play on a card: the rule "a pair of sevens or better plays", and its exceptions in words."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import Cards, plural
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.core.tally import Tally
from feltlab.counting.subsets import HAND, Ints
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import LISTED_NETS, Nets
from feltlab.games.high_five_poker.solver.deck_proof import (
    RULE_STRENGTH,
    DeckProof,
    count_holdings,
    counted_deck,
    leads,
    prove_standard_deck,
)
from feltlab.games.high_five_poker.solver.law import MIN_STRENGTH, law
from feltlab.text import listing

KEY = "strength"  # the one key of the strategy card


def card(game: Game, stake: Stake) -> StrategyCard:
    """The rule by strength, its exceptions, and the cost of following the rule alone."""
    nets = Nets.of(game)
    proof = prove_standard_deck(nets=nets)
    rule = next(name for name, strength in MIN_STRENGTH.items() if strength == RULE_STRENGTH)
    ante = game.spot("ante")
    best, by_rule = (Tally(game, law(proof, name).counts).expected(ante) for name in ("optimal", rule))
    lines = ((f"{rule.replace('-', ' ')} or better", "play"), ("less", "fold"))
    exceptions = tuple(map(_describe_group, group_exceptions(nets)))
    cost, missed = (best - by_rule) * stake["ante"], len(proof.exceptions.hands)
    index = {KEY: (CardRow("play", (RULE_STRENGTH,), line=0), CardRow("fold", line=1))}
    classes = len(counted_deck().strengths)
    return StrategyCard(lines, exceptions, cost, classes=classes, missed=missed, index=index)


def read_hand(round: Round) -> HandKey:
    """The strength of the five cards."""
    hand = np.array(round.seen[:HAND], np.uint8)
    return HandKey(KEY, (int(poker.strength(poker.tables(), hand)),))


@dataclass(frozen=True)
class ExampleHand:
    """A hand, and how much its best choice gains."""

    hand: Cards
    gain: Fraction  # over the other choice, in units of the Ante


@dataclass(frozen=True)
class NamedExceptions:
    """The exceptions among the hands of one name."""

    name: str  # "High Card", "Pair of Sevens"
    choice: str  # the best one
    count: int  # hands with that best choice
    hands: int  # hands of that name
    examples: tuple[ExampleHand, ...]  # the clearest, the one in the middle, the closest
    holdings: dict[tuple[bool, int], tuple[int, int]]  # joker held, cards below a six: exceptions, hands


def group_exceptions(nets: Nets = LISTED_NETS) -> list[NamedExceptions]:
    """The exceptions to the rule by the name of their hands, from the weakest up."""
    proof = prove_standard_deck(nets=nets)
    strengths = np.array(proof.strengths, np.uint16)[proof.exceptions.order_indices]
    by_lead = leads(strengths)
    places = [(lead, np.flatnonzero(by_lead == lead)) for lead in np.unique(by_lead).tolist()]
    return [_group(proof, strengths, lead, at) for lead, at in places]


def _group(proof: DeckProof, strengths: NDArray[np.uint16], lead: int, at: Ints) -> NamedExceptions:
    """The exceptions at these places, which have one lead and so one choice: the rule goes by lead."""
    exceptions = proof.exceptions
    found = count_holdings(strengths, exceptions.hands, exceptions.weights, at)
    examined = {key: n for key, n in proof.examined.items() if key.lead == lead}
    order = at[np.argsort(abs(proof.gains[at]), kind="stable")].tolist()
    examples = tuple(_example(proof, order[n]) for n in (-1, len(order) // 2, 0))
    holdings = {(key.joker, key.low): (found.get(key, 0), n) for key, n in examined.items()}
    name = f"Pair of {plural(lead & 15)}" if lead else poker.CATEGORIES[poker.HIGH_CARD]
    choice = rules.CHOICES[exceptions.choices[at[0]]].name
    return NamedExceptions(name, choice, sum(found.values()), sum(examined.values()), examples, holdings)


def _example(proof: DeckProof, at: int) -> ExampleHand:
    hand = sorted(proof.exceptions.hands[at].tolist(), reverse=True)
    return ExampleHand(Cards(hand), Fraction(abs(int(proof.gains[at])), proof.dealers * proof.nets.parts))


def _describe_group(group: NamedExceptions) -> str:
    """'Pair of Sevens: fold 3 of 7 hands, all with ..., some with ...; clearest ...'"""
    whole = [key for key, (count, hands) in group.holdings.items() if count == hands]
    some = [key for key, (count, hands) in group.holdings.items() if 0 < count < hands]
    parts = [f"{word} {_describe_holdings(keys)}" for word, keys in (("all", whole), ("some", some)) if keys]
    count = f"{group.count:,} of {group.hands:,} hands"
    return f"{group.name}: {group.choice} {count}, {', '.join(parts)}; clearest {group.examples[0].hand}"


def _describe_holdings(keys: list[tuple[bool, int]]) -> str:
    """'with the joker and 0 or 1 cards from 2 to 5'."""
    parts = []
    for joker in (True, False):
        low = sorted(n for held, n in keys if held == joker)
        if low:
            count = f"{listing(low, 'or')} {'card' if low == [1] else 'cards'}"
            parts.append(f"with{'' if joker else 'out'} the joker and {count} from 2 to 5")
    return " and ".join(parts)
