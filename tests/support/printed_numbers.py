"""Reading numbers back from what is printed, and finding the values of a JSON that they round.

A printed number is *explained* if some value of the JSON, rounded to the digits printed, is that number: as
it is, in percent, in percent of what is left of one (a return beside an edge), in dollars where the JSON has
cents, or in dollars or cents of each $100. Numbers inside the JSON's texts and names are values too. What is
no figure at all (dates, digests, clauses, citations) is in `NOT_FIGURES`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
NOT_FIGURES = re.compile(
    "|".join(
        (
            r"\b\d{4}-\d\d-\d\d\b",  # a date
            rf"\b(?:\d\d? )?(?:{MONTHS}) \d{{4}}\b",
            r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{12,64}\b",  # a digest
            r"\b(?:WAC|RCW) [\d.]+(?:-\d+)*(?:\(\d+\))?",  # a citation
            r"\b[AKQJT2-9](?:-[AKQJT2-9])+\b",  # a hand by its ranks
            r"\b[A-Za-z]+-\d+\b",  # the name of a table
            r"\bclauses? \d+(?:\.\d+)*(?:(?:, | and | to )\d+(?:\.\d+)*)*",
            r"\bpage \d+ of \d+",
            r"\b1?-?\d{3}-\d{3}-\d{4}\b",  # a telephone
            r"< [\d.]+ %",  # too small to be printed
            r"\b\d+(?:\.\d+){2,}\b",  # a version
        )
    )
)
NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>[-+])?(?P<dollar>\$)?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)"
    r"(?P<part>\.\d+)?(?P<power>e[-+]\d+)?(?P<over>/\d{1,3}(?:,\d{3})+|/\d+)?"
    r"(?P<percent>(?: (?:±|to) [\d.]+)? ?%)?(?!\w)"
)
SCALES = {
    "": (1, 100, 10_000),  # as it is, percent without its sign, cents of each $100
    "%": (100,),
    "r": (100,),  # a return to player, of which the JSON has the edge
    "$": (-100, 1, 100),  # a value in cents, in dollars, dollars of each $100
}
RETURN_DIGITS = 3  # behind the point: a return with fewer would be explained by too many edges
WHOLE = re.compile(r"-?\d+")
RATIO = re.compile(r"(-?\d+)/(\d+)")


@dataclass(frozen=True)
class PrintedNumber:
    """A number as it is printed: '27.0975 %', '-$738.65', '39,799,369,914,192', '1.5064e-04'."""

    text: str
    number: Fraction
    place: int  # the power of ten of its last digit
    unit: str = ""  # '%', '$' or nothing

    @property
    def last(self) -> int:
        """The number in units of its last digit, without its sign."""
        return int(abs(self.number) / Fraction(10) ** self.place)

    @property
    def figure(self) -> str:
        """Without its sign and its unit, as every rendering has it."""
        return re.sub(r"[-+$ %]", "", self.text.partition(" ")[0]) if "e" not in self.text else self.text

    def change_last_digit(self) -> "PrintedNumber":
        return PrintedNumber(self.text + "?", self.number + Fraction(10) ** self.place, self.place, self.unit)


def read_numbers(text: str) -> Iterator[PrintedNumber]:
    """The numbers of a text in their order; dates, digests and the like are passed over."""
    plain = text.replace("\u2212", "-").replace("\xa0", " ")
    for found in NUMBER.finditer(NOT_FIGURES.sub(" ", plain)):
        digits = found["digits"].replace(",", "") + (found["part"] or "") + (found["power"] or "")
        value, over = Decimal(digits), int((found["over"] or "/1")[1:].replace(",", "")) or 1
        number = Fraction(value) / over * (-1 if found["sign"] == "-" else 1)
        place = int(value.as_tuple().exponent) if over == 1 else 0
        yield PrintedNumber(
            found[0].strip(), number, place, "%" if found["percent"] else found["dollar"] or ""
        )


@dataclass
class Explained:
    """The values of some JSON, and every number that its texts and names hold."""

    values: set[Fraction] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    rounded: dict[tuple[int, int], set[int]] = field(default_factory=dict)

    @classmethod
    def by(cls, *data: Any) -> "Explained":
        found = cls()
        for one in data:
            found.add(one)
        return found

    def add(self, data: Any) -> None:
        if isinstance(data, dict):
            for name, value in data.items():
                self.add(str(name))
                self.add(value)
        elif isinstance(data, list | tuple):
            for value in data:
                self.add(value)
        elif isinstance(data, str):
            self._add_text(data)
        elif isinstance(data, int | float) and not isinstance(data, bool):
            self.values.add(Fraction(data))

    def _add_text(self, text: str) -> None:
        if WHOLE.fullmatch(text):
            self.values.add(Fraction(int(text)))
        elif ratio := RATIO.fullmatch(text):
            self.values.add(Fraction(int(ratio[1]), int(ratio[2])))
        else:
            for found in read_numbers(text):
                self.texts.add(found.text.lstrip("+-"))
                self.values.add(found.number / (100 if found.unit == "%" else 1))

    def __contains__(self, printed: PrintedNumber) -> bool:
        if printed.text.lstrip("+-") in self.texts or abs(printed.number) in self.values:
            return True
        if printed.unit == "%" and printed.place <= -RETURN_DIGITS:
            return self._has(replace(printed, unit="r")) or self._has(printed)
        return self._has(printed)

    def _has(self, printed: PrintedNumber) -> bool:
        left = 100 - printed.number if printed.unit == "r" else printed.number
        last = int(abs(left) / Fraction(10) ** printed.place)
        return any(last in self._round(scale, printed.place) for scale in SCALES[printed.unit])

    def _round(self, scale: int, place: int) -> set[int]:
        """Every value at a scale (percent, or cents as dollars) in units of a decimal place."""
        key = scale, place
        if key not in self.rounded:
            factor = (Fraction(scale) if scale > 0 else Fraction(1, -scale)) / Fraction(10) ** place
            self.rounded[key] = {n for value in self.values for n in _roundings(abs(value) * factor)}
        return self.rounded[key]


def _roundings(value: Fraction) -> tuple[int, ...]:
    """The nearest whole number; both where the value is so near to a half that a float cannot tell."""
    low, rest = divmod(value, 1)
    if abs(rest - Fraction(1, 2)) < Fraction(1, 10**6):
        return low, low + 1
    return (low + (rest > Fraction(1, 2)),)
