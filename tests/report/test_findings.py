"""The findings report: counts, order, and an explanation whose every number is the proof's."""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product as combinations
from math import prod
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from feltlab import __version__
from feltlab.analysis.audit import audit
from feltlab.analysis.audit_report import AuditReport, MultipliedChances, audit_report
from feltlab.analysis.multiplied_chances import Product, products, strategy_edges
from feltlab.analysis.printed_digits import find_dropped_digit, round_like
from feltlab.games import GAMES, data_files
from feltlab.games import figures as published
from feltlab.games.catalogue import has_public_rules
from feltlab.games.figures import figures
from feltlab.kernel import whole_source_digest
from feltlab.proving.proof import prove
from feltlab.report.document import Document, Items, Paragraph, Section, TableBlock
from feltlab.report.documents.findings import _dates, document, severity
from feltlab.report.documents.multiplied_chances import sections
from feltlab.report.documents.sign_off import UNSIGNED
from feltlab.report.numbers import decimal, describe_edge
from feltlab.report.renderers import markdown, pdf
from feltlab.text import percent
from tests.support.command_line import refusal, run

WAR, BONUS = GAMES["casino-war"], GAMES["triple-shot-bonus"]


def words(found: list[Section] | tuple[Section, ...]) -> str:
    blocks = [block for section in found for block in section.blocks]
    told = [block.text for block in blocks if isinstance(block, Paragraph)]
    told += [entry for block in blocks if isinstance(block, Items) for entry in block.entries]
    return "\n".join(
        [*told, *(cell for b in blocks if isinstance(b, TableBlock) for row in b.rows for cell in row)]
    )


@pytest.fixture(scope="module")
def hat_trick() -> Product:
    return next(products(BONUS))


@pytest.fixture(scope="module")
def explained(hat_trick: Product) -> MultipliedChances:
    return MultipliedChances((hat_trick,), strategy_edges(hat_trick))


@pytest.fixture(scope="module")
def small() -> AuditReport:
    return audit_report(["casino-war", "triple-shot-rummy"])


@pytest.fixture(scope="module")
def whole() -> Document:
    return document(audit_report(list(GAMES)))


# -- The joint law ----------------------------------------------------------------------------------


def test_the_joint_law_is_the_law_of_the_proof(hat_trick: Product) -> None:
    assert sum(hat_trick.law.values()) == hat_trick.proof.tally.deals
    assert list(hat_trick.law) == list(combinations((True, False), repeat=3))
    assert hat_trick.share((True, True, True)) == hat_trick.hit
    tally = hat_trick.proof.tally
    assert hat_trick.hit == Fraction(
        tally.outcomes(BONUS.spot("hat-trick"))["none of the three lost"], tally.deals
    )
    assert sum((hat_trick.share_if_independent(h) for h in hat_trick.law), Fraction(0)) == 1


def test_the_events_are_those_whose_chances_are_printed(hat_trick: Product) -> None:
    """War: 27 of 51 second cards are no higher than the first; Poker: its own hit frequency."""
    assert hat_trick.chance([0]) == Fraction(27, 51)
    assert hat_trick.chance([2]) == hat_trick.proof.tally.hit_frequency(BONUS.spot("poker"))
    for n, factor in enumerate(hat_trick.factors):
        assert round_like(hat_trick.chance([n]), factor.value) == factor.value
    assert round_like(hat_trick.printed, Decimal("0.0000")) == hat_trick.figure.value


def test_conditional_chances_multiply_to_the_truth(hat_trick: Product) -> None:
    steps = [hat_trick.chance([n], range(n)) for n in range(3)]
    assert prod(steps, start=Fraction(1)) == hat_trick.hit
    assert steps[1] > hat_trick.chance([1])
    assert steps[2] > hat_trick.chance([2])


# -- The explanation --------------------------------------------------------------------------------


