"""docs/your-own-game.md works as it is written: code is applied, commands are run, output is compared."""

from pathlib import Path

import pytest

from tests.support.own_game_page import (
    DELETE,
    PAGE,
    Step,
    apply_definitions,
    apply_differences,
    delete_definition,
    missing_line,
    read_commands,
    read_steps,
    run_command,
)

NEVER_ENDS = ("serve",)  # tests/cli/test_own_game.py serves a game


class Reader:
    """Somebody who follows the page in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.game = folder
        self.spoiled = ""  # the rules as they were before a mistake

    def follow(self, step: Step) -> None:
        if step.kind == "console":
            self._run(step)
        elif step.kind == "diff":
            self._spoil(step)
        elif step.file:
            (self.folder / step.file).write_text(step.content, encoding="utf-8")
        else:
            assert step.kind == "python", f"line {step.line}: nothing says which file this is"
            self._change_rules(step)

    @property
    def rules(self) -> Path:
        return self.game / "rules.py"

    def _change_rules(self, step: Step) -> None:
        source = self.rules.read_text()
        for name in DELETE.findall(step.before):
            source = delete_definition(source, name)
        self.rules.write_text(apply_definitions(source, step.content))

    def _spoil(self, step: Step) -> None:
        """Make the mistake in the game of section 1."""
        self.game = self.folder / "my-game"
        self.spoiled = self.rules.read_text()
        self.rules.write_text(apply_differences(self.spoiled, step.content))

    def _run(self, step: Step) -> None:
        try:
            for words, shown in read_commands(step.content):
                self._run_command(words, shown, step.line)
        finally:
            if self.spoiled:
                self.rules.write_text(self.spoiled)
                self.spoiled = ""

    def _run_command(self, words: list[str], shown: list[str], line: int) -> None:
        if words[1] in NEVER_ENDS:
            return
        ran = run_command(words, self.folder)
        is_refused = any(text.startswith("feltlab: ") for text in shown)
        assert ran.returncode == (2 if is_refused else 0), f"line {line}: {words}\n{ran.stdout}"
        missing = missing_line(shown, ran.stdout)
        assert not missing, f"line {line}: {words} does not print {missing!r}:\n{ran.stdout}"
        if words[1] == "new":
            self.game = self.folder / words[2]


@pytest.mark.slow
def test_a_reader_who_follows_the_page_gets_what_it_shows(tmp_path: Path) -> None:
    steps = list(read_steps(PAGE.read_text(encoding="utf-8")))
    assert len(steps) > 20
    reader = Reader(tmp_path)
    for step in steps:
        reader.follow(step)
