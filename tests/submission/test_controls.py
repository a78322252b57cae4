"""The draft of internal controls and the dossier: from the game's own data, with what is not sure marked."""

import re

import pytest

from feltlab.analysis.par_sheet import par_sheet
from feltlab.games import GAMES
from feltlab.submission.controls import draft_controls
from feltlab.submission.packet_parts import fill_references, name_part, name_parts, part_titles
from feltlab.submission.venues import venue, venues
from tests.support.features import EVERY_KIND

COMMERCIAL, TRIBAL = venue("commercial"), venue("tribal")
# The subjects that the approval letters and WAC 230-15-430 with its neighbours ask a house to control.
TOPICS = {
    "Organisation",
    "Accounting controls",
    "Cards",
    "Shuffling and dealing",
    "Opening and closing a table",
    "Drop and count",
    "Surveillance",
    "Disputes",
    "Game protection",
    "Limits and payouts",
}


def draft(name: str, where: str = "commercial", **options: str) -> dict[str, str]:
    """The controls of each topic in one text."""
    game = GAMES[name].with_options({key.replace("_", "-"): value for key, value in options.items()})
    sheet = par_sheet(game, highest=venue(where).highest_wager)
    found = draft_controls(sheet, venue(where))
    return {topic.title: "\n".join(f"{c.does} [{c.reference}]" for c in topic.control) for topic in found}


@pytest.mark.parametrize("name", EVERY_KIND)
@pytest.mark.parametrize("where", venues())
def test_every_topic_is_drafted_and_nothing_is_left_in_braces(name: str, where: str) -> None:
    found = draft(name, where)
    assert found.keys() == TOPICS
    assert all(found.values())
    assert not re.search(r"[{}`]|\bnone\b", " ".join(found.values()))


def test_facts_are_those_of_the_game() -> None:
    war = draft("casino-war")
    assert "6 decks of 52, no joker" in war["Cards"]
    assert "count 312 cards" in war["Cards"]
    assert "2 decks" in draft("casino-war", decks="2")["Cards"]


@pytest.mark.slow
def test_facts_of_a_game_with_a_joker_and_a_mode() -> None:
    five = draft("high-five-poker")
    assert "1 deck of 52 and 1 joker" in five["Cards"]
    assert "ACE, i-Deal or i-Deal Plus. Its mode is Pai Gow Poker." in five["Shuffling and dealing"]


def test_a_mode_that_the_rules_do_not_name_is_for_the_house_to_name() -> None:
    """Triple Shot Rummy's rules recommend a shuffler and name no mode; High Five's name one."""
    told = draft("triple-shot-rummy")["Shuffling and dealing"]
    assert "The rules name no mode: the house names the model and the mode." in told
    assert "Its mode is" not in told


def test_cards_dealt_by_hand_need_no_shuffler() -> None:
    assert "shuffler" not in draft("triple-shot-rummy", dealt_by="hand")["Shuffling and dealing"]
    assert "shuffler" in draft("triple-shot-rummy")["Shuffling and dealing"]


def test_payouts_follow_from_the_highest_odds_and_the_cap() -> None:
    """At $400 a wager: the Royal Flush of the 6 Card Bonus pays 1,000 to 1, which is $400,000; its Straight
    Flush pays 200 to 1, which is $80,000 and the second highest prize above $25,000 (WAC 230-15-455). The
    least aggregate limit is 50 times $400, $20,000 (WAC 230-15-490, whose example is $300 x 50 = $15,000).
    """
    rummy = draft("triple-shot-rummy")
    assert "The second highest, $80,000" in rummy["Accounting controls"]
    assert "6 Card Bonus ($400,000)" in rummy["Surveillance"]
    assert "6 Card Bonus (up to 1,000 to 1)" in rummy["Limits and payouts"]
    assert ": $20,000 at the legal maximum" in rummy["Limits and payouts"]


def test_chips_are_a_matter_only_where_a_pay_is_no_whole_number() -> None:
    """Half of the Primary is taken at a surrender; every pay of Triple Shot Rummy is a whole number to 1."""
    assert "Primary in multiples of $2" in draft("casino-war")["Limits and payouts"]
    assert "multiples" not in draft("triple-shot-rummy")["Limits and payouts"]


def test_a_game_without_large_prizes_has_no_aggregate_limit() -> None:
    """Casino War pays 10 to 1 at most: $4,000 at $400."""
    war = draft("casino-war")
    assert "No prize pays 50 to 1 or more" in war["Limits and payouts"]
    assert "second highest" not in war["Accounting controls"]
    assert "Tie ($4,000)" in war["Surveillance"]


@pytest.mark.slow
def test_a_wager_that_favours_the_player_is_a_matter_of_protection() -> None:
    assert "Hat Trick (25.34 % of the wager)" in draft("triple-shot-bonus")["Game protection"]
    assert "player gains" not in draft("casino-war")["Game protection"]


def test_a_tribal_venue_has_to_confirm_what_holds_there() -> None:
    found = draft("casino-war", "tribal")
    assert "[not confirmed; for card rooms WAC 230-15-280]" in found["Surveillance"]
    assert "$400" not in str(found)


def test_what_was_not_read_is_marked() -> None:
    assert "WAC 230-15-465 (present text not confirmed)" in draft("casino-war")["Shuffling and dealing"]


# -- References between parts -----------------------------------------------------------------------


def test_parts_are_referred_to_by_their_numbers() -> None:
    assert part_titles(COMMERCIAL).index("Irregularities") == 4
    assert name_part(COMMERCIAL, "Irregularities") == "part 5"
    assert name_parts(COMMERCIAL, ["Pay tables", "Rules of play"]) == "parts 2 and 6"
    assert fill_references(TRIBAL, "see {Section 18 dossier}, {cards}") == "see part 12, {cards}"


@pytest.mark.parametrize("where", venues())
def test_every_reference_of_the_venues_is_a_part(where: str) -> None:
    found = venue(where)
    steps = [fill_references(found, step.does) for step in found.steps]
    assert not any("{" in step for step in steps)
    if found.dossier:
        assert all(name_parts(found, item.parts) for item in found.dossier.item if item.parts)
        assert all(item.parts or item.house for item in found.dossier.item)


def test_only_the_tribal_venue_has_a_dossier_and_it_quotes_nothing() -> None:
    assert COMMERCIAL.dossier is None
    assert TRIBAL.dossier
    assert "was not available" in TRIBAL.dossier.caution
    assert "not a quotation" in TRIBAL.dossier.caution
