"""A game: its rules, with the options and pays under which a house offers it."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar, cast

from feltlab.core.amounts import KnownWagers, PaidOutcome, check_beside, check_cents, check_pay, wager_steps
from feltlab.core.cards import Cards, Deck
from feltlab.core.layout import ON_STREET, Area, Choice, Option, Spot
from feltlab.core.paytable import Line, PayTable
from feltlab.core.rules import Rules
from feltlab.core.rules_digest import digest_imported
from feltlab.errors import Refused, Unknown
from feltlab.game_folders import import_by_name
from feltlab.kernel import Array, compile_here
from feltlab.text import listing
from feltlab.values import cached_property, set_frozen

MAX_SEATS = 7

Named = TypeVar("Named", Option, Spot, Choice)


@dataclass(frozen=True)
class Game:
    """The rules of a game, with the options and pays under which a house offers it.

    >>> from feltlab import GAMES
    >>> game = GAMES["casino-war"].with_options({"decks": "1"}).with_pays("tie", {"tie": 11})
    >>> game
    GAMES['casino-war'].with_options({'decks': '1'}).with_pays('tie', {'tie': 11})
    >>> [spot.title for spot in game.wagers]
    ['Primary', 'Tie']
    >>> len(game.deck)
    52
    """

    rules: Rules
    chosen: tuple[tuple[str, str], ...] = ()  # options that differ from their defaults, in the rules' order
    pays: tuple[tuple[str, str, Fraction], ...] = ()  # spot, outcome and pay, where no listed table has it

    def __post_init__(self) -> None:
        values = dict(self.chosen)  # the last value of a name that is given twice
        for name, value in values.items():
            self._check_option(name, value)
        changed = (o for o in self.rules.OPTIONS if values.get(o.name, o.default) != o.default)
        set_frozen(self, chosen=tuple((option.name, values[option.name]) for option in changed))
        set_frozen(self, pays=tuple(self._changed_pays()))

    def with_options(self, options: Mapping[str, str]) -> "Game":
        """This game with some options changed."""
        return Game(self.rules, (*self.chosen, *options.items()), self.pays)

    def with_pays(self, spot: str, pays: Mapping[str, Fraction | int | str]) -> "Game":
        """This game with other pays on some lines of a spot's pay table.

        A line that is not printed on the table is paid like the printed line below it.
        """
        table = self.pay_table(self.spot(spot))
        named = {self._line(spot, table, name): Fraction(pay) for name, pay in pays.items()}
        followed = {follower: pay for line, pay in named.items() for follower in table.followers(line)}
        changed = ((spot, line.outcome, pay) for line, pay in (followed | named).items())
        return Game(self.rules, self.chosen, (*self.pays, *changed))

    def _line(self, spot: str, table: PayTable, name: str) -> Line:
        found = table.find_lines(name)
        if len(found) == 1:
            return found[0]
        meant = listing((line.outcome for line in found), "or")
        problem = f"may mean {meant}" if found else "is not among them"
        raise Unknown(f"The outcomes of {spot} are {'; '.join(table.outcomes)}; {name.strip()!r} {problem}.")

    def _changed_pays(self) -> Iterator[tuple[str, str, Fraction]]:
        """The pays that differ from the listed ones, in the order of the felt."""
        given = {(spot, outcome): pays for spot, outcome, pays in self.pays}
        for spot in self.spots if given else ():
            for line in self._table_in_force(spot).lines:
                pays = given.get((spot.name, line.outcome), line.pays)
                if pays != line.pays:
                    check_pay(line, pays)
                    yield spot.name, line.outcome, pays

    def _check_option(self, name: str, value: str) -> None:
        option = self._find_named(name, self.rules.OPTIONS, "an option")
        if value not in option.values:
            raise Refused(f"{name}={value} is not possible; {name} is {listing(option.values, 'or')}.")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rules, which are a module, by name."""
        return _game, (self.rules.__name__, self.chosen, self.pays)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that tell this game from all others: its name, option=value and spot:outcome=pay."""
        options = (f"{name}={value}" for name, value in self.chosen)
        return self.name, *options, *(f"{spot}:{line}={pays}" for spot, line, pays in self.pays)

    def __str__(self) -> str:
        return " ".join(self.words)

    def __repr__(self) -> str:
        """An expression that gives this game again: GAMES['casino-war'].with_options({'decks': '1'})."""
        options = f".with_options({dict(self.chosen)!r})" if self.chosen else ""
        spots = dict.fromkeys(spot for spot, _, _ in self.pays)
        pays = "".join(f".with_pays({spot!r}, {self._pays_on(self.spot(spot))!r})" for spot in spots)
        return f"GAMES[{self.name!r}]{options}{pays}"

    def _pays_on(self, spot: Spot) -> dict[str, int | str]:
        """The changed pays of a spot, and those of unlisted lines that would follow a changed line."""
        table, changed = self.pay_table(spot), {line for name, line, _ in self.pays if name == spot.name}
        lines = [line for line in table.lines if line.outcome in changed]
        followers = [follower for line in lines for follower in table.followers(line)]
        pays = {line.outcome: line.pays for line in (*followers, *lines)}
        return {name: int(pay) if pay.denominator == 1 else str(pay) for name, pay in pays.items()}

    # -- The rules -----------------------------------------------------------------------------------

    @cached_property
    def name(self) -> str:
        return self.rules.NAME

    @cached_property
    def title(self) -> str:
        return self.rules.TITLE

    @property
    def date(self) -> str:
        return self.rules.DATE

    @cached_property
    def options(self) -> Mapping[str, str]:
        defaults = {option.name: option.default for option in self.rules.OPTIONS}
        return MappingProxyType(defaults | dict(self.chosen))

    @cached_property
    def as_proved(self) -> "Game":
        """This game with the usual procedure: options that change no outcome have their defaults."""
        procedures = {option.name for option in self.rules.OPTIONS if option.procedure}
        chosen = tuple((name, value) for name, value in self.chosen if name not in procedures)
        return self if chosen == self.chosen else Game(self.rules, chosen, self.pays)

    @cached_property
    def rules_digest(self) -> str:
        """A digest of the text of the rules, without options and pays."""
        return digest_imported(str(self.rules.__file__))

    @cached_property
    def digest(self) -> str:
        """A digest of the rules, the options and the changed pays; an approval is bound to it."""
        return self.digest_under(self.rules_digest, self.options)

    def digest_under(self, rules_digest: str, options: Mapping[str, str]) -> str:
        """The digest of these pays under some wording of the rules and these options."""
        pays = [[spot, outcome, str(pay)] for spot, outcome, pay in self.pays]
        offered = json.dumps([rules_digest, sorted(options.items()), pays])
        return hashlib.sha256(offered.encode()).hexdigest()

    @cached_property
    def deck(self) -> Deck:
        return self.rules.deck(self.options)

    @cached_property
    def behind_cut(self) -> int:
        return self.rules.behind_cut(self.options)

    @cached_property
    def kernel_data(self) -> Any:
        with compile_here():  # tables of hands take ten times longer as plain Python
            return self.rules.kernel_data(self.options)

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        return self.rules.SPOTS

    @cached_property
    def wagers(self) -> tuple[Spot, ...]:
        """The spots of the first wagers."""
        return tuple(spot for spot in self.spots if not spot.follows)

    def spots_of(self, bet: str) -> Iterator[Spot]:
        """The spots of a bet: its first wager, raises and bonuses."""
        return (spot for spot in self.spots if bet in (spot.name, spot.follows))

    @cached_property
    def streets(self) -> tuple[str, ...]:
        """The names of the streets, often none: the first choice is made on the first, and so on."""
        return tuple(getattr(self.rules, "STREETS", ()))

    @cached_property
    def suits(self) -> str:
        """The rules' statement on suits: `ALIKE`, `UNREAD`, or '' if they read everything."""
        return str(getattr(self.rules, "SUITS", ""))

    def puts(self, choice: Choice, made: int) -> tuple[str, ...]:
        """The spots on which a choice puts a unit, after this many choices.

        A street without a spot of its name has no choice that puts a unit `ON_STREET`.
        """
        if ON_STREET not in choice.puts:
            return choice.puts
        named = (self.streets[made] if spot == ON_STREET else spot for spot in choice.puts)
        return tuple(spot for spot in named if spot in self.spot_numbers)

    # -- Areas ---------------------------------------------------------------------------------------

    @cached_property
    def areas(self) -> tuple[Area, ...]:
        return self.rules.AREAS

    @cached_property
    def places(self) -> int:
        """The number of places in a seat's shoe."""
        return sum(area.cards for area in self.areas)

    @cached_property
    def own_places(self) -> int:
        """The number of places in a seat's shoe that no other seat shares; they come first."""
        return sum(area.cards for area in self.areas if not area.shared)

    @cached_property
    def shared_areas(self) -> tuple[str, ...]:
        """The names of the areas that all seats share: 'board', 'dealer'."""
        return tuple(area.name for area in self.areas if area.shared)

    @cached_property
    def area_starts(self) -> Mapping[str, int]:
        """By area, its first place in a seat's shoe."""
        sizes = [area.cards for area in self.areas]
        return MappingProxyType({area.name: sum(sizes[:n]) for n, area in enumerate(self.areas)})

    def split_areas(self, shoe: Sequence[int]) -> dict[str, Cards]:
        """A seat's shoe by area."""
        starts = self.area_starts
        return {a.name: Cards(shoe[starts[a.name] : starts[a.name] + a.cards]) for a in self.areas}

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        return self.rules.CHOICES

    def spot(self, name: str) -> Spot:
        known = name in self.spot_numbers
        return self.spots[self.spot_numbers[name]] if known else self._find_named(name, self.spots, "a spot")

    def choice(self, name: str) -> Choice:
        number = self.choice_numbers.get(name)
        return self._find_named(name, self.choices, "a choice") if number is None else self.choices[number]

    def _find_named(self, name: str, things: Sequence[Named], what: str) -> Named:
        for thing in things:
            if thing.name == name:
                return thing
        known = listing(thing.name for thing in things)
        raise Unknown(f"{name!r} is not {what} of {self.title}; its {what.split()[1]}s are {known}.")

    @cached_property
    def choice_numbers(self) -> Mapping[str, int]:
        """The number of each choice in the rules, by name."""
        return MappingProxyType({choice.name: n for n, choice in enumerate(self.choices)})

    @cached_property
    def spot_numbers(self) -> Mapping[str, int]:
        """The number of each spot in the rules, by name."""
        return MappingProxyType({spot.name: n for n, spot in enumerate(self.spots)})

    @cached_property
    def forfeiting(self) -> frozenset[str]:
        """The choices that give a wager up or pay a price."""
        prices = {spot.name for spot in self.spots if spot.is_price}
        return frozenset(c.name for c in self.choices if c.gives_up or prices.intersection(c.puts))

    @cached_property
    def chosen_for(self) -> frozenset[str]:
        """The first wagers that a choice belongs to."""
        return frozenset(choice.wager for choice in self.choices)

    @cached_property
    def passing(self) -> tuple[str, ...]:
        """The choices for a seat that has no wager to choose for: `PASSES`, or one that puts nothing down."""
        return tuple(getattr(self.rules, "PASSES", [c.name for c in self.choices if not c.puts][:1]))

    def pay_table(self, spot: Spot) -> PayTable:
        """The pay table in force on a spot."""
        return self._pay_tables[spot.name]

    @cached_property
    def _pay_tables(self) -> Mapping[str, PayTable]:
        tables = {}
        for spot in self.spots:
            changed = {line: pays for name, line, pays in self.pays if name == spot.name}
            tables[spot.name] = self._table_in_force(spot).with_pays(changed)
        return tables

    @cached_property
    def paid_outcomes(self) -> Mapping[str, tuple[PaidOutcome, ...]]:
        """By spot, all outcomes with their pays: computed once, since live tables need them every round."""
        tables = self._pay_tables.items()
        paid = {
            at: tuple(PaidOutcome(line.outcome, line.result, line.pays) for line in t.lines)
            for at, t in tables
        }
        return MappingProxyType(paid)

    def _table_in_force(self, spot: Spot) -> PayTable:
        if not spot.option:
            return spot.tables[0]
        return next(table for table in spot.tables if table.name == self.options[spot.option])

    def is_required(self, spot: Spot) -> bool:
        if spot.equals:
            return self.is_required(self.spot(spot.equals))
        return spot.required or self.options.get(spot.required_by) == "yes"

    @property
    def allows_second_seat(self) -> bool:
        """May one player hold a second seat, next to the first?"""
        return any(o.second_seat and self.options[o.name] == "yes" for o in self.rules.OPTIONS)

    @cached_property
    def seats(self) -> int:
        """The number of seats that one deck serves, up to the seven of a table."""
        return next((n for n in range(MAX_SEATS, 0, -1) if self.cards_needed(n) <= len(self.deck)), 0)

    def cards_needed(self, seats: int) -> int:
        """The largest number of cards that a round with this many seats can use."""
        return self.rules.cards_needed(self.options, seats)

    def needs_shuffle(self, used: int, seats: int) -> bool:
        """Must the cards be shuffled before the next round, once this many of them are used?

        They must once the cut card has come out, or when the rest might not last for a round of all seats.
        """
        left = len(self.deck) - used
        return left <= self.behind_cut or left < self.cards_needed(seats)

    def hold_back(self, outcomes: Array) -> None:
        """Reopen the outcomes that the dealer does not settle before the last card."""
        reopen: Callable[[Array], None] | None = getattr(self.rules, "hold_back", None)
        if reopen:
            reopen(outcomes)

    # -- Cards ---------------------------------------------------------------------------------------

    def has_cards(self, dealt: Cards) -> bool:
        """Are these ints that the deck holds? A quick test; `Deck.check` says what is wrong."""
        stock = self._stock
        return {*map(type, dealt)} == {int} and all(n <= stock[card] for card, n in Counter(dealt).items())

    @cached_property
    def _stock(self) -> Counter[int]:
        return Counter(self.deck.cards)

    # -- Wagers --------------------------------------------------------------------------------------

    def step(self, wager: Spot) -> int:
        """The cents of which a wager must be a multiple, so that it always pays whole cents."""
        return self._steps[wager.name]

    @cached_property
    def _steps(self) -> Mapping[str, int]:
        return wager_steps(self.spots, self._pay_tables)

    def equal_wagers(self, name: str) -> tuple[str, ...]:
        """The spots whose wagers must have the size of this one, itself among them."""
        main = self.spot(name).equals or name
        return tuple(spot.name for spot in self.spots if main in (spot.name, spot.equals))

    def check_wagers(self, wagers: Mapping[str, int]) -> None:
        """Refuse wagers that one hand may not carry together."""
        self._accepted.check(wagers, self._check_new_wagers)

    @cached_property
    def _accepted(self) -> KnownWagers:
        return KnownWagers()

    def _check_new_wagers(self, wagers: Mapping[str, int]) -> None:
        for name in wagers:
            self._find_named(name, self.wagers, "a wager")
        for spot in self.wagers:
            if spot.name in wagers:
                check_cents(spot, wagers[spot.name], self.step(spot))
                check_beside(spot, wagers, self.spot)
            elif self.is_required(spot):
                raise Refused(f"{self.title} requires the {spot.title} wager.")
        if not wagers:
            raise Refused(
                f"No wager is placed; {self.title} takes {listing((s.name for s in self.wagers), 'or')}."
            )
        if len(wagers) > self.rules.GAMES_PER_HAND:
            raise Refused(f"One hand may be wagered on at most {self.rules.GAMES_PER_HAND} games.")


def _game(
    rules: str, chosen: tuple[tuple[str, str], ...], pays: tuple[tuple[str, str, Fraction], ...] = ()
) -> Game:
    return Game(cast(Rules, import_by_name(rules)), chosen, pays)