def test_the_explanation_tells_the_proofs_numbers(hat_trick: Product, explained: MultipliedChances) -> None:
    told = words(list(sections(explained)))
    bet = BONUS.spot("hat-trick")
    for pay in ("9", "6"):
        game = BONUS.with_options({"hat-trick": pay})
        assert percent(-prove(game, strategy="blackjack-optimal").tally.expected(bet)) in told
        assert percent(-prove(game, strategy="hat-trick").tally.expected(bet)) in told
    assert f"{decimal(1 / hat_trick.hit - 1)} to 1" in told
    assert percent(hat_trick.chance([2], [0, 1]), 2) in told
    assert percent(hat_trick.chance([1], [0]), 2) in told
    assert f"{hat_trick.law[True, True, True]:,}" in told
    assert "6 to 1 is the highest whole pay" in told


def test_at_the_even_pay_the_wager_is_even(hat_trick: Product, explained: MultipliedChances) -> None:
    (exact,) = re.findall(r"even at (\d+)/(\d+) to 1", words(list(sections(explained))))
    pay = Fraction(int(exact[0]), int(exact[1]))
    assert hat_trick.hit * pay == 1 - hat_trick.hit


def test_the_picture_is_drawn_and_described(hat_trick: Product, explained: MultipliedChances) -> None:
    (picture,) = Document("", "", "", "", tuple(sections(explained))).pictures
    assert picture.svg.startswith(b"<svg ")
    assert picture.svg.count(b"<rect") == 2
    assert percent(hat_trick.hit, 2) in picture.words


def test_other_games_have_no_such_section() -> None:
    assert [name for name in GAMES if any(products(GAMES[name]))] == ["triple-shot-bonus"]


# -- The report -------------------------------------------------------------------------------------


def test_the_report_of_packets_with_small_errors(small: AuditReport) -> None:
    made = document(small)
    told = words(made.sections[:1])
    assert "22 published figures" in told
    assert "20 agree" in told
    assert (
        "2 edges are wrong in the last digit: by at most 0.52 cents" in told
    )  # 7.09 for 7.095023, 10.23 for 10.22479
    assert [s.title for s in made.sections] == [
        "Summary",
        "What is wrong",
        "What is right",
        "Casino War",
        "Triple Shot Rummy",
    ]


def test_a_packet_without_figures_has_a_report() -> None:
    assert "no figure" in words(document(audit_report(["rabbit-hunter"])).sections)


def test_the_command_writes_the_report_and_its_data(tmp_path: Path) -> None:
    for suffix in ("pdf", "html", "md", "txt", "json"):
        file = tmp_path / f"found.{suffix}"
        assert run("audit", "casino-war", "-o", str(file)).stdout == f"Wrote {file}.\n"
        assert file.stat().st_size > 100
    assert (tmp_path / "found.pdf").read_bytes().startswith(b"%PDF")
    told = json.loads((tmp_path / "found.json").read_text())
    assert [finding["exact"] for finding in told["findings"]] == ["23138/993023", "58/311"]
    assert told["products"] == []


def test_a_product_as_data() -> None:
    (found, _) = (product.as_json() for product in products(GAMES["triple-shot-bonus"]))
    assert found["bet"] == "hat-trick"
    assert [event["printed"] for event in found["events"]] == ["52.9412%", "51.8290%", "34.4604%"]
    assert found["even_pay"]["value"] == pytest.approx(1 / found["hit_frequency"]["value"] - 1)


@pytest.mark.slow
def test_the_report_of_all_packets(whole: Document) -> None:
    told = words(whole.sections[:1])
    public = sum(len(figures(game)) for game in GAMES.values() if has_public_rules(game))
    assert f"{289 + public} published figures" in told  # 289 figures and cells of the packets
    assert "1 depends on the session" in told
    assert "by the packet the house keeps $5.44 of each $100" in told
    assert "pays out $25.15 more than it takes in" in told
    (listed,) = [b for b in whole.sections[1].blocks if isinstance(b, TableBlock)]
    # Of packets 7 last digits, 8 that differ, 4 contradictions, 1 that depends; of public sources 6 and 5.
    assert len(listed.rows) == 20 + 11
    assert "Hat Trick, house edge" in listed.rows[0][0]
    assert all(reason for *_, reason in listed.rows)


