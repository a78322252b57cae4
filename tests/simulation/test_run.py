"""Simulation: the rules that are dealt, whoever plays which unit; and what must be flagged is flagged."""

from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from feltlab.core.deal import Deal
from feltlab.core.hands import poker
from feltlab.core.joint_numbers import joint_code
from feltlab.core.seating import Seat
from feltlab.core.solver import Player
from feltlab.core.stake import default_stake
from feltlab.errors import Refused
from feltlab.games import GAMES, solver_of
from feltlab.games.high_five_poker import rules as high_five
from feltlab.kernel import INTERPRETED, inlined, lean, plain_python
from feltlab.parallel.executor import ThreadExecutor
from feltlab.proving.proof import player_of, prove
from feltlab.shuffling.uniform import shuffle_cards
from feltlab.simulation import run as simulation
from feltlab.simulation import seat_covariance as seats
from feltlab.simulation.comparison import compare
from feltlab.simulation.plan import ROUNDS_PER_BATCH, SimulationPlan
from feltlab.simulation.round_loop import build_loop, build_round, new_round_arrays, new_round_counts
from feltlab.simulation.run import run_plan
from feltlab.simulation.streams import deal_randomly, new_stream, random_below
from feltlab.simulation.user_strategy import UserStrategy
from tests.support.game_data import data_of

FEW = 300_000
MANY = 2_000_000  # an edge of unit deviation is met to 0.0007, an error four times that is found
SLOW = {name: [pytest.mark.slow] * data_of(name).slow_proof for name in GAMES}
NAMED = [
    pytest.param(name, strategy, marks=SLOW[name])
    for name in GAMES
    for strategy in solver_of(GAMES[name]).strategies
]


def run_of(game, strategy="optimal", rounds=FEW, seed=1, stake=None, executor=None):
    return run_plan(SimulationPlan.of(game, stake or default_stake(game), strategy, rounds, seed), executor)


def held(game, strategy="optimal", rounds=FEW, seed=1, stake=None):
    """A simulation against the proof of the same thing."""
    run = run_of(game, strategy, rounds, seed, stake)
    return compare(run.tally, run.first_choices, prove(game, stake, strategy))


# -- Proofs and simulations agree -------------------------------------------------------------------


@pytest.mark.parametrize(("name", "strategy"), NAMED)
def test_every_strategy_plays_as_it_is_proved(name, strategy):
    assert held(GAMES[name], strategy).verdict != "differs"


@pytest.mark.parametrize(
    ("name", "setting"),
    [pytest.param(name, each, marks=SLOW[name]) for name in GAMES for each in data_of(name).simulations],
)
def test_options_and_stakes_are_played_as_they_are_proved(name, setting):
    game = GAMES[name].with_options(setting.options)
    assert held(game, stake=default_stake(game) | setting.stake).verdict != "differs"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_two_million_rounds_of_optimal_play_agree_with_the_proof(name):
    game = GAMES[name]
    stake = default_stake(game) | {spot.name: Fraction(1) for spot in game.wagers}
    assert held(game, rounds=MANY, seed=12, stake=stake).verdict == "agrees"


# -- One seed, one tally ----------------------------------------------------------------------------


@pytest.fixture
def small_units(monkeypatch):
    monkeypatch.setattr("feltlab.simulation.plan.ROUNDS_PER_BATCH", 1000)


@pytest.mark.usefixtures("small_units")
@pytest.mark.parametrize("name", GAMES)
def test_the_number_of_threads_does_not_matter(name):
    runs = [run_of(GAMES[name], rounds=20_500, executor=ThreadExecutor(workers)) for workers in (1, 2, 7)]
    for one, other in pairwise(runs):
        assert one.tally == other.tally
        assert one.first_choices == other.first_choices
    assert runs[0].tally.deals == 20_500


def test_another_seed_gives_another_tally():
    one, other = (run_of(GAMES["casino-war"], rounds=1000, seed=seed) for seed in (1, 2))
    assert one.tally != other.tally


def test_a_longer_run_begins_with_the_shorter_one():
    """A batch depends on the seed and its number alone, so whole batches are shared."""
    game = GAMES["casino-war"]
    plan = SimulationPlan.of(game, default_stake(game), "war", 2 * ROUNDS_PER_BATCH, 5)
    first, second = (simulation.play_batches(plan, range(n, n + 1)) for n in range(2))
    both = simulation.play_batches(plan, range(2))
    assert first.joint + second.joint == both.joint
    assert (first.made + second.made == both.made).all()


