"""Text that depends on the options and pays of a game: rule sheets, rack cards, notices on a layout.

Text in braces is replaced:

- `{decks}`: the value of an option, a number in words;
- `{cards}`: a fact of the game, one of `facts_of`;
- `{tie: no tie}`: the pay of an outcome of a spot, and `{net tie: tie}` its net in units,
  `{net primary: war won with 2 units}` where choices have put down more than one;
- `{step war}`: the amount of which a wager is a multiple, and `{table war}` the name of its pay table;
- `{soft-17=hit: Dealer hits.}`: the words after the colon, only under that value of the option.

A condition, such as `decks=1, 2 or 3 and war=one`, names the values of options under which a text holds.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.text import listing

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
INNERMOST = re.compile(r"\{([^{}]*)\}")
CONDITION = re.compile(r"([a-z0-9-]+)=(.+)")
PAY = re.compile(r"(net )?([a-z0-9-]+): (.+)")
UNITS = re.compile(r"(.+) with (\d+) units")  # on the spot, in a net


def number_in_words(number: int) -> str:
    """Up to ten in words, above in digits."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def facts_of(game: Game) -> dict[str, str]:
    """Numbers that follow from a game under its options."""
    decks = len(game.deck) // 52
    return {
        "cards": str(len(game.deck)),
        "deck_count": "one deck" if decks == 1 else f"{number_in_words(decks)} decks",
        "behind_cut": str(game.behind_cut),
        "seats": number_in_words(game.seats),
        "table_cards": str(game.cards_needed(game.seats)),
    }


@dataclass(frozen=True)
class RuleText:
    """The texts of a game under its options and pays, with facts from elsewhere, such as its venue."""

    game: Game
    facts: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _facts(self) -> Mapping[str, str]:
        return facts_of(self.game) | dict(self.facts)

    def render(self, text: str) -> str:
        """The text with everything in braces replaced."""
        while INNERMOST.search(text):
            text = INNERMOST.sub(lambda found: self._replacement(found[1]), text)
        return text

    def holds(self, condition: str) -> bool:
        """Do the options have the values that a condition names? An empty condition always holds."""
        return all(self._has_value(part) for part in condition.split(" and ")) if condition else True

    def _has_value(self, part: str) -> bool:
        found = CONDITION.fullmatch(part.strip())
        if not found or found[1] not in self.game.options:
            raise Refused(f"{part.strip()!r} is not a condition on an option of {self.game.title}.")
        name, values = found[1], re.split(r", | or ", found[2])
        possible = next(option.values for option in self.game.rules.OPTIONS if option.name == name)
        for value in values:
            if value not in possible:
                raise Refused(f"{value!r} is not a value of {name}, which is {listing(possible, 'or')}.")
        return self.game.options[name] in values

    # -- Text in braces ------------------------------------------------------------------------------

    def _replacement(self, inside: str) -> str:
        if "=" in inside.partition(" ")[0]:
            return self._conditional(inside)
        if pay := PAY.fullmatch(inside):
            return self._pay(pay[2], pay[3], is_net=bool(pay[1]))
        word, _, spot = inside.partition(" ")
        if spot and word == "step":
            return _cents_in_words(self.game.step(self.game.spot(spot)))
        if spot and word == "table":
            return self.game.pay_table(self.game.spot(spot)).name
        value = self.game.options.get(inside, self._facts.get(inside))
        if value is None:
            raise Refused(f"'{{{inside}}}' is not an option, a fact or a pay of {self.game.title}.")
        return number_in_words(int(value)) if inside in self.game.options and value.isdigit() else value

    def _conditional(self, inside: str) -> str:
        """The words behind 'option=value:'; a value may contain a colon, as 3:2 does."""
        name, _, rest = inside.partition("=")
        values = [
            value for option in self.game.rules.OPTIONS if option.name == name for value in option.values
        ]
        for value in sorted(values, key=len, reverse=True):
            if rest.startswith(f"{value}:"):
                return rest.removeprefix(f"{value}:") if self.game.options[name] == value else ""
        raise Refused(f"'{{{inside}}}' names no option of {self.game.title} and its value.")

    def _pay(self, spot: str, outcome: str, *, is_net: bool) -> str:
        lines = {line.outcome: line for line in self.game.pay_table(self.game.spot(spot)).lines}
        raised = UNITS.fullmatch(outcome) if is_net and outcome not in lines else None
        name, units = (raised[1], int(raised[2])) if raised else (outcome, 1)
        if name not in lines:
            raise Refused(f"{name!r} is not an outcome of {spot}.")
        net = units * lines[name].pays
        return f"{'+' if net > 0 else ''}{net}" if is_net else lines[name].odds


def _cents_in_words(cents: int) -> str:
    return "one cent" if cents == 1 else f"{number_in_words(cents)} cents"
