"""Passkeys in a real browser with a virtual authenticator: made on the account's page, used to sign in."""

from feltlab.pit.roles import Role
from tests.support.running import SECRET

NAME, OTHER = "kay", "lou"  # accounts of their own: others sign in without a passkey
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}

CANCEL = """() => {
  navigator.credentials.create = async () => { throw new DOMException('', 'NotAllowedError') };
}"""


def plug_in(page):
    """Give the page's browser a virtual authenticator: the session of its protocol, and its id."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("WebAuthn.enable")
    added = protocol.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    return protocol, added["authenticatorId"]


def home(place):
    """The house by its name: passkeys do not work at a bare address."""
    return place.address.replace("127.0.0.1", "localhost")


def press_enter(page, form):
    """Send a form by the keyboard, once its script runs."""
    page.locator(f"{form} button:enabled").first.wait_for()
    page.keyboard.press("Enter")


def sign_in(page, place, then, name=NAME):
    page.goto(f"{home(place)}/sign-in?next={then}")
    page.fill("#sign-in [name=name]", name)
    page.fill("#sign-in [name=password]", SECRET)
    press_enter(page, "#sign-in")


def add_passkey(page, name):
    page.fill("#passkey [name=name]", name)
    page.fill("#passkey [name=password]", SECRET)
    press_enter(page, "#passkey")


def test_a_passkey_is_made_on_the_page_and_signs_in(new_page, place):
    place.house.pit.accounts.create(NAME, SECRET, Role.AUDITOR, by="admin")
    page = new_page()
    protocol, device = plug_in(page)
    sign_in(page, place, "/account/second-factor")
    page.wait_for_url(f"{home(place)}/account/second-factor")
    add_passkey(page, "blue key")
    page.locator(".passkeys b", has_text="blue key").wait_for()  # the page is refreshed, and the codes stay
    said = page.inner_text("#passkey .said")
    assert said.startswith("Write this down now")
    assert len(said.split("\n")[1:]) == 10
    page.goto(f"{home(place)}/account")
    page.click("#sign-out button")
    page.wait_for_url(f"{home(place)}/")

    sign_in(page, place, "/account")
    page.locator("#use-passkey").wait_for()
    page.wait_for_function("document.activeElement.id === 'use-passkey'")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{home(place)}/account")
    assert "a passkey" in page.inner_text("#factor")
    (held,) = protocol.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    used = [event for event in place.house.pit.ledger.events("house") if event.kind == "second-factor-used"]
    assert used[-1].data["counter"] == held["signCount"] > 0

    page.goto(f"{home(place)}/account/second-factor")  # with a code left empty, the passkey proves itself
    page.fill("#second-factor [name=password]", SECRET)
    page.fill("#second-factor [name=code]", "000000")
    page.click("#second-factor button")
    page.locator("#second-factor .said", has_text="does not belong to this secret").wait_for()
    add_passkey(page, "again")
    page.locator("#passkey .said", has_text="has a passkey of your account already").wait_for()


def test_a_cancelled_passkey_and_a_bare_address_are_said_plainly(new_page, place):
    place.house.pit.accounts.create(OTHER, SECRET, Role.AUDITOR, by="admin")
    page = new_page()
    plug_in(page)
    sign_in(page, place, "/account/second-factor", OTHER)
    page.wait_for_url(f"{home(place)}/account/second-factor")
    page.evaluate(CANCEL)
    add_passkey(page, "key")
    page.locator("#passkey .said", has_text="it was cancelled, or it took too long").wait_for()
    bare = new_page()
    bare.goto("/sign-in?next=/account/second-factor")
    bare.fill("#sign-in [name=name]", OTHER)
    bare.fill("#sign-in [name=password]", SECRET)
    bare.click("#sign-in button")
    bare.wait_for_url(f"{place.address}/account/second-factor")
    assert "this is a bare address" in bare.inner_text("#obstacle")
    assert bare.locator("#passkey").count() == 0
    assert bare.locator(".qr svg").count() == 1
