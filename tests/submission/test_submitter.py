"""The submitter's file and the cover letter: what is given is printed, what is not is a line to fill in."""

from datetime import date
from pathlib import Path

import pytest

from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.report.document import BLANK, Document, TableBlock
from feltlab.report.documents.packet.parts import documents, join_parts
from feltlab.report.numbers import chance
from feltlab.submission.packet import packet
from feltlab.submission.packet_figures import prove_packet
from feltlab.submission.submitter import NOBODY, Submitter, add_to_submitter, read_submitter
from feltlab.submission.venues import venue
from feltlab.text import percent
from tests.support.command_line import refusal

FILE = """\
company = "Felt & Sons"
address = ["1 Card Street", "Spokane, Washington 99201"]
licence = "20-00345"
submission = "3119"
version = "2.1"
dated = 2026-11-16
contact = "A. Reader"
telephone = "(509) 555-0100"
email = "reader@example.com"
signed_by = "A. Reader, Compliance"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "we.toml").write_text(FILE, encoding="utf-8")
    return tmp_path / "we.toml"


def letter(by: Submitter, at: str = "commercial", name: str = "casino-war") -> Document:
    made = packet(GAMES[name], venue(at), None, by)
    return documents(made, prove_packet(made))[0]


def cells(document: Document) -> list[str]:
    blocks = [block for section in document.sections for block in section.blocks]
    return [cell for b in blocks if isinstance(b, TableBlock) for row in b.rows for cell in row]


def test_a_file_is_read_whole(file: Path) -> None:
    found = read_submitter(file)
    assert found.address == ("1 Card Street", "Spokane, Washington 99201")
    assert found.dated == date(2026, 11, 16)
    assert all(text for texts in found.texts.values() for text in texts)


def test_the_letter_prints_every_field_and_leaves_none_to_fill_in(file: Path) -> None:
    found = read_submitter(file)
    shown = cells(letter(found))
    for texts in found.texts.values():
        assert all(any(text in cell for cell in shown) for text in texts)
    assert "November 16, 2026" in shown
    assert shown.count(BLANK) == 1  # the signature


def test_a_field_that_is_not_given_is_a_line_to_fill_in() -> None:
    """From: three lines. Licence, submission, date, contact, telephone, email. Signature, name."""
    assert cells(letter(NOBODY)).count(BLANK) == 3 + 6 + 2


def test_the_letter_goes_to_whom_the_venue_names() -> None:
    assert "Washington State Gambling Commission" in cells(letter(NOBODY))
    tribal = cells(letter(NOBODY, "tribal"))
    assert "Tribal Gaming Agency" in tribal
    assert "Washington State Gambling Commission" not in tribal
    assert tribal.count(BLANK) == 3 + 6 + 2 + 3  # which agency, and its address


@pytest.mark.slow
def test_the_letter_does_not_hide_a_wager_that_favours_the_player() -> None:
    """The Hat Trick, added to the other three wagers, gains the player 25.34 %: the sheet's added cost."""
    assert "the Hat Trick gains the player 25.34 % of it" in str(letter(NOBODY, name="triple-shot-bonus"))
    assert "gains the player" not in str(letter(NOBODY))


def test_the_letter_has_the_figures_of_the_stake() -> None:
    """Casino War's Primary: 2.3301 % at best play; a won war pays one unit, a tie after a war two."""
    sheet = prove_packet(packet(GAMES["casino-war"], venue("commercial"))).sheet
    shown = cells(letter(NOBODY))
    figures = dict(zip(shown[::2], shown[1::2], strict=True))
    assert figures["joint edge of the first wagers"] == percent(sheet.total.edge) == "2.3301 %"
    assert figures["return to player"] == "97.6699 %"
    award = figures["highest award of the stake"]
    assert award.startswith(f"{sheet.total.largest} units net, with probability ")
    assert award.endswith(chance(sheet.total.nets[sheet.total.largest]))


def test_the_submitter_changes_no_digest(file: Path) -> None:
    one, other = (
        packet(GAMES["casino-war"], venue("tribal"), None, by) for by in (NOBODY, read_submitter(file))
    )
    assert one.digest == other.digest
    assert one.as_json() == other.as_json()


def test_the_first_page_names_the_submitter(file: Path) -> None:
    made = packet(GAMES["casino-war"], venue("tribal"), None, read_submitter(file))
    first = join_parts(made, documents(made, prove_packet(made))).sections[0]
    assert "Felt & Sons" in str(first)


def test_a_command_adds_number_and_date() -> None:
    found = add_to_submitter(NOBODY, "77", "2026-01-31")
    assert (found.submission, found.dated) == ("77", date(2026, 1, 31))
    assert add_to_submitter(found, None, None) == found


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('company = "A"\nowner = "B"\n', "we.toml, line 2: 'owner' is not a key; the keys are company, "),
        ('company = "A"\n\nlicence = 7\n', "we.toml, line 3: 'licence' is text, not 7."),
        ('address = "here"\n', "we.toml, line 1: 'address' is a list."),
        ('dated = "today"\n', "we.toml, line 1: 'dated' is a date, not 'today'."),
        ("company = \n", "we.toml: Invalid value (at line 1, column 11)."),
        (f'company = "{"x" * 201}"\n', "we.toml, line 1: 'company' is longer than 200 characters."),
        ('company = "a\\u0007b"\n', "'company' has characters that cannot be printed."),
        ("#" * 70_000, "is too long: more than 65,536 bytes."),
    ],
)
def test_a_mistake_is_one_sentence_with_its_line(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "we.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as refused:
        read_submitter(tmp_path / "we.toml")
    assert sentence in str(refused.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "we.toml").write_bytes(b"company = '\xff'")
    with pytest.raises(Refused, match="is not a text in UTF-8"):
        read_submitter(tmp_path / "we.toml")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--submitter", "nowhere.toml"), "nowhere.toml does not exist."),
        (("--date", "tomorrow"), "'tomorrow' is not a date, such as 2026-11-16."),
        (("--submission", "x" * 300), "The submission number is longer than 200 characters."),
        (("--paper", "a5"), "'a5' is not one of 'letter', 'a4'."),
    ],
)
def test_the_command_refuses_before_it_proves(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltlab.submission.packet_figures.prove_packet", None)
    out = tmp_path / "out"
    assert sentence in refusal("packet", "casino-war", "--venue", "tribal", "-o", str(out), *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("day", ["2026-W01-1", "20260101", "2026-02-30"])
def test_a_date_has_one_form(day: str) -> None:
    with pytest.raises(Refused, match="is not a date"):
        add_to_submitter(NOBODY, None, day)


def test_a_file_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text("address = " + "[" * 30_000)
    with pytest.raises(Refused, match="nested too deeply"):
        read_submitter(tmp_path / "deep.toml")


def test_a_field_has_few_lines_and_none_is_blank() -> None:
    with pytest.raises(Refused, match="is blank"):
        add_to_submitter(NOBODY, "   ", None)
