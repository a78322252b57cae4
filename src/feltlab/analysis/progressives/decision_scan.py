"""Every hand at the first choice of a round: the levels that each choice leaves open to it.

No later choice may matter to the jackpot; `street_walk` is for games in which one does. A choice may forfeit
the jackpot, leave it as the seen cards make it, or let unseen cards count as well. Unseen cards are
exchangeable, so a choice is described by the number of unseen cards that it lets count. The scan counts the
levels under the play that is best for the main game, and lists the hands whose choice there is not the best
for the jackpot. No other hand can have another best choice, whatever the meter shows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.analysis.progressives.alike_hands import merge_alike
from feltlab.analysis.progressives.card_sets import is_among, step_set
from feltlab.analysis.progressives.level_prizes import MeterPrize
from feltlab.core.cards import FACE_DOWN
from feltlab.core.game import Game
from feltlab.core.layout import ALIKE
from feltlab.core.solver import Player
from feltlab.errors import Refused
from feltlab.kernel import Array, kernel, lean
from feltlab.parallel.threads import map_in_threads
from feltlab.progressives.claims import FindLevel, JackpotHand, find_level_kernel

Ints = NDArray[np.int64]
FORFEITS = -1  # in place of a number of unseen cards
MAX_LISTED = 1 << 21  # hands, for each first card
MAX_READ = 3_000_000_000  # hands that are read one by one
LARGEST = 1 << 62
SAMPLES = 20


@dataclass(frozen=True)
class DecisionShape:
    """The one choice of a game as a jackpot sees it."""

    own: tuple[int, ...]  # the seen places that belong to the jackpot's hand
    beside: tuple[int, ...]  # the other seen places: none, or one
    unseen: tuple[int, ...]  # by choice: the unseen cards that count, or `FORFEITS`
    legal: int  # the open choices, a bit each

    @property
    def moves(self) -> bool:
        """Can a choice change the level at all?"""
        return len({self.unseen[n] for n in range(len(self.unseen)) if self.legal >> n & 1}) > 1


class OtherShape(Refused):
    """The game does not offer one choice, in every round, with at most one card beside the jackpot's hand."""


def shape_of(hand: JackpotHand) -> DecisionShape:
    """The shape of a game's one choice; refused where the game has another structure."""
    game = hand.game
    seen, legal = _look(game, _sample_shoe(game, 0), ())
    for seed in range(SAMPLES):
        shoe = _sample_shoe(game, seed)
        if _look(game, shoe, ()) != (seen, legal) or not legal or _matters_later(hand, shoe, legal):
            raise OtherShape(f"{game.title} does not have one choice for the jackpot in every round.")
    own = tuple(place for place in hand.places if place in seen)
    beside = tuple(sorted(seen - set(own)))
    if len(beside) > 1:
        raise OtherShape(f"{game.title} shows {len(beside)} cards beside the jackpot's hand; at most is one.")
    unseen = tuple(_unseen_cards(hand, number, own) for number in range(len(game.choices)))
    return DecisionShape(own, beside, unseen, legal)


def _sample_shoe(game: Game, seed: int) -> Array:
    shuffled = np.random.default_rng(seed).permutation(np.array(game.deck.cards, np.int8))
    shoe: Array = shuffled[: game.places].copy()
    return shoe


def _look(game: Game, shoe: Array, made: tuple[int, ...]) -> tuple[set[int], int]:
    """The places that the player sees after some choices, and the choices that are open."""
    seen, choices = np.empty_like(shoe), np.array(made, np.int8)
    game.rules.visible(game.kernel_data, shoe, choices, seen)
    legal = game.rules.legal(game.kernel_data, shoe, choices)
    return {place for place, card in enumerate(seen.tolist()) if card >= 0}, int(legal)


def _matters_later(hand: JackpotHand, shoe: Array, legal: int) -> bool:
    """May a choice after the first one change the level?"""
    ahead: list[tuple[int, ...]] = [(n,) for n in _numbers(hand, legal)]
    while ahead:
        made = ahead.pop()
        after = _numbers(hand, _look(hand.game, shoe, made)[1])
        forfeits = hand.progressive.fold == "forfeits" and any(hand.is_folded((n,)) for n in after)
        if after and (hand.shown_only or forfeits):
            return True
        ahead += [(*made, n) for n in after]
    return False


