"""The starter `./felt` in a copy of the clone, with stand-ins for Python, pip and uv instead of a network."""

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

FELT = Path(__file__).parents[1] / "felt"

# The stand-in for python3 and, copied, for .venv/bin/python. It logs each install; `-m feltlab` prints its
# arguments.
PYTHON = """\
#!/bin/sh
log() { echo "$1" >>"$LOG"; }
case "$1 $2 ${3:-}" in
    "-c import sys;"*) exit "${TOO_OLD:-0}" ;;
    "-c "*) exec "$REAL" "$@" ;;
    "-P -c import feltlab") [ -f "$(dirname "$0")/../pip-was-here" ] ;;
    "-m venv"*)
        log venv
        mkdir -p "$3/bin"
        [ -n "${NO_PIP:-}" ] && exit 1
        cp "$0" "$3/bin/python" ;;
    "-m pip"*)
        log pip
        case "$*" in
            *--quiet*) ;;
            *) echo "Collecting numpy"; sleep 1; echo "Installing collected packages: numpy, rich" ;;
        esac
        for second in ${SLOW:-}; do sleep 1; done
        [ -z "${OFFLINE:-}" ] || exit 1
        touch "$(dirname "$0")/../pip-was-here" ;;
    "-P -m feltlab" | "-m pytest -n") printf '<%s>' "$@" ;;
    *) echo "unexpected: $*" >&2; exit 99 ;;
esac
"""


LONG = "1 " * 60  # seconds
COMMANDS = (
    *("sh", "cat", "cp", "dirname", "mkdir", "readlink", "rm", "sleep", "touch"),
    *("date", "grep", "ls", "mktemp", "sed", "tail", "tr"),  # of the status line
)


