"""The geometry of the lab's plots."""

import re
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from feltlab.proving.exact_numbers import exact
from feltlab.web.plots import ROWS, TILE, NetPlot, RoundsField, SharedCards, bar_scale

SHARES = st.fractions(Fraction(1, 10**12), 1)
NETS = st.dictionaries(st.fractions(-50, 2000, max_denominator=20), SHARES, min_size=1, max_size=60)


def plot(nets):
    listed = [{"net": exact(net), "probability": exact(chance)} for net, chance in sorted(nets.items())]
    return NetPlot(listed, exact(sorted(nets)[0]))


@given(NETS)
def test_every_column_is_inside_the_plot(nets):
    made = plot(nets)
    assert len(made.columns) == len(nets)
    for column in made.columns:
        assert 0 <= column.x <= 100
        assert 0 <= column.y <= made.bottom


@given(NETS)
def test_labels_leave_room_for_each_other(nets):
    for wide, near in ((False, 10), (True, 5)):
        places = sorted(label.x for label in plot(nets).labels if wide or not label.wide)
        assert all(after - before >= near for before, after in pairwise(places))


def test_columns_are_coloured_by_win_and_loss():
    made = plot({Fraction(-1): Fraction(1, 2), Fraction(0): Fraction(1, 4), Fraction(1): Fraction(1, 4)})
    assert [column.kind for column in made.columns] == ["behind", "even", "ahead"]
    assert made.columns[0].said == "-1: 50.0000 % of rounds"


@given(st.integers(0, 1000))
def test_the_filled_squares_are_the_share(squares):
    path = RoundsField([]).area(squares / 1000)
    points = [(0, 0)]
    for way, text in re.findall(r"([HV])([0-9]+)", path):
        x, y = points[-1]
        points.append((int(text), y) if way == "H" else (x, int(text)))
    around = zip(points, [*points[1:], points[0]], strict=True)
    twice = sum(a * d - b * c for (a, b), (c, d) in around)  # the surveyor's formula
    assert abs(twice) == 2 * squares * TILE**2


def test_a_thousand_squares_fill_the_field():
    assert RoundsField.wide * RoundsField.deep == 1000 * TILE**2
    assert RoundsField.deep == ROWS * TILE


def test_a_span_is_below_the_cards_that_it_uses():
    made = SharedCards({"one": "As", "two": "As Kd", "all": "As Kd 2c"})
    assert made.cards == ["As", "Kd", "2c"]
    assert made.spans == [("one", 0, 52), ("two", 0, 112), ("all", 0, 172)]


def test_bars_go_both_ways_from_zero():
    scale = bar_scale([{"value": -1.0}, {"value": 3.0}])
    assert (scale.zero, scale.at(-1.0), scale.length(3.0)) == (250.0, 0.0, 750.0)
