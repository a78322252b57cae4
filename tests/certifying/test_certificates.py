"""Certificates of the small games: the checker accepts them, and finds what a forger changes.

The forger mends every digest, and law and figures too where he can; `tests/support/forging.py`.
"""

import json
import os
import subprocess
import sys
import zlib
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from feltlab.certifying.certificate import (
    CHECKER_FILE,
    certify,
    check_place,
    checker_source,
    write_certificate,
)
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.command_line import run as run_here
from tests.support.forging import MANIFEST, Forger, verdict


def files_of(name, options=None, stake=None):
    game = GAMES[name].with_options(options or {})
    return certify(game, read_stake(game, stake or {}))


@pytest.fixture(scope="module")
def war():
    return files_of("casino-war", stake={"tie": "1/2"})


@pytest.fixture(scope="module")
def rummy():
    return files_of("triple-shot-rummy", stake={"pair-plus": "1", "six-card-bonus": "1"})


# -- Accepted -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", ["1", "6", "8"])
@pytest.mark.parametrize("stake", [{}, {"primary": "3", "tie": "7/3"}])
def test_casino_war_is_accepted(tmp_path, capsys, decks, stake):
    files = files_of("casino-war", {"decks": decks}, stake)
    write_certificate(tmp_path / "c", files)
    found = verdict(capsys, tmp_path / "c")
    assert found["accepted"], found["reason"]
    assert found["status"] == 0
    assert len(found["checks"]) > 12


def test_triple_shot_rummy_is_accepted_and_recounted_whole(tmp_path, capsys, rummy):
    write_certificate(tmp_path / "c", rummy)
    found = verdict(capsys, tmp_path / "c")
    assert found["accepted"], found["reason"]
    assert "nothing was sampled" in found["bound"]


@pytest.mark.parametrize(
    ("options", "stake"),
    [
        ({"pair-plus": "6", "six-card-bonus": "4"}, {"ante": "0", "pair-plus": "1"}),
        ({"ante-mandatory": "yes", "six-card-bonus": "3"}, {"six-card-bonus": "1/3"}),
    ],
)
def test_triple_shot_rummy_is_accepted_under_other_options(tmp_path, capsys, options, stake):
    write_certificate(tmp_path / "c", files_of("triple-shot-rummy", options, stake))
    assert verdict(capsys, tmp_path / "c", "--no-recount")["accepted"]


def test_pays_that_no_table_lists_are_accepted_and_named(tmp_path, capsys):
    game = GAMES["casino-war"].with_pays("tie", {"tie": 11})
    write_certificate(tmp_path / "c", certify(game, read_stake(game, {"tie": "1"})))
    found = verdict(capsys, tmp_path / "c")
    assert found["accepted"], found["reason"]
    assert "tie: tie pays 11" in found["bound"]


def test_the_figures_are_those_of_the_proof(war):
    figures = json.loads(war[MANIFEST])["figures"]
    assert Fraction(figures["bets"]["tie"]["house_edge"]) == Fraction(58, 311)  # 1 - 11 * 23/311


def test_an_unchanged_certificate_written_by_the_forger_is_accepted(tmp_path, capsys, war):
    assert verdict(capsys, Forger(war).write(tmp_path / "c"))["accepted"]


def test_the_checker_in_the_folder_runs_alone(tmp_path, war):
    write_certificate(tmp_path / "c", war)
    command = [sys.executable, "-I", str(tmp_path / "c" / CHECKER_FILE), str(tmp_path / "c")]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ACCEPTED" in done.stdout
    assert war[CHECKER_FILE] == checker_source()


# -- Forgeries of Casino War --------------------------------------------------------------------------

TIE_ROW, OTHER_TIE_ROW, LOW_ROW = 0, 14, 1  # deuce and deuce, three and three, deuce against three


def one_count_more(forged):
    forged.tables["counts.war"][TIE_ROW, 0] += 1
    forged.mend_law()


def one_deal_moved_to_a_win(forged):
    forged.tables["counts.war"][TIE_ROW] += [1, 0, -1]
    forged.mend_law()


def deals_moved_between_classes(forged):
    forged.tables["counts.war"][TIE_ROW] += [1, 0, -1]
    forged.tables["counts.war"][OTHER_TIE_ROW] += [-1, 0, 1]


