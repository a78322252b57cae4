"""`.ci/release` tags a version only if the tree, the version and the changelog agree."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

RELEASE = Path(__file__).parents[1] / ".ci" / "release"
CHANGELOG = "# Changelog\n\n## 1.2.0 (2026-05-01)\n- Faster proofs.\n\n## 1.1.0 (2026-01-01)\n- First.\n"


class Repository:
    """A small git repository with a copy of the script."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "--quiet")
        (folder / ".ci").mkdir()
        shutil.copy(RELEASE, folder / ".ci")
        (folder / "src" / "feltlab").mkdir(parents=True)
        self.write("src/feltlab/__init__.py", '__version__ = "1.2.0"\n')
        self.write("CHANGELOG.md", CHANGELOG)

    def git(self, *words: str) -> str:
        person = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        command = ["git", *person, *words]
        return subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "x")

    def release(self, *words: str) -> tuple[int, str]:
        """The exit status, and the sentence printed."""
        identity = {"GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@example.org"}
        done = subprocess.run(
            [".ci/release", *words],
            cwd=self.folder,
            env=os.environ | identity,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_a_release_is_tagged_with_its_changelog_entry(repository: Repository) -> None:
    status, printed = repository.release("1.2.0")
    assert (status, printed[:17]) == (0, "Tagged v1.2.0 at ")
    notes = repository.git("tag", "--list", "v1.2.0", "--format", "%(contents)")
    assert notes.strip() == "feltlab 1.2.0\n\n- Faster proofs."


def test_a_release_without_a_version_says_how_to_name_one(repository: Repository) -> None:
    assert repository.release() == (2, "release: name the version, such as .ci/release 0.2.0.\n")
    assert repository.release("1.2") == (2, "release: '1.2' is not a version such as 0.2.0.\n")


def test_a_tree_with_changes_is_not_released(repository: Repository) -> None:
    (repository.folder / "new").touch()
    assert repository.release("1.2.0") == (2, "release: the tree has changes that are not committed.\n")


def test_another_version_is_not_released(repository: Repository) -> None:
    refused = (2, "release: src/feltlab/__init__.py has another version than 1.1.0.\n")
    assert repository.release("1.1.0") == refused


@pytest.mark.parametrize("entry", ["", "## 1.2.0 (unreleased)\n- x\n", "## 1.2.00 (2026-05-01)\n- x\n"])
def test_a_version_without_a_dated_entry_is_not_released(repository: Repository, entry: str) -> None:
    repository.write("CHANGELOG.md", f"# Changelog\n\n{entry}")
    refused = (2, "release: CHANGELOG.md has no entry '## 1.2.0 (YYYY-MM-DD)'.\n")
    assert repository.release("1.2.0") == refused


def test_an_empty_entry_is_not_released(repository: Repository) -> None:
    repository.write("CHANGELOG.md", "# Changelog\n\n## 1.2.0 (2026-05-01)\n\n## 1.1.0 (2026-01-01)\n- x\n")
    assert repository.release("1.2.0")[1] == "release: the entry of 1.2.0 in CHANGELOG.md is empty.\n"


def test_a_tag_is_made_once(repository: Repository) -> None:
    repository.release("1.2.0")
    assert repository.release("1.2.0") == (2, "release: the tag v1.2.0 exists.\n")