def test_the_last_batch_holds_the_rounds_that_are_left():
    game = GAMES["casino-war"]
    plan = SimulationPlan.of(game, default_stake(game), "war", 2 * ROUNDS_PER_BATCH + 1, 5)
    assert [plan.rounds_in(range(n, n + 1)) for n in plan.batches] == [ROUNDS_PER_BATCH] * 2 + [1]


@pytest.mark.parametrize("rounds", [0, -5, 10**13 + 1, 10**30])
def test_rounds_beyond_reason_are_refused(rounds):
    with pytest.raises(Refused, match="number of rounds"):
        SimulationPlan.of(GAMES["casino-war"], default_stake(GAMES["casino-war"]), "war", rounds, 1)


# -- The loop ---------------------------------------------------------------------------------------


def counted(game, player, made, rounds, rules=None, deal=deal_randomly, deck=None):
    """Counts of a loop that is put together for the occasion, by `made` in place of a compiler."""
    play = made(build_round(rules or game.rules, player.decide))
    return run_loop(made(build_loop(play, deal)), game, player, rounds, deck)


def run_loop(loop, game, player, rounds, deck=None):
    """The counts of some rounds."""
    seat, counts = new_round_arrays(game), new_round_counts(game)
    deck = np.array(game.deck.cards if deck is None else deck, np.int8)
    ended = loop(
        game.kernel_data, player.data, new_stream(9, 0), deck, joint_code(game), rounds, seat, counts
    )
    assert ended == 0
    return counts


@pytest.mark.parametrize("name", GAMES)
def test_the_compiled_loop_equals_the_interpreted_one_and_counts_no_references(name):
    """One loop for both, which simulations compile too; counting references would cost more than a round."""
    game = GAMES[name]
    player = player_of(game, default_stake(game), "optimal")
    plain = player._replace(decide=plain_python(player.decide))
    loop: Any = lean(build_loop(inlined(build_round(game.rules, player.decide))))
    one, other = run_loop(loop, game, player, 300), counted(game, plain, plain_python, 300)
    assert (one.joint == other.joint).all()
    assert (one.made == other.made).all()
    if not INTERPRETED:
        (compiled,) = loop.overloads.values()
        # Also of a loop from the cache, for which numba itself shows nothing.
        text = str(compiled.library._get_module_for_linking())
        assert "NRT_incref" not in _body(text)


def _body(text):
    """The loop itself, without the wrapper that Python calls."""
    heads = {part.split("{")[0]: part for part in text.split("define ")}
    return max(
        (part for head, part in heads.items() if "round_loop" in head and "cpython" not in head), key=len
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_strategy_sees_only_what_visible_shows(name):
    """Cards that are not seen are changed before each decision, and the decision stays."""
    game, random = GAMES[name], np.random.default_rng(1)
    player = player_of(game, default_stake(game), "optimal")
    decide, rules = plain_python(player.decide), game.rules
    for _ in range(100):
        cards = random.permutation(game.deck.cards).astype(np.int8)
        shoe, choices = cards[: len(new_round_arrays(game).shoe)], np.zeros(0, np.int8)
        open_now = rules.legal(game.kernel_data, shoe, choices)
        if open_now:
            seen = np.empty_like(shoe)
            rules.visible(game.kernel_data, shoe, choices, seen)
            hidden = np.flatnonzero(seen < 0)
            other = shoe.copy()
            other[hidden] = random.permutation(shoe[hidden])
            again = np.empty_like(shoe)
            rules.visible(game.kernel_data, other, choices, again)
            if rules.legal(game.kernel_data, other, choices) != open_now:
                continue  # a dealer's blackjack ends the round before anything is chosen
            first, second = (decide(player.data, shown, open_now, choices) for shown in (seen, again))
            assert first == second


# -- Negative controls ------------------------------------------------------------------------------


def verdict_of(game, counts, strategy, law_of=None):
    run = simulation._Run(SimulationPlan(game, (), strategy, 1, 1), None)
    run.counts = simulation.BatchCounts.of(counts)
    return compare(run.tally(), run.first_choices(), prove(law_of or game, strategy=strategy)).verdict


def test_the_control_itself_agrees():
    game = GAMES["rabbit-hunter"]
    player = player_of(game, default_stake(game), "ace-high")
    assert verdict_of(game, counted(game, player, lean, FEW), "ace-high") == "agrees"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("high-five-poker", {"trips": "A"}),
        ("triple-shot-bonus", {"hat-trick": "6"}),
        ("triple-shot-rummy", {"pair-plus": "2"}),
    ],
)
def test_a_wrong_pay_table_is_flagged(name, options):
    """The tally has one pay table, the proof another; their outcomes are the same."""
    game = GAMES[name]
    option, value = next(iter(options.items()))
    values = next(o.values for o in game.rules.OPTIONS if o.name == option)
    wrong = game.with_options({option: value if value in values else values[-1]})
    assert wrong != game
    run = run_of(game, "never-fold" if name != "triple-shot-bonus" else "never-bust", rounds=3_000_000)
    strategy = run.plan.strategy
    assert compare(run.tally, run.first_choices, prove(game, strategy=strategy)).verdict != "differs"
    paid = type(run.tally)(wrong, run.tally.counts)
    assert compare(paid, run.first_choices, prove(game, strategy=strategy)).verdict == "differs"


