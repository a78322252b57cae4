"""The pay-table designer: pays that no table lists, proofs that follow, the tables nearest to an edge."""

import pickle
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltlab.analysis.design.aim import aim_at
from feltlab.analysis.design.break_even import break_evens, slots, solve_break_even
from feltlab.analysis.design.pays import design, find_bet, read_pays, stake_for
from feltlab.analysis.design.search import TOLERANCE, nearest_tables
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.stake import default_stake
from feltlab.core.tally import Tally
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.casino_war import solver as war_exact
from feltlab.games.high_five_poker.rules import settle as settle_high_five
from feltlab.games.high_five_poker.solver.choices import Nets
from feltlab.games.high_five_poker.solver.deck_proof import count_deck, prove_choices
from feltlab.games.high_five_poker.solver.law import law as high_five_law
from feltlab.games.rabbit_hunter.choices import best_choices
from feltlab.games.rabbit_hunter.counts import count_deals
from feltlab.games.rabbit_hunter.solver import SOLVER as RABBIT_SOLVER
from feltlab.games.triple_shot_rummy import solver as rummy_exact
from feltlab.kernel import kernel
from feltlab.parallel.progress import nobody_listens
from feltlab.proving import store
from feltlab.proving.proof import cache_key, player_of, prove
from feltlab.simulation.comparison import compare
from feltlab.simulation.plan import SimulationPlan
from feltlab.simulation.run import run_plan
from tests.support.command_line import answer, refusal, run
from tests.support.features import representatives
from tests.support.game_data import data_of
from tests.support.tiny_subsets import subsets_of_deck

WAR, HIGH_FIVE, RABBIT, RUMMY, BONUS = (
    GAMES[name]
    for name in ("casino-war", "high-five-poker", "rabbit-hunter", "triple-shot-rummy", "triple-shot-bonus")
)
HALF = Fraction(1, 2)


def changed(name: str) -> Game:
    """The game with pays that change the best play."""
    spot, outcome, pays = data_of(name).deciding_pay
    return GAMES[name].with_pays(spot, {outcome: pays})


@pytest.fixture
def proofs(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_folder", lambda kind: tmp_path)
    return tmp_path


# -- Games with other pays --------------------------------------------------------------------------


def test_a_game_with_other_pays_is_a_value_of_its_own():
    game = WAR.with_pays("tie", {"tie": Fraction(11)})
    assert game != WAR
    assert game == WAR.with_pays("tie", {"TIE": Fraction(11)})
    assert hash(game) == hash(WAR.with_pays("tie", {"tie": 11}))
    assert pickle.loads(pickle.dumps(game)) == game
    assert (str(game), game.options) == ("casino-war tie:tie=11", WAR.options)
    assert game.digest != WAR.digest
    assert game.with_pays("tie", {"tie": 10}) == WAR
    assert game.with_options({"decks": "8"}).with_options({"decks": "6"}) == game
    table = game.pay_table(game.spot("tie"))
    assert (table.name, table.lines[0].pays, table.lines[1]) == (
        "custom",
        11,
        WAR.spot("tie").tables[0].lines[1],
    )
    assert game.pay_table(game.spot("primary")) is WAR.spot("primary").tables[0]


def test_wagers_and_rounds_follow():
    game = WAR.with_pays("tie", {"tie": Fraction(21, 2)})
    assert (WAR.step(WAR.spot("tie")), game.step(game.spot("tie"))) == (1, 2)
    with pytest.raises(Refused, match="multiple"):
        Round.of(game, "Ks", "Kd", primary=100, tie=3)
    end = Round.of(game, "Ks 2c", "Kd 3c", primary=100, tie=10).choose("surrender")
    assert end.settlement["tie"].net == 105


def test_what_equals_a_listed_table_is_that_table():
    table_2 = RUMMY.with_options({"pair-plus": "2"})
    assert RUMMY.with_pays("pair-plus", {"straight": 5}).with_options({"pair-plus": "2"}) == table_2


def test_an_unlisted_line_is_paid_as_the_one_below_it():
    spot = RUMMY.spot("pair-plus")
    lines = RUMMY.with_pays("pair-plus", {"straight flush": 50}).pay_table(spot).lines
    assert [(line.pays, line.listed) for line in lines[:2]] == [(50, False), (50, True)]
    lines = RUMMY.with_pays("pair-plus", {"royal": 60}).pay_table(spot).lines
    assert [(line.pays, line.listed) for line in lines[:2]] == [(60, True), (40, True)]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("flush", "Flush"),
        ("ROYAL", "Royal Flush"),
        ("straight-flush", "Straight Flush"),
        ("other", "Full House (Other)"),
        ("full house aces up", "Full House (Aces Up)"),
        ("four", "Four of a Kind"),
    ],
)
def test_lines_answer_to_friendly_names(text, outcome):
    ((spot, found, _),) = HIGH_FIVE.with_pays("trips", {text: Fraction(99)}).pays
    assert (spot, found) == ("trips", outcome)


