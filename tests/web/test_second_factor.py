"""The second factor in a real browser: set up from the page, asked for at the next sign-in."""

import base64
import time

from feltlab.pit.custody.second_factor import STEP_SECONDS, compute_code
from feltlab.pit.roles import Role
from tests.support.running import SECRET

TYPING_SECONDS = 12.0  # within which a busy machine has filled in and sent a form
NAME = "fay"  # an account of her own: others sign in without a code


def code_of(secret: str, steps: int) -> str:
    """The code that an authenticator shows, some steps from now; with time left to type it."""
    left = STEP_SECONDS - time.time() % STEP_SECONDS
    if left < TYPING_SECONDS:
        time.sleep(left)
    plain = secret.replace(" ", "")
    key = base64.b32decode(plain + "=" * (-len(plain) % 8))
    return compute_code(key, int(time.time() // STEP_SECONDS) + steps)


def sign_in(page, then, code=""):
    page.goto(f"/sign-in?next={then}")
    page.fill("#sign-in [name=name]", NAME)
    page.fill("#sign-in [name=password]", SECRET)
    assert page.locator("#sign-in [name=code]").is_hidden()
    page.click("#sign-in button")
    if code:  # the field appears because the account needs one
        page.fill("#sign-in [name=code]", code)
        page.click("#sign-in button")


def test_a_factor_is_set_up_and_asked_for_by_code_and_by_recovery_code(new_page, place):
    place.house.pit.accounts.create(NAME, SECRET, Role.AUDITOR, by="admin")
    page = new_page()
    sign_in(page, "/account/second-factor")
    page.wait_for_url(f"{place.address}/account/second-factor")
    assert page.locator(".qr svg").count() == 1
    secret = page.inner_text(".secret")
    page.fill("#second-factor [name=password]", SECRET)
    page.fill("#second-factor [name=code]", code_of(secret, -1))
    page.click("#second-factor button")
    page.locator("#second-factor .said", has_text="Write this down now").wait_for()
    recovery = page.inner_text("#second-factor .said").split("\n")[1:]
    assert len(recovery) == 10

    phone = new_page()
    sign_in(phone, "/account", code_of(secret, 1))
    phone.wait_for_url(f"{place.address}/account")
    assert NAME in phone.inner_text("main")
    other = new_page()
    sign_in(other, "/account", "000000")
    other.locator("#sign-in .said", has_text="code").wait_for()
    other.fill("#sign-in [name=code]", recovery[0])
    other.click("#sign-in button")
    other.wait_for_url(f"{place.address}/account")