@lean
def biased(stream, deck, shoe):
    """The classic slip: each card changes places with any card, not with one of those that are left."""
    for i in range(len(shoe)):
        j = random_below(stream, np.uint64(len(deck)))
        deck[i], deck[j] = deck[j], deck[i]
    for i in range(len(shoe)):
        shoe[i] = deck[i]


@lean
def top_heavy(stream, deck, shoe):
    """A fair shuffle after which, once in ten rounds, a lower card is put on top."""
    deal_randomly(stream, deck, shoe)
    if random_below(stream, np.uint64(10)) == 0:
        for i in range(len(shoe)):
            if shoe[i] < shoe[0]:
                shoe[0], shoe[i] = shoe[i], shoe[0]


@lean
def from_new(stream, deck, shoe):
    """The same slip on a deck that is put in order before each round, where it shows."""
    for i in range(len(deck)):
        deck[i] = i
    biased(stream, deck, shoe)


@pytest.mark.parametrize("shuffle", [top_heavy, from_new])
def test_a_biased_shuffle_is_flagged(shuffle):
    game = GAMES["rabbit-hunter"]
    player = player_of(game, default_stake(game), "ace-high")
    counts = counted(game, player, lean, 3_000_000, deal=shuffle)
    assert verdict_of(game, counts, "ace-high") == "differs"


@lean
def everything_is_visible(kernel_data, shoe, choices, seen):
    for i in range(len(shoe)):
        seen[i] = shoe[i]


@lean
def peeks(kernel_data, seen, legal, choices):
    mine, dealers = poker.strength(kernel_data.poker, seen[:7]), poker.strength(kernel_data.poker, seen[7:])
    return high_five.FOLD if dealers > mine else high_five.PLAY


def test_a_strategy_that_peeks_is_flagged():
    """It folds what the dealer beats, and is compared with the rule that it says it follows."""
    game, rules = GAMES["high-five-poker"], GAMES["high-five-poker"].rules
    open_book = SimpleNamespace(legal=rules.legal, visible=everything_is_visible, settle=rules.settle)
    counts = counted(game, Player(peeks, game.kernel_data), lean, FEW, rules=open_book)
    assert verdict_of(game, counts, "never-fold") == "differs"
    assert verdict_of(game, counts, "optimal") == "differs"


@pytest.mark.parametrize("name", ["rabbit-hunter", "high-five-poker", "triple-shot-bonus"])
def test_a_dropped_card_is_flagged(name):
    game = GAMES[name]
    strategy = list(solver_of(game).strategies)[-1]
    player = player_of(game, default_stake(game), strategy)
    short = [card for card in game.deck.cards if card != 51]  # an ace has fallen under the table
    assert verdict_of(game, counted(game, player, lean, 3_000_000, deck=short), strategy) == "differs"


# -- Two seats --------------------------------------------------------------------------------------


def test_the_covariance_of_two_seats_is_that_of_a_table():
    """Against two seats that are dealt by `Deal`, in order, with burned cards and a war for both."""
    game, rounds = GAMES["casino-war"], 4000
    proof = prove(game, strategy="war")
    measured = seats.seat_covariance(proof, {"primary": 100})
    products, nets = [], []
    for _ in range(rounds):
        dealt = Deal(game, shuffle_cards(game.deck.cards), (Seat({"primary": 100}), Seat({"primary": 100})))
        while dealt.turn is not None:
            dealt = dealt.choose(dealt.turn, "war")
        one, other = (sum(settled.net for settled in round.settlement.wagers) for round in dealt.rounds)
        products.append(one * other)
        nets += [one, other]
    found = np.mean(products) - np.mean(nets) ** 2
    error = np.std(products) / rounds**0.5
    assert abs(found - measured.value) < 5 * error
    assert measured.error == 0  # counted, not simulated
    assert measured.value > 5 * error