@pytest.mark.parametrize("text", ["", "  ", "house", "aces", "flushes", "-"])
def test_an_unknown_or_ambiguous_name_is_refused_with_all_names(text):
    with pytest.raises(Refused, match="Five Aces; Royal Flush"):
        HIGH_FIVE.with_pays("trips", {text: Fraction(2)})


@pytest.mark.parametrize("pays", [Fraction(0), Fraction(-1), Fraction(10**6 + 1), Fraction(1, 1000)])
def test_a_win_stays_a_win(pays):
    with pytest.raises(Refused, match="'Flush'"):
        HIGH_FIVE.with_pays("trips", {"flush": pays})


def test_losses_and_pushes_cannot_be_changed():
    for outcome in ("fold", "tie"):
        with pytest.raises(Refused, match="is not a win"):
            HIGH_FIVE.with_pays("ante", {outcome: Fraction(1)})


# -- Laws -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_pay_that_decides_has_a_law_of_its_own(name):
    game, stake = changed(name), default_stake(GAMES[name])
    assert cache_key(game, stake) != cache_key(GAMES[name], stake)


def test_another_play_is_another_law_in_the_store(proofs):
    base, other = prove(WAR), prove(changed("casino-war"))
    assert base.law.first_choices.keys() == {"", "war"}
    assert other.law.first_choices.keys() == {"", "surrender"}
    assert prove(WAR).law == base.law
    assert player_of(WAR, default_stake(WAR), "optimal").data == 0
    assert player_of(changed("casino-war"), default_stake(WAR), "optimal").data == 1


@pytest.mark.parametrize(
    ("name", "setting", "changed"), [(name, *idle) for name in GAMES for idle in data_of(name).idle_pays]
)
def test_a_pay_that_decides_nothing_shares_the_law(name, setting, changed):
    game = GAMES[name].with_options(setting.options)
    units = default_stake(game) | {bet: Fraction(n) for bet, n in setting.stake.items()}
    other = game.with_pays(changed.spot, {changed.outcome: changed.pays})
    assert cache_key(other, units) == cache_key(game, units)


def test_a_shared_law_needs_no_new_entry(proofs):
    prove(RUMMY)
    (entry,) = proofs.iterdir()
    prove(RUMMY.with_pays("pair-plus", {"flush": 5}))
    assert list(proofs.iterdir()) == [entry]
    prove(changed("triple-shot-rummy"))
    assert len(list(proofs.iterdir())) == 2


@pytest.mark.parametrize("strategy", ["published", "never-bust", "mimic-dealer"])
def test_strategies_by_rule_look_at_no_pay(strategy):
    stake = default_stake(BONUS)
    assert cache_key(changed("triple-shot-bonus"), stake, strategy) == cache_key(BONUS, stake, strategy)


@pytest.mark.parametrize("strategy", ["optimal-suit-blind", "blackjack-optimal", "hat-trick"])
def test_strategies_that_are_best_for_blackjack_look_at_what_it_pays(strategy):
    stake = default_stake(BONUS)
    assert cache_key(changed("triple-shot-bonus"), stake, strategy) != cache_key(BONUS, stake, strategy)


