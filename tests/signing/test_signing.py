"""Signatures: those of feltlab and of ssh-keygen are the same, and every changed byte is found."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from feltlab.errors import Refused
from feltlab.signing.manifest import find_damage, write_manifest
from feltlab.signing.roles import ROLES
from feltlab.signing.sign import UNKNOWN_KEY, sign_path, verify_path
from feltlab.signing.signers import Signer, read_signers
from feltlab.signing.ssh_signature import (
    END,
    BrokenSignature,
    PassphraseNeeded,
    load_private_key,
    read_signature,
    sign_bytes,
)
from tests.support.command_line import answer, refusal, run

KEY, OTHER = Ed25519PrivateKey.from_private_bytes(b"1" * 32), Ed25519PrivateKey.from_private_bytes(b"2" * 32)
NO_DIGEST = "0" * 64
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ssh_keygen = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not on this machine")


def public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()


def private(key: Ed25519PrivateKey, passphrase: str = "") -> bytes:
    lock = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, lock)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_bytes(private(KEY))
    path.chmod(0o600)
    return path


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.pdf"
    path.write_bytes(b"The edge is 2.33 %.\n")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a manifest."""
    folder = tmp_path / "packet"
    (folder / "parts").mkdir(parents=True)
    (folder / "packet.pdf").write_bytes(b"whole")
    (folder / "parts" / "01-rules.pdf").write_bytes(b"rules")
    write_manifest(folder, {"game": "casino-war", "edge": "2/3"})
    return folder


# -- The format -------------------------------------------------------------------------------------


@ssh_keygen
@pytest.mark.parametrize("role", ROLES)
def test_openssh_accepts_our_signature(role: str, report: Path, tmp_path: Path) -> None:
    place = sign_path(report, KEY, role)
    (tmp_path / "signers").write_text(f"ann@lab {public(KEY)}\n")
    words = ["ssh-keygen", "-Y", "verify", "-f", tmp_path / "signers", "-I", "ann@lab", "-s", place]
    right = subprocess.run([*words, "-n", f"{role}@feltlab"], input=report.read_bytes(), capture_output=True)
    assert right.returncode == 0, right.stderr
    wrong = subprocess.run([*words, "-n", "other@feltlab"], input=report.read_bytes(), capture_output=True)
    assert wrong.returncode != 0


@ssh_keygen
@pytest.mark.parametrize("hash_name", ["sha512", "sha256"])
def test_we_accept_a_signature_of_openssh(hash_name: str, report: Path, key_file: Path) -> None:
    words = ["ssh-keygen", "-Y", "sign", "-f", key_file, "-n", "maker@feltlab", "-O", f"hashalg={hash_name}"]
    subprocess.run([*words, report], check=True, capture_output=True)
    made = report.with_name("report.pdf.sig")
    if hash_name == "sha512":
        assert made.read_text() == sign_bytes(report.read_bytes(), KEY, "maker@feltlab").to_text()
    made.rename(report.with_name("report.pdf.maker.sig"))
    assert verify_path(report).holds


@ssh_keygen
def test_a_folder_that_openssh_signed_needs_no_other_name(folder: Path, key_file: Path) -> None:
    """ssh-keygen writes manifest.json.sig; its role is that of the namespace."""
    words = ["ssh-keygen", "-Y", "sign", "-f", key_file, "-n"]
    subprocess.run([*words, "regulator@feltlab", folder / "manifest.json"], check=True, capture_output=True)
    found = verify_path(folder)
    assert found.holds
    assert [(one.file, one.role) for one in found.signatures] == [("manifest.json.sig", "regulator")]
    assert sign_path(folder, OTHER, "maker").name == "manifest.json.maker.sig"
    (folder / "manifest.json.sig").unlink()
    subprocess.run([*words, "git", folder / "manifest.json"], check=True, capture_output=True)
    assert verify_path(folder).signatures[-1].problem == "it was made for 'git', which is no role here"


@ssh_keygen
def test_fingerprints_are_those_of_openssh(tmp_path: Path, key_file: Path) -> None:
    (tmp_path / "key.pub").write_text(public(KEY))
    shown = subprocess.run(["ssh-keygen", "-lf", tmp_path / "key.pub"], capture_output=True, text=True)
    assert sign_bytes(b"", KEY, "x").fingerprint == shown.stdout.split()[1]


