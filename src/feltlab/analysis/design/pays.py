"""A bet before and after a change of its pays, and the reader of pays and edges."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltlab.analysis.design.aim import Aim, aim_at
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.core.stake import check_stake, default_stake, read_stake
from feltlab.errors import Refused, Unknown
from feltlab.games import find_game
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact, exact_root
from feltlab.proving.proof import Proof, cache_key, prove
from feltlab.text import listing


@dataclass(frozen=True)
class BetLine:
    """A line of a bet's pay tables, its probability and its part in the expected net."""

    spot: Spot
    line: Line
    present: Fraction  # the pay before the change
    probability: Fraction
    units: Fraction  # that it decides in a round on average

    @property
    def returned(self) -> Fraction:
        """Its part in the expected net, in units of the first wager."""
        return self.units * self.line.pays * self.spot.size


@dataclass(frozen=True)
class Design:
    """A bet before and after a change of its pays."""

    bet: Spot
    aim: Aim
    before: Proof
    after: Proof

    @property
    def cost_before(self) -> Fraction:
        return self.aim.cost(self.before.loss)

    @cached_property
    def cost(self) -> Fraction:
        """The figure that the design aims at."""
        return self.aim.cost(self.after.loss)

    @property
    def is_solved_again(self) -> bool:
        """Does the best strategy depend on the changed pays, so that it was solved again?"""
        keys = (cache_key(proof.game, proof.stake, proof.strategy) for proof in (self.before, self.after))
        return next(keys) != next(keys)

    @property
    def has_other_strategy(self) -> bool:
        """Is the best strategy another one after the change?"""
        return self.before.law.counts != self.after.law.counts

    @cached_property
    def lines(self) -> list[BetLine]:
        """All lines in the order of the tables; the first wager comes before its raises."""
        return [line for spot in spots_of(self.after.game, self.bet) for line in self._lines_on(spot)]

    def _lines_on(self, spot: Spot) -> Iterator[BetLine]:
        tables = (proof.game.pay_table(spot).lines for proof in (self.before, self.after))
        tally = self.after.tally
        found = zip(tally.outcomes(spot).values(), tally.units(spot).values(), strict=True)
        for present, line, (count, units) in zip(*tables, found, strict=True):
            shares = Fraction(count, tally.deals), Fraction(units, tally.deals)
            yield BetLine(spot, line, present.pays, *shares)

    @cached_property
    def changed(self) -> list[BetLine]:
        """Lines whose pay changed, except those that are not listed and are paid as the line below them."""
        return [line for line in self.lines if line.line.pays != line.present and line.line.listed]

    @property
    def change(self) -> Fraction:
        """The sum of the changes of all lines, in units."""
        return sum((abs(line.line.pays - line.present) for line in self.changed), Fraction(0))

    def as_json(self) -> dict[str, Any]:
        return {
            "pays": {line_name(self.bet, line): str(line.line.pays) for line in self.changed},
            "change": str(self.change),
            "re-solved": self.is_solved_again,
            "other_play": self.has_other_strategy,
            "aim": self.aim.name,
            "before": _measures(self, self.before),
            "after": _measures(self, self.after),
            "lines": [self._line_json(line) for line in self.lines],
        }

    def _line_json(self, line: BetLine) -> dict[str, Any]:
        return {
            "outcome": line_name(self.bet, line),
            "present": str(line.present),
            "pays": str(line.line.pays),
            "probability": exact(line.probability),
            "return": exact(line.returned),
        }


def _measures(made: Design, proof: Proof) -> dict[str, Any]:
    tally, bet = proof.tally, made.bet
    return {
        "cost": exact(made.aim.cost(proof.loss)),
        "joint_edge": exact(proof.joint_edge),
        "own_edge": exact(-tally.expected(bet)),
        "hit_frequency": exact(tally.hit_frequency(bet)),
        "std_dev": exact_root(tally.variance(bet)),
        "stake_expected": exact(tally.total_expected(proof.stake)),
    }


def line_name(bet: Spot, line: BetLine) -> str:
    """The name of a line on the command line: 'Flush', 'play: better hand'."""
    return line.line.outcome if line.spot == bet else f"{line.spot.name}: {line.line.outcome}"


def spots_of(game: Game, bet: Spot) -> list[Spot]:
    """A first wager's spot, then those of its raises and bonuses."""
    return [bet, *(spot for spot in game.spots if spot.follows == bet.name)]