def test_pays_that_cannot_be_solved_are_refused():
    with pytest.raises(Refused, match="Insurance"):
        prove(BONUS.with_pays("insurance", {"dealer blackjack": Fraction(5, 2)}))
    cache_key(BONUS.with_pays("insurance", {"dealer blackjack": Fraction(33, 16)}), default_stake(BONUS))
    with pytest.raises(Refused, match="too much"):
        Nets.of(HIGH_FIVE.with_pays("ante", {"better": 10**6}).with_pays("play", {"better": Fraction(1, 97)}))


@pytest.mark.slow
def test_high_five_poker_on_a_tiny_deck_with_other_pays():
    """The law of the best play, by settling every deal and choosing for every hand."""
    deck = [1, 2, 5, 17, 18, 20, 23, 24, 26, 28, 30, 33, 40, 46, 50]
    met = count_deck(subsets_of_deck(np.array(deck, np.uint8)), (1 << 16) - 1, nobody_listens)
    hands = [_settled(player, deck) for player in combinations(deck, 7)]
    for pays in ({"better": Fraction(1, 2)}, {"better": Fraction(3)}, {"dealer": Fraction(20)}):
        game = HIGH_FIVE.with_pays("ante", pays)
        ante, tally = game.spot("ante"), Tally(game, {})
        proof = prove_choices(met, Nets.of(game))
        worth = [[sum(n * tally.net(ante, o) for o, n in law.items()) for law in laws] for laws in hands]
        best = sum((max(by_choice) for by_choice in worth), Fraction(0)) / (8 * len(hands))
        assert Tally(game, high_five_law(proof, "optimal").counts).expected(ante) == best


def _settled(player: tuple[int, ...], deck: list[int]) -> list[Counter[tuple[int, ...]]]:
    """What playing and folding lead to against every dealer of the deck."""
    rest = [card for card in deck if card not in player]
    shoes = np.array([player + dealer for dealer in combinations(rest, 7)], np.int8)
    return [
        Counter(map(tuple, _settle_shoes(HIGH_FIVE.kernel_data, shoes, np.array([choice], np.int8)).tolist()))
        for choice in range(2)
    ]


@kernel
def _settle_shoes(kernel_data, shoes, choices):
    outcomes = np.zeros((len(shoes), 3), np.int8)
    for i in range(len(shoes)):
        settle_high_five(kernel_data, shoes[i], choices, outcomes[i])
    return outcomes


@pytest.mark.parametrize(
    ("spot", "outcome", "pays"),
    [("play", "fewer points with 0", Fraction(1, 3)), ("ante", "dealer does not play", Fraction(7, 4))],
)
def test_triple_shot_rummy_with_other_pays_is_the_best_choice_of_every_hand(spot, outcome, pays):
    """By the values that advice tells, which settle every dealer's hand."""
    game = RUMMY.with_pays(spot, {outcome: pays})
    hands, _, _ = rummy_exact.all_hands()
    playing = rummy_exact.plays(game, "optimal")
    for at in range(0, len(hands), 97):
        round = Round.of(game, " ".join(_card(card) for card in hands[at].tolist()), "", ante=600)
        worth = rummy_exact.values(round, {"ante": Fraction(1)})
        assert (worth["play"] > worth["fold"]) == playing[at]


def _card(card: int) -> str:
    return "23456789TJQKA"[card >> 2] + "cdhs"[card & 3]


SIMULATED = [
    *(name for name in representatives() if not data_of(name).slow_proof),
    *representatives("units on the spot of a street"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATED)
def test_simulation_agrees_with_the_proof_of_other_pays(name):
    game, stake = changed(name), default_stake(GAMES[name])
    base, proof = prove(GAMES[name]), prove(game)
    assert base.law.counts != proof.law.counts
    assert proof.tally.total_expected(stake) >= Tally(game, base.law.counts).total_expected(stake)
    played = run_plan(SimulationPlan.of(game, stake, "optimal", 4_000_000, 7))
    assert compare(played.tally, played.first_choices, proof).verdict != "differs"


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["higher card", "war won", "war tied"]),
    st.fractions(Fraction(1, 10), 20, max_denominator=10),
    st.fractions(Fraction(1, 10), 20, max_denominator=10),
)
def test_a_higher_pay_never_raises_the_edge(outcome, one, two):
    edges = [
        -Tally(game, war_exact.solve(game, {}, "optimal", nobody_listens).counts).expected(
            WAR.spot("primary")
        )
        for game in (WAR.with_pays("primary", {outcome: pays}) for pays in sorted((one, two)))
    ]
    assert edges[0] >= edges[1]


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_a_higher_pay_never_raises_the_edge_of_triple_shot_rummy(data):
    spot = data.draw(st.sampled_from(["ante", "play"]))
    wins = [line.outcome for line in RUMMY.pay_table(RUMMY.spot(spot)).lines if line.result == "win"]
    outcome = data.draw(st.sampled_from(wins))
    pays = sorted(data.draw(st.fractions(Fraction(1, 10), 20, max_denominator=10)) for _ in range(2))
    edges = [-prove(RUMMY.with_pays(spot, {outcome: pay})).tally.expected(RUMMY.spot("ante")) for pay in pays]
    assert edges[0] >= edges[1]


