"""PAR sheets: what they say follows from the proof, and the command writes it."""

import errno
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from feltlab import __version__
from feltlab.analysis.bankroll_walk import Walk, chain, sum_rounds
from feltlab.analysis.house_side import ROUNDS_PER_HOUR, SPAN_HOURS
from feltlab.analysis.par_sheet import par_sheet
from feltlab.games import GAMES
from feltlab.kernel import whole_source_digest
from feltlab.progressives.catalogue import all_progressives
from feltlab.proving.proof import prove
from feltlab.report.documents.par_sheet import document
from feltlab.report.documents.progressive import name_others
from feltlab.report.renderers.markdown import render
from tests.support.command_line import answer, refusal, run
from tests.support.features import EVERY_KIND
from tests.support.par_sheets import sheet_of

DOCS = Path(__file__).parents[2] / "docs" / "par"
every_game = pytest.mark.parametrize("name", EVERY_KIND)


# -- Numbers ----------------------------------------------------------------------------------------


@every_game
def test_returns_add_up_to_the_edge_and_combinations_to_all_deals(name: str) -> None:
    for bet in sheet_of(name).bets:
        assert sum(o.returned for o in bet.outcomes) == -bet.measures.edge
        assert sum(o.probability for o in bet.outcomes) == 1
        assert sum(o.count for o in bet.outcomes) == sheet_of(name).proof.tally.deals


@every_game
def test_measures_are_those_of_the_tally(name: str) -> None:
    tally = sheet_of(name).proof.tally
    for bet in sheet_of(name).bets:
        found = bet.measures
        assert found.expected == tally.expected(bet.bet)
        assert found.variance == tally.variance(bet.bet)
        assert found.element_of_risk == tally.element_of_risk(bet.bet)
        assert found.hit_frequency == tally.hit_frequency(bet.bet)
        assert found.win_frequency == tally.win_frequency(bet.bet)
        assert found.win_frequency + found.push_frequency + found.loss_frequency == 1


@every_game
def test_the_stake_is_measured_as_a_whole(name: str) -> None:
    found, proof = sheet_of(name).total, sheet_of(name).proof
    assert found.expected == proof.tally.total_expected(proof.stake)
    assert found.variance == proof.tally.total_variance(proof.stake)
    assert found.average_wager == proof.average_wager
    assert found.edge == -found.expected / sum(proof.stake.values()) == proof.joint_edge


def test_the_edge_of_a_stake_is_per_unit_of_its_first_wagers() -> None:
    """Two units on Primary lose twice as much, on twice the first wager."""
    doubled = par_sheet("casino-war", {"primary": 2}).total
    published = Fraction(23138, 993023)  # 2.33 %
    assert doubled.edge == sheet_of("casino-war").total.edge == published
    assert doubled.loss == 2 * doubled.edge


@pytest.mark.slow
def test_the_edge_of_three_wagers_is_their_published_average() -> None:
    """The packet's analysis has 2.9328 % for War, Blackjack (hits soft 17) and Poker together."""
    found = prove("triple-shot-bonus", strategy="blackjack-optimal")
    assert f"{float(found.joint_edge):.4%}" == "2.9328%"


@pytest.mark.slow
def test_a_wager_hits_when_it_wins_itself_whatever_its_raise_does() -> None:
    """Rabbit Hunter's Ante is refunded whenever the dealer does not qualify, though the Play may win."""
    ante = sheet_of("rabbit-hunter").bets[0]
    own = sum(o.count for o in ante.outcomes if "better hand" in o.name.split("; "))
    assert ante.measures.hit_frequency == Fraction(own, sheet_of("rabbit-hunter").proof.tally.deals)
    assert f"{float(ante.measures.hit_frequency):.2%}" == "24.02%"
    assert f"{float(ante.measures.win_frequency):.2%}" == "45.56%"


def test_the_skewness_of_a_bet_that_wins_or_loses() -> None:
    """(1 - 2p) / sqrt(p (1 - p)) for any two results."""
    tie = sheet_of("casino-war").bets[1].measures
    p = float(tie.hit_frequency)
    assert tie.skewness == pytest.approx((1 - 2 * p) / sqrt(p * (1 - p)))


def test_the_volatility_index_is_so_many_deviations() -> None:
    found = sheet_of("casino-war").bets[0].measures
    assert found.volatility(Fraction(165, 100)) == pytest.approx(1.65 * found.deviation)


