"""Every link of every document leads somewhere, and every document can be reached from the map."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"```.*?```", re.S)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def links(path: Path) -> list[str]:
    """The links of a document that lead into the project."""
    found = LINK.findall(FENCE.sub("", path.read_text(encoding="utf-8")))
    return [link for link in found if not link.startswith(("http://", "https://", "mailto:"))]


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text(encoding="utf-8")), re.M)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_leads_somewhere(path: Path) -> None:
    for link in links(path):
        target, _, anchor = link.partition("#")
        found = path.parent / target if target else path
        assert found.exists(), f"{name_of(path)} links to {target}, which is missing."
        assert not anchor or anchor in anchors(found), f"{name_of(path)} links to {link}: no such heading."


def targets(path: Path) -> list[Path]:
    """The documents that a document links to; a link to a folder is one to each document in it."""
    found = [path.parent / link.partition("#")[0] for link in links(path)]
    return [each for target in found for each in (target.glob("*.md") if target.is_dir() else [target])]


def test_every_document_can_be_reached_from_the_map() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "docs" / "index.md"]
    while waiting:
        path = waiting.pop().resolve()
        if path.suffix == ".md" and path not in reached:
            reached.add(path)
            waiting += targets(path)
    missing = {name_of(path) for path in DOCUMENTS if path.is_relative_to(ROOT / "docs")}
    missing -= {name_of(path) for path in reached if path.is_relative_to(ROOT)}
    assert not missing, f"Write a link to {sorted(missing)} in docs/index.md."


MODULE = re.compile(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|toml|json|csv))`")


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_file_that_a_document_names_exists(path: Path) -> None:
    """By its path from the project's folder, or from that of the package."""
    named = set(MODULE.findall(path.read_text(encoding="utf-8")))
    missing = {
        name for name in named if not any((ROOT / start / name).exists() for start in ("", "src/feltlab"))
    }
    assert not missing, f"{name_of(path)} names {sorted(missing)}, which do not exist."
