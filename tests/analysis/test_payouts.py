"""The largest payouts: exposure at the highest wager, aggregate payout limits, and funds."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from feltlab.analysis.par_sheet import par_sheet
from feltlab.analysis.payouts import Payouts, largest_payouts
from feltlab.core.game import Game
from feltlab.core.payout_rules import HighestWager, PayoutRules, describe_reference
from feltlab.core.round import Round
from feltlab.games import GAMES
from feltlab.proving.proof import prove
from feltlab.report.document import Paragraph, Section, TableBlock
from feltlab.report.documents.par_sheet import document
from feltlab.report.documents.payouts import NO_HIGHEST_WAGER
from feltlab.submission.venues import venue
from feltlab.text import dollars

RUMMY = GAMES["triple-shot-rummy"]
WAR = GAMES["casino-war"]
RULES = PayoutRules(50, "WAC 230-15-490", True, 25_000, "WAC 230-15-455", True)
CARD_ROOM = venue("commercial").highest_wager
assert CARD_ROOM
SIX = "six-card-bonus"


@cache
def payouts(game: Game = RUMMY, cents: int = 40_000) -> Payouts:
    return largest_payouts(prove(game), HighestWager("Card room", cents, "a rule", payouts=RULES))


# -- The rules as data ------------------------------------------------------------------------------


def test_the_rules_of_a_card_room() -> None:
    """WAC 230-15-490 and -455, and the last of the dated caps of WAC 230-15-140."""
    assert CARD_ROOM
    assert CARD_ROOM.payouts == RULES
    assert (CARD_ROOM.cents, CARD_ROOM.reference) == (40_000, "WAC 230-15-140")
    assert CARD_ROOM.since == "since August 2023 (not confirmed)"


def test_a_venue_that_sets_its_own_limits_has_no_highest_wager() -> None:
    assert venue("tribal").highest_wager is None


def test_a_reference_says_whether_it_is_confirmed() -> None:
    assert describe_reference("WAC 1", True) == "WAC 1"
    assert describe_reference("WAC 1", False) == "WAC 1, to be confirmed"


# -- Exposure ---------------------------------------------------------------------------------------


def test_a_second_unit_counts_only_where_a_choice_can_have_put_it_down() -> None:
    """Blackjack: two units win 1 to 1 on a double; a blackjack pays 3 to 2, on one unit."""
    by_spot = {found.spot.name: found for found in payouts(GAMES["triple-shot-bonus"]).exposures}
    assert (by_spot["blackjack"].wager, by_spot["blackjack"].wins) == (40_000, 80_000)


def test_the_exposure_of_war_by_hand() -> None:
    """$400 on each: a tied war wins both units of the Primary, $800, and the Tie $4,000; seven seats."""
    found = payouts(WAR)
    assert {e.spot.name: (e.wager, e.wins) for e in found.exposures} == {
        "primary": (40_000, 80_000),
        "tie": (40_000, 400_000),
    }
    assert (found.bound, found.occurs, found.seats) == (480_000, 480_000, 7)
    assert found.as_json()["largest_win_of_a_full_table_at_most"] == 7 * 480_000


def test_the_largest_win_of_a_seat_happens_in_a_round() -> None:
    """King, queen and jack of spades, no points, against ace, ten and deuce: 1 + 4 + 40 + 1,000 units."""
    wagers = {bet.name.replace("-", "_"): 40_000 for bet in RUMMY.wagers}
    over = Round.of(RUMMY, "Ks Qs Js", "As Ts 2c", **wagers).choose("play")
    assert over.settlement.net == payouts().bound == payouts().occurs == 1_045 * 40_000


def test_a_raise_is_measured_at_its_size() -> None:
    """Insurance is half of the Blackjack wager: $200, which wins $400 at 2 to 1."""
    game = GAMES["triple-shot-bonus"]
    assert CARD_ROOM
    assert CARD_ROOM.wager_on(game, game.spot("insurance")) == 20_000


# -- Aggregate payout limits ------------------------------------------------------------------------


def test_the_example_of_the_rule() -> None:
    """$300 times 50 is $15,000."""
    limits = {limit.spot.name: limit.least for limit in payouts(RUMMY, 30_000).limits}
    assert limits == {"play": None, "ante": None, "pair-plus": None, SIX: 1_500_000}


@pytest.mark.parametrize(("top", "least"), [(49, None), (50, 2_000_000), (51, 2_000_000), (1_000, 2_000_000)])
def test_a_limit_needs_top_odds_of_fifty(top: int, least: int | None) -> None:
    lines = [line.outcome for line in RUMMY.pay_table(RUMMY.spot(SIX)).lines if line.pays >= 50]
    game = RUMMY.with_pays(SIX, dict.fromkeys(lines, top))
    highest = HighestWager("Card room", 40_000, "a rule", payouts=RULES)
    assert highest.least_limit(game, game.spot(SIX)) == least
    assert replace(highest, payouts=None).least_limit(game, game.spot(SIX)) is None


def test_fewer_winners_never_pass_the_least_limit() -> None:
    """Every number of winners of a line, up to a full table, against the limit in dollars."""
    found = payouts()
    (limit,) = (limit for limit in found.limits if limit.least)
    fewest = {line.line.outcome: line.winners for line in limit.lines}
    for line in RUMMY.pay_table(RUMMY.spot(SIX)).lines:
        passes = [n for n in range(1, found.seats + 1) if n * line.pays * 40_000 > (limit.least or 0)]
        assert fewest.get(line.outcome) == min(passes, default=None)
    assert fewest["Royal Flush"] == 1
    assert fewest["Four of a Kind"] == 2  # 50 to 1 is just the limit


def test_a_lone_player_has_the_edge_of_a_table_that_pays_fifty_at_most() -> None:
    (limit,) = (limit for limit in payouts().limits if limit.least)
    above = [line.outcome for line in RUMMY.pay_table(RUMMY.spot(SIX)).lines if line.pays > 50]
    cut = prove(RUMMY.with_pays(SIX, dict.fromkeys(above, 50)))
    assert len(above) > 1
    assert limit.added_alone == cut.house_edge(SIX) - prove(RUMMY).house_edge(SIX) > 0


# -- Funds ------------------------------------------------------------------------------------------


def test_the_second_highest_large_prize_is_kept() -> None:
    """1,000, 200 and 50 to 1 on $400: $400,000, $80,000 and $20,000, which is not large."""
    found = payouts()
    assert [prize.cents for prize in found.large_prizes] == [40_000_000, 8_000_000]
    assert found.funds == 8_000_000


@pytest.mark.parametrize(
    ("cents", "prizes", "funds"),
    [
        (2_500, 0, 0),  # 1,000 to 1 on $25 is $25,000, which is not more
        (2_600, 1, 0),  # one prize above $25,000 needs no funds
        (12_600, 2, 2_520_000),  # 200 to 1 on $126 is $25,200
    ],
)
def test_funds_depend_on_the_highest_wager(cents: int, prizes: int, funds: int) -> None:
    found = payouts(RUMMY, cents)
    assert (len(found.large_prizes), found.funds) == (prizes, funds)


# -- In the sheet -----------------------------------------------------------------------------------


def sections(game: Game) -> dict[str, Section]:
    return {part.title: part for part in document(par_sheet(game, highest=CARD_ROOM)).sections}


def table_of(section: Section, at: int = 0) -> tuple[tuple[str, ...], ...]:
    return [block.rows for block in section.blocks if isinstance(block, TableBlock)][at]


def test_the_sheet_shows_what_its_json_has() -> None:
    found = sections(RUMMY)
    data = par_sheet(RUMMY, highest=CARD_ROOM).as_json()["highest_wager"]
    *rows, total = table_of(found["Largest payouts"])
    for row, exposure in zip(rows, data["exposures"].values(), strict=True):
        assert row[1:] == tuple(map(dollars, exposure.values()))
        assert exposure["largest_win_of_a_full_table"] == data["seats"] * exposure["largest_win"]
    assert total[2] == dollars(data["largest_win_of_a_seat_at_most"])
    assert total[3] == dollars(data["largest_win_of_a_full_table_at_most"])
    limits = data["aggregate_limits"].values()
    for row, limit in zip(table_of(found["Aggregate payout limits"]), limits, strict=True):
        assert row[1] == f"{int(limit['top_odds']['value']):,} to 1"
        least = dollars(limit["least_limit"]) if limit["allowed"] else ""
        assert row[2:] == ("allowed" if limit["allowed"] else "not allowed", least)
    lines = data["aggregate_limits"][SIX]["lines_that_can_pass_it"]
    for row, line in zip(table_of(found["Aggregate payout limits"], 1), lines, strict=True):
        assert (row[0], row[2]) == (line["outcome"], dollars(line["prize"]))
        assert row[4] == str(line["fewest_winners_above_the_least_limit"])
    prizes = tuple(dollars(prize["prize"]) for prize in data["large_prizes"])
    assert tuple(row[2] for row in table_of(found["Funds for large prizes"])) == prizes


@pytest.mark.parametrize(
    ("game", "words"), [(RUMMY, "The amount to keep is $80,000."), (WAR, "no prize is above $25,000.")]
)
def test_the_sheet_says_what_must_be_kept(game: Game, words: str) -> None:
    (told, *_) = (b.text for b in sections(game)["Funds for large prizes"].blocks if isinstance(b, Paragraph))
    assert told.endswith(words)
    assert "(WAC 230-15-455)" in told


def test_a_sheet_without_a_highest_wager_says_that_it_has_none_of_it() -> None:
    sheet = par_sheet(WAR)
    assert sheet.as_json()["highest_wager"] is None
    (found,) = (part for part in document(sheet).sections if part.title == "Largest payouts")
    assert found.blocks == (Paragraph(NO_HIGHEST_WAGER),)
    assert "Funds for large prizes" not in {part.title for part in document(sheet).sections}


def test_every_wager_of_a_game_fits_on_one_hand() -> None:
    """So every wager can be at its highest at once."""
    assert all(len(game.wagers) <= game.rules.GAMES_PER_HAND for game in GAMES.values())


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_wager_and_no_raise_is_above_the_highest(game: Game) -> None:
    assert CARD_ROOM
    wagers = [CARD_ROOM.wager_on(game, spot) for spot in game.spots]
    assert max(wagers) == CARD_ROOM.cents
    game.check_wagers({spot.name: CARD_ROOM.wager_on(game, spot) for spot in game.wagers})


def test_a_raise_of_four_antes_lets_the_ante_be_a_quarter_of_the_highest() -> None:
    game = GAMES["ultimate-texas-holdem"]
    assert CARD_ROOM
    highest = {spot.name: CARD_ROOM.wager_on(game, spot) for spot in game.spots}
    assert highest == {"play": 40_000, "ante": 10_000, "blind": 10_000, "trips": 40_000, "bad-beat": 40_000}


def test_the_exposure_per_wager_is_the_best_line_of_its_pay_table() -> None:
    for exposure in payouts().exposures:
        best = max(Fraction(line.pays) for line in RUMMY.pay_table(exposure.spot).lines)
        assert exposure.wins == best * 40_000