# -- A strategy of one's own ------------------------------------------------------------------------

ACE_HIGH = """
from feltlab.games.rabbit_hunter.rules import FOLD, PLAY
from feltlab.core.hands.poker import ACE_HIGH, strength

def decide(kernel_data, seen, legal):
    return PLAY if strength(kernel_data.poker, seen[:5]) >= ACE_HIGH else FOLD

def by_name(kernel_data, seen, legal):
    return {True: "play", False: "fold"}[bool(strength(kernel_data.poker, seen[:5]) >= ACE_HIGH)]

def illegal(kernel_data, seen, legal):
    return 5

def raises(kernel_data, seen, legal):
    return 1 // (legal - legal)

def reaches(kernel_data, seen, legal):
    return seen[1000]

def says_nothing(kernel_data, seen, legal):
    pass

def says_nonsense(kernel_data, seen, legal):
    return "call" + str(seen)

def takes_two(kernel_data, seen):
    return 0

def leaves(kernel_data, seen, legal):
    raise SystemExit(3)

async def waits(kernel_data, seen, legal):
    return 0

def yields(kernel_data, seen, legal):
    yield 0

class ByInstance:
    def __call__(self, kernel_data, seen, legal):
        return PLAY if strength(kernel_data.poker, seen[:5]) >= ACE_HIGH else FOLD

instance = ByInstance()
"""


def own(function, source=ACE_HIGH):
    return UserStrategy("mine.py:" + function, source, function)


def test_an_own_function_plays_as_the_strategy_that_it_spells_out():
    game = GAMES["rabbit-hunter"]
    named, mine = (run_of(game, strategy, rounds=5000) for strategy in ("ace-high", own("decide")))
    assert named.tally == mine.tally


def test_an_own_function_that_does_not_compile_is_played_all_the_same():
    game = GAMES["rabbit-hunter"]
    plan = SimulationPlan.of(game, default_stake(game), own("by_name"), 2000, 1)
    assert not plan.is_compiled
    assert run_plan(plan).tally == run_of(game, "ace-high", rounds=2000).tally


def test_whatever_can_be_called_is_played():
    game = GAMES["rabbit-hunter"]
    assert run_of(game, own("instance"), rounds=500).tally == run_of(game, "ace-high", rounds=500).tally


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (
            "illegal",
            r"answers 5, which is no choice, with (\S\S ){5}## against ## .*; open: fold, play and buy",
        ),
        ("raises", r"fails with (\S\S ){5}## against .*: ZeroDivisionError"),
        ("reaches", r"fails with .*: IndexError"),
        ("says_nothing", r"fails with .*: None is neither the number nor the name of a choice\.$"),
        ("says_nonsense", r"fails with .*: 'call.*is not a choice of .*fold, play and buy\.$"),
        ("leaves", r"fails with .*: SystemExit"),
        ("waits", r"must be a plain function"),
        ("yields", r"must be a plain function"),
        ("takes_two", r"must take three or four arguments: kernel_data, seen, legal, choices"),
        ("missing", r"has no function 'missing'"),
    ],
)
def test_an_own_function_that_fails_is_named_with_its_hand(function, sentence):
    with pytest.raises(Refused, match=sentence):
        run_of(GAMES["rabbit-hunter"], own(function), rounds=100)


def test_a_choice_of_the_game_that_is_not_open_is_named():
    source = "def decide(kernel_data, seen, legal):\n    return 3\n"  # split, whatever the cards
    with pytest.raises(Refused, match=r"answers split with .* against .*; open: "):
        run_of(GAMES["triple-shot-bonus"], own("decide", source), rounds=100)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def decide(", "is not Python: .* in line 1"),
        ("x = 1 / 0", "does not run: ZeroDivisionError: division by zero, in line 1"),
        ("raise SystemExit", "does not run: SystemExit"),
        ("import no_such_module", "does not run: ModuleNotFoundError"),
        ("decide = 3", "has no function 'decide'"),
    ],
)
def test_a_file_with_an_error_is_told_in_one_sentence(source, sentence):
    with pytest.raises(Refused, match=sentence):
        own("decide", source).player(GAMES["rabbit-hunter"])


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(Refused, match=r"nowhere\.py cannot be read: No such file"):
        UserStrategy.read(f"{tmp_path}/nowhere.py:decide")
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refused, match="is not text"):
        UserStrategy.read(f"{tmp_path}/binary.py")