def find_bet(game: Game, name: str) -> Spot:
    """A bet by the name of its first wager."""
    bets = [spot.name for spot in game.wagers]
    spot = next((spot for spot in game.spots if spot.name == name), None)
    if spot is None:
        raise Unknown(f"{name!r} is not a bet of {game.title}; its bets are {listing(bets)}.")
    if spot.follows:
        kind = "a raise" if spot.raises else "a bonus"
        raise Refused(f"{name!r} is {kind}; design {spot.follows}, and name its lines '{name}: OUTCOME'.")
    return spot


def stake_for(game: Game, bet: Spot, given: Mapping[str, str]) -> dict[str, Fraction]:
    """The default stake with a unit on the bet, so that the strategy plays for it, and the given units."""
    units = {bet.name: "1"} if not default_stake(game)[bet.name] else {}
    return read_stake(game, units | dict(given))


PAY = re.compile(r"\s*([^=]*?)\s*=\s*([^=,]*?)\s*(?:,|$)")


# '5', '2.5', '3/2', '3:2', '3 to 2'.
NUMBER = re.compile(r"(-?\d{1,12}(?:\.\d{1,12})?)(?:(?:/|:| to )(\d{1,12}))?", re.ASCII)


def read_pays(text: str) -> dict[str, Fraction]:
    """'flush=5, straight=3/2' as pays by name; names may contain commas."""
    pays: dict[str, Fraction] = {}
    at = 0
    while at < len(text):
        found = PAY.match(text, at)
        if not found or not found[1]:
            raise Refused(f"Pays are given as OUTCOME=PAY, such as flush=5, not {text[at:].strip()!r}.")
        if found[1] in pays:
            raise Refused(f"The pay of {found[1]!r} is given twice.")
        pays[found[1]] = _number(found[1], found[2])
        at = found.end()
    return pays


def _number(name: str, text: str) -> Fraction:
    found = NUMBER.fullmatch(text)
    if not found or (found[2] and not int(found[2])):
        raise Refused(f"{name}={text} is not a pay, such as 5, 3/2 or 2.5.")
    return Fraction(found[1]) / int(found[2] or 1)


def apply_pays(game: Game, bet: Spot, pays: Mapping[str, Fraction | int | str]) -> Game:
    """The game with other pays on lines of a bet; lines of its raises are named 'play: better hand'."""
    raises = {spot.name for spot in spots_of(game, bet)}
    given: set[tuple[str, ...]] = set()
    for name, pay in pays.items():
        spot, colon, outcome = (part.strip() for part in name.partition(":"))
        if colon and spot not in raises:
            raise Unknown(f"{spot!r} is not a spot of this bet; its spots are {listing(sorted(raises))}.")
        at, outcome = (spot, outcome) if colon else (bet.name, name)
        line = (at, *(found.outcome for found in game.pay_table(game.spot(at)).find_lines(outcome)))
        if line in given:
            raise Refused(f"The pay of {line[-1]!r} is given twice.")
        given.add(line)
        game = game.with_pays(at, {outcome: pay})
    return game


def design(
    game: Game | str,
    bet: str,
    pays: Mapping[str, Fraction | int | str],
    stake: Mapping[str, Fraction | int] | None = None,
    progress: Progress = nobody_listens,
    aim: str = "added",
) -> Design:
    """A bet under its present pays and under other pays, each with the best strategy for the stake.

    Without a stake, it is the default one with a unit on the bet. `cost` is what the bet adds to the loss of
    the stake, for each unit of it, or with aim "joint" the edge of the whole stake.

    >>> from feltlab import design
    >>> made = design("casino-war", "tie", {"tie": 11})
    >>> print(f"{float(made.cost_before):.4%} becomes {float(made.cost):.4%}")
    18.6495% becomes 11.2540%
    """
    game = find_game(game)
    spot = find_bet(game, bet)
    units = stake_for(game, spot, {}) if stake is None else check_stake(game, stake)
    after = apply_pays(game, spot, pays)
    aimed = aim_at(aim, game, units, spot, progress)
    return Design(spot, aimed, prove(game, units, progress=progress), prove(after, units, progress=progress))


PERCENT = re.compile(r"([+-]?\d{1,6}(?:\.\d{1,9})?) ?%?", re.ASCII)


def read_edge(text: str | None) -> Fraction | None:
    """An edge that a user gives in percent, as a share."""
    if text is None:
        return None
    read = PERCENT.fullmatch(text.strip())
    if not read:
        raise Refused(f"{text!r} is not a percentage, such as 4.5%.")
    return Fraction(read[1]) / 100
