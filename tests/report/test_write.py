"""Files that commands write: refused before anything is proved, or written whole."""

from pathlib import Path

import pytest

from feltlab.errors import Refused
from feltlab.report.document import Document
from feltlab.report.write import Output
from tests.support.command_line import refusal

COMMANDS = (
    ("audit",),
    ("audit", "casino-war"),
    ("par", "casino-war"),
    ("session", "casino-war"),
)


@pytest.fixture
def _nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("something was proved")

    monkeypatch.setattr("feltlab.proving.proof.cached_law", never)


@pytest.mark.usefixtures("_nothing_is_proved")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_suffix_that_nothing_is_written_as_is_refused_at_once(command: tuple[str, ...]) -> None:
    assert "is written as" in refusal(*command, "-o", "x.doc")


@pytest.mark.usefixtures("_nothing_is_proved")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_folder_that_is_not_there_is_refused_at_once(command: tuple[str, ...], tmp_path: Path) -> None:
    suffix = "svg" if command[0] == "session" else "pdf"
    path = tmp_path / "nowhere" / f"x.{suffix}"
    assert refusal(*command, "-o", str(path)).endswith(f"there is no folder {path.parent}.")


def test_what_is_no_ordinary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.pdf").mkdir()
    with pytest.raises(Refused, match="it is a folder"):
        Output(tmp_path / "folder.pdf")
    with pytest.raises(Refused, match="it is not an ordinary file"):
        Output(Path("/dev/null"), ("",))


def test_only_what_is_written_is_made(tmp_path: Path) -> None:
    def never() -> Document:
        raise AssertionError("nobody asked for it")

    Output(tmp_path / "data.JSON").write_document(never, lambda: {"a": 1})
    assert (tmp_path / "data.JSON").read_text() == '{\n  "a": 1\n}\n'
    Output(tmp_path / "text.md").write_document(lambda: Document("A", "b", "", "", ()), never)
    assert (tmp_path / "text.md").read_text().startswith("# A: b")
