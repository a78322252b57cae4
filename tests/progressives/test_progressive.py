"""A progressive as data: its checks, its text, its digest, and the level that a hand claims."""

from fractions import Fraction

import pytest

from feltlab import GAMES, Refused, cards
from feltlab.progressives.catalogue import all_progressives, find_progressive
from feltlab.progressives.claims import attach
from feltlab.progressives.progressive import Attachment, Level, Meter, MustHit, Progressive
from feltlab.progressives.progressive_file import (
    digest_progressive,
    parse_progressive,
    progressive_from_json,
    progressive_text,
    progressive_to_json,
)

HALF = Fraction(1, 2)
TEXT = """\
name = "caribbean"
title = "Caribbean"
date = "2026-11-17"
status = "test"
bet = "$1"
reading = "poker"
house_rate = "30 %"
[[game]]
name = "caribbean-stud"
cards = ["player"]
[[meter]]
name = "main"
seed = "$10,000"
rate = "65 %"
reserve_rate = "5 %"
[[level]]
name = "Royal Flush"
share = "100 %"
[[level]]
name = "Straight Flush"
share = "10 %"
[[level]]
name = "Quad Aces"
hands = ["Four of a Kind, Aces"]
fixed = "$500"
"""


def test_text_is_read_exactly_and_written_back():
    made = parse_progressive(TEXT)
    assert made.meters == (Meter("main", 1_000_000, Fraction(13, 20), Fraction(1, 20)),)
    assert made.levels[2] == Level("Quad Aces", ("Four of a Kind, Aces",), fixed_cents=50_000)
    assert parse_progressive(progressive_text(made)) == made
    assert progressive_from_json(progressive_to_json(made)) == made


@pytest.mark.parametrize("name", all_progressives())
def test_progressives_of_games_survive_the_round_trip_and_attach(name):
    made = find_progressive(name)
    assert parse_progressive(progressive_text(made)) == made
    assert "demonstration" in made.status
    for attached in made.attached:
        attach(made, attached.game)


def test_a_third_and_a_must_hit_jackpot_survive_the_round_trip():
    third = Fraction(1, 3)
    meters = (
        Meter("main", 0, third, hidden_rate=third, cap_cents=7, overflow="reserve"),
        Meter("mystery", 5, third / 2, must_hit=MustHit(10, 20, ((12, HALF),)), seeded_by="house"),
    )
    level = Level("any", ("Pair", "As Kd"), share=Fraction(1), to_one=True, envy_cents=3)
    attached = (Attachment("caribbean-stud", ("player",)),)
    made = Progressive(
        "a", 'A \\ "b" é', "2026-11-17", "s", 100, "poker", attached, meters, (level,), third / 2
    )
    assert parse_progressive(progressive_text(made)) == made


def test_the_digest_follows_every_rule():
    made = parse_progressive(TEXT)
    assert digest_progressive(made) == digest_progressive(parse_progressive(progressive_text(made)))
    assert digest_progressive(made) != digest_progressive(parse_progressive(TEXT.replace("10 %", "11 %")))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("100 %", "101 %", "takes 101 % of the meter; at most is 100 %"),
        ("65 %", "-65 %", "The contribution rate of meter 'main' is negative"),
        ("65 %", "66 %", "take 101 % of each bet; the parts must make exactly 100 %"),
        ("5 %", "x", "is not a share"),
        ("$10,000", "-$1", "The seed of meter 'main' is negative"),
        ("$1\"", "$0\"", "is a fixed amount, not $0"),
        ("rate = \"65 %\"", "rate = \"65 %\"\ncap = \"$5\"", "cap of meter 'main', $5, is below its seed"),
        ("100 %", "90 %", "No level takes 100 % of meter 'main'"),
        ("fixed = \"$500\"", "fixed = \"$500\"\nshare = \"1 %\"", "a share of a meter or a fixed amount"),
        ("\"Quad Aces\"", "\"Royal Flush\"", "names level 'Royal Flush' twice"),
        ("seed = \"$10,000\"", "seeds = \"1\"", "'seeds' is not a key"),
        ("title = \"Caribbean\"", "title = 5", "'title' is text, not 5"),
        ("title = \"Caribbean\"", "title = \" \"", "its title must be 1 to 100 printable characters"),
        ("title = \"Caribbean\"", "title = \"a\\u202eb\"", "its title must be 1 to 100 printable characters"),
        ("\"Quad Aces\"", "\"" + "q" * 101 + "\"", "its level must be 1 to 100 printable characters"),
        ("[[game]]", "[[game]]\nname = \"caribbean-stud\"\ncards = [\"player\"]\n[[game]]", "twice"),
        ("[[meter]]", "[[meter", "progressive.toml: "),
        ("\"$1\"", "nan", "'bet' is text, not nan"),
        ("\"$1\"", "\"$1e999\"", "is not an amount"),
        ("\"$1\"", "\"$99,999,999,999\"", "is too large an amount"),
        ("65 %", "nan %", "is not a share"),
        ("65 %", "1e9 %", "is not a share"),
        ("65 %", "13/0", "is not a share"),
        ("\"caribbean\"", "\"../up\"", "small letters, digits and hyphens"),
        ("2026-11-17", "soon", "the date 'soon' is not one"),
        ("bet =", "x = " + "[" * 9_000 + "]" * 9_000 + "\nbet =", "nests its lists too deeply"),
        ("rate = \"65 %\"", "rate = \"65 %\"\nmust_hit_law = [\"25 % by $5\"]", "needs must_hit"),
        ("rate = \"65 %\"", "rate = \"65 %\"\nmust_hit = [\"$10,000\", \"$5\"]", "needs two rising amounts"),
        ("rate = \"65 %\"", "rate = \"65 %\"\nmust_hit = [\"$10,000\", \"$20,000\"]", "at its secret amount"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_in_one_sentence(old, new, sentence):
    with pytest.raises(Refused) as refusal:
        parse_progressive(TEXT.replace(old, new, 1))
    assert sentence.lower() in str(refusal.value).lower()
    assert str(refusal.value).count("\n") == 0


def test_too_many_levels_are_refused():
    level = '[[level]]\nname = "level {}"\nhands = ["Pair"]\nfixed = "$1"\n'
    with pytest.raises(Refused, match="at most 100 levels, not 123"):
        parse_progressive(TEXT + "".join(map(level.format, range(120))))


@pytest.mark.parametrize(
    ("low", "high", "knots", "sentence"),
    [
        (5, 5, (), "two rising amounts"),
        (0, 10, ((0, HALF),), "rising amounts"),
        (0, 10, ((7, HALF), (8, HALF / 2)), "rising chances"),
        (0, 10, ((7, 2 * HALF + 1),), "rising chances"),
    ],
)
def test_a_law_of_a_secret_amount_rises(low, high, knots, sentence):
    with pytest.raises(Refused, match=sentence):
        MustHit(low, high, knots)


def test_a_meter_that_must_be_hit_rises_to_its_end():
    with pytest.raises(Refused, match="must be hit but does not rise"):
        Meter("m", 0, Fraction(0), must_hit=MustHit(0, 10))
    with pytest.raises(Refused, match=r"is below \$0.10, by which it must be hit"):
        Meter("m", 0, HALF, cap_cents=9, must_hit=MustHit(0, 10))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("\"player\"", "\"board\"", "has no area 'board'; its areas are player and dealer"),
        ("\"player\"", "\"player:4\"", "takes 5 to 7 cards"),
        ("\"player\"", "\"player:9\"", "a number of cards up to 5, or shown"),
        ("\"player\"", "\"player\", \"player\"", "twice"),
        ("\"poker\"", "\"tarot\"", "is not a way to read hands"),
        ("Kind, Aces", "Kind, Emperors", "'Emperors' is not a rank"),
        ("Four of a Kind, Aces", "Five of a Kind", "is not a hand of the reading 'poker'"),
        ("[\"Four of a Kind, Aces\"]", "[\"Royal Flush\"]", "No hand can claim Quad Aces"),
        ("Four of a Kind, Aces", "As As", "names a card twice"),
        ("Four of a Kind, Aces", "Flush, Ace high", "Flush has no leading rank"),
    ],
)  # fmt: skip
def test_hands_that_cannot_be_told_are_refused(old, new, sentence):
    with pytest.raises(Refused, match=sentence.replace("(", r"\(")):
        attach(parse_progressive(TEXT.replace(old, new, 1)), "caribbean-stud")
    with pytest.raises(Refused, match="is attached to caribbean-stud, not to casino-war"):
        attach(parse_progressive(TEXT), "casino-war")