@every_game
def test_no_correlation_is_more_than_whole(name: str) -> None:
    for one in sheet_of(name).bets:
        assert sheet_of(name).correlation(one, one) == pytest.approx(1)
        for other in sheet_of(name).bets:
            assert -1 <= sheet_of(name).correlation(one, other) <= 1 + 1e-12
            assert sheet_of(name).covariance(one, other) == sheet_of(name).covariance(other, one)


# -- Sensitivity ------------------------------------------------------------------------------------


def test_a_line_that_pays_one_more_moves_the_edge_by_its_slope() -> None:
    """Pair Plus tables 1 and 2 pay 6 and 5 on a straight, and all else alike."""
    found = sheet_of("triple-shot-rummy")
    (straight,) = (line for line in found.bets[1].pay_lines if line.line.outcome == "Straight")
    edges = {variant.name: variant.edges["pair-plus"] for variant in found.options["pair-plus"]}
    assert straight.slope == edges["1"] - edges["2"]


@every_game
def test_slopes_and_pays_make_the_edge(name: str) -> None:
    """The edge is linear in the pays: all lines' slopes times pays, and the units that are lost."""
    game, tally = GAMES[name], sheet_of(name).proof.tally
    for bet in sheet_of(name).bets:
        won = sum((line.slope * line.line.pays for line in bet.pay_lines), Fraction(0))
        spots = [spot for spot in game.spots if bet.bet.name in (spot.name, spot.raises)]
        lost = Fraction(0)
        for spot in spots:
            units = tally.units(spot).values()
            for line, decided in zip(game.pay_table(spot).lines, units, strict=True):
                lost -= min(line.pays, Fraction(0)) * spot.size * Fraction(decided, tally.deals)
        assert won + lost == bet.measures.edge


def test_each_value_of_an_option_is_proved() -> None:
    found = {variant.name: variant for variant in sheet_of("casino-war").options["decks"]}
    assert list(found) == list("12345678")
    assert [name for name, variant in found.items() if variant.is_of_sheet] == ["6"]
    tally = prove(GAMES["casino-war"].with_options({"decks": "8"})).tally
    assert found["8"].edges == {bet.name: -tally.expected(bet) for bet in GAMES["casino-war"].wagers}
    assert found["6"].edges["primary"] == sheet_of("casino-war").bets[0].measures.edge


def test_an_option_under_which_the_stake_is_not_possible_has_no_edges() -> None:
    rummy = GAMES["triple-shot-rummy"]
    found = par_sheet(rummy, {"ante": Fraction(0), "pair-plus": Fraction(1)})
    no, yes = found.options["ante-mandatory"]
    assert no.edges
    assert not yes.edges
    assert yes.words == "Triple Shot Rummy requires the Ante wager."
    assert found.card is None  # nothing to choose
    assert "With this stake the player has no choice to make." in render(document(found))


# -- Strategies -------------------------------------------------------------------------------------


@every_game
def test_no_strategy_beats_the_best_and_one_is_that_of_the_sheet(name: str) -> None:
    found = sheet_of(name)
    assert [variant.name for variant in found.strategies if variant.is_of_sheet] == ["optimal"]
    assert found.best.expected == found.total.expected
    assert all(found.cost(variant) >= 0 for variant in found.strategies)


def test_a_strategy_costs_the_difference_of_two_proofs() -> None:
    found = par_sheet(GAMES["casino-war"], strategy="surrender")
    expected = [prove(GAMES["casino-war"], strategy=name).tally.expected for name in ("optimal", "surrender")]
    best, own = (of(GAMES["casino-war"].spot("primary")) for of in expected)
    (mine,) = (variant for variant in found.strategies if variant.is_of_sheet)
    assert (mine.name, found.cost(mine)) == ("surrender", best - own)


# -- The house --------------------------------------------------------------------------------------


@every_game
def test_the_win_and_its_bands(name: str) -> None:
    house, edge = sheet_of(name).house, sheet_of(name).total.loss
    for hours, span in zip(SPAN_HOURS.values(), house.spans.values(), strict=True):
        assert span.win == edge * house.bet * house.seats * hours * ROUNDS_PER_HOUR
        (low, high), (lower, higher) = span.band(95), span.band(99)
        assert lower < low < span.win < high < higher
        assert 0 <= span.loss_probability < 0.5


def test_the_exposure_is_the_largest_net_at_every_seat() -> None:
    """A war that ties wins two units: $20 of $10, at each of five seats."""
    assert sheet_of("casino-war").house.exposure == 5 * 2000


def test_the_exposure_follows_the_stake_on_each_bet() -> None:
    """$20 on Primary: a war that ties wins $40. $5 on Tie wins $50. Together: the tie, and a war tied."""
    house = par_sheet("casino-war", {"primary": 2, "tie": Fraction(1, 2)}).house
    assert house.exposures == {"primary": 4000, "tie": 5000}
    assert house.exposure == 5 * 9000


