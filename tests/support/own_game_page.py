"""The page docs/your-own-game.md as steps that a reader would take: files to write, commands to run.

- A block below "Write `FILE`:" is a whole file.
- Another block of Python replaces the definitions of the same names in `rules.py`; a new definition goes
  below the one before it. "Delete `NAME`" deletes a definition.
- A block of differences is made for the next commands only: they show a mistake.
- A block of the console shows commands and lines of their output, with "..." for lines that are left out.
"""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "your-own-game.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
WRITE = re.compile(r"Write `([^`]+)`[^`]*:\s*$")
DELETE = re.compile(r"Delete `(\w+)`")


@dataclass(frozen=True)
class Step:
    """A block of the page, and the text before it."""

    line: int
    kind: str  # the language of the block
    content: str
    before: str

    @property
    def file(self) -> str:
        """The file that the block is, if it is a whole one."""
        found = WRITE.search(self.before)
        return found[1] if found else ""


def read_steps(page: str) -> Iterator[Step]:
    end = 0
    for block in BLOCK.finditer(page):
        line = page.count("\n", 0, block.start()) + 1
        yield Step(line, block[1], block[2], page[end : block.start()])
        end = block.end()


# -- Code -------------------------------------------------------------------------------------------


def apply_definitions(source: str, new: str) -> str:
    """The source with these definitions in place of those of the same names."""
    after = len(source.splitlines())
    for node in ast.parse(new).body:
        text = _text_of(node, new)
        places = [old for old in ast.parse(source).body if _names(old) & _names(node)]
        lines = source.splitlines()
        if places:
            first, last = _first_line(places[0]), places[0].end_lineno or 0
            lines[first - 1 : last] = text
            after = first - 1 + len(text)
        elif isinstance(node, ast.ImportFrom):
            at = _last_import(source)
            lines[at:at] = text
        else:
            spaced = ["", *text] if isinstance(node, ast.Assign) else ["", "", *text]
            lines[after:after] = spaced
            after += len(spaced)
        source = "\n".join(lines) + "\n"
    return source


def _last_import(source: str) -> int:
    """The line of the last import."""
    imports = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom)]
    return imports[-1].end_lineno or 0


def delete_definition(source: str, name: str) -> str:
    (node,) = (node for node in ast.parse(source).body if name in _names(node))
    lines = source.splitlines()
    del lines[_first_line(node) - 1 : node.end_lineno]
    return "\n".join(lines) + "\n"


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _text_of(node: ast.stmt, source: str) -> list[str]:
    return source.splitlines()[_first_line(node) - 1 : node.end_lineno]


def _names(node: ast.stmt) -> set[str]:
    """The names that a statement defines; an import is known by its module."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.ImportFrom):
        return {f"import {node.module}"}
    if isinstance(node, ast.Expr):  # the docstring
        return {"docstring"}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    named = (name for target in targets if target for name in ast.walk(target))
    return {name.id for name in named if isinstance(name, ast.Name)}


def apply_differences(text: str, differences: str) -> str:
    """The text with the lines that begin with a minus replaced by those that begin with a plus."""
    old = "".join(f"{line[1:]}\n" for line in differences.splitlines() if line.startswith("-"))
    new = "".join(f"{line[1:]}\n" for line in differences.splitlines() if line.startswith("+"))
    assert text.count(old) == 1, f"{old!r} is not in the file exactly once"
    return text.replace(old, new)


# -- Commands ---------------------------------------------------------------------------------------


def read_commands(console: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each command of a block, and the lines that it prints."""
    for part in re.split(r"^\$ ", console, flags=re.M)[1:]:
        command, *shown = part.splitlines()
        yield shlex.split(command), shown


def run_command(words: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command of the page in a new process, as a reader does."""
    environment = {name: value for name, value in os.environ.items() if name != "FELTLAB_GAMES"}
    start = [sys.executable, "-m", {"feltlab": "feltlab", "pytest": "pytest"}[words[0]]]
    return subprocess.run(
        [*start, *words[1:]],
        cwd=folder,
        env=environment | {"COLUMNS": "100", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def missing_line(shown: list[str], printed: str) -> str:
    """The first line that is shown and not printed in this order; '' if there is none."""
    lines = iter(line.rstrip() for line in printed.splitlines())
    for line in shown:
        if line != "..." and line.rstrip() not in lines:
            return line
    return ""