def tables_with_rows(forged, rows):
    for name, array in forged.tables.items():
        forged.tables[name] = array[rows]


def merge_two_classes(forged):
    for name in ("weights", "counts.none"):
        forged.tables[name][LOW_ROW] += forged.tables[name][LOW_ROW + 1]
    tables_with_rows(forged, [row for row in range(169) if row != LOW_ROW + 1])


def split_a_class(forged):
    tables_with_rows(forged, [*range(169), LOW_ROW])
    for name in ("weights", "counts.none"):
        half = forged.tables[name][LOW_ROW] // 2
        forged.tables[name][LOW_ROW] -= half
        forged.tables[name][-1] = half


def drop_a_class(forged):
    tables_with_rows(forged, [*range(1, 169)])
    forged.mend_law()


def double_a_class(forged):
    tables_with_rows(forged, [*range(169), LOW_ROW])
    forged.mend_law()


def surrender_once(forged):
    forged.tables["choices"][TIE_ROW] = 1


def surrender_once_with_its_law(forged):
    surrender_once(forged)
    forged.mend_law()


def surrender_always_with_its_law(forged):
    forged.tables["choices"][forged.tables["choices"] == 0] = 1
    forged.mend_law()


def choose_without_a_tie(forged):
    forged.tables["choices"][LOW_ROW] = 0
    forged.mend_law()


def a_choice_that_is_none(forged):
    forged.tables["choices"][TIE_ROW] = 7


def wrong_weight(forged):
    forged.tables["weights"][LOW_ROW] += 1


def weights_exchanged(forged):
    weights = forged.tables["weights"]
    weights[[TIE_ROW, LOW_ROW]] = weights[[LOW_ROW, TIE_ROW]]


def change_a_pay(forged):
    forged.manifest["spots"][1]["lines"][0][1] = "9"


def change_a_pay_with_its_figures(forged):
    change_a_pay(forged)
    forged.mend_figures()


def change_a_pay_and_say_so_without_its_figures(forged):
    change_a_pay(forged)
    forged.manifest["changed_pays"] = [["tie", "tie", "9"]]
    forged.mend_rules()


def change_a_loss_into_a_push(forged):
    forged.manifest["spots"][1]["lines"][1][1] = "0"
    forged.manifest["changed_pays"] = [["tie", "no tie", "0"]]
    forged.mend_rules()
    forged.mend_figures()


def units_staked_at_war(forged):
    forged.manifest["spots"][0]["lines"][5][2] = 1
    forged.mend_figures()


def law_moved_by_one(forged):
    law = forged.law
    law[0, 1] += 1
    law[1, 1] -= 1
    forged.put_law(law)
    forged.mend_figures()


def law_with_a_deal_more(forged):
    law = forged.law
    law[0, 1] += 1
    forged.put_law(law)
    forged.mend_figures()


def wrong_edge(forged):
    forged.manifest["figures"]["bets"]["primary"]["house_edge"] = "2/100"


def wrong_variance(forged):
    forged.manifest["figures"]["total"]["variance"] = "1/1"


def wrong_covariance(forged):
    forged.manifest["figures"]["covariance"]["primary"]["tie"] = "0/1"


def a_figure_left_out(forged):
    del forged.manifest["figures"]["bets"]["tie"]["net_win_probability"]


def wrong_rules_digest(forged):
    forged.manifest["rules_digest"] = "0" * 64


def other_rules_text(forged):
    forged.files["rules.txt"] += b"\nBURNED = 4"


def names_of_columns_exchanged(forged):
    columns = forged.manifest["columns"]["counts.war"]
    columns[0], columns[1] = columns[1], columns[0]  # war won and war lost are equally frequent
    forged.mend_law()


def columns_exchanged(forged):
    counts = forged.tables["counts.none"]
    counts[:] = counts[:, ::-1]
    forged.mend_law()


def one_column_named_twice(forged):
    forged.manifest["columns"]["counts.war"][1] = forged.manifest["columns"]["counts.war"][0]


def another_number_of_decks(forged):
    forged.manifest["options"]["decks"] = "8"
    forged.mend_rules()


def an_unknown_option(forged):
    forged.manifest["options"]["decks"] = "9"
    forged.mend_rules()


