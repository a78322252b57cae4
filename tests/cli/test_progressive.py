"""`feltlab progressive`: lists, files, proofs and proposals at the command line."""

import json

import pytest

from feltlab.progressives.catalogue import all_progressives
from feltlab.progressives.progressive_file import parse_progressive
from tests.progressives.test_progressive import TEXT
from tests.support import command_line


def run(*words):
    return command_line.run("progressive", *words)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TEXT)
    return path


def test_list_and_show():
    listed = json.loads(run("list", "--json").stdout)
    assert {each["name"] for each in listed} == all_progressives().keys()
    shown = run("show", "six-card-jackpot")
    assert parse_progressive(shown.stdout) == all_progressives()["six-card-jackpot"]
    assert "six-card-jackpot" in run("list").stdout


def test_prove_prints_the_same_figures_as_json(file):
    proof = json.loads(run("prove", str(file), "--json").stdout)
    assert proof["levels"][0]["chance"]["exact"] == "1/649740"
    assert proof["long_run"] == proof["conserved"]
    printed = run("prove", str(file), "--tables", "12")
    assert printed.exit_code == 0
    assert "649,740" in printed.stdout
    assert "simulated bets returned" in printed.stdout


def test_propose_passes_or_fails_with_one_sentence(file, tmp_path):
    good = run("propose", str(file))
    assert (good.exit_code, "It may be proposed" in good.stdout) == (0, True)
    file.write_text(TEXT + '[[level]]\nname = "Pair"\nfixed = "$2"\n')
    bad = run("propose", str(file), "--json")
    assert bad.exit_code == 2
    assert not json.loads(bad.stdout)["sound"]
    assert "Caribbean fails solvency" in bad.stderr
    assert "more than the whole bet" in bad.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "nothing"), "'nothing' is not a progressive"),
        (("prove", "./nowhere.toml"), "nowhere.toml"),
        (("propose", "six-card-jackpot", "--on", "soon"), "'soon' is not a date"),
        (("propose", "six-card-jackpot", "--on", ""), "'' is not a date"),
        (("propose", "six-card-jackpot", "--several-from", ""), "'' is not a date"),
        (("propose", "six-card-jackpot", "--law", "atlantis"), "has no checklist"),
        (("prove", "six-card-jackpot", "--game", "casino-war"), "is attached to triple-shot-rummy"),
        (("prove", "six-card-jackpot", "-o", "x.docx"), "is written as"),
        (("prove", "six-card-jackpot", "--bet", "0"), "costs more than nothing"),
    ],
)
def test_mistakes_are_one_sentence(words, sentence):
    done = run(*words)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