def test_any_changed_byte_of_a_signature_breaks_it() -> None:
    """Also the last character before '=', whose low bits base64 leaves unused, and the lines around."""
    for role in ROLES:  # of several lengths, so with one, two and no '=' at the end
        text = sign_bytes(b"content", KEY, f"{role}@feltlab").to_text()
        read_signature(text).check(b"content")
        for at, other in product(range(len(text)), "AB =\n"):
            changed = text[:at] + other + text[at + 1 :]
            if changed != text:
                with pytest.raises(BrokenSignature):
                    read_signature(changed).check(b"content")


def test_line_ends_of_another_system_and_other_lengths_of_lines_are_read() -> None:
    signature = sign_bytes(b"content", KEY, "maker@feltlab")
    text = signature.to_text()
    assert read_signature(text.replace("\n", "\r\n")) == signature
    body = signature.to_base64()
    wide = "\n".join([text.split("\n")[0], *(body[n : n + 76] for n in range(0, len(body), 76)), END, ""])
    assert read_signature(wide) == signature


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "-----BEGIN SSH SIGNATURE-----\nU1NI\n-----END SSH SIGNATURE-----", "é" * 40, "\0" * 9],
)
def test_what_is_no_signature_says_so(text: str) -> None:
    with pytest.raises(BrokenSignature):
        read_signature(text)


def test_a_key_with_a_passphrase() -> None:
    locked = private(KEY, "correct horse")
    with pytest.raises(PassphraseNeeded):
        load_private_key(locked)
    with pytest.raises(Refused, match="passphrase is wrong"):
        load_private_key(locked, "battery")
    assert public(load_private_key(locked, "correct horse")) == public(KEY)
    assert public(load_private_key(private(KEY), "not needed")) == public(KEY)


def test_only_ed25519_keys_sign() -> None:
    rsa = generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    with pytest.raises(Refused, match="must be Ed25519"):
        load_private_key(rsa)
    with pytest.raises(Refused, match="not a private key"):
        load_private_key(public(KEY).encode())


# -- Files and folders ------------------------------------------------------------------------------


def test_signatures_accumulate_and_a_key_signs_once_in_a_role(report: Path) -> None:
    places = [
        sign_path(report, KEY, "mathematician"),
        sign_path(report, KEY, "mathematician"),
        sign_path(report, OTHER, "mathematician"),
        sign_path(report, OTHER, "second-reader"),
    ]
    assert [place.name for place in places] == [
        "report.pdf.mathematician.sig",
        "report.pdf.mathematician.sig",
        "report.pdf.mathematician.2.sig",
        "report.pdf.second-reader.sig",
    ]
    found = verify_path(report)
    assert found.holds
    assert sorted(signature.role for signature in found.signatures) == [
        "mathematician",
        "mathematician",
        "second-reader",
    ]
    report.write_bytes(report.read_bytes() + b" ")
    assert [signature.problem for signature in verify_path(report).signatures] == [
        "it is not a signature of this content"
    ] * 3


def change(name: str, content: bytes | None) -> Callable[[Path], None]:
    def act(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True) if content is None else (folder / name).write_bytes(content)

    return act


def link(folder: Path) -> None:
    (folder / "packet.pdf").rename(folder.parent / "elsewhere.pdf")
    (folder / "packet.pdf").symlink_to(folder.parent / "elsewhere.pdf")


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (change("packet.pdf", b"Whole"), "packet.pdf is not as the manifest has it."),
        (change("parts/01-rules.pdf", b"rules "), "parts/01-rules.pdf is not as the manifest has it."),
        (change("packet.pdf", None), "packet.pdf is missing."),
        (change("note.txt", b""), "note.txt is not in the manifest."),
        (
            change("parts/manifest.json.maker.sig", b""),
            "parts/manifest.json.maker.sig is not in the manifest.",
        ),
        (change("manifest.json.boss.sig", b""), "manifest.json.boss.sig is not in the manifest."),
        (change("manifest.json.maker.0.sig", b""), "manifest.json.maker.0.sig is not in the manifest."),
        (link, "packet.pdf is a link."),
    ],
)
def test_a_folder_that_changed_is_found(folder: Path, act: Callable[[Path], None], sentence: str) -> None:
    sign_path(folder, KEY, "maker")
    assert verify_path(folder).holds
    act(folder)
    found = verify_path(folder)
    assert (found.holds, found.damage) == (False, (sentence,))
    with pytest.raises(Refused, match="is damaged"):
        sign_path(folder, KEY, "regulator")
    assert not (folder / "manifest.json.regulator.sig").exists()