def an_option_left_out(forged):
    del forged.manifest["options"]["war"]
    forged.mend_rules()


def another_stake(forged):
    forged.manifest["stake"]["tie"] = "1"


def a_negative_stake(forged):
    forged.manifest["stake"]["tie"] = "-1"
    forged.mend_figures()


def no_required_stake(forged):
    forged.manifest["stake"]["primary"] = "0"
    forged.mend_figures()


def a_stake_that_is_no_number(forged):
    forged.manifest["stake"]["tie"] = "nan"


def first_choices_changed(forged):
    first = forged.manifest["first_choices"]
    first["surrender"], first["war"] = first["war"], "0"


def another_number_of_deals(forged):
    forged.manifest["deals"] = str(int(forged.manifest["deals"]) * 2)


def another_strategy(forged):
    forged.manifest["strategy"] = "war"


def choices_renamed(forged):
    forged.manifest["choices"].reverse()


def an_outcome_renamed(forged):
    forged.manifest["spots"][0]["lines"][2][0] = "war"


def an_unknown_game(forged):
    forged.manifest["game"] = "../war"


def a_negative_count(forged):
    forged.tables["counts.war"][TIE_ROW] += [0, -(10**12), 10**12]
    forged.mend_law()


def another_type(forged):
    forged.tables["ranks"] = forged.tables["ranks"].astype(np.uint16)


def another_shape(forged):
    forged.tables["counts.war"] = forged.tables["counts.war"].T


def a_table_left_out(forged):
    del forged.manifest["tables"]["weights"], forged.tables["weights"]


def numbers_in_place_of_text(forged):
    forged.manifest["deals"] = 9


def nothing_but_lists(forged):
    forged.manifest |= {"law": [[]], "figures": [], "options": []}


FORGERIES = [
    one_count_more,
    one_deal_moved_to_a_win,
    deals_moved_between_classes,
    merge_two_classes,
    split_a_class,
    drop_a_class,
    double_a_class,
    surrender_once,
    surrender_once_with_its_law,
    surrender_always_with_its_law,
    choose_without_a_tie,
    a_choice_that_is_none,
    wrong_weight,
    weights_exchanged,
    change_a_pay,
    change_a_pay_with_its_figures,
    change_a_pay_and_say_so_without_its_figures,
    change_a_loss_into_a_push,
    units_staked_at_war,
    law_moved_by_one,
    law_with_a_deal_more,
    wrong_edge,
    wrong_variance,
    wrong_covariance,
    a_figure_left_out,
    wrong_rules_digest,
    other_rules_text,
    names_of_columns_exchanged,
    columns_exchanged,
    one_column_named_twice,
    another_number_of_decks,
    an_unknown_option,
    an_option_left_out,
    another_stake,
    a_negative_stake,
    no_required_stake,
    a_stake_that_is_no_number,
    first_choices_changed,
    another_number_of_deals,
    another_strategy,
    choices_renamed,
    an_outcome_renamed,
    an_unknown_game,
    a_negative_count,
    another_type,
    another_shape,
    a_table_left_out,
    numbers_in_place_of_text,
    nothing_but_lists,
]


def is_one_sentence(text):
    return bool(text) and "\n" not in text.strip() and "Traceback" not in text and text.strip()[-1] == "."


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_a_forgery_with_mended_digests_is_found(tmp_path, capsys, war, forge):
    forged = Forger(war)
    forge(forged)
    found = verdict(capsys, forged.write(tmp_path / "c"))
    assert found["status"] == 1
    assert is_one_sentence(found["reason"]), found["reason"]
    assert any(check["verdict"] == "FAILED" for check in found["checks"])


# -- Forgeries of Triple Shot Rummy -------------------------------------------------------------------


def find_rows(forged, choice):
    return np.flatnonzero(forged.tables["choices"] == choice)


def fold_a_hand_that_plays(forged):
    forged.tables["choices"][find_rows(forged, 0)[0]] = 1
    forged.mend_law()


def rename_suits(forged):
    forged.tables["cards"][100] ^= 3


def repeat_a_card(forged):
    forged.tables["cards"][100, 1] = forged.tables["cards"][100, 0]


def a_card_beyond_the_deck(forged):
    forged.tables["cards"][100, 2] = 60


