"""The digest of a game's rules: of their source text without the parts that cannot change a rule.

The text is that of the game's `rules.py` and of every module that it imports, directly or through
another module. Comments, docstrings, imports and blank lines are cut out by position, so that the same rules
have the same digest under every version of Python and wherever a module is in the tree.
"""

import ast
import hashlib
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


Position = tuple[int, int]  # line from 0, character from 0
Import = ast.Import | ast.ImportFrom


def rules_digest(rules: Path, package: Path = PACKAGE) -> str:
    """The digest of the rules in a file; `package` is the folder of the feltlab that it imports."""
    return hashlib.sha256(digested_text(rules, package)).hexdigest()


@cache  # a process keeps the rules that it imported, also if their file changes
def digest_imported(file: str) -> str:
    """The digest of the rules in a file as it was when this process first asked."""
    return rules_digest(Path(file))


def digested_text(rules: Path, package: Path = PACKAGE) -> bytes:
    """All texts that the digest of the rules in a file covers."""
    texts = sorted(rules_text(path.read_text(encoding="utf-8")) for path in rule_sources(rules, package))
    return "\0".join(texts).encode()


def rule_sources(rules: Path, package: Path = PACKAGE) -> set[Path]:
    """The file of the rules and the files of all modules that they are made of."""
    found, pending = set[Path](), [rules]
    while pending:
        path = pending.pop()
        if path not in found:
            found.add(path)
            pending += _imported_files(path, package)
    return found


@cache  # games share most of their sources
def rules_text(source: str) -> str:
    """Python source without comments, docstrings, imports and blank lines."""
    lines = source.splitlines()
    for (first, start), (last, end) in sorted(_cuts(source, lines), reverse=True):
        lines[first : last + 1] = [lines[first][:start] + lines[last][end:], *[""] * (last - first)]
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _cuts(source: str, lines: list[str]) -> Iterator[tuple[Position, Position]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield (token.start[0] - 1, token.start[1]), (token.end[0] - 1, token.end[1])
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Import) or _is_docstring(node):
            yield _start(node, lines), _end(node, lines)


def _is_docstring(node: ast.AST) -> bool:
    """A string that is a statement: at the head of a module, a class or a function, or anywhere else."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _start(node: ast.AST, lines: list[str]) -> Position:
    line, offset = node.lineno - 1, node.col_offset  # type: ignore[attr-defined]
    return line, _characters(lines[line], offset)


def _end(node: ast.AST, lines: list[str]) -> Position:
    line, offset = node.end_lineno - 1, node.end_col_offset  # type: ignore[attr-defined]
    return line, _characters(lines[line], offset)


def _characters(line: str, offset: int) -> int:
    """`ast` counts bytes of UTF-8; a line is cut between characters."""
    return len(line.encode()[:offset].decode())


def _imported_files(path: Path, package: Path) -> list[Path]:
    """The files of the modules that a file imports from feltlab or from beside itself, tools left out."""
    nodes = _import_statements(path.read_text(encoding="utf-8"))
    return [found for node in nodes for found in _files(node, path, package)]


@cache  # parsing takes far longer than reading, and every game that is made has its digest
def _import_statements(source: str) -> tuple[Import, ...]:
    return tuple(node for node in ast.walk(ast.parse(source)) if isinstance(node, Import))


def _files(node: Import, path: Path, package: Path) -> Iterator[Path]:
    for base, name in _imports(node, path, package):
        place = base.joinpath(*name.split("."))
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file() and file.parent != package:  # top-level modules are tools without a rule
                yield file


def _imports(node: Import, path: Path, package: Path) -> Iterator[tuple[Path, str]]:
    """Each module that may be meant by an import: a folder, and the module's dotted name below it.

    `from feltlab.core.hands import poker` may mean a module `poker` of a package or a name inside a module; a
    name that is no file is not a module.
    """
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
        yield from ((package, name.removeprefix("feltlab.")) for name in names if name.startswith("feltlab."))
    else:
        module = node.module or ""
        if node.level:
            base = path.parents[node.level - 1]
        elif module.split(".")[0] == "feltlab":
            base, module = package, module.removeprefix("feltlab").lstrip(".")
        else:
            return
        yield from ((base, f"{module}.{alias.name}".lstrip(".")) for alias in node.names)
        if module:
            yield base, module
