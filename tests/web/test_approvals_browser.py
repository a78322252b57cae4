"""Approvals in a real browser: separate people take a game through both regimes."""

import os
from pathlib import Path

import pytest

from feltlab.games import GAMES
from feltlab.pit.approvals import House
from feltlab.pit.approvals.codes import make_code
from feltlab.pit.approvals.conditions import DOCUMENT, list_conditions
from feltlab.pit.pit import today
from feltlab.pit.regimes import Taker
from feltlab.pit.roles import Role, Side
from feltlab.shuffling.models import fitting_models
from tests.support.approving import ENCLOSED
from tests.support.browsers import DESKTOP, Visits
from tests.support.pages import serve_house, sign_in
from tests.support.parties import LICENSED
from tests.support.running import SECRET

WAR = "casino-war"
PICTURES = os.environ.get("FELTLAB_PICTURES")  # a folder, for somebody who wants to look


@pytest.fixture(params=["commercial", "tribal"])
def regulated(request, tmp_path):
    with serve_house(tmp_path, named=House.of("The Long Table", request.param)) as place:
        yield place


@pytest.fixture
def visits(chromium, regulated):
    found = Visits(chromium, regulated.address)
    yield found
    assert not found.end()


def claim(place, visits, role):
    """A page whose visitor has made the first account of a side with a code."""
    code, draft = make_code(role, 7, "root")
    place.do(place.house.pit.note(draft))
    page = visits(viewport=DESKTOP)
    page.goto("/claim")
    for name, text in (("code", code), ("name", f"first-{role}"), ("password", SECRET)):
        page.fill(f"#claim [name={name}]", text)
    page.click("#claim button")
    page.wait_for_url("**/approvals")
    return page


def send(page, form, **fields):
    """Fill in a form and send it; waits until the page says that it is done."""
    page.locator(f"#{form}").wait_for(state="attached")
    page.evaluate(
        "id => { for (let one = document.getElementById(id); one; one = one.parentElement)"
        " if (one.tagName === 'DETAILS') one.open = true }",
        form,
    )
    for name, text in fields.items():
        page.fill(f"#{form} [name='{name}']", text)
    with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        page.click(f"#{form} button")
    assert answered.value.ok, answered.value.text()


def take(page, what, act, note=""):
    """Take a step on the page, as it is now."""
    page.reload()
    send(page, f"step-{what}-{act}", note=note)


def file(page, name):
    """File what a condition asks for."""
    page.reload()
    form = page.locator(f"#file-1-{name}")
    fields = form.locator("input:not([type=hidden]), textarea")
    names = [one.get_attribute("name") for one in fields.all()]
    items = {name: ENCLOSED if name == f"items.{DOCUMENT}" else LICENSED for name in names}
    send(page, f"file-1-{name}", **items)


def file_subjects(register):
    """The register after the house has filed the rest of the Section 18 dossier."""
    for one in list_conditions(register[1], None):
        if one.name.startswith("section-18-") and not register[1].filing(one.name):
            items = {item: ENCLOSED if item == DOCUMENT else LICENSED for item in one.items}
            register = register.file(1, one.name, items, Taker("the-administrator", Side.HOUSE), today())
    return register


def picture(page, name):
    if PICTURES:
        page.reload()
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def test_separate_people_take_a_game_from_its_maker_to_a_table(regulated, visits):
    tribal = regulated.house.pit.house.kinds[0][1] == "tribal"
    boss = visits(viewport=DESKTOP)
    sign_in(boss, regulated, Role.ADMINISTRATOR, "/approvals")
    maker, state = claim(regulated, visits, Role.MAKER), claim(regulated, visits, Role.REGULATOR)
    tribe = claim(regulated, visits, Role.AGENCY) if tribal else None
    maker.goto(f"/approvals?game={WAR}")
    send(maker, "submit-game", reference="3119", maker="A maker")
    boss.reload()
    assert not boss.locator("#step-game-1-approve").count()
    state.reload()
    assert "The Commission approves the game" in state.inner_text("#waiting")
    take(state, "game-1", "approve")
    for page, number in ((state, "L-1"), (tribe, "T-1")):
        if page:
            send(page, "license", number=number, maker=LICENSED)
    send(state, "approve-model", maker=LICENSED)  # the first model of the list
    for model in fitting_models(GAMES[WAR]):
        state.select_option("#approve-model [name=model]", model)
        send(state, "approve-model", maker=LICENSED)

    boss.goto(f"/approvals?game={WAR}")
    send(boss, "draft")
    file(boss, "controls")
    if tribe:
        file(boss, "section-18-05")  # a document and a text; the other subjects alike
        regulated.do(regulated.house.pit.decide(file_subjects))
        take(tribe, "1", "approve")
        take(tribe, "1", "request-concurrence", "the dossier")
        take(state, "1", "concur")
    else:
        take(boss, "1", "submit")
        assert not boss.locator("#step-1-approve").count()
        take(state, "1", "approve")
    boss.reload()
    assert boss.locator("#approval-1 .unmet").count() == 2
    picture(boss, f"house-{'tribal' if tribal else 'commercial'}")
    file(boss, "makers")
    file(boss, "notices")
    boss.reload()
    assert boss.locator("#approval-1 .tag >> text=in force").count() == 1
    boss.click("text=Open a table under this approval")
    send(boss, "open")
    boss.wait_for_url(f"**/floor/tables/{WAR}-1")

    maker.goto(f"/approvals?game={WAR}&pay-tie/tie=11")
    send(maker, "submit-game", reference="3120", maker="A maker")
    state.goto("/approvals/games/2")
    assert state.inner_text(".changes tr:has-text('pay table tie: tie') del") == "10 to 1"
    assert state.inner_text(".changes tr:has-text('pay table tie: tie') ins") == "11 to 1"
    assert state.locator(".changes th >> text=clause 4.3").count() == 1
    picture(state, "amendment")
    state.goto("/approvals")
    take(state, "1", "revoke", "the shoe was marked")
    boss.goto(f"/floor/tables/{WAR}-1")
    assert "closed" in boss.inner_text("main")
    for page, name in ((state, "state"), (maker, "maker"), (tribe, "tribe")):
        if page:
            page.goto("/approvals")
            picture(page, name)


def test_a_wrong_or_spent_code_is_refused_on_the_page(regulated, visits):
    claim(regulated, visits, Role.MAKER)
    page = visits(viewport=DESKTOP)
    page.goto("/claim")
    for name, text in (("code", "AAAAA"), ("name", "eve"), ("password", SECRET)):
        page.fill(f"#claim [name={name}]", text)
    page.click("#claim button")
    page.wait_for_selector("#claim .said >> text=This code is not valid here.")
    picture(page, "claim")