class Clone:
    """A copy of the clone and the commands that it finds."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder / "clone", folder / "log"
        self.commands = folder / "bin"
        for place in (self.folder, self.commands):
            place.mkdir(parents=True)
        self.felt = Path(shutil.copy(FELT, self.folder))
        for name in ("pyproject.toml", "constraints.txt"):
            (self.folder / name).touch()
            os.utime(self.folder / name, (1, 1))
        self.command("python3", PYTHON)
        for name in COMMANDS:
            (self.commands / name).symlink_to(str(shutil.which(name)))

    def command(self, name: str, text: str) -> None:
        (self.commands / name).write_text(text)
        (self.commands / name).chmod(0o755)

    def start(self, *words: str, felt: Path | None = None, **environment: str) -> "subprocess.Popen[str]":
        known = {"PATH": str(self.commands), "LOG": str(self.log), "REAL": sys.executable}
        return subprocess.Popen(
            [str(felt or self.felt), *words],
            env=known | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # nohup would have it ignored
        )

    def run(self, *words: str, felt: Path | None = None, **environment: str) -> tuple[int, str, str]:
        process = self.start(*words, felt=felt, **environment)
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    @property
    def done(self) -> list[str]:
        return self.log.read_text().split() if self.log.exists() else []

    def wait_for(self, *steps: str) -> None:
        for _ in range(600):
            if self.done == list(steps):
                return
            time.sleep(0.02)
        raise AssertionError(self.done)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "a place")


STARTED = "<-P><-m><feltlab>"


def run_on_terminal(clone: Clone, **environment: str) -> tuple[int, str]:
    """The exit status and what the terminal shows."""
    ours, theirs = pty.openpty()
    known = {"PATH": str(clone.commands), "LOG": str(clone.log), "REAL": sys.executable}
    process = subprocess.Popen(
        [str(clone.felt), "games"], env=known | environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # the terminal is closed at the end
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    return process.wait(30), shown.decode()


def test_the_first_start_prepares_and_the_second_only_runs(clone: Clone) -> None:
    assert clone.run("games") == (0, f"{STARTED}<games>", "felt: preparing .venv, once ...\n")
    assert clone.run("games") == (0, f"{STARTED}<games>", "")
    assert clone.done == ["venv", "pip"]


def test_a_terminal_shows_the_progress_of_the_preparation(clone: Clone) -> None:
    status, shown = run_on_terminal(clone, SLOW="1")
    assert status == 0
    for step in ("creating the environment", "finding packages, 1 so far", "installing packages, 0 of 2"):
        assert f"felt: preparing .venv, once: {step}, " in shown
    assert shown.split("\r\x1b[K")[-1] == f"{STARTED}<games>"


def test_a_terminal_shows_why_the_preparation_failed(clone: Clone) -> None:
    status, shown = run_on_terminal(clone, OFFLINE="1")
    assert status == 1
    assert shown.splitlines()[-2:] == [
        "Installing collected packages: numpy, rich",
        "felt: .venv could not be prepared.",
    ]


def test_words_are_passed_on_as_they_are(clone: Clone) -> None:
    _, out, _ = clone.run("hand", "As Kd", "", "*", "--json")
    assert out == f"{STARTED}<hand><As Kd><><*><--json>"


def test_test_runs_pytest_on_all_cores(clone: Clone) -> None:
    assert (
        clone.run("test", "-k", "two words")[1] == "<-m><pytest><-n><auto><--dist><worksteal><-k><two words>"
    )
    assert (clone.folder / ".venv" / "installed[dev]").exists()


def test_a_changed_project_is_installed_again_into_the_same_venv(clone: Clone) -> None:
    clone.run()
    ahead = time.time() + 1
    os.utime(clone.folder / "pyproject.toml", (ahead, ahead))
    clone.run()
    assert clone.done == ["venv", "pip", "pip"]


def test_links_are_followed(clone: Clone, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "table").symlink_to(clone.felt)
    (tmp_path / "link").symlink_to("far/table")
    assert clone.run("games", felt=tmp_path / "link")[1] == f"{STARTED}<games>"
    assert (clone.folder / ".venv" / "made").exists()


@pytest.mark.parametrize("trouble", ["NO_PIP", "OFFLINE"])
def test_after_a_failed_preparation_the_next_start_begins_again(clone: Clone, trouble: str) -> None:
    status, out, err = clone.run(**{trouble: "1"})
    assert (status, out) == (1, "")
    assert err.endswith("felt: .venv could not be prepared.\n")
    assert clone.run()[:2] == (0, STARTED)
    assert clone.done.count("venv") == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_after_an_interrupted_preparation_the_next_start_begins_again(
    clone: Clone, number: signal.Signals
) -> None:
    process = clone.start(SLOW=LONG)
    clone.wait_for("venv", "pip")
    os.killpg(process.pid, number)
    assert "interrupted" in process.communicate(timeout=300)[1]
    assert process.returncode == 130
    assert clone.run()[:2] == (0, STARTED)
    assert clone.done == ["venv", "pip", "venv", "pip"]


def test_two_first_starts_prepare_once(clone: Clone) -> None:
    first = clone.start("one", SLOW="1")
    clone.wait_for("venv", "pip")
    status, out, err = clone.run("two")
    assert (status, out) == (0, f"{STARTED}<two>")
    assert err == "felt: waiting for another start that is preparing .venv ...\n"
    assert first.communicate(timeout=300)[0] == f"{STARTED}<one>"
    assert clone.done == ["venv", "pip"]


def test_a_killed_start_leaves_no_lock(clone: Clone) -> None:
    process = clone.start(SLOW=LONG)
    clone.wait_for("venv", "pip")
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=300)
    assert clone.run()[:2] == (0, STARTED)


def test_a_moved_clone_is_prepared_again(clone: Clone) -> None:
    clone.run()
    clone.folder = clone.folder.rename(clone.folder.with_name("moved"))
    assert clone.run("games", felt=clone.folder / "felt")[:2] == (0, f"{STARTED}<games>")
    assert clone.done == ["venv", "pip", "venv", "pip"]


def test_a_venv_whose_python_has_vanished_is_made_again(clone: Clone) -> None:
    clone.run()
    (clone.folder / ".venv" / "bin" / "python").unlink()
    (clone.folder / ".venv" / "bin" / "python").symlink_to("/nowhere/python3")
    assert clone.run()[:2] == (0, STARTED)
    assert clone.done == ["venv", "pip", "venv", "pip"]


def test_only_old_pythons_are_one_sentence_and_status_2(clone: Clone) -> None:
    needed = "felt: Python 3.11 or newer is needed, and none was found.\n"
    assert clone.run(TOO_OLD="1") == (2, "", needed)
    assert clone.done == []


def test_uv_is_used_where_there_is_one(clone: Clone) -> None:
    uv = """\
#!/bin/sh
case $1 in
    venv) "$4" -m venv "$5" ;;
    pip) "$4" -m pip ;;
esac
echo uv >>"$LOG"
"""
    clone.command("uv", uv)
    assert clone.run("games")[:2] == (0, f"{STARTED}<games>")
    assert clone.done == ["venv", "uv", "pip", "uv"]