def merge_two_hands(forged):
    for name in ("weights", "counts.play", "counts.fold"):
        forged.tables[name][100] += forged.tables[name][101]
    tables_with_rows(forged, [row for row in range(1755) if row != 101])


def replace_a_hand_by_another(forged):
    forged.tables["cards"][100] = forged.tables["cards"][101]


@pytest.mark.parametrize(
    "forge",
    [
        fold_a_hand_that_plays,
        rename_suits,
        repeat_a_card,
        a_card_beyond_the_deck,
        merge_two_hands,
        replace_a_hand_by_another,
    ],
    ids=lambda forge: forge.__name__,
)
def test_a_forgery_of_hands_is_found_without_a_recount(tmp_path, capsys, rummy, forge):
    forged = Forger(rummy)
    forge(forged)
    found = verdict(capsys, forged.write(tmp_path / "c"), "--no-recount")
    assert found["status"] == 1
    assert is_one_sentence(found["reason"])


def test_counts_of_two_hands_exchanged_are_found_by_the_recount(tmp_path, capsys, rummy):
    """Law and figures stay as they are: only the recount can tell."""
    forged = Forger(rummy)
    counts, weights = forged.tables["counts.play"], forged.tables["weights"]
    alike = [row for row in find_rows(forged, 0) if weights[row] == 24]
    one, two = next((a, b) for a, b in pairwise(alike) if (counts[a] != counts[b]).any())
    for name in ("counts.play", "counts.fold"):
        forged.tables[name][[one, two]] = forged.tables[name][[two, one]]
    folder = forged.write(tmp_path / "c")
    assert verdict(capsys, folder, "--no-recount")["accepted"]
    assert verdict(capsys, folder)["reason"].startswith("recount agrees")


# -- Damage and hostile input -------------------------------------------------------------------------


def flip_a_byte(folder):
    path = folder / "weights.bin"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))


def remove_a_file(folder):
    (folder / "weights.bin").unlink()


def add_a_file(folder):
    (folder / "notes.txt").write_text("hello")


def truncate_a_file(folder):
    path = folder / "counts.war.bin"
    path.write_bytes(path.read_bytes()[:-5])


def replace_a_file_by_a_link(folder):
    path = folder / "weights.bin"
    path.rename(folder.parent / "elsewhere")
    path.symlink_to(folder.parent / "elsewhere")


def replace_a_file_by_a_folder(folder):
    (folder / "weights.bin").unlink()
    (folder / "weights.bin").mkdir()


def change_the_checker(folder):
    (folder / CHECKER_FILE).write_text("print('ACCEPTED')")


def write_manifest_with_spaces(folder):
    path = folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_bytes()), indent=1))


@pytest.mark.parametrize(
    "damage",
    [
        flip_a_byte,
        remove_a_file,
        add_a_file,
        truncate_a_file,
        replace_a_file_by_a_link,
        replace_a_file_by_a_folder,
        change_the_checker,
        write_manifest_with_spaces,
    ],
    ids=lambda damage: damage.__name__,
)
def test_a_damaged_folder_is_rejected(tmp_path, capsys, war, damage):
    folder = tmp_path / "c"
    write_certificate(folder, war)
    damage(folder)
    found = verdict(capsys, folder)
    assert found["status"] == 1
    assert found["reason"].startswith("files match the manifest")
    assert is_one_sentence(found["reason"])


def manifest_of(war, **changes):
    return json.loads(war[MANIFEST]) | changes