@pytest.mark.parametrize(
    ("hand", "level"),
    [
        ("As Ks Qs Js Ts", "Royal Flush"),
        ("9s Ks Qs Js Ts", "Straight Flush"),
        ("As Ah Ad Ac Ts", "Quad Aces"),
        ("Ks Kh Kd Kc Ts", None),
        ("As Kh Qd Jc Ts", None),
    ],
)
def test_a_hand_claims_its_highest_level(hand, level):
    found = attach(parse_progressive(TEXT), "caribbean-stud").find(cards(hand))
    assert (found.name if found else None) == level


def test_the_very_cards_come_before_their_category_only_where_the_level_is_higher():
    text = TEXT.replace(
        "[[level]]", '[[level]]\nname = "spades"\nhands = ["As Ks Qs Js Ts"]\nfixed = "$1"\n[[level]]', 1
    )
    hand = attach(parse_progressive(text), "caribbean-stud")
    assert hand.find(cards("As Ks Qs Js Ts")).name == "spades"
    assert hand.find(cards("Ah Kh Qh Jh Th")).name == "Royal Flush"


def test_a_fold_forfeits_where_the_rules_say_so():
    game = GAMES["caribbean-stud"]
    shoe = [*cards("As Ks Qs Js Ts 2c 3c 4d 5d 7h")]
    raised, folded = (game.choice_numbers["raise"],), (game.choice_numbers["fold"],)
    stays, forfeits = parse_progressive(TEXT), parse_progressive('fold = "forfeits"\n' + TEXT)
    assert attach(stays, game).claim(shoe, folded).name == "Royal Flush"
    assert attach(forfeits, game).claim(shoe, folded) is None
    assert attach(forfeits, game).claim(shoe, raised).name == "Royal Flush"


def test_a_card_that_was_not_bought_does_not_count():
    hand = attach(find_progressive("rabbit-jackpot"), "rabbit-hunter")
    numbers = hand.game.choice_numbers
    shoe = [*cards("As Ks Qs Js 2c Ts 3c 4d 5d 7h 9h")]
    assert hand.claim(shoe, (numbers["play"],)) is None
    assert hand.claim(shoe, (numbers["buy"],)).name == "Royal Flush"
    assert hand.claim(shoe, (numbers["fold"],)) is None
    assert hand.cards_of([-1] * 11, (numbers["buy"],)) == ()


def test_first_five_cards_of_several_areas_make_the_hand():
    text = TEXT.replace("caribbean-stud", "let-it-ride").replace('"player"', '"player", "board"')
    hand = attach(parse_progressive(text), "let-it-ride")
    assert [hand.game.areas[0].name, len(hand.places)] == ["player", 5]
    assert hand.claim(cards("As Ks Qs Js Ts"), ()).name == "Royal Flush"
