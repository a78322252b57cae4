"""The cache of compiled kernels: kept per user, named by the sources, never stale, never required."""

import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from feltlab import kernel as module
from feltlab.byte_locks import one_process
from feltlab.core.hands import blackjack
from feltlab.kernel import cache_folder, kernel, plain_python, source_digest, whole_source_digest

DAY = 24 * 3600
find_folder = cache_folder.__wrapped__  # without the memory of what it found before


def run(code, cache_home, **environment):
    """What `code` prints in a Python of its own."""
    kept = {key: value for key, value in os.environ.items() if key != "FELTLAB_INTERPRET"}
    # Bytecode is recognised by time and size; a test may change a file twice in a second.
    kept |= {"XDG_CACHE_HOME": str(cache_home), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    done = subprocess.run([sys.executable, "-c", code], env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def cache_home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


# -- Where it is ------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="XDG_CACHE_HOME is read on Linux")
def test_the_cache_is_in_the_users_cache_directory_and_named_by_the_sources(cache_home):
    assert find_folder() == cache_home / "feltlab" / "kernels" / source_digest()
    assert find_folder().is_dir()
    assert list(find_folder().iterdir()) == []


def write(package, texts):
    for name, text in texts.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    return package


SOURCES = {"__init__.py": "", "a.py": "x = 1\n", "deep/er/b.py": "y = 1\n"}


@pytest.mark.parametrize(
    "changed",
    [
        SOURCES | {"a.py": "x = 2\n"},
        SOURCES | {"deep/er/b.py": "y = 2\n"},
        SOURCES | {"__init__.py": "\n"},
        SOURCES | {"new.py": ""},
        SOURCES | {"figures.toml": "x = 1\n"},
        {"__init__.py": "", "renamed.py": "x = 1\n", "deep/er/b.py": "y = 1\n"},
        {"__init__.py": "", "a.py": "y = 1\n", "deep/er/b.py": "x = 1\n"},
        {"__init__.py": "", "a.py": "x = 1\n"},
    ],
)
def test_the_digest_changes_with_any_source(tmp_path, changed):
    before = source_digest(write(tmp_path / "before", SOURCES))
    assert before == source_digest(write(tmp_path / "same", SOURCES))
    assert before != source_digest(write(tmp_path / "after", changed))


def test_a_folder_is_named_by_the_first_digits_of_the_whole_digest(tmp_path):
    package = write(tmp_path, SOURCES)
    whole = whole_source_digest(package)
    assert re.fullmatch("[0-9a-f]{64}", whole)
    assert source_digest(package) == whole[:16]


def test_the_digest_is_of_sources_only(tmp_path):
    package = write(tmp_path, SOURCES)
    before = source_digest(package)
    write(package, {"__pycache__/a.cpython-311.pyc": "x", "catalogue.csv": "x"})
    assert source_digest(package) == before


def test_the_digest_of_the_package_itself_is_the_one_in_use():
    assert source_digest() == source_digest(Path(module.__file__).parent)


# -- That it is used, and never stale ---------------------------------------------------------------

HELPER = "from feltlab.kernel import kernel\n\n@kernel\ndef part(x):\n    return x + {}\n"
CALLER = """\
from feltlab.kernel import kernel
from feltlab.helper_of_a_test import part

@kernel
def whole(x):
    return 10 * part(x)
"""
CALL = """\
import feltlab
from feltlab.caller_in_a_test import whole
print(feltlab.__file__)
print(whole(1))
print(sum(whole.stats.cache_hits.values()))
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, with a kernel in one file that calls a kernel in another."""
    package = tmp_path / "tree" / "feltlab"
    shutil.copytree(module.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    write(package, {"helper_of_a_test.py": HELPER.format(1), "caller_in_a_test.py": CALLER})
    return package


def test_a_changed_helper_in_another_file_changes_the_result(tmp_path, copy):
    def call():
        where, result, hits = run(CALL, tmp_path / "cache", PYTHONPATH=str(copy.parent)).splitlines()
        assert Path(where).parent == copy
        return int(result), int(hits)

    def cached():
        return {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.nb?")}

    assert call() == (20, 0)
    first = cached()
    assert first

    assert call() == (20, 1)  # the control: unchanged sources are not compiled again
    assert cached() == first

    write(copy, {"helper_of_a_test.py": HELPER.format(2)})  # as long as before; the caller stays as it is
    assert call() == (30, 0)
    assert len(cached()) == 2 * len(first)


def test_a_second_clone_finds_what_the_first_has_compiled(tmp_path, copy):
    shutil.copytree(copy.parent, tmp_path / "second")
    found = [run(ADD, tmp_path / "cache", PYTHONPATH=str(tmp_path / name)) for name in ("tree", "second")]
    assert found == ["2 0", "2 1"]


TOGETHER = """\
import os, sys, time
from pathlib import Path
from feltlab.caller_in_a_test import whole
folder = Path(os.environ["STARTED"])
(folder / str(os.getpid())).touch()
while len(list(folder.iterdir())) < 2:
    time.sleep(0.001)
print(whole(1), sum(whole.stats.cache_hits.values()))
"""


def test_of_two_processes_that_want_a_kernel_at_once_one_compiles_it(tmp_path, copy):
    (tmp_path / "started").mkdir()
    environment = {"STARTED": str(tmp_path / "started"), "PYTHONPATH": str(copy.parent)}
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda _: run(TOGETHER, tmp_path / "cache", **environment), range(2))
        assert sorted(found) == ["20 0", "20 1"]


def test_nobody_waits_for_ever_for_a_process_that_is_stopped(tmp_path):
    hold = "from pathlib import Path; from feltlab.byte_locks import one_process; import sys, time\n"
    hold += "with one_process(Path(sys.argv[1]), 'name'): print('held', flush=True); time.sleep(600)"
    place = tmp_path / "locks"
    with subprocess.Popen([sys.executable, "-c", hold, place], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        with one_process(place, "another name"):
            pass
        began = time.monotonic()
        with one_process(place, "name", 0.1):
            assert time.monotonic() - began >= 0.1
        holder.kill()
    with one_process(place, "name"):  # the lock ended with its process
        pass


# -- That it can be missing -------------------------------------------------------------------------


@pytest.mark.parametrize("blocked", ["", "feltlab", "feltlab/kernels", "feltlab/kernels/DIGEST"])
def test_a_file_in_the_folders_place_means_no_cache(cache_home, blocked):
    write(cache_home, {blocked.replace("DIGEST", source_digest()): "not a folder"})
    assert find_folder() is None


def test_kernels_work_without_a_cache(tmp_path):
    (tmp_path / "feltlab").write_text("not a folder")
    code = "from feltlab.core.hands.blackjack import value as v; print(v(51), v(0), hasattr(v, 'py_func'))"
    assert run(code, tmp_path) == "1 2 True"  # an ace, a deuce, compiled
    assert [path.name for path in tmp_path.iterdir()] == ["feltlab"]


ADD = "from feltlab.helper_of_a_test import part; print(part(1), sum(part.stats.cache_hits.values()))"


def nothing(text):
    return b""


def half(text):
    return text[: len(text) // 2]


def other(text):
    return b"no pickle" + text


@pytest.mark.parametrize("damage", [nothing, half, other])
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_damaged_files_are_compiled_and_written_anew(tmp_path, copy, kind, damage):
    def call():
        return run(ADD, tmp_path / "cache", PYTHONPATH=str(copy.parent))

    assert call() == "2 0"
    for path in (tmp_path / "cache").rglob(f"*.{kind}"):
        path.write_bytes(damage(path.read_bytes()))
    assert call() == "2 0"
    assert call() == "2 1"


LOST = """\
import shutil
from feltlab.kernel import cache_folder
import feltlab.helper_of_a_test as module
shutil.rmtree(cache_folder())
cache_folder().write_text("not a folder")
print(module.part(1))
"""
FULL = """\
import errno
from numba.core.caching import IndexDataCacheFile
def fail(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
IndexDataCacheFile._open_for_write = fail
from feltlab.helper_of_a_test import part
print(part(1))
"""


@pytest.mark.parametrize("code", [LOST, FULL])
def test_a_cache_that_cannot_be_written_any_more_does_no_harm(tmp_path, copy, code):
    assert run(code, tmp_path / "cache", PYTHONPATH=str(copy.parent)) == "2"


# -- That it does not grow for ever -----------------------------------------------------------------


@pytest.fixture
def shelf(cache_home):
    """Folders of sources, some of them long gone."""
    shelf = cache_home / "feltlab" / "kernels"
    for name, days in {"gone": 31, "recent": 29, source_digest(): 31}.items():
        write(shelf / name, {"kernel.nbi": ""})
        os.utime(shelf / name, (time.time() - days * DAY,) * 2)
    return shelf


def test_folders_are_forgotten_after_thirty_days_without_use(shelf):
    assert find_folder() == shelf / source_digest()
    assert {folder.name for folder in shelf.iterdir()} == {"recent", source_digest()}
    folder = find_folder()
    assert folder
    assert (folder / "kernel.nbi").exists()


def test_a_folder_that_another_process_forgets_meanwhile_does_no_harm(shelf):
    (shelf / "vanished").symlink_to(shelf / "nowhere")  # listed, but not there to be looked at
    assert find_folder() == shelf / source_digest()


# -- What a kernel is -------------------------------------------------------------------------------


@pytest.mark.skipif(module.INTERPRETED, reason="nothing is compiled")
def test_kernels_are_compiled_and_release_the_lock():
    compiled: Any = blackjack.value
    assert compiled.targetoptions["nogil"]
    assert plain_python(compiled) is compiled.py_func


def test_interpreted_leaves_a_plain_function_alone():
    assert plain_python(run) is run


@pytest.mark.skipif(module.INTERPRETED, reason="nothing is compiled")
def test_numba_is_left_as_it_was(monkeypatch):
    import numba

    monkeypatch.setattr(numba.config, "CACHE_DIR", "as it was")
    kernel(lambda x: x)
    assert vars(numba.config)["CACHE_DIR"] == "as it was"


def test_a_variable_leaves_kernels_plain_python(tmp_path):
    code = """\
import sys
from feltlab.core.hands import blackjack, rummy
print(type(blackjack.value).__name__, blackjack.value(51), rummy.points(0, 1, 51), 'numba' in sys.modules)
"""
    # An ace; a pair of deuces and an ace.
    assert run(code, tmp_path, FELTLAB_INTERPRET="1") == "function 1 1 False"
    assert list(tmp_path.iterdir()) == []
    assert (
        run("from feltlab import kernel; print(kernel.INTERPRETED)", tmp_path, FELTLAB_INTERPRET="0")
        == "False"
    )