HOSTILE = {
    "nothing": b"",
    "not JSON": b"{",
    "a list": b"[]",
    "not UTF-8": b"\xff\xfe",
    "deep": b"[" * 200_000,
    "NaN": b'{"format": NaN}',
    "a float": b'{"format": 1e999}',
    "a huge number": b'{"format": ' + b"9" * 10_000 + b"}",
    "twice": b'{"format": 1, "format": 2}',
    "half a character": b'{"format": "\\ud800"}',
    "nested": b'{"format": ' + b"[" * 900 + b"]" * 900 + b"}",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_manifest_that_is_none_is_refused_with_status_2(tmp_path, capsys, content):
    (tmp_path / MANIFEST).write_bytes(content)
    found = verdict(capsys, tmp_path)
    assert found["status"] == 2
    assert is_one_sentence(found["reason"])


def test_another_format_version_and_missing_folders_are_refused_with_status_2(tmp_path, capsys, war):
    for changes in ({"format_version": 1}, {"format_version": True}, {"format": "cake"}):
        (tmp_path / MANIFEST).write_bytes(json.dumps(manifest_of(war, **changes)).encode())
        assert verdict(capsys, tmp_path)["status"] == 2
    assert verdict(capsys, tmp_path / "nowhere")["status"] == 2
    (tmp_path / MANIFEST).unlink()
    assert verdict(capsys, tmp_path)["status"] == 2
    (tmp_path / MANIFEST).symlink_to("/etc/passwd")
    assert verdict(capsys, tmp_path)["status"] == 2


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", ".hidden", "a/b", "", "x" * 300, "a\0b", "A"])
def test_names_of_files_that_lead_elsewhere_are_rejected(tmp_path, capsys, war, name):
    forged = Forger(war)
    folder = forged.write(tmp_path / "c")
    forged.manifest["files"][name] = {"bytes": 0, "sha256": "0" * 64}
    (folder / MANIFEST).write_bytes(json.dumps(forged.manifest, sort_keys=True).encode())
    found = verdict(capsys, folder)
    assert found["status"] == 1
    assert is_one_sentence(found["reason"])


@pytest.mark.parametrize(
    "shape", [[1 << 40], [1 << 31, 1 << 31], [-1], [0], [169.0], ["169"], [], [1] * 9, [True], None]
)
def test_absurd_shapes_are_rejected(tmp_path, capsys, war, shape):
    forged = Forger(war)
    folder = forged.write(tmp_path / "c")
    forged.manifest["tables"]["weights"]["shape"] = shape
    (folder / MANIFEST).write_bytes(
        json.dumps(forged.manifest, sort_keys=True, separators=(",", ":")).encode()
    )
    found = verdict(capsys, folder)
    assert found["status"] in (1, 2)
    assert is_one_sentence(found["reason"])


def test_a_table_that_unpacks_to_gigabytes_is_rejected_at_once(tmp_path, capsys, war):
    forged = Forger(war)
    listed = forged.manifest["tables"].pop("weights")
    forged.tables.pop("weights")
    packer = zlib.compressobj(9)
    forged.files["weights.bin"] = (
        b"".join(packer.compress(bytes(1 << 20)) for _ in range(256)) + packer.flush()
    )
    forged.manifest["tables"]["weights"] = listed
    folder = tmp_path / "c"
    forged.tables, kept = {}, forged.tables
    for name, array in kept.items():
        forged.files[f"{name}.bin"] = zlib.compress(array.tobytes())
    found = verdict(capsys, forged.write(folder))
    assert found["status"] == 1
    assert "weights" in found["reason"]


def test_any_nonce_will_do(tmp_path, war):
    write_certificate(tmp_path / "c", war)
    command = [sys.executable, "-I", str(tmp_path / "c" / CHECKER_FILE), str(tmp_path / "c"), "--nonce"]
    for nonce in (b"\xff\xfe", "ž\n♠".encode(), b""):
        done = subprocess.run([*command, nonce], capture_output=True, env={"LC_ALL": "C"}, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


def test_bad_use_of_the_checker_has_status_2(tmp_path):
    for words in ([], [str(tmp_path), "--samples=-1"], [str(tmp_path), "--cake"]):
        command = [sys.executable, "-c", checker_source().decode(), *words]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 2


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_a_verdict_that_cannot_be_printed_has_status_2(tmp_path, war, words):
    write_certificate(tmp_path / "c", war)
    command = [sys.executable, "-I", str(tmp_path / "c" / CHECKER_FILE), str(tmp_path / "c"), *words]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"check_certificate.py: No space left on device.\n")
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, check=False)
    os.close(writes)
    assert (done.returncode, done.stderr) == (2, b"")


# -- The command --------------------------------------------------------------------------------------