def test_every_byte_of_the_manifest_is_bound(folder: Path) -> None:
    sign_path(folder, KEY, "maker")
    manifest = (folder / "manifest.json").read_bytes()
    changed = manifest.replace(b'"2/3"', b'"3/2"')
    assert changed != manifest
    (folder / "manifest.json").write_bytes(changed)
    found = verify_path(folder)
    assert not found.holds
    assert not found.damage
    assert found.signatures[0].problem == "it is not a signature of this content"


@pytest.mark.parametrize(
    "files",
    [
        None,
        1,
        [],
        {"../x": {"bytes": 0, "sha256": NO_DIGEST}},
        {"/etc/passwd": {"bytes": 0, "sha256": NO_DIGEST}},
        {"a": {"bytes": "0", "sha256": NO_DIGEST}},
        {"a": {"bytes": 0}},
        {"a": []},
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, files: object) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"files": files}))
    with pytest.raises(Refused, match="is not a manifest"):
        list(find_damage(tmp_path))


def test_a_signature_in_one_role_is_not_one_in_another(report: Path) -> None:
    sign_path(report, KEY, "mathematician").rename(report.with_name("report.pdf.regulator.sig"))
    found = verify_path(report)
    assert not found.holds
    assert "it was made for 'mathematician@feltlab'" in found.signatures[0].problem


def test_a_role_in_the_name_of_the_file_is_not_that_of_its_signature(tmp_path: Path) -> None:
    report = tmp_path / "for.maker.pdf"
    report.write_bytes(b"report")
    sign_path(report, KEY, "maker").rename(tmp_path / "for.maker.pdf.regulator.sig")
    assert not verify_path(report).holds


def test_a_file_without_signatures_does_not_hold(report: Path) -> None:
    report.with_name("report.pdf.old.sig").write_text("not ours")
    assert verify_path(report).signatures == ()
    assert not verify_path(report).holds


# -- Signers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "signer"),
    [
        ("ann@lab {key}", "ann@lab"),
        ('ann@lab namespaces="mathematician@feltlab" {key} comment', "ann@lab"),
        ('ann@lab namespaces="*@feltlab",valid-before="20270101" {key}', "ann@lab"),
        ('ann@lab namespaces="regulator@feltlab" {key}', ""),
        ('ann@lab valid-before="20251231" {key}', ""),
        ('ann@lab valid-after="20260102000000Z" {key}', ""),
        ("bob@lab {other}", ""),
    ],
)
def test_a_signature_must_be_of_a_signer_on_the_list(
    tmp_path: Path, report: Path, line: str, signer: str
) -> None:
    (tmp_path / "signers").write_text(f"# trusted\n\n{line.format(key=public(KEY), other=public(OTHER))}\n")
    sign_path(report, KEY, "mathematician")
    found = verify_path(report, read_signers(tmp_path / "signers"), NOW)
    assert [(one.signer, one.problem) for one in found.signatures] == [
        (signer, "" if signer else UNKNOWN_KEY)
    ]
    assert found.holds == bool(signer)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "lists no signers"),
        ("# nobody\n", "lists no signers"),
        ("ann ssh-rsa AAAA", "line 1: A line holds names, options and an Ed25519 key"),
        ("ann ssh-ed25519 AAAA", "line 1: A public key is damaged."),
        ("ann ssh-ed25519 ", "line 1"),
        ('ann cert-authority ssh-ed25519 AAAA', "line 1: The options 'cert-authority' are not known here."),
    ],
)  # fmt: skip
def test_a_list_that_cannot_be_read_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "signers").write_text(text)
    with pytest.raises(Refused, match=sentence):
        read_signers(tmp_path / "signers")


def test_a_bad_time_is_refused(tmp_path: Path) -> None:
    (tmp_path / "signers").write_text(f'ann valid-before="soon" {public(KEY)}')
    with pytest.raises(Refused, match="'soon' is not a time such as 20261231"):
        read_signers(tmp_path / "signers")
    assert Signer("ann", b"").may_sign("anything", NOW)


# -- The commands -----------------------------------------------------------------------------------