def _numbers(hand: JackpotHand, legal: int) -> list[int]:
    return [n for n in range(len(hand.game.choices)) if legal >> n & 1]


def _unseen_cards(hand: JackpotHand, choice: int, own: tuple[int, ...]) -> int:
    """The unseen cards that count after a choice, or `FORFEITS`."""
    if hand.progressive.fold == "forfeits" and hand.is_folded((choice,)):
        return FORFEITS
    counted = hand.cards_of(_sample_shoe(hand.game, 0).tolist(), (choice,))
    if len(counted) not in hand.reading.sizes:
        return FORFEITS
    return len(counted) - len(own)


# -- The scan ---------------------------------------------------------------------------------------


class PrizeTable(NamedTuple):
    """The prize of each level: fixed, and as a share of the meter, in whole parts of a cent and of it."""

    fixed: Ints
    shares: Ints


class ScanTables(NamedTuple):
    """The shape of a choice as tables for a kernel."""

    own: Ints
    beside: Ints
    group: Ints  # by choice: its row among the numbers of unseen cards
    draws: Ints  # by row: the number of unseen cards that count, or `FORFEITS`
    weight: Ints  # by row: makes the counts of all rows comparable
    template: Array  # the shoe as the player sees it, without cards
    legal: int


@dataclass(frozen=True)
class DecisionScan:
    """The levels under the main game's best play, and the hands whose choice the jackpot may move."""

    shape: DecisionShape
    whole: int  # the weight of one hand: the deals of its unseen cards
    hands: int  # all hands, with the card beside
    level_counts: tuple[int, ...]  # by level, in parts of `whole * hands`
    cards: NDArray[np.int8]  # of the listed hands, the card beside last
    weights: Ints
    base: NDArray[np.int8]  # the main game's best choice
    fixed: Ints  # [hand, choice]: cents, in parts of `whole * parts`
    shares: Ints  # [hand, choice]: shares of the meter, in parts of `whole * parts`
    parts: int


