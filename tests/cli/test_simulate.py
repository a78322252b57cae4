"""`feltlab simulate` as a user types it."""

import pytest

from tests.support.command_line import answer, refusal, run

WAR = ("simulate", "casino-war", "--rounds", "2e5", "--seed", "7")


def test_the_screen_says_what_was_played_and_how_it_compares():
    screen = run(*WAR).stdout
    assert "200,000 rounds" in screen
    assert "seed 7" in screen
    assert "The simulation agrees with the proof." in screen
    assert "chi-square over joint outcomes" in screen


def test_json_has_the_tally_and_the_comparison():
    found = answer(*WAR)
    assert sum(entry["rounds"] for entry in found["tally"]) == found["rounds"] == 200_000
    assert found["comparison"]["verdict"] == "agrees"
    edge = found["comparison"]["measures"][0]
    assert edge["z"] == pytest.approx((edge["simulated"] - edge["proved"]["value"]) / edge["standard_error"])


def test_a_seed_gives_the_same_result_on_any_number_of_threads():
    one, many = (answer(*WAR, "--threads", n) for n in ("1", "3"))
    one.pop("seconds"), many.pop("seconds")
    assert one == many


def test_a_random_seed_is_printed_so_that_it_can_be_used_again():
    first = answer("simulate", "casino-war", "--rounds", "1000")
    again = answer("simulate", "casino-war", "--rounds", "1000", "--seed", str(first["seed"]))
    assert first["tally"] == again["tally"]


def test_a_checkpoint_remembers_its_random_seed(tmp_path):
    words = ("simulate", "casino-war", "--rounds", "1000", "--checkpoint", str(tmp_path / "run.json"))
    assert answer(*words)["seed"] == answer(*words)["seed"]


def test_a_users_strategy_is_compared_with_the_optimal_one(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def decide(kernel_data, seen, legal):\n    return 1\n")  # surrender every tie
    screen = run(*WAR, "--strategy", f"{file}:decide").stdout
    assert "it costs" in screen
    found = answer(*WAR, "--strategy", str(file))
    assert found["compiled"]
    assert found["first_choices"].keys() == {"none", "surrender"}
    named = answer(*WAR, "--strategy", "surrender")
    assert named["tally"] == found["tally"]


@pytest.mark.parametrize(("text", "rounds"), [("1e3", 1000), ("1,500", 1500), ("2.5e2", 250), ("77", 77)])
def test_rounds_are_read_as_people_write_them(text, rounds):
    assert answer("simulate", "casino-war", "--rounds", text)["rounds"] == rounds


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--rounds", "0"), "The number of rounds must be from 1 to 1e+13, not 0."),
        (("--rounds", "1.5"), "'1.5' is not a whole number of rounds, such as 1000000 or 1e9."),
        (("--rounds", "-5"), "'-5' is not a whole number of rounds, such as 1000000 or 1e9."),
        (("--rounds", "many"), "'many' is not a whole number of rounds, such as 1000000 or 1e9."),
        (("--seed", "x"), "Invalid value for '--seed': 'x' is not a whole number."),
        (
            ("--strategy", "luck"),
            "'luck' is not a strategy of Casino War; they are optimal, war and surrender.",
        ),
        (("--strategy", "no.py:f"), "The strategy file no.py cannot be read: No such file or directory."),
        (("--cluster", "moon"), "A cluster is local, local:N or tcp://host:port, not 'moon'."),
        (
            ("--cluster", "local", "--threads", "2"),
            "--threads and --cluster cannot be used together.",
        ),
        (
            ("--checkpoint", "/nowhere/x"),
            "The checkpoint /nowhere/x cannot be used: No such file or directory.",
        ),
    ],
)
def test_mistakes_are_answered_by_one_sentence(words, sentence):
    assert refusal("simulate", "casino-war", *words) == sentence


def test_rounds_beyond_reason():
    assert refusal("simulate", "casino-war", "--rounds", "1e30").startswith("The number of rounds must be")


def test_a_difference_ends_with_status_3(monkeypatch):
    from feltlab.simulation.comparison import Comparison

    monkeypatch.setattr(Comparison, "verdict", "differs")
    assert run(*WAR).exit_code == 3