def verify_unread(*words: str) -> tuple[int, str]:
    """The exit status and the complaint of `verify` whose reader has left."""
    reads, writes = os.pipe()
    os.close(reads)
    command = [sys.executable, "-m", "feltlab", "verify", *words]
    done = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writes)
    return done.returncode, done.stderr


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_verdict_that_nobody_reads_does_not_end_well(
    flags: tuple[str, ...], report: Path, key_file: Path
) -> None:
    run("sign", str(report), "--key", str(key_file), "--role", "laboratory")
    assert run("verify", str(report), *flags).exit_code == 0
    sentence = "feltlab: The verdict could not be printed: standard output was closed.\n"
    assert verify_unread(str(report), *flags) == (2, sentence)
    report.write_text("changed")
    assert run("verify", str(report), *flags).exit_code == 1
    assert verify_unread(str(report), *flags) == (2, sentence)


def test_the_commands_sign_and_verify(report: Path, key_file: Path, tmp_path: Path) -> None:
    signed = answer("sign", str(report), "--key", str(key_file), "--role", "laboratory")
    assert Path(signed["file"]).name == "report.pdf.laboratory.sig"
    (tmp_path / "signers").write_text(f"ann@lab {public(KEY)}\n")
    found = answer("verify", str(report), "--signers", str(tmp_path / "signers"), "--role", "laboratory")
    assert (found["holds"], found["signatures"][0]["signer"]) == (True, "ann@lab")
    assert "as it was signed" in run("verify", str(report)).stdout
    lacking = run("verify", str(report), "--role", "regulator")
    assert (lacking.exit_code, "No valid signature in the role regulator." in lacking.stdout) == (1, True)
    report.write_bytes(b"changed")
    changed = run("verify", str(report))
    assert (changed.exit_code, "Wrong: report.pdf.laboratory.sig" in changed.stdout) == (1, True)


def test_wrong_requests_are_refused_and_nothing_is_written(
    report: Path, key_file: Path, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    words = ["sign", str(report), "--key", str(key_file), "--role"]
    assert refusal(*words, "boss").startswith("'boss' is not a role; the roles are mathematician")
    not_a_key = refusal("sign", str(report), "--key", str(report), "--role", "maker")
    assert not_a_key == f"{report}: The file is not a private key that ssh-keygen wrote."
    assert "does not exist" in refusal("sign", str(report), "--key", str(tmp_path / "no"), "--role", "maker")
    assert "has no manifest.json" in refusal("sign", str(tmp_path), "--key", str(key_file), "--role", "maker")
    assert "does not exist" in refusal("verify", str(tmp_path / "no"))
    assert "'boss' is not a role" in refusal("verify", str(report), "--role", "boss")
    locked = tmp_path / "locked"
    locked.write_bytes(private(KEY, "secret"))
    assert "has a passphrase" in refusal("sign", str(report), "--key", str(locked), "--role", "maker")
    locked.unlink()
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ('namespaces="*"', True),
        ('namespaces="git,maker@*"', True),
        ('namespaces="make?@feltlab"', True),
        ('namespaces="*,!maker@feltlab"', False),
        ('namespaces="[m]aker@feltlab"', False),  # brackets are no wildcards
    ],
)
def test_patterns_are_read_as_openssh_reads_them(tmp_path: Path, options: str, allowed: bool) -> None:
    (tmp_path / "signers").write_text(f"ann {options} {public(KEY)}")
    (signer,) = read_signers(tmp_path / "signers")
    assert signer.may_sign("maker@feltlab", NOW) is allowed


@pytest.mark.parametrize(
    "line",
    [
        'ann namespaces=""',
        "ann namespaces",
        'ann valid-before=""',
        'ann namespaces="git",namespaces="maker@feltlab"',
        "!ann",
    ],
)
def test_a_line_that_openssh_would_not_take_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "signers").write_text(f"{line} {public(KEY)}")
    with pytest.raises(Refused, match="line 1"):
        read_signers(tmp_path / "signers")


def test_a_link_to_itself_and_a_name_of_several_lines_are_sentences(folder: Path) -> None:
    name = next(path.name for path in folder.iterdir() if path.is_file() and path.name != "manifest.json")
    (folder / name).unlink()
    (folder / name).symlink_to(name)
    (folder / "x\nValid: regulator").write_text("")
    assert {*find_damage(folder)} == {f"{name} is a link.", "'x\\nValid: regulator' is not in the manifest."}