def scan_decisions(hand: JackpotHand, player: Player, prizes: Sequence[MeterPrize]) -> DecisionScan:
    """Scan every hand at the choice of a game, under the choices of a player."""
    shape, game = shape_of(hand), hand.game
    rest = len(game.deck) - len(shape.own) - len(shape.beside)
    draws = sorted(set(shape.unseen))
    ways = [comb(rest, number) if number > 0 else 1 for number in draws]
    whole = lcm(*ways)
    sets = comb(len(game.deck), len(shape.own))
    if sets * sum(ways) > MAX_READ:
        raise Refused(f"The joint play of {game.title} has too many hands to read: {sets * sum(ways):,}.")
    tables = _scan_tables(game, shape, draws, [whole // n for n in ways])
    table, parts = _prize_table(prizes, whole)
    found = _run_scan(hand, player, tables, table, len(shape.own))
    hands = sets * (rest + 1 if shape.beside else 1)
    listed = merge_alike(
        len(shape.own), found.cards, found.base, found.fixed, found.shares, _is_symmetric(hand)
    )
    group = tables.group
    return DecisionScan(
        shape, whole, hands, tuple(found.counts), *listed[:3], listed[3][:, group], listed[4][:, group], parts
    )


def _scan_tables(game: Game, shape: DecisionShape, draws: list[int], weight: list[int]) -> ScanTables:
    group = np.array([draws.index(number) for number in shape.unseen], np.int64)
    template = np.full(game.places, FACE_DOWN, np.int8)
    own, beside = np.array(shape.own, np.int64), np.array(shape.beside, np.int64)
    return ScanTables(own, beside, group, np.array(draws), np.array(weight), template, shape.legal)


def _prize_table(prizes: Sequence[MeterPrize], whole: int) -> tuple[PrizeTable, int]:
    """The prizes of all levels in whole parts, and the parts; refused if their sums could exceed 64 bits."""
    parts = lcm(*(part.denominator for prize in prizes for part in prize))
    fixed, shares = ([int(part * parts) for part in column] for column in zip(*prizes, strict=True))
    if whole * max(*fixed, *shares) > LARGEST:
        raise Refused("The prizes of this progressive are too large to be counted exactly.")
    return PrizeTable(np.array(fixed, np.int64), np.array(shares, np.int64)), parts


def _is_symmetric(hand: JackpotHand) -> bool:
    """Does renaming suits change nothing?"""
    return hand.game.suits == ALIKE and not len(hand.claims.held)


class Found(NamedTuple):
    counts: list[int]
    cards: NDArray[np.int8]
    base: NDArray[np.int8]
    fixed: Ints
    shares: Ints


def _run_scan(hand: JackpotHand, player: Player, tables: ScanTables, prizes: PrizeTable, size: int) -> Found:
    deck = np.array(sorted(hand.game.deck.cards), np.int8)
    scan = _compile_scan(find_level_kernel(hand.reading), player.decide)
    levels, rows = len(hand.progressive.levels), len(tables.draws)
    parts: dict[int, tuple[Any, ...]] = {}

    def work(first: int) -> None:
        for room in (1 << 12, MAX_LISTED):
            lists = ScanLists(
                np.zeros(levels, np.int64),
                np.empty((room, size + len(tables.beside)), np.int8),
                np.empty(room, np.int8),
                np.empty((2, room, rows), np.int64),
            )
            many = scan((hand.tables, hand.claims), player.data, prizes, tables, deck, first, lists)
            if many <= room:
                parts[first] = lists.totals, lists.cards[:many], lists.bases[:many], *lists.worth[:, :many]
                return
        raise Refused("Too many hands might be played differently for the jackpot.")

    map_in_threads(work, range(len(deck) - size + 1))
    columns = [[parts[first][n] for first in sorted(parts)] for n in range(5)]
    totals: list[int] = sum(columns[0]).tolist()
    return Found(totals, *(np.concatenate(column) for column in columns[1:]))


@lru_cache(maxsize=32)
def _compile_scan(find: FindLevel, decide: Callable[..., int]) -> Callable[..., int]:
    count_rows = kernel(_build_count_rows(find, kernel(_build_draw(find))))
    return kernel(_build_scan(kernel(_build_visit(decide, count_rows))))


def _build_draw(find: FindLevel) -> Callable[..., None]:
    def count_draws(tables: Any, claims: Any, hand: Array, held: int, rest: Array, counts: Ints) -> None:
        """Count the levels of a hand with every set of cards of the rest in its last places."""
        at, drawn = np.arange(len(hand) - held), hand[held:]
        drawn[:] = rest[: len(drawn)]
        going = True
        while going:
            level = find(tables, claims, hand)
            if level < len(counts):
                counts[level] += 1
            going = step_set(rest, at, drawn, 0)

    return count_draws


class ScanRoom(NamedTuple):
    """The hand that a scan is at, and room for what its choices are worth."""

    at: Ints  # the places of its cards in the deck
    hand: Array
    longer: Array  # the same cards, and room for unseen ones
    rest: Array
    seen: Array  # as the player sees the shoe
    counts: Ints  # [row, level]
    worth: Ints  # [fixed or shares, row]


class ScanLists(NamedTuple):
    """What a scan writes: counts by level, and the hands that the jackpot may move."""

    totals: Ints
    cards: NDArray[np.int8]
    bases: NDArray[np.int8]
    worth: Ints  # [fixed or shares, hand, row]


@lean
def _write_rest(deck: Array, at: Ints, up_at: int, rest: Array) -> None:
    """Write the cards of the deck that are neither in the hand nor beside it."""
    n = 0
    for place in range(len(deck)):
        if place != up_at and not is_among(at, place):
            rest[n] = deck[place]
            n += 1


@lean
def _weigh(prizes: PrizeTable, room: ScanRoom) -> bool:
    """Write what each row of counts is worth; is any of them worth anything?"""
    some = False
    for row in range(len(room.counts)):
        fixed, shares = 0, 0
        for level in range(len(prizes.fixed)):
            count = room.counts[row, level]
            some = some or count > 0
            fixed += count * prizes.fixed[level]
            shares += count * prizes.shares[level]
        room.worth[0, row], room.worth[1, row] = fixed, shares
    return some


@lean
def _is_moved(shape: ScanTables, worth: Ints, mine: int) -> bool:
    """Is another open choice better for the jackpot than this row, by fixed prizes or by shares?"""
    for choice in range(len(shape.group)):
        other = shape.group[choice]
        if shape.legal >> choice & 1 and (
            worth[0, other] > worth[0, mine] or worth[1, other] > worth[1, mine]
        ):
            return True
    return False


@lean
def _list_hand(room: ScanRoom, lists: ScanLists, at: int, up: int, base: int) -> None:
    size = len(room.hand)
    for i in range(size):
        lists.cards[at, i] = room.hand[i]
    if lists.cards.shape[1] > size:
        lists.cards[at, size] = up
    lists.bases[at] = base
    for row in range(room.worth.shape[1]):
        lists.worth[0, at, row] = room.worth[0, row]
        lists.worth[1, at, row] = room.worth[1, row]


def _build_count_rows(find: FindLevel, count_draws: Callable[..., None]) -> Callable[..., None]:
    def count_rows(
        tables: Any, claims: Any, shape: ScanTables, deck: Array, up_at: int, room: ScanRoom
    ) -> None:
        """Count the levels of the hand that a scan is at, for each number of unseen cards."""
        size = len(room.hand)
        room.counts[:] = 0
        for row in range(len(shape.draws)):
            drawn = shape.draws[row]
            if drawn == 0:
                level = find(tables, claims, room.hand)
                if level < room.counts.shape[1]:
                    room.counts[row, level] = shape.weight[row]
            elif drawn > 0:
                _write_rest(deck, room.at, up_at, room.rest)
                room.longer[:size] = room.hand
                count_draws(tables, claims, room.longer[: size + drawn], size, room.rest, room.counts[row])
                room.counts[row] *= shape.weight[row]

    return count_rows


def _build_visit(decide: Callable[..., int], count_rows: Callable[..., None]) -> Callable[..., int]:
    def visit(
        read: Any, data: Any, prizes: PrizeTable, shape: ScanTables, deck: Array, room: ScanRoom,
        lists: ScanLists, listed: int,
    ) -> int:  # fmt: skip
        """Scan one hand beside every card that may lie there; returns how many hands are listed."""
        for up_at in range(len(deck) if len(shape.beside) else 1):
            if len(shape.beside) and is_among(room.at, up_at):
                continue
            count_rows(read[0], read[1], shape, deck, up_at if len(shape.beside) else -1, room)
            if not _weigh(prizes, room):
                if shape.draws.max() <= 0:
                    break  # the card beside changes nothing
                continue
            for i in range(len(shape.own)):
                room.seen[shape.own[i]] = room.hand[i]
            if len(shape.beside):
                room.seen[shape.beside[0]] = deck[up_at]
            base = decide(data, room.seen, shape.legal, room.seen[:0])
            lists.totals[:] += room.counts[shape.group[base]]
            if _is_moved(shape, room.worth, shape.group[base]):
                if listed < len(lists.cards):
                    _list_hand(room, lists, listed, deck[up_at], base)
                listed += 1
        return listed

    return visit


def _build_scan(visit: Callable[..., int]) -> Callable[..., int]:
    def scan(
        read: Any, data: Any, prizes: PrizeTable, shape: ScanTables, deck: Array, first: int,
        lists: ScanLists,
    ) -> int:  # fmt: skip
        """Scan all sets whose first card is at this place; returns how many hands it would list."""
        size, rows = len(shape.own), len(shape.draws)
        room = ScanRoom(
            np.arange(first, first + size),
            deck[first : first + size].copy(),
            np.empty(size + max(shape.draws.max(), 0), deck.dtype),
            np.empty(len(deck) - size - len(shape.beside), deck.dtype),
            shape.template.copy(),
            np.zeros((rows, len(lists.totals)), np.int64),
            np.zeros((2, rows), np.int64),
        )
        listed = visit(read, data, prizes, shape, deck, room, lists, 0)
        while step_set(deck, room.at, room.hand, 1):
            listed = visit(read, data, prizes, shape, deck, room, lists, listed)
        return listed

    return scan
