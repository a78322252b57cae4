"""The incident report: one page with everything on record, and no figure that is not."""

import pytest

from feltlab.report.documents.incident import document
from feltlab.report.renderers import pdf, text

AT = "2026-01-31T12:00:00.000000+00:00"


def entry(**changed):
    plain = {
        "kind": "wrong-count",
        "title": "Wrong number of cards",
        "time": AT,
        "by": "sue",
        "what": "Seat 2 has 4 cards instead of 3.",
        "hand": "seat 2",
        "player": "bob",
        "found": 4,
        "due": 3,
        "decision": "void",
        "decided": "Wagers that are still open are returned.",
        "clause": "11.1",
        "clause_text": "A wrong number of cards in any hand voids the round.",
        "reading": "",
        "drill": False,
        "phase": "choosing",
    }
    return plain | changed


def incident(entries, seats=1, events=2):
    money = [
        {
            "seat": n,
            "player": f"player {n}",
            "put_down": 1500,
            "settled": -500,
            "refunded": 1000,
            "corrected": 0,
        }
        for n in range(1, seats + 1)
    ]
    return {
        "table": "rummy-1",
        "round": 12,
        "game": "triple-shot-rummy",
        "title": "Triple Shot Rummy",
        "rules_date": "2017-12-20",
        "rules_digest": "ab" * 32,
        "began": AT,
        "ended": AT,
        "void": "Seat 2 has 4 cards instead of 3.",
        "entries": entries,
        "money": money,
        "events": [{"number": n, "kind": "void", "time": AT, "digest": "cd" * 32} for n in range(events)],
        "drill": False,
        "house": "The Lucky Felt",
        "hands": [(f"seat {n}", "As Kd Qh") for n in range(1, seats + 1)] + [("dealer", "2c 3d 4h")],
        "settled": [f"seat {n} war $5: lower card, -$5" for n in range(1, seats + 1)],
        "returned": [f"seat {n} ante $10" for n in range(1, seats + 1)],
        "stays": "Clause 11.7. Wagers that were settled before an irregularity is found stay settled.",
    }


def test_the_report_has_everything_that_a_supervisor_signs():
    shown = " ".join(text.render(document(incident([entry()]))).split())
    for words in (
        "rummy-1, round 12: Incident report",
        "sue, 2026-01-31 12:00:00 UTC",
        "The Lucky Felt",
        "phase choosing",
        "seat 1 As Kd Qh; dealer 2c 3d 4h",
        "seat 1 war $5: lower card, -$5",
        "wagers returned seat 1 ante $10",
        "Clause 11.7.",
        "void: Seat 2 has 4 cards instead of 3. ",
        "seat 2, bob",
        "4 found, 3 due",
        "void: Wagers that are still open are returned.",
        "Clause 11.1.",
        "1 player 1 $15 -$5 $10 $0",
        "the house +$5 $0",
        "cd" * 32,
        "sue, supervisor",
        "signature",
    ):
        assert words in shown, words


def test_a_void_without_a_record_shows_no_hand_no_count_and_no_clause():
    plain = entry(
        hand="", player="", found=None, due=None, decision="", decided="", clause="", clause_text=""
    )
    shown = text.render(document({**incident([plain]), "stays": ""}))
    assert "found" not in shown
    assert "Clause" not in shown


@pytest.mark.parametrize(("entries", "seats", "events"), [(1, 1, 2), (2, 7, 30), (7, 7, 30)])
def test_the_report_is_one_page(entries, seats, events):
    pdfium = pytest.importorskip("pypdfium2")
    long = entry(reading="The rules are silent. " * 12, clause_text="A card that is seen too early. " * 6)
    made = pdf.render(document(incident([long] * entries, seats, events)))
    assert len(pdfium.PdfDocument(made)) == 1
    assert made == pdf.render(document(incident([long] * entries, seats, events)))