def test_a_folder_with_other_things_is_left_alone(tmp_path, war):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(Refused, match="other things"):
        write_certificate(tmp_path, war)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_an_older_certificate_is_replaced_and_a_signed_one_is_not(tmp_path, war, rummy):
    folder = tmp_path / "c"
    write_certificate(folder, rummy)
    write_certificate(folder, war)
    assert {path.name for path in folder.iterdir()} == {*war}
    for name in ("manifest.json.sig", "manifest.json.maker.2.sig"):
        (folder / name).write_text("signature")
        with pytest.raises(Refused, match="signed certificate, which is not replaced"):
            write_certificate(folder, rummy)
        (folder / name).unlink()
    assert {path.name for path in folder.iterdir()} == {*war}


def test_the_folder_in_which_the_user_is_stays_where_it_is(tmp_path, war, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refused, match="is the folder in which you are"):
        write_certificate(tmp_path, war)


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_computed(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused, match="file is not a folder"):
        check_place(tmp_path / "file" / "more" / "c")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_changed_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(Refused, match="nothing may be written in"):
        check_place(tmp_path / "c")
    tmp_path.chmod(0o700)


def test_a_signature_beside_the_manifest_does_not_matter(tmp_path, capsys, war):
    write_certificate(tmp_path / "c", war)
    (tmp_path / "c" / "manifest.json.sig").write_text("signature")
    assert verdict(capsys, tmp_path / "c")["accepted"]


def test_nothing_is_left_of_a_certificate_that_cannot_be_written(tmp_path, war):
    with pytest.raises(TypeError):
        write_certificate(tmp_path / "c", war | {"bad": None})
    assert list(tmp_path.iterdir()) == []


def run(*words, cwd):
    command = [sys.executable, "-m", "feltlab", "certify", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=os.environ, check=False)


def test_the_command_writes_and_checks(tmp_path):
    done = run("casino-war", "-o", "c", "--stake", "tie=1", "--option", "decks=2", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["options"]["decks"] == "2"
    checked = run("--check", "c", "--nonce", "mine", cwd=tmp_path)
    assert checked.returncode == 0
    assert "ACCEPTED" in checked.stdout
    assert "mine" in checked.stdout
    flip_a_byte(tmp_path / "c")
    assert run("--check", "c", cwd=tmp_path).returncode == 1


def test_a_certificate_of_another_program_version_is_refused_unless_it_is_wanted(tmp_path, war):
    forged = Forger(war)
    forged.manifest["program"]["version"] = "0.0.1"
    forged.write(tmp_path / "c")
    done = run("--check", "c", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("feltlab: feltlab 0.0.1 wrote c, and this is ")
    assert done.stderr.count("\n") == 1
    assert run("--check", "c", "--any-version", cwd=tmp_path).returncode == 0


class Checker:
    """A checker whose parent is interrupted while it waits, and that ends soon afterwards or never."""

    def __init__(self, ends):
        self.ends, self.killed = ends, False

    def wait(self, seconds=None):
        if seconds is None and not self.killed:
            raise KeyboardInterrupt
        if not self.ends and not self.killed:
            raise subprocess.TimeoutExpired("checker", seconds)
        return 130

    def kill(self):
        self.killed = True


@pytest.mark.parametrize(("ends", "sentence"), [(True, ""), (False, "feltlab: Interrupted.\n")])
def test_an_interrupted_check_says_so_once(tmp_path, war, monkeypatch, ends, sentence):
    """The checker receives the same Ctrl-C and prints the sentence; if it hangs, it is ended."""
    write_certificate(tmp_path / "c", war)
    checker = Checker(ends)
    monkeypatch.setattr("feltlab.cli.certify.subprocess.Popen", lambda words: checker)
    done = run_here("certify", "--check", str(tmp_path / "c"))
    assert (done.exit_code, done.stderr, checker.killed) == (130, sentence, not ends)


@pytest.mark.parametrize(
    "words",
    [
        ["casino-war"],
        ["-o", "c"],
        ["faro", "-o", "c"],
        ["casino-war", "-o", "c", "--option", "decks=9"],
        ["casino-war", "-o", "c", "--stake", "primary=0"],
        ["casino-war", "-o", "c", "--stake", "cake=1"],
        ["casino-war", "--check", "c"],
        ["--check", "nowhere"],
    ],
)
def test_bad_use_of_the_command_is_one_sentence_and_writes_nothing(tmp_path, words):
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert list(Path(tmp_path).iterdir()) == []