def test_sums_of_rounds_are_binomial_for_a_coin() -> None:
    coin = {100: Fraction(1, 2), -100: Fraction(1, 2)}
    spread = sum_rounds(Walk(coin, 0, 10))
    assert spread
    for heads in range(11):
        found = spread.chance(spread.results == 100 * (2 * heads - 10))
        assert found == pytest.approx(comb(10, heads) / 1024, abs=1e-12)


def test_sums_of_rounds_are_the_chain_of_a_bankroll_without_end() -> None:
    nets = {900: Fraction(1, 11), -100: Fraction(10, 11)}
    found, known = sum_rounds(Walk(nets, 0, 400)), chain(Walk(nets, 10**9, 400))
    assert found
    assert known
    for share in (0.005, 0.025, 0.5, 0.975, 0.995):
        assert found.percentile(share) == known.spread.percentile(share)
    assert found.chance(found.results >= 0) == pytest.approx(
        known.spread.chance(known.spread.results >= 0), abs=1e-11
    )


def test_sums_that_need_too_much_memory_are_not_made() -> None:
    assert sum_rounds(Walk({10**9: Fraction(1, 2), -1: Fraction(1, 2)}, 0, 1000)) is None


# -- JSON -------------------------------------------------------------------------------------------


def leaves(value: Any) -> Iterator[Any]:
    """Every dictionary inside of a value."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)


@every_game
def test_json_has_fractions_and_their_values_and_no_clock(name: str) -> None:
    data = json.loads(json.dumps(sheet_of(name).as_json()))
    exact = [leaf for leaf in leaves(data) if "exact" in leaf]
    assert len(exact) > 50
    for leaf in exact:
        root = leaf["exact"].startswith("sqrt(")
        value = Fraction(leaf["exact"].removeprefix("sqrt(").removesuffix(")"))
        assert leaf["value"] == pytest.approx(sqrt(value) if root else float(value), rel=1e-15, abs=1e-300)
    assert not any("seconds" in leaf for leaf in leaves(data))
    assert data["rules_date"] == GAMES[name].date
    assert data["rules_digest"] == GAMES[name].digest


# -- The command ------------------------------------------------------------------------------------


def test_the_command_prints_the_sheet_and_its_json() -> None:
    data = answer("par", "casino-war")
    assert data.pop("sign_off")["program"] == "feltlab"
    assert data == json.loads(json.dumps(sheet_of("casino-war").as_json()))
    shown = run("par", "casino-war").stdout
    assert shown.startswith("Casino War: PAR sheet\n")
    assert "2.3301 %" in shown


@pytest.mark.parametrize("suffix", [".pdf", ".html", ".md", ".txt", ".json", ".HTML"])
def test_the_command_writes_files_that_are_the_same_each_time(tmp_path: Path, suffix: str) -> None:
    once, again = tmp_path / f"once{suffix}", tmp_path / f"again{suffix}"
    assert run("par", "casino-war", "-o", str(once)).stdout == f"Wrote {once}.\n"
    run("par", "casino-war", "-o", str(again))
    assert once.read_bytes() == again.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [again.name, once.name]


def test_a_file_and_json_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sheet.json"
    printed = run("par", "casino-war", "-o", str(path), "--json").stdout
    assert path.read_text() == printed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--strategy", "x"), "'x' is not a strategy of Casino War; they are optimal, war and surrender."),
        (("--bet", "0"), "The Primary wager must be more than $0, not $0."),
        (("--stake", "tie=1/3"), "The Tie wager of 1/3 times $10 is not a whole number of cents."),
        (("--venue", "moon"), "'moon' is not a venue; the venues are commercial and tribal."),
        (("--option", "decks=9"), "decks=9 is not possible; decks is 1, 2, 3, 4, 5, 6, 7 or 8."),
        (
            ("-o", "sheet.docx"),
            "A document is written as .pdf, .html, .md, .txt or .json, not as 'sheet.docx'.",
        ),
        (("--annex", "table.txt"), "A strategy table is written as .csv or .csv.gz, not as 'table.txt'."),
        (("--annex", "/nowhere/x.csv"), "/nowhere/x.csv cannot be written: there is no folder /nowhere."),
        (("--date", "2026-02-30"), "'2026-02-30' is not a date, such as 2026-03-31."),
        (("--date", "31.3.2026"), "'31.3.2026' is not a date, such as 2026-03-31."),
        (("--author", "A\nB"), "The name of the author must be one line without control characters."),
        (("--reviewer", "\u202ex"), "The name of the reviewer must be one line without control characters."),
        (("--reviewer", "x" * 81), "The name of the reviewer has more than 80 characters."),
        (("--author", "  "), "The name of the author is blank."),
        (("--simulate", "0"), "The number of rounds must be from 1 to 1e+13, not 0."),
        (("--simulate", "9", "--seed", str(2**64)), f"The seed must be from 0 to {2**64 - 1}, not {2**64}."),
        (("-o", "/nowhere/x.pdf"), "/nowhere/x.pdf cannot be written: there is no folder /nowhere."),
    ],
)
def test_a_mistake_is_answered_by_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert refusal("par", "casino-war", *words) == sentence


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "sheet.pdf"
    folder.mkdir()
    assert refusal("par", "casino-war", "-o", str(folder)) == f"{folder} cannot be written: it is a folder."


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "sheet.md"
    path.write_text("before")
    monkeypatch.setattr("os.replace", full)
    assert refusal("par", "casino-war", "-o", str(path)) == (
        f"{path} cannot be written: No space left on device."
    )
    assert [(left.name, left.read_text()) for left in tmp_path.iterdir()] == [("sheet.md", "before")]


def test_a_sheet_can_be_held_to_a_simulation() -> None:
    shown = run("par", "casino-war", "--simulate", "100000").stdout
    assert "The simulation agrees with the proof." in shown
    found = answer("par", "casino-war", "--simulate", "100000", "--seed", "7")["simulated"]
    assert (found["verdict"], found["rounds"], found["seed"]) == ("agrees", 100_000, 7)
    assert found["generator"].startswith("SFC64")
    # Four nets of Primary, with and without a tie, are five joint outcomes; a tie opens the one first choice.
    assert found["chi_square_outcomes"]["degrees_of_freedom"] == 4
    assert found["chi_square_first_choices"]["degrees_of_freedom"] == 1


def test_the_complete_strategy_is_written_beside_the_sheet(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    run("par", "casino-war", "--annex", str(table))
    assert len(table.read_text().splitlines()) == 1 + 13  # a tie of each rank


def test_the_sign_off_is_in_sheet_and_json() -> None:
    words = ("--date", "2026-03-31", "--author", "Ann Ode", "--reviewer", "Ré Ader")
    signed = answer("par", "casino-war", *words)["sign_off"]
    assert (signed["date"], signed["author"], signed["reviewer"]) == ("2026-03-31", "Ann Ode", "Ré Ader")
    assert (signed["version"], signed["sources_digest"]) == (__version__, whole_source_digest())
    shown = run("par", "casino-war", *words).stdout
    digest = whole_source_digest()[:40]  # a terminal breaks the line behind them
    for text in ("2026-03-31", "Name: Ann Ode", "Name: Ré Ader", digest, f"feltlab {__version__}"):
        assert text in shown


def test_a_sheet_has_no_date_unless_it_is_given() -> None:
    assert answer("par", "casino-war")["sign_off"]["date"] is None


# -- docs/par ---------------------------------------------------------------------------------------


@every_game
def test_the_sheets_in_the_documents_are_fresh(name: str) -> None:
    """`feltlab par GAME -o docs/par/GAME.md` writes them; the sources may have changed since."""
    written = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert SOURCES.sub("", written) == SOURCES.sub("", render(document(sheet_of(name))))


SOURCES = re.compile(r"(?<=digest of the program's sources \| )[0-9a-f]+")


@pytest.mark.parametrize("name", GAMES)
def test_a_sheet_in_the_documents_is_of_the_rules_in_force(name: str) -> None:
    """All of them; whole sheets are compared for games of every kind, since some take minutes."""
    assert GAMES[name].digest in (DOCS / f"{name}.md").read_text(encoding="utf-8")


def test_every_game_has_its_sheet() -> None:
    assert {path.stem for path in DOCS.glob("*.md")} == set(GAMES)


@pytest.mark.parametrize("name", all_progressives())
def test_a_sheet_names_the_progressive_that_it_does_not_prove(name: str) -> None:
    rules = all_progressives()[name]
    (game,) = (attached.game for attached in rules.attached)
    (line,) = name_others(game, ())
    assert line == f"{rules.title} ({rules.status}) is not in this sheet; --progressive {name} adds it"
    assert line in (DOCS / f"{game}.md").read_text(encoding="utf-8")
    assert list(name_others(game, (Mock(progressive=rules),))) == []
    assert list(name_others("casino-war", ())) == []