@pytest.mark.slow
def test_cells_of_a_strategy_table_follow_the_figures_by_row_and_cost(whole: Document) -> None:
    titles = [section.title for section in whole.sections]
    place = titles.index("Cells of the strategy table of Triple Shot Bonus")
    assert titles.index("Why the figures of the Hat Trick are wrong") < place < titles.index("What is right")
    rows = [block for block in whole.sections[place].blocks if isinstance(block, TableBlock)]
    assert rows[0].caption == "Row 13 to 16"  # against a ten alone it costs half of all
    costs = [[float(line[3]) for line in row.rows] for row in rows]
    assert all(row == sorted(row, reverse=True) for row in costs)
    totals = [sum(row) for row in costs]
    assert totals == sorted(totals, reverse=True)
    assert sum(totals) == pytest.approx(0.000417, rel=0.05)  # what the whole table costs
    assert sum(map(len, costs)) == 53  # not best for some hand of two cards or more


@pytest.mark.slow
def test_the_worst_come_first() -> None:
    found = sorted(audit(["triple-shot-bonus"]), key=severity)
    verdicts = [finding.verdict for finding in found if finding.verdict != "agrees"]
    assert set(verdicts[-4:]) == {"last digit"}
    assert "last digit" not in verdicts[:-4]


# -- The sign-off -----------------------------------------------------------------------------------

PEOPLE = ("--date", "2026-03-31", "--author", "Ann Ode", "--reviewer", "Ré Ader")


def test_a_signed_report_names_people_program_and_whole_digests(tmp_path: Path) -> None:
    run("audit", "casino-war", "-o", str(tmp_path / "found.md"), *PEOPLE)
    told = (tmp_path / "found.md").read_text()
    names = ("Name: Ann Ode", "Name: Ré Ader", "2026-03-31", f"feltlab {__version__}", WAR.digest)
    assert all(text in told for text in names)
    run("audit", "casino-war", "-o", str(tmp_path / "found.json"), *PEOPLE)
    data = json.loads((tmp_path / "found.json").read_text())
    assert (data["sign_off"]["author"], data["sign_off"]["date"]) == ("Ann Ode", "2026-03-31")
    assert data["rules"]["casino-war"]["digest"] == GAMES["casino-war"].digest


def test_a_report_of_several_games_has_the_digest_of_each(small: AuditReport) -> None:
    made = document(small, UNSIGNED)
    told = words(made.sections[-4:-3])
    assert all(GAMES[name].digest in told for name in small.games)
    assert (made.digest, made.digest_title) == (whole_source_digest(), "digest of the sources")
    assert "digest of the sources" in markdown.render(made)
    assert document(small).sections == made.sections[:-4]  # a page of the lab has nothing to sign


def test_people_without_a_report_are_refused() -> None:
    assert refusal("audit", "casino-war", "--author", "Ann Ode") == (
        "--date, --author and --reviewer are for a report; name its file with -o."
    )
    assert "is not a date" in refusal("audit", "casino-war", "-o", "x.pdf", "--date", "tomorrow")


def test_the_first_page_goes_on_with_what_is_wrong(small: AuditReport) -> None:
    first = PdfDocument(pdf.render(document(small)))[0].get_textpage().get_text_bounded()
    assert "What is wrong" in first


# -- Public sources ----------------------------------------------------------------------------------

PUBLISHED = """
[[figure]]
name = "edge by one source"
where = "one page"
source = "https://example.com/one"
published = "2.33%"
measure = "house_edge"
bet = "primary"
quantity = "house edge"

[[figure]]
name = "edge by another"
where = "another page"
source = "https://example.com/two"
published = "2.70%"
measure = "house_edge"
bet = "primary"
quantity = "house edge"

[[figure]]
name = "edge per money bet"
where = "a third page"
source = "https://example.com/three"
published = "2.170%"
measure = "house_edge"
bet = "primary"
quantity = "house edge"

[[later]]
name = "edge with a seen card"
where = "a page"
source = "https://example.com/four"
published = "55% to 104%"
why = "It is not the base game."
"""


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> Iterator[AuditReport]:
    """The audit of Casino War with made-up sources.

    Six decks: 23138/993023 of the Primary is lost; 1 + 23/311 units are bet in the mean, since every tie of
    23 cards among 311 goes to war. So 2.3301 % are lost per Primary and 2.1696 % per money bet.
    """
    monkeypatch.setattr(data_files, "_read_text", lambda *path: PUBLISHED)
    published._load_published.cache_clear()
    yield audit_report(["casino-war"])
    monkeypatch.undo()
    published._load_published.cache_clear()