# -- Designs ----------------------------------------------------------------------------------------


def test_a_design_before_and_after():
    with pytest.raises(Refused, match="needs a stake on it; Pair Plus has none"):
        design(RUMMY, "pair-plus", {"flush": 5}, default_stake(RUMMY))
    stake = {**default_stake(RUMMY), "pair-plus": Fraction(1)}
    made = design(RUMMY, "pair-plus", {"flush": 5, "straight": 5}, stake)
    shares = {line.line.outcome: line.probability for line in made.lines}
    assert made.cost == made.cost_before - shares["Flush"] + shares["Straight"]
    assert (made.is_solved_again, made.has_other_strategy, made.change) == (False, False, 2)
    assert sum(line.returned for line in made.lines) == -made.cost
    assert sum(shares.values()) == 1


def test_a_design_of_a_raise_is_solved_again():
    pays = {"play: fewer points with 6": Fraction(2), "dealer": Fraction(3, 2)}
    made = design(RUMMY, "ante", pays, default_stake(RUMMY))
    assert (made.is_solved_again, made.has_other_strategy, made.change) == (True, True, Fraction(3, 2))
    assert made.cost < -Tally(made.after.game, made.before.law.counts).expected(made.bet)
    again = design(RUMMY, "ante", {"play: fewer points with 0": Fraction(5)}, default_stake(RUMMY))
    assert (again.is_solved_again, again.has_other_strategy) == (True, False)


def test_at_a_break_even_pay_the_edge_is_nothing():
    bet = RUMMY.spot("pair-plus")
    proof = prove(RUMMY, stake_for(RUMMY, bet, {}))
    aim = aim_at("added", RUMMY, proof.stake, bet)
    for (spot, outcome), pay in break_evens(proof, bet, aim).items():
        game = RUMMY.with_pays(spot, {outcome: Fraction(round(pay * 100), 100)})
        assert abs(prove(game).tally.expected(bet)) < Fraction(1, 100)
    flush = break_evens(proof, bet, aim)["pair-plus", "Flush"]
    assert (
        Tally(RUMMY, proof.law.counts).expected(bet)
        == -Fraction(proof.tally.outcomes(bet)["Flush"]) * (flush - 4) / proof.tally.deals
    )


def test_only_a_single_pay_that_decides_is_solved_for():
    for game, bet in ((WAR, WAR.spot("tie")), (RUMMY, RUMMY.spot("ante"))):
        assert solve_break_even(*added_to(game, bet)) is None


def added_to(game, bet):
    """The proof of a stake with a unit on the bet, the bet, and the cost that it adds."""
    proof = prove(game, stake_for(game, bet, {}))
    return proof, bet, aim_at("added", game, proof.stake, bet)


# -- The nearest tables -----------------------------------------------------------------------------


def staked(game, bet):
    return stake_for(game, find_bet(game, bet), {})


