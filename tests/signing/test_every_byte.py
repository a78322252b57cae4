"""One changed byte, in any file of a signed certificate or packet, is found, and so is a missing file."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltlab.certifying.certificate import certify, write_certificate
from feltlab.core.stake import read_stake
from feltlab.games import GAMES
from feltlab.signing.sign import sign_path, verify_path
from tests.support.command_line import run

KEY = Ed25519PrivateKey.from_private_bytes(b"1" * 32)
PLACES = 12  # bytes that are changed in each file: the first, the last and others


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """A certificate and a packet, each signed by two people."""
    folder = tmp_path_factory.mktemp("signed")
    game = GAMES["casino-war"]
    write_certificate(folder / "certificate", certify(game, read_stake(game, {})))
    made = run("packet", "casino-war", "--venue", "commercial", "-o", str(folder / "packet"))
    assert made.exit_code == 0, made.stderr
    found = {name: folder / name for name in ("certificate", "packet")}
    for place in found.values():
        sign_path(place, KEY, "mathematician")
        sign_path(place, Ed25519PrivateKey.from_private_bytes(b"2" * 32), "regulator")
    yield found
    shutil.rmtree(folder)


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("kind", ["certificate", "packet"])
def test_a_changed_byte_of_any_file_is_found(signed: dict[str, Path], kind: str) -> None:
    folder, generator = signed[kind], random.Random(1)
    assert verify_path(folder).holds
    assert {"manifest.json", "manifest.json.regulator.sig"} < {path.name for path in files_in(folder)}
    for path in files_in(folder):
        content = path.read_bytes()
        others = [generator.randrange(len(content)) for _ in range(PLACES)]
        for at in {0, len(content) - 1, *others}:
            path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
            assert not is_sound(folder), (path.name, at)
        path.write_bytes(content)
    assert verify_path(folder).holds


@pytest.mark.parametrize("kind", ["certificate", "packet"])
def test_a_file_that_is_missing_or_cut_off_is_found(signed: dict[str, Path], kind: str) -> None:
    folder = signed[kind]
    for path in files_in(folder):
        content = path.read_bytes()
        path.write_bytes(content[:-1])
        assert not is_sound(folder), path.name
        if path.suffix != ".sig":  # nobody can know how many people have signed
            path.unlink()
            assert not is_sound(folder), path.name
        path.write_bytes(content)
    assert verify_path(folder).holds


def is_sound(folder: Path) -> bool:
    """Does the command find nothing wrong? It may never fail in another way than by its verdict."""
    found = run("verify", str(folder))
    assert found.exit_code in (0, 1, 2)
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found.exit_code == 0