def test_sources_that_disagree_stand_together_with_what_the_proof_says(public: AuditReport) -> None:
    (section,) = [s for s in document(public).sections if s.title == "Where sources disagree"]
    (table,) = [block for block in section.blocks if isinstance(block, TableBlock)]
    assert table.caption == "Casino War: house edge"
    assert [row[0] for row in table.rows] == ["2.33%", "2.70%", "2.170%"]
    assert [row[1].split(", ")[1] for row in table.rows] == [
        "https://example.com/one",
        "https://example.com/two",
        "https://example.com/three",
    ]
    verdicts = [row[3] for row in table.rows]
    assert verdicts[0] == "agrees"
    assert verdicts[1].startswith("differs; fits on no basis: per Primary 2.330")
    assert verdicts[2].startswith("agrees per money bet: 2.1696")


def test_a_basis_is_in_every_form_of_the_report(public: AuditReport) -> None:
    told = public.as_json()
    assert [found["basis"][:20] for found in told["findings"]] == ["", "", "agrees per money bet"]
    assert told["disputes"] == [
        {
            "game": "casino-war",
            "quantity": "house edge",
            "figures": ["edge by one source", "edge by another", "edge per money bet"],
        }
    ]
    assert "edge per money bet (agrees per money bet: 2.1696" in words(document(public).sections)


def test_a_wrong_edge_of_a_public_source_is_not_the_packets(public: AuditReport) -> None:
    told = words(document(public).sections[:1])
    assert "Casino War, Primary: by the source the house keeps $2.70 of each $100 wagered" in told
    assert "packet" not in told.replace("approval packets and public sources", "")


def test_data_for_later_are_listed_and_not_judged(public: AuditReport) -> None:
    told = words([s for s in document(public).sections if s.title == "What is not audited"])
    assert "55% to 104%" in told
    assert "It is not the base game." in told
    assert [entry["published"] for entry in public.as_json()["later"]] == ["55% to 104%"]
    assert len(public.findings) == 3


# -- Reasons and words ------------------------------------------------------------------------------


def test_a_digit_left_out_is_seen() -> None:
    printed = {f.name: f for f in figures(BONUS)}["Poker TSB-01, hit frequency, on the pay table page"]
    assert find_dropped_digit(Fraction(34460442, 10**8), printed.value) == "34.46"
    assert find_dropped_digit(Fraction(3533, 10**4), printed.value) == ""


def test_reasons_are_not_in_the_json(small: AuditReport) -> None:
    assert all(
        list(f.as_json()) == ["game", "figure", "where", "published", "proved", "verdict", "note"]
        for f in small.findings
    )


def test_edges_in_words() -> None:
    assert describe_edge(Fraction(54445, 10**6)) == "keeps $5.44"
    assert describe_edge(Fraction(-1, 4)) == "pays out $25 more than it takes in"
    assert percent(Fraction(1, 3)) == "33.3333 %"
    assert percent(Fraction(0), 8) == "0.00000000 %"


def test_the_footer_dates_the_rules_of_each_game() -> None:
    """The rules of Triple Shot Rummy are those of its letter of 2017; the others were amended in 2023."""
    assert _dates(["casino-war", "high-five-poker"]) == "2023-06-14"
    assert _dates(["casino-war", "triple-shot-rummy"]) == (
        "2017-12-20 (Triple Shot Rummy); 2023-06-14 (Casino War)"
    )
