"""The training manual of every game: pictures, payments in chips, mistakes, questions and their answers."""

import re
from fractions import Fraction

import pytest

from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.games.data import example
from feltlab.report.document import Document, TableBlock
from feltlab.report.documents.manual.mistakes import find_mistakes
from feltlab.report.documents.manual.questions import make_questions
from feltlab.report.documents.manual.sampled_rounds import sample_rounds
from feltlab.report.documents.training_manual import training_manual
from feltlab.report.renderers import html
from feltlab.report.round_frames import has_money, show_round
from feltlab.submission.chips import RACK, count_chips
from feltlab.text import dollars

VALUES = {chip.colour: chip.cents for chip in RACK}
PARTS = (
    "The table",
    "Overview of the rules",
    "Dealing procedure",
    "A round in pictures",
    "The dealer's calls",
    "Taking and paying, in order",
    "Payouts",
    "Irregularities",
    "After a void round",
    "Common mistakes",
    "Questions",
    "Answers",
)
IN_CHIPS = re.compile(
    r"\$([\d,]+(?:\.\d\d)?)(?:: | \(|, in the fewest chips )((?:\d+ [a-z ]+?(?:, | and )?)+)(?=[.)]|$)"
)


def count_words(chips: str) -> int:
    """The cents of chips in words."""
    return sum(
        int(n) * VALUES[colour] for n, colour in re.findall(r"(\d+) ((?:half )?[a-z]+)(?: and|,|$)", chips)
    )


def texts(manual: Document) -> list[str]:
    """All sentences with payments in chips."""
    rows = (b.rows for s in manual.sections for b in s.blocks if isinstance(b, TableBlock))
    answers = next(s for s in manual.sections if s.title == "Answers").blocks[1].entries
    return [*(cell for table in rows for row in table for cell in row), *answers]


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_a_manual_has_all_parts_and_its_chips_make_its_amounts(game: Game) -> None:
    manual = training_manual(game)
    titles = [section.title for section in manual.sections]
    assert [part for part in PARTS if part not in titles] == []
    contents = [section.title for section in manual.sections if section.level == 1]
    assert not any(title[0].isdecimal() for title in contents)  # chapters of the rule sheet are below them
    assert len(list(manual.pictures)) >= 4
    found = [match.groups() for text in texts(manual) for match in IN_CHIPS.finditer(text)]
    assert len(found) >= 5
    for amount, chips in found:
        cents = int(Fraction(amount.replace(",", "")) * 100)
        assert count_words(chips) == cents, (amount, chips)
        assert sum(map(int, re.findall(r"\d+", chips))) == sum(count_chips(cents).values())
    assert "Questions" in html.render(manual)
    assert manual == training_manual(game)  # nothing in it is left to chance


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_a_round_in_pictures_settles_each_wager_once_from_right_to_left(game: Game) -> None:
    deals = example(game)
    frames = list(show_round(deals))
    told = " ".join(action for frame in frames for action in frame.actions)
    for seat, paid in deals[-1].payments:
        if has_money(paid):
            assert told.count(f"Position {seat + 1}, {paid.spot.title}: ") == 1
    for frame in frames:
        seats = [seat for seat, paid in frame.paid if paid.result != "refund"]
        assert seats == sorted(seats, reverse=True)
        for seat, paid in frame.paid:
            assert frame.chips[seat].get(paid.spot.name, 0) == paid.staked
    assert not any(frames[0].hands)


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_answers_are_settlements_and_mistakes_have_a_cost(game: Game) -> None:
    questions = list(make_questions(game))
    assert len({question.text for question in questions}) == len(questions)
    hands = [question for question in questions if question.text.startswith("A player has")]
    assert 1 <= len(hands) <= 8
    by_text = {" ".join(sorted(settled_words(deal))) for deal in sample_rounds(game)}
    for question in hands:
        nets = re.findall(r"(pay|take) (\$[\d,.]*\d)", question.answer)
        assert " ".join(sorted(f"{act} {amount}" for act, amount in nets)) in by_text
    assert all(mistake.house_cents for mistake in find_mistakes(game))


def settled_words(deal: Deal) -> list[str]:
    nets = [settled.net for settled in deal.rounds[0].settlement.wagers]
    return [f"{'pay' if net > 0 else 'take'} {dollars(abs(net))}" for net in nets if net]
