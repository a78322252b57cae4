"""The contract of rules, tried with random cards: what no type checker can see.

Random rounds are played through `legal`, `visible`, `settle` and `dealing`. Each promise of the contract is
tested on them; the first one that is broken is refused with the file, the line of the function and the cards.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import FACE_DOWN, NOT_DEALT, UNKNOWN, Cards, Deck
from feltlab.core.contract.outcome_sweep import sweep_outcomes
from feltlab.core.contract.rules_check import check_rules, rules_refusal
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import ALIKE, NOT_PLACED, ON_STREET, OPEN, UNREAD, Spot, new_outcomes
from feltlab.core.settlement import Settlement
from feltlab.errors import Refused
from feltlab.game_folders import describe_error, describe_place
from feltlab.kernel import INTERPRETED, Array, deferred_compiling, is_compiling_deferred
from feltlab.parallel.progress import Progress, nobody_listens

ROUNDS = 400  # of each setting of the options
DEALS = 60
MOST_SETTINGS = 40
WAGER_CENTS = 6000  # divisible by what pays usually need
MOST_CHOICES = 64  # in one round
SHOWN_CHOICES = 6
INTERPRETED_ROUNDS = 60  # through kernels that are not compiled yet, as a server plays when it starts
SWEEP, INTERPRETED_SWEEP = 2500, 25  # rounds that only look at outcomes, for each of the others
EIGHT_BITS = "a card is a number of eight bits, too few to calculate with; write int64(card)"


class Trial(NamedTuple):
    """The rounds of a trial that found nothing wrong."""

    swept: int  # rounds that only looked at outcomes
    unmet: list[str]  # the outcomes that none of them had, each after its spot


def try_rules(game: Game, rounds: int = ROUNDS, seed: int = 1, progress: Progress = nobody_listens) -> Trial:
    """Play random rounds of a game under every value of each option; refuse the first broken promise."""
    check_rules(game.rules)
    settings = list(_settings(game))[:MOST_SETTINGS]
    with deferred_compiling(), np.errstate(over="raise"):
        _run(game, min(rounds, INTERPRETED_ROUNDS), seed)
    for n, setting in enumerate(settings):
        _run(setting, rounds if setting == game else max(rounds // 10, 20), seed)
        progress((n + 1) / (len(settings) + 1))
    return _sweep(game, rounds, seed)


def _sweep(game: Game, rounds: int, seed: int) -> Trial:
    """Meet rare outcomes; fewer rounds where nothing is compiled."""
    swept = rounds * (INTERPRETED_SWEEP if INTERPRETED or is_compiling_deferred() else SWEEP)
    found = sweep_outcomes(game, swept, seed)
    if found.is_broken:
        _Trial(game, np.random.default_rng(seed)).settle(found.shoe, found.choices)
    return Trial(swept, found.unmet)


def _settings(game: Game) -> Iterator[Game]:
    """The game, and the game with one option changed."""
    yield game
    for option in game.rules.OPTIONS:
        yield from (game.with_options({option.name: value}) for value in option.values[1:])


def _run(game: Game, rounds: int, seed: int) -> None:
    folder = Path(str(game.rules.__file__)).parent
    try:
        trial = _Trial(game, np.random.default_rng(seed))
        for _ in range(rounds):
            trial.try_round()
        for _ in range(min(DEALS, rounds)):
            trial.try_deal()
    except Refused:
        raise
    except (OverflowError, FloatingPointError) as error:
        raise Refused(f"{describe_place(error, folder)}: {EIGHT_BITS}.") from None
    except Exception as error:
        if describe_place(error, folder).endswith(".py"):  # no line of the rules was at work
            raise rules_refusal(game.rules, "dealing", describe_error(error)) from None
        raise Refused(f"{describe_place(error, folder)}: {describe_error(error)}.") from None


class _Trial:
    """Random rounds of one game under its options."""

    def __init__(self, game: Game, generator: np.random.Generator) -> None:
        self.game, self.generator = game, generator
        if not isinstance(game.deck, Deck):
            raise rules_refusal(game.rules, "deck", "deck returns a Deck")
        self.deck = np.array(game.deck.cards, np.int8)

    # -- One seat ------------------------------------------------------------------------------------

    def try_round(self) -> None:
        """Play one seat's shoe to its end, and test every promise on the way."""
        if self.game.places > len(self.deck):
            raise self._broken("AREAS", "a seat's shoe has more places than the deck has cards")
        shoe = self.generator.permutation(self.deck)[: self.game.places]
        choices: list[int] = []
        known = np.full_like(shoe, UNKNOWN)
        decided = self.settle(known, [])
        while True:
            seen = self._see(shoe, choices)
            decided = self._turn_cards(decided, known, shoe, choices, seen >= 0)
            mask = self._legal(shoe, choices)
            if mask != self._legal(np.where(seen >= 0, shoe, UNKNOWN), choices):
                sentence = "the open choices depend on a card that is not seen"
                raise self._broken("legal", sentence, shoe, choices)
            if mask == 0:
                break
            choices.append(self._choose(mask, shoe, choices))
        end = self._turn_cards(decided, known, shoe, choices, shoe >= 0)
        self._check_end(end, shoe, choices)
        self._check_symmetry(shoe, choices, end)

    def _turn_cards(
        self, decided: list[int], known: Array, shoe: Array, choices: list[int], turned: NDArray[np.bool_]
    ) -> list[int]:
        """Turn cards one by one, as the prover deals them; return the outcomes by then."""
        decided = self._settle_later(decided, known, choices)
        for place in np.flatnonzero(turned & (known < 0)):
            known[place] = shoe[place]
            decided = self._settle_later(decided, known, choices)
        return decided

    def _legal(self, shoe: Array, choices: list[int]) -> int:
        return int(self.game.rules.legal(self.game.kernel_data, shoe, np.array(choices, np.int8)))

    def _choose(self, mask: int, shoe: Array, choices: list[int]) -> int:
        open_now = [n for n in range(mask.bit_length()) if mask >> n & 1]
        if mask < 0 or open_now[-1] >= len(self.game.choices):
            raise self._broken("legal", "a bit is set for a choice that CHOICES does not have", shoe, choices)
        if len(choices) >= MOST_CHOICES:
            raise self._broken("legal", f"a round does not end after {MOST_CHOICES} choices", shoe, choices)
        if self.game.streets and len(choices) >= len(self.game.streets):
            raise self._broken("legal", "a choice is open after the last of the STREETS", shoe, choices)
        return int(self.generator.choice(open_now))

    def _see(self, shoe: Array, choices: list[int]) -> Array:
        seen = np.full_like(shoe, 99)
        self.game.rules.visible(self.game.kernel_data, shoe, np.array(choices, np.int8), seen)
        for place, (card, shown) in enumerate(zip(shoe.tolist(), seen.tolist(), strict=True)):
            if shown not in (card, FACE_DOWN, NOT_DEALT):
                area = self._describe_place(place)
                raise self._broken("visible", f"{area} is shown as something else than it is", shoe, choices)
        return seen

    def _describe_place(self, place: int) -> str:
        for area in reversed(self.game.areas):
            if place >= (start := self.game.area_starts[area.name]):
                return f"card {place - start + 1} of the {area.name}"
        return f"place {place}"

    def settle(self, shoe: Array, choices: list[int]) -> list[int]:
        """The outcomes; they must not depend on what was in the array before, or on the time of asking."""
        found: list[list[int]] = []
        for before in (OPEN, 0, 7):
            outcomes = new_outcomes(len(self.game.spots))
            outcomes[:] = before
            self.game.rules.settle(self.game.kernel_data, shoe, np.array(choices, np.int8), outcomes)
            found.append(outcomes.tolist())
        if found[0] != found[1] or found[1] != found[2]:
            raise self._broken("settle", "asked again, it gives another outcome", shoe, choices)
        self._check_numbers(found[0], shoe, choices)
        return found[0]

    def _check_numbers(self, outcomes: list[int], shoe: Array, choices: list[int]) -> None:
        for spot, number in zip(self.game.spots, outcomes, strict=True):
            if number != OPEN and not NOT_PLACED <= number < len(spot.outcomes):
                lines = len(spot.outcomes)
                sentence = (
                    f"{spot.name} has outcome {number}, but its pay table has the lines 0 to {lines - 1}"
                )
                raise self._broken("settle", sentence, shoe, choices)

    def _settle_later(self, before: list[int], shoe: Array, choices: list[int]) -> list[int]:
        """The outcomes by now; what was decided before must not have changed."""
        after = self.settle(shoe, choices)
        for spot, was, number in zip(self.game.spots, before, after, strict=True):
            if was not in (OPEN, number):
                sentence = f"{spot.name} was decided, and a later card or choice changes its outcome"
                raise self._broken("settle", sentence, shoe, choices)
        return after

    def _check_end(self, outcomes: list[int], shoe: Array, choices: list[int]) -> None:
        made = [self.game.choices[number] for number in choices]
        for n, choice in enumerate(made):
            if ON_STREET in choice.puts and self.game.streets[n] not in self.game.spot_numbers:
                sentence = f"{choice.name} puts a unit on {self.game.streets[n]!r}, but no spot is called so"
                raise self._broken("STREETS", sentence, shoe, choices)
        puts = [put for n, choice in enumerate(made) for put in self.game.puts(choice, n)]
        for spot, number in zip(self.game.spots, outcomes, strict=True):
            units = puts.count(spot.name)
            if number == OPEN:
                raise self._broken("settle", f"{spot.name} is still open at the end", shoe, choices)
            if spot.raises and (number == NOT_PLACED) != (units == 0):
                sentence = f"{spot.name} has {units} unit{'s' * (units != 1)} on it and yet "
                sentence += "no outcome" if units else "an outcome"
                raise self._broken("settle", sentence, shoe, choices)
            if not spot.follows and number == NOT_PLACED:
                raise self._broken("settle", f"the first wager {spot.name} has no outcome", shoe, choices)
            if number != NOT_PLACED and units + (not spot.raises) > self._most_units(spot, number):
                sentence = f"choices put {units} units on {spot.name}, whose most_units is {spot.most_units}"
                raise self._broken("SPOTS", f"{sentence}{self._describe_line(spot, number)}", shoe, choices)

    def _most_units(self, spot: Spot, number: int) -> int:
        return spot.most_units_of(self.game.pay_table(spot).lines[number])

    def _describe_line(self, spot: Spot, number: int) -> str:
        line = self.game.pay_table(spot).lines[number]
        return f"; {line.outcome!r} is unraised" if line.unraised else ""

    # -- What the rules declare that they do not read ------------------------------------------------

    def _check_symmetry(self, shoe: Array, choices: list[int], end: list[int]) -> None:
        if self.game.suits in (ALIKE, UNREAD):
            other = self._rename_suits(shoe)
            if self.settle(other, choices) != end or not self._may_choose(other, choices):
                words = "alike" if self.game.suits == ALIKE else "unread"
                sentence = f"SUITS are declared {words}, but other suits give another result"
                raise self._broken("SUITS", sentence, shoe, choices)
        mixed = self._mix_areas(shoe, choices)
        if self.settle(mixed, choices) != end or not self._may_choose(mixed, choices):
            sentence = "the order of an area's cards is declared to mean nothing, but it changes the result"
            raise self._broken("AREAS", sentence, shoe, choices)

    def _rename_suits(self, shoe: Array) -> Array:
        plain = shoe < 52
        if self.game.suits == ALIKE:
            renamed = shoe - shoe % 4 + self.generator.permutation(4).astype(np.int8)[shoe % 4]
        else:
            renamed = shoe - shoe % 4 + self.generator.integers(0, 4, len(shoe)).astype(np.int8)
        return np.where(plain, renamed, shoe).astype(np.int8)

    def _mix_areas(self, shoe: Array, choices: list[int]) -> Array:
        """The shoe with the cards that are seen together mixed, where an area has no order."""
        mixed = shoe.copy()
        seen_at = np.full(len(shoe), len(choices) + 1)
        for made in range(len(choices), -1, -1):
            seen_at[self._see(shoe, choices[:made]) >= 0] = made
        for area in self.game.areas:
            start = self.game.area_starts[area.name]
            for made in {*seen_at[start : start + area.cards].tolist()} if area.any_order else ():
                places = [p for p in range(start, start + area.cards) if seen_at[p] == made]
                mixed[places] = shoe[self.generator.permutation(places)]
        return mixed

    def _may_choose(self, shoe: Array, choices: list[int]) -> bool:
        """Are these choices open with other cards too, and no more after them?"""
        masks = [self._legal(shoe, choices[:made]) for made in range(len(choices) + 1)]
        return masks[-1] == 0 and all(mask >> c & 1 for mask, c in zip(masks, choices, strict=False))

    # -- A table -------------------------------------------------------------------------------------

    def try_deal(self) -> None:
        """Deal to some seats: nothing may be seen before it is dealt, and money must come out the same."""
        seats = int(self.generator.integers(1, self.game.seats + 1)) if self.game.seats else 0
        if not seats:
            raise self._broken("cards_needed", "the deck does not last for one seat")
        shoe = Cards(self.generator.permutation(self.deck).tolist())
        try:
            deal = self._play_deal(Deal.start(self.game, shoe, [self._wagers()] * seats))
        except IndexError:  # perhaps of a pay table
            self._check_pay_tables(shoe)
            raise
        if any(round.choices for round in deal.rounds):
            raise self._broken("dealing", "the deal ends although a seat has a choice open")
        self._check_money(deal)
        used = len(deal.shoe) - len(deal.rest)
        if used > self.game.cards_needed(seats):
            raise self._broken("cards_needed", f"{used} cards were dealt to {seats} seats, more than it says")

    def _play_deal(self, deal: Deal) -> Deal:
        while not deal.over:
            self._check_seen(deal)
            turn = deal.turn
            if turn is None:
                raise self._broken("dealing", "the deal stops although no seat has to choose")
            deal = deal.choose(turn, str(self.generator.choice(deal.rounds[turn].choices)))
        return deal

    def _check_pay_tables(self, deck: Cards) -> None:
        """Settle the hands in a deck, and in further ones, until an outcome has no line."""
        for _ in range(DEALS):
            for start in range(len(deck) - self.game.places + 1):
                self._settle_at_random(np.array(deck[start : start + self.game.places], np.int8))
            deck = Cards(self.generator.permutation(self.deck).tolist())

    def _settle_at_random(self, shoe: Array) -> None:
        choices: list[int] = []
        while mask := self._legal(shoe, choices):
            choices.append(self._choose(mask, shoe, choices))
        self.settle(shoe, choices)

    def _wagers(self) -> dict[str, int]:
        wagers = {spot.name: spot.fixed_cents or WAGER_CENTS for spot in self.game.wagers}
        required = [spot.name for spot in self.game.wagers if self.game.is_required(spot)]
        optional = [name for name in wagers if name not in required]
        names = [*required, *optional][: self.game.rules.GAMES_PER_HAND]
        return {name: wagers[name] for name in wagers if name in names}

    def _check_seen(self, deal: Deal) -> None:
        if deal.turn is not None and (missing := deal.rounds[deal.turn].missing):
            raise self._broken("visible", f"it shows {missing}, which is not dealt when a choice is open")

    def _check_money(self, deal: Deal) -> None:
        for seat, settlement in deal.settling:
            at_once = deal.rounds[seat].settlement
            if _nets(settlement) != _nets(at_once):
                raise self._broken("dealing", "settled in stages, a seat gets another amount than at once")
            for wager in settlement.wagers:
                if not isinstance(wager.why, str) or not wager.why:
                    raise self._broken("why", f"it gives no words for {wager.spot.name}")

    def _broken(self, name: str, sentence: str, shoe: Any = None, choices: Sequence[int] = ()) -> Refused:
        words = f" ({'; '.join(self.game.words[1:])})" if self.game.words[1:] else ""
        if shoe is not None:
            areas = " | ".join(map(str, self.game.split_areas(np.asarray(shoe).tolist()).values()))
            made = ", ".join(self.game.choices[n].name for n in choices[:SHOWN_CHOICES])
            made += " ..." * (len(choices) > SHOWN_CHOICES)
            words += f", with {areas}" + (f" after {made}" if made else "")
        return rules_refusal(self.game.rules, name, sentence + words)


def _nets(settlement: Settlement) -> list[tuple[str, int]]:
    return [(wager.spot.name, wager.net) for wager in settlement.wagers]
