"""Checklists of the law for a progressive: each item with its citation, and its dates where the law changed.

An item that the data decide passes or fails. One that the house has to do at its tables, or to file, is
listed without a verdict: it is a duty, not a property of the data.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from feltlab.errors import Refused
from feltlab.games import find_game
from feltlab.progressives.progressive import Meter, Progressive
from feltlab.text import dollars, listing

WAC = "https://apps.leg.wa.gov/wac/default.aspx?cite="
NJ_METERS = "https://www.law.cornell.edu/regulations/new-jersey/N-J-A-C-13-69E-1-39A"
ODDS_LIMIT = 100_000_000  # to 1, N.J.A.C. 13:69D-1.52
LARGE_PRIZE_CENTS = 25_000_00  # WAC 230-15-455
FOREVER = (date.min, date.max)
LINKS_FROM = date(2015, 11, 8)  # WSR 15-21-005
# WSR 23-11-107 proposes to lift the limit of one progressive on a game. Its outcome is not known here: the
# limit holds until the day that the user gives.
ONE_AT_A_TIME = "one at a time"
CAMERA_CENTS = 3_000_00  # WAC 230-15-320
FIVE_DOLLARS = 5_00
# WAC 230-15-140: the highest single wager in a house-banked game, from a day on.
WAGER_LIMITS = ((date(2009, 1, 1), 300_00), (date(2023, 8, 19), 400_00))
WAGER_LIMIT_SOURCE = "WAC 230-15-140; $400 since 19 August 2023, $300 before"
# WAC 230-15-040: the separate games on one hand of cards, from a day on; of the six of 2009 three may take
# more than $5.
GAMES_LIMITS = ((date.min, 2), (date(2008, 1, 1), 3), (date(2009, 9, 14), 6))

Chances = Mapping[str, tuple[Fraction, ...]]  # by game


@dataclass(frozen=True)
class CheckItem:
    """One requirement with its verdict; None where it is a duty that no data decide."""

    name: str
    sentence: str
    passes: bool | None
    citation: str
    address: str = ""

    @property
    def verdict(self) -> str:
        return {True: "passes", False: "fails", None: "to do"}[self.passes]

    def as_json(self) -> dict[str, Any]:
        return {
            "item": self.name,
            "sentence": self.sentence,
            "verdict": self.verdict,
            "citation": self.citation,
            "address": self.address,
        }


class Case(NamedTuple):
    """A progressive with its exact chances by game, on a day."""

    progressive: Progressive
    chances: Chances
    on: date


Judge = Callable[[Case], tuple[bool | None, str]]


@dataclass(frozen=True)
class Requirement:
    """A requirement of a jurisdiction, in force between two days."""

    jurisdiction: str
    name: str
    citation: str
    judge: Judge
    address: str = ""
    in_force: tuple[date, date] = FOREVER

    def check(self, case: Case) -> CheckItem:
        passes, sentence = self.judge(case)
        return CheckItem(f"{self.jurisdiction}: {self.name}", sentence, passes, self.citation, self.address)


def _duty(sentence: str) -> Judge:
    return lambda case: (None, sentence)


# -- Washington -------------------------------------------------------------------------------------


def _is_player_funded(case: Case) -> tuple[bool | None, str]:
    progressive = case.progressive
    kept = [meter.name for meter in progressive.meters if meter.cap_cents and meter.overflow == "house"]
    idle = [meter.name for meter in progressive.meters if not meter.rate]
    if kept:
        return (
            False,
            f"Meter {listing(kept)} gives the house what comes above its cap, but it is players' money.",
        )
    if idle:
        return False, f"Meter {listing(idle)} does not rise with each wager."
    return True, "Every meter rises with each wager, and what players put in stays theirs."


def _is_cap_posted(case: Case) -> tuple[bool | None, str]:
    progressive = case.progressive
    caps = [f"{meter.name} at {dollars(meter.cap_cents)}" for meter in progressive.meters if meter.cap_cents]
    if not caps:
        return True, "No meter has a cap."
    return None, f"Post the cap of {listing(caps)}; it may not be below the amount when it is imposed."


def _has_equal_hands(case: Case) -> tuple[bool | None, str]:
    progressive, chances, _ = case
    if len(chances) == 1:
        return True, "One game carries the progressive."
    tops = {game: _top_chance(progressive, found) for game, found in chances.items()}
    if len(set(tops.values())) == 1:
        return True, f"The winning hand is the same, with chance {next(iter(tops.values()))} at every game."
    return False, f"The winning hand has chance {listing(f'{p} at {game}' for game, p in tops.items())}."


def _top_chance(progressive: Progressive, found: tuple[Fraction, ...]) -> Fraction:
    pairs = zip(progressive.levels, found, strict=True)
    return sum((p for level, p in pairs if level.is_top), Fraction(0))


def _has_one_progressive(case: Case) -> tuple[bool | None, str]:
    progressive = case.progressive
    many = len(progressive.meters)
    if many == 1:
        return True, "The game carries one progressive."
    return (
        False,
        f"Only one progressive may be operated on a card game at a time; this one has {many} meters.",
    )


def _has_large_prizes(case: Case) -> tuple[bool | None, str]:
    progressive = case.progressive
    large = sorted(level.fixed_cents for level in progressive.levels if level.fixed_cents > LARGE_PRIZE_CENTS)
    if len(large) < 2:
        return True, f"At most one fixed prize is above {dollars(LARGE_PRIZE_CENTS)}."
    return None, f"Keep {dollars(large[-2])}, the second highest prize, in the bank or as a line of credit."


def _is_within_limit(case: Case) -> tuple[bool | None, str]:
    bet = case.progressive.bet_cents
    limit = next((cents for day, cents in reversed(WAGER_LIMITS) if day <= case.on), None)
    if limit is None:
        return None, "The highest single wager of that day is not known here."
    words = "is within" if bet <= limit else "is above"
    return bet <= limit, f"The bet of {dollars(bet)} {words} the highest single wager, {dollars(limit)}."


def _fits_on_the_hand(case: Case) -> tuple[bool | None, str]:
    """Count the progressive as a game on the hand."""
    limit = next(many for day, many in reversed(GAMES_LIMITS) if day <= case.on)
    games = [find_game(name) for name in case.chances]
    needed = 1 + max(sum(game.is_required(spot) for spot in game.wagers) for game in games)
    most = 1 + max(len(game.wagers) for game in games)
    if needed > limit:
        return (
            False,
            f"The required wagers and the progressive are {needed} games on a hand of at most {limit}.",
        )
    dear = " and counts among the three over $5" if case.progressive.bet_cents > FIVE_DOLLARS else ""
    counted = f"The progressive is a game on the hand{dear}; a hand may carry {limit}."
    if most <= limit:
        return True, f"{counted} All wagers of the felt and the progressive are {most}."
    return None, f"{counted} Post that a player may not make all {most} wagers of the felt at once."


def _needs_camera(case: Case) -> tuple[bool | None, str]:
    progressive = case.progressive
    fixed = [level.name for level in progressive.levels if level.fixed_cents > CAMERA_CENTS]
    large = fixed + [
        f"meter {meter.name}" for meter in progressive.meters if _may_exceed(meter, CAMERA_CENTS)
    ]
    if not large:
        return True, f"No prize is over {dollars(CAMERA_CENTS)}."
    return None, f"Show hand, wager, payout and player to a camera: {listing(large)} may pay over $3,000."


def _may_exceed(meter: Meter, cents: int) -> bool:
    most = meter.must_hit.high_cents if meter.must_hit else meter.cap_cents
    return most is None or most > cents


# -- New Jersey -------------------------------------------------------------------------------------


def _is_within_odds(case: Case) -> tuple[bool | None, str]:
    progressive, chances, _ = case
    for game, found in chances.items():
        for level, p in zip(progressive.levels, found, strict=True):
            if not p or 1 / p - 1 > ODDS_LIMIT:
                odds = f"{float(1 / p - 1):,.0f} to 1" if p else "impossible"
                return False, f"{level.name} at {game} is {odds}, longer than {ODDS_LIMIT:,} to 1."
    return True, f"No level is longer than {ODDS_LIMIT:,} to 1."


def _has_parameters(case: Case) -> tuple[bool | None, str]:
    progressive = case.progressive
    told = [
        f"{meter.name}: base and reset {dollars(meter.seed_cents)}, increment {float(meter.rate):.4%}, hidden"
        f" {float(meter.reserve_rate + meter.hidden_rate):.4%}, limit"
        f" {dollars(meter.cap_cents) if meter.cap_cents else 'none'}"
        for meter in progressive.meters
    ]
    return True, f"Base, reset, rates and limit are stated ({'; '.join(told)})."


REQUIREMENTS = (
    Requirement("washington", "player funded", "WAC 230-15-671", _is_player_funded, f"{WAC}230-15-671"),
    Requirement(
        "washington",
        "posted",
        "WAC 230-15-685 (2)",
        _duty("Post the amount at each table."),
        f"{WAC}230-15-685",
    ),
    Requirement(
        "washington",
        "explained",
        "WAC 230-15-685 (3)",
        _duty("Record the beginning amount, and explain every rise and fall."),
        f"{WAC}230-15-685",
    ),
    Requirement("washington", "cap", "WAC 230-15-685 (4)", _is_cap_posted, f"{WAC}230-15-685"),
    Requirement(
        "washington",
        "link",
        "WAC 230-15-685 (6)",
        _has_equal_hands,
        f"{WAC}230-15-685",
        (LINKS_FROM, date.max),
    ),
    Requirement(
        "washington",
        ONE_AT_A_TIME,
        "WAC 230-15-685 (6); WSR 23-11-107 proposes to lift it, adoption not known",
        _has_one_progressive,
        "https://lawfilesext.leg.wa.gov/law/wsr/2023/11/23-11-107.htm",
        (LINKS_FROM, date.max),
    ),
    Requirement(
        "washington",
        "falls",
        "WAC 230-15-695",
        _duty("Lower a meter only for a win, a display fault, a cap, gross receipts or seed recovery."),
        f"{WAC}230-15-695",
    ),
    Requirement(
        "washington",
        "deposit",
        "WAC 230-15-455",
        _duty("Deposit accrued funds in a Washington account each week; stop the game if they are short."),
        f"{WAC}230-15-455",
    ),
    Requirement(
        "washington",
        "accrues",
        "WAC 230-15-685 (1)",
        _duty(
            "Let the amount accrue by the rules of the game, and enter it in the daily master games report."
        ),
        f"{WAC}230-15-685",
    ),
    Requirement(
        "washington",
        "one location",
        "WAC 230-15-685 (5)",
        _duty("Link tables of the same game in one location only."),
        f"{WAC}230-15-685",
    ),
    Requirement(
        "washington",
        "interoperability",
        "WAC 230-15-685 (7), 230-06-050",
        _duty("Have equipment of different makers tested together before it is linked."),
        f"{WAC}230-15-685",
        (LINKS_FROM, date.max),
    ),
    Requirement("washington", "camera", "WAC 230-15-320", _needs_camera, f"{WAC}230-15-320"),
    Requirement("washington", "wager limit", WAGER_LIMIT_SOURCE, _is_within_limit, f"{WAC}230-15-140"),
    Requirement(
        "washington",
        "games on a hand",
        "WAC 230-15-040; WSR 07-15-063 and 09-17-076",
        _fits_on_the_hand,
        "https://lawfilesext.leg.wa.gov/law/wsr/2009/17/09-17-076.htm",
    ),
    Requirement("washington", "large prizes", "WAC 230-15-455", _has_large_prizes, f"{WAC}230-15-455"),
    Requirement("new-jersey", "parameters", "N.J.A.C. 13:69E-1.39A", _has_parameters, NJ_METERS),
    Requirement("new-jersey", "odds", "N.J.A.C. 13:69D-1.52", _is_within_odds),
    Requirement(
        "new-jersey",
        "meters",
        "N.J.A.C. 13:69E-1.39A",
        _duty("Keep the meters Progressive-In, Display, Hits, Wins, Overflow and Reserved Pool."),
        NJ_METERS,
    ),
    Requirement(
        "new-jersey",
        "unreasonable contribution",
        "N.J.A.C. 13:69E-1.39A",
        _duty("State the contribution that the controller refuses as unreasonable."),
        NJ_METERS,
    ),
    Requirement(
        "new-jersey",
        "falls",
        "N.J.A.C. 13:69D-1.52",
        _duty("Lower a meter only for the reasons that the rule lists, each recorded."),
    ),
    Requirement(
        "new-jersey",
        "controller",
        "N.J.A.C. 13:69D-1.52",
        _duty("File the controller's two keys, their control, and the amounts and rates before use."),
    ),
)
JURISDICTIONS = tuple(dict.fromkeys(requirement.jurisdiction for requirement in REQUIREMENTS))


def checklist_items(
    progressive: Progressive,
    chances: Chances,
    on: date,
    jurisdictions: tuple[str, ...],
    several_from: date | None = None,
) -> list[CheckItem]:
    """The items of some jurisdictions that are in force on a day.

    From the day `several_from` on, Washington allows more than one progressive on a game.
    """
    for name in jurisdictions:
        if name not in JURISDICTIONS:
            raise Refused(f"{name!r} has no checklist; there are {listing(JURISDICTIONS)}.")
    return [
        requirement.check(Case(progressive, chances, on))
        for requirement in REQUIREMENTS
        if requirement.jurisdiction in jurisdictions
        and requirement.in_force[0] <= on <= requirement.in_force[1]
        and not (requirement.name == ONE_AT_A_TIME and several_from and several_from <= on)
    ]