@pytest.mark.parametrize("target", ["0.01", "0.045", "0.07", "-0.05"])
@pytest.mark.parametrize("step", [Fraction(1), HALF])
def test_no_table_has_a_smaller_change(target, step):
    """Against all tables that change the four commonest lines by up to three units."""
    edge = Fraction(target)
    found = nearest_tables(RUMMY, staked(RUMMY, "pair-plus"), "pair-plus", edge, step, 5)
    assert all(abs(made.cost - edge) <= TOLERANCE for made in found)
    assert found == sorted(found, key=lambda made: (made.change, abs(made.cost - edge)))
    lines = slots(RUMMY, prove(RUMMY), RUMMY.spot("pair-plus"))
    expected = prove(RUMMY).tally.expected(RUMMY.spot("pair-plus"))
    smallest = [made.change for made in found]
    changes = [n * step for n in range(int(-3 / step), int(3 / step) + 1)]
    every = []
    for moved in product(changes, repeat=4):
        change = sum(map(abs, moved))
        if change <= smallest[-1] and _keeps_order(lines, moved):
            gained = sum(slot.gain * more for slot, more in zip(lines, moved, strict=False))
            if abs(expected + gained + edge) <= TOLERANCE:
                every.append(change)
    assert all(have <= other for have, other in zip(smallest, sorted(every), strict=False))


def _keeps_order(lines, moved) -> bool:
    pays = [slot.pays + more for slot, more in zip(lines, moved, strict=False)] + [lines[4].pays]
    return pays[0] > 0 and all(below <= above for below, above in pairwise(pays))


def test_tables_keep_their_order():
    stake = staked(RUMMY, "six-card-bonus")
    for made in nearest_tables(RUMMY, stake, "six-card-bonus", Fraction(-1, 5), HALF, 20):
        pays = [line.line.pays for line in made.lines if line.line.result == "win"]
        assert pays == sorted(pays, reverse=True)
        assert all(pay.denominator in (1, 2) for pay in pays)


def test_without_a_table_in_reach_the_closest_are_listed():
    found = nearest_tables(WAR, staked(WAR, "tie"), "tie", Fraction(9, 200))
    assert [line.line.pays for line in found[0].changed] == [12]
    assert found[0].cost < Fraction(9, 200) + Fraction(37, 1000)


def test_the_present_table_is_the_first_at_its_own_edge():
    for game, bet in ((WAR, "tie"), (RUMMY, "six-card-bonus"), (RUMMY, "ante")):
        stake = stake_for(game, find_bet(game, bet), {})
        edge = -prove(game, stake).tally.expected(game.spot(bet))
        assert nearest_tables(game, stake, bet, edge, count=3)[0].after.game == game


def test_figures_are_proved_where_the_strategy_changes():
    for made in nearest_tables(RUMMY, default_stake(RUMMY), "ante", Fraction(-1, 5)):
        assert made.is_solved_again
        assert made.cost == -prove(made.after.game).tally.expected(made.bet)


# -- The command ------------------------------------------------------------------------------------


def test_pays_are_read_as_people_write_them():
    assert read_pays("flush=5, straight = 3/2") == {"flush": 5, "straight": Fraction(3, 2)}
    assert read_pays("double, win=3:2,bust=2.5,x=3 to 2") == {
        "double, win": Fraction(3, 2),
        "bust": Fraction(5, 2),
        "x": Fraction(3, 2),
    }
    assert read_pays("") == {}


def test_json_of_new_pays():
    found = answer("design", "triple-shot-rummy", "pair-plus", "--pays", "flush=5,straight=5")
    assert found["stake"] == {"ante": "1", "pair-plus": "1", "six-card-bonus": "0"}
    assert found["pays"] == {"Straight": "5", "Flush": "5"}
    assert (found["change"], found["re-solved"], found["other_play"]) == ("2", False, False)
    assert Fraction(found["before"]["cost"]["exact"]) == Fraction(128, 5525)
    costs = ["cost", "joint_edge", "own_edge"]
    assert list(found["after"]) == [*costs, "hit_frequency", "std_dev", "stake_expected"]
    assert found["lines"][0]["outcome"] == "Royal Flush"


