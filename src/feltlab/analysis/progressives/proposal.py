"""A proposal of a progressive: its exact chances, and every check that it must pass before it is filed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltlab.analysis.progressives.checklists import JURISDICTIONS, Chances, CheckItem, checklist_items
from feltlab.analysis.progressives.level_chances import count_levels
from feltlab.analysis.progressives.meter_simulation import measure_returns
from feltlab.analysis.progressives.play_chances import chances_at
from feltlab.analysis.progressives.returns import ProgressiveReturns
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import find_game
from feltlab.progressives.progressive import Meter, Progressive
from feltlab.progressives.progressive_file import digest_progressive
from feltlab.text import dollars, listing, percent


@dataclass(frozen=True)
class Proposal:
    """A progressive with the chances of its levels at each game that carries it, on a date."""

    progressive: Progressive
    chances: dict[str, tuple[Fraction, ...]]  # by game
    on: date
    jurisdictions: tuple[str, ...]
    several_from: date | None = None  # the day from which Washington allows several on one game

    @cached_property
    def returns(self) -> ProgressiveReturns:
        """The returns at the first game; those of a lawful link are the same at all."""
        return measure_returns(self.progressive, next(iter(self.chances.values())))

    @cached_property
    def items(self) -> tuple[CheckItem, ...]:
        """Every check with its verdict."""
        mine = [_conservation(self), *_reserves(self), _solvency(self), _link(self)]
        law = (self.progressive, self.chances, self.on, self.jurisdictions, self.several_from)
        return (*mine, *checklist_items(*law))

    @property
    def is_sound(self) -> bool:
        return all(item.passes is not False for item in self.items)

    def as_json(self) -> dict[str, Any]:
        levels = self.progressive.level_names
        return {
            "progressive": self.progressive.name,
            "title": self.progressive.title,
            "status": self.progressive.status,
            "digest": digest_progressive(self.progressive),
            "date": self.on.isoformat(),
            "sound": self.is_sound,
            "chances": {
                game: {name: str(p) for name, p in zip(levels, found, strict=True)}
                for game, found in self.chances.items()
            },
            "items": [item.as_json() for item in self.items],
        }


def make_proposal(
    progressive: Progressive,
    on: date,
    game: str | None = None,
    jurisdictions: tuple[str, ...] = JURISDICTIONS,
    several_from: date | None = None,
) -> Proposal:
    """The proposal of a progressive at all its games, or at one of them."""
    names = [attached.game for attached in progressive.attached] if game is None else [game]
    games = [find_game(name) for name in names]
    try:
        chances = {each.name: chances_at(progressive, each) for each in games}
    except Refused:
        if not (different := _unequal_by_cards(progressive, games)):
            raise
        raise Refused(different) from None
    return Proposal(progressive, chances, on, jurisdictions, several_from)


def _unequal_by_cards(progressive: Progressive, games: Sequence[Game]) -> str:
    """What the cards alone say against a link whose play cannot be solved, or ''."""
    try:
        chances = {game.name: count_levels(progressive, game).chances for game in games}
    except Refused:  # these chances depend on the play, or cannot be counted
        return ""
    different = unequal_levels(progressive, chances)
    return f"A link needs equal chances, but {'; '.join(different)}." if different else ""


OWN = "feltlab's own check"
NONE = Fraction(0)


def _conservation(proposal: Proposal) -> CheckItem:
    returns = proposal.returns
    passes = returns.long_run == returns.conserved
    paid = f"All prizes of the long run are {percent(returns.long_run)} of the bets"
    put_in = f"bets, seeds and the tray put in ({percent(returns.conserved)})"
    words = (
        f"{paid}, which is what {put_in}." if passes else f"{paid}, less than {put_in}: a cap keeps the rest."
    )
    return CheckItem("conservation", words, passes, OWN)


def _reserves(proposal: Proposal) -> Iterator[CheckItem]:
    for meter in proposal.progressive.meters:
        needed = proposal.returns.seed_cost(meter)
        seed = f"The seed of meter {meter.name!r}, {dollars(meter.seed_cents)},"
        if meter.seeded_by == "house":
            yield CheckItem(
                "reserve", f"{seed} is the house's money: {percent(needed)} of each bet.", True, OWN
            )
            continue
        passes = meter.reserve_rate >= needed
        words = "covers" if passes else "does not cover"
        yield CheckItem(
            "reserve",
            f"{seed} needs {percent(needed)} of each bet on average; the reserve of"
            f" {percent(meter.reserve_rate)} {words} it.",
            passes,
            OWN,
        )


def shortfall(returns: ProgressiveReturns, meter: Meter) -> Fraction:
    """The part of the seeds that the house pays, as a share of the bet."""
    paid = NONE if meter.seeded_by == "house" else meter.reserve_rate
    return max(returns.seed_cost(meter) - paid, NONE)


def tray_cost(returns: ProgressiveReturns, seats: int) -> Fraction:
    """The mean of what the tray pays on a bet at a table of this many bettors, as a share of the bet."""
    fixed = sum(
        (
            p * (level.fixed_cents * (not level.from_meter) + returns.progressive.bet_cents * level.to_one)
            for level, p in returns.pairs
        ),
        NONE,
    )
    return fixed / returns.bet + returns.envy(seats - 1)


def _solvency(proposal: Proposal) -> CheckItem:
    progressive, returns = proposal.progressive, proposal.returns
    seats = min(find_game(game).seats for game in proposal.chances)
    parts = {
        "meters": sum((meter.rate + meter.hidden_rate for meter in progressive.meters), NONE),
        "reserves": sum((meter.reserve_rate for meter in progressive.meters), NONE),
        f"the tray at a table of {seats}": tray_cost(returns, seats),
        "seeds of the house": sum((shortfall(returns, meter) for meter in progressive.meters), NONE),
    }
    total = sum(parts.values(), NONE)
    drained = [meter for meter in progressive.meters if _is_drained(returns, meter)]
    listed = listing(f"{name} {percent(part, 2)}" for name, part in parts.items() if part)
    passes = total <= 1 and not drained
    words = "which leaves the house" if total <= 1 else "more than the whole bet: short by"
    why = f"Of each bet: {listed}; together {percent(total, 2)}, {words} {percent(abs(1 - total), 2)}."
    if drained:
        why += f" Fixed prizes take more from {listing(m.name for m in drained)} than bets put in."
    return CheckItem("solvency", why, passes, OWN)


def _is_drained(returns: ProgressiveReturns, meter: Meter) -> bool:
    """Do fixed prizes that the meter pays take more than its contributions?"""
    on = returns.progressive.levels_on(meter)
    fixed = {level.name: level.fixed_cents for level in on if level.from_meter}
    taken = sum((p * fixed.get(level.name, 0) for level, p in returns.pairs), NONE)
    return taken > (meter.rate + meter.hidden_rate) * returns.bet


def _link(proposal: Proposal) -> CheckItem:
    if len(proposal.chances) == 1:
        return CheckItem("link", "One game carries the progressive; no link is to be checked.", True, OWN)
    different = unequal_levels(proposal.progressive, proposal.chances)
    games = listing(proposal.chances)
    if not different:
        return CheckItem("link", f"Every level has the same exact chance at {games}.", True, OWN)
    return CheckItem("link", f"A link needs equal chances, but {'; '.join(different)}.", False, OWN)


def unequal_levels(progressive: Progressive, by_game: Chances) -> list[str]:
    """The levels whose chances differ between the linked games, in words."""
    found = []
    for number, level in enumerate(progressive.levels):
        of_games = {game: chances[number] for game, chances in by_game.items()}
        if len(set(of_games.values())) > 1:
            found.append(f"{level.name} has {listing(f'{p} at {game}' for game, p in of_games.items())}")
    return found