def test_json_of_the_present_table_and_of_a_target():
    found = answer("design", "casino-war", "tie")
    assert found["break_even"]["tie: tie"]["value"] == pytest.approx(12.52, abs=0.01)
    found = answer("design", "casino-war", "tie", "--target", "4.5%", "--half", "--count", "1")
    assert [table["pays"] for table in found["tables"]] == [{"tie": "12"}]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--pays", "tie=11"),
        ("--target", "5"),
        ("--target=-10%", "--half"),
        ("--pays", "tie=11", "--target", "4%"),
    ],
)
def test_the_command_prints(words):
    result = run("design", "casino-war", "tie", *words)
    assert result.exit_code == 0
    assert "tie" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_it_says_that_the_strategy_was_solved_again():
    shown = run("design", "casino-war", "primary", "--pays", "war won=1/10").stdout
    assert "re-solved" in shown
    assert "it changes" in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("tie", "--pays", "tie=-1"), "'tie' must pay more than 0 and at most 1,000,000 to 1, not -1."),
        (("tie", "--pays", "tie=0"), "'tie' must pay more than 0 and at most 1,000,000 to 1, not 0."),
        (("tie", "--pays", "tie=ten"), "tie=ten is not a pay, such as 5, 3/2 or 2.5."),
        (("tie", "--pays", "tie=1/0"), "tie=1/0 is not a pay, such as 5, 3/2 or 2.5."),
        (("tie", "--pays", "tie"), "Pays are given as OUTCOME=PAY, such as flush=5, not 'tie'."),
        (("tie", "--pays", "no tie=1"), "'no tie' is not a win; only the pay of a win can be changed."),
        (("tie", "--pays", "flush=5"), "The outcomes of tie are tie; no tie; 'flush' is not among them."),
        (("tie", "--pays", "tie=5,tie=6"), "The pay of 'tie' is given twice."),
        (("tie", "--pays", "play: x=5"), "'play' is not a spot of this bet; its spots are tie."),
        (("moon",), "'moon' is not a bet of Casino War; its bets are primary and tie."),
        (("tie", "--target", "much"), "'much' is not a percentage, such as 4.5%."),
        (
            ("tie", "--target", "99%"),
            "No table of Tie that pays whole units has the added cost 99 %: under the present strategy, "
            "85.209 % is the most.",
        ),
        (
            ("tie", "--target", "-500%"),
            "A target is at least -100 %, not -500 %.",
        ),
    ],
)
def test_a_mistake_is_answered_by_one_sentence(words, sentence):
    assert refusal("design", "casino-war", *words) == sentence


def test_a_raise_is_no_bet():
    sentence = "'play' is a raise; design ante, and name its lines 'play: OUTCOME'."
    assert refusal("design", "triple-shot-rummy", "play") == sentence


# -- Larger games -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_rabbit_hunter_with_other_pays_is_the_best_choice_of_every_hand():
    game = RABBIT.with_pays("play", {"better": Fraction(3, 2)})
    stake = default_stake(game)
    counts = count_deals()
    best = best_choices(counts, game, stake)
    names = [choice.name for choice in game.choices]
    for at in range(0, len(counts.hands), len(counts.hands) // 8):
        round = Round.of(game, " ".join(map(_card, counts.hands[at].tolist())), "", ante=600)
        worth = RABBIT_SOLVER.values(round, stake)
        assert max(worth, key=lambda name: worth[name]) == names[best[at]]


@pytest.mark.slow
def test_the_hat_trick_breaks_even():
    bet = BONUS.spot("hat-trick")
    made = solve_break_even(*added_to(BONUS, bet))
    assert made is not None
    assert abs(made.cost) < Fraction(1, 1000)
    assert made.changed[0].line.pays == Fraction(698, 100)  # at 6.97 its own edge is zero


@pytest.mark.parametrize("pays", ["flush=5,Flush=6", "kind=5, three=6"])
def test_a_line_is_given_one_pay_however_it_is_called(pays):
    assert "is given twice" in refusal("design", "triple-shot-rummy", "pair-plus", "--pays", pays)


def test_no_pays_and_no_target_are_no_mistake_but_empty_ones_are():
    assert refusal("design", "casino-war", "tie", "--pays", "").startswith("--pays is empty")
    assert refusal("design", "casino-war", "tie", "--half") == "--half needs a --target."


def test_the_re_solved_break_even_is_found_where_the_play_jumps():
    """In Rabbit Hunter a slope leads past it: the edge falls by two points within a tenth of a unit."""
    game = GAMES["rabbit-hunter"]
    bet = game.spot("bad-beat")
    found = solve_break_even(*added_to(game, bet))
    assert found
    assert abs(found.cost) < Fraction(1, 1000)
