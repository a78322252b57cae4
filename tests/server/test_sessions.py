"""Sessions: only texts that we signed are valid, until they expire or the account changes."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltlab.errors import Refused
from feltlab.ledger.secret_files import MAX_SECRET_BYTES, load_or_create_secret
from feltlab.pit.accounts import Account, create_guest
from feltlab.pit.roles import Forbidden, Role
from feltlab.server.sessions import Session, Sessions, SignedOut, access_token, is_access_token, parse_bearer

SECOND = 1_000_000
DAY = 24 * 3600 * SECOND
KEY, OTHER_KEY = bytes(range(32)), bytes(32)
CHARACTERS = string.printable + "é\ud800٣"


def account(role=Role.PLAYER, name="ann.b-c_d"):
    return Account(name, role, disabled=False, created="2026-01-01T00:00:00.000000+00:00")


class House:
    """Sessions with a clock and an account table that tests set."""

    def __init__(self, *keys):
        self.now, self.begins = 50 * DAY, {}
        self.sessions = Sessions(keys or (KEY,), lambda name: self.begins.get(name, 0), lambda: self.now)

    def token(self, role=Role.PLAYER):
        return self.sessions.sign(self.sessions.issue(account(role)))


@pytest.fixture
def house():
    return House()


FIXED = House()
TOKEN = FIXED.token()


# -- Signed -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", Role)
def test_a_signed_session_is_read_back(house, role):
    session = house.sessions.issue(account(role))
    assert house.sessions.read(house.sessions.sign(session)) == session
    assert (session.account, session.role, session.issued) == ("ann.b-c_d", role, house.now)


def test_a_guest_has_a_session(house):
    someone = create_guest()
    session = house.sessions.read(house.sessions.sign(house.sessions.issue(someone)))
    assert (session.account, session.role) == (someone.name, Role.GUEST)


def test_no_two_sessions_are_alike(house):
    assert len({house.sessions.issue(account()).id for _ in range(100)}) == 100


def test_a_token_fits_in_a_cookie(house):
    token = house.sessions.sign(house.sessions.issue(account(Role.ADMINISTRATOR, "x" * 32)))
    assert set(token) <= set(string.ascii_letters + string.digits + "._-")
    assert len(token) < 200


@given(st.integers(0, len(TOKEN) - 1), st.sampled_from(CHARACTERS))
def test_any_flipped_character_is_refused(at, character):
    forged = TOKEN[:at] + character + TOKEN[at + 1 :]
    if forged == TOKEN:
        assert FIXED.sessions.read(forged)
    else:
        with pytest.raises(SignedOut, match=r"^The session is not valid here; sign in again\.$"):
            FIXED.sessions.read(forged)


def test_every_letter_of_a_signature_counts():
    """Base64 has spare bits and several alphabets, and a lenient reader takes them."""
    for at in range(len(TOKEN) - 64, len(TOKEN)):
        for letter in set(CHARACTERS) - {TOKEN[at]}:
            with pytest.raises(SignedOut):
                FIXED.sessions.read(TOKEN[:at] + letter + TOKEN[at + 1 :])


@given(st.integers(0, len(TOKEN)), st.text(CHARACTERS, min_size=1, max_size=3))
def test_any_inserted_text_is_refused(at, text):
    with pytest.raises(SignedOut):
        FIXED.sessions.read(TOKEN[:at] + text + TOKEN[at:])


@given(st.integers(0, len(TOKEN) - 1), st.integers(1, 20))
def test_any_omission_is_refused(at, count):
    with pytest.raises(SignedOut):
        FIXED.sessions.read(TOKEN[:at] + TOKEN[at + count :])


@given(st.text(max_size=300))
def test_any_text_is_refused(text):
    with pytest.raises(SignedOut):
        FIXED.sessions.read(text)


def test_a_role_cannot_be_forged(house):
    token = house.token(Role.PLAYER)
    with pytest.raises(SignedOut):
        house.sessions.read(token.replace(".player.", ".administrator."))


def test_a_name_with_dots_cannot_be_split(house):
    """`<role>.<name>`, with a name that begins like a role."""
    session = house.sessions.issue(account(Role.PLAYER, "dealer.ann"))
    read = house.sessions.read(house.sessions.sign(session))
    assert (read.role, read.account) == (Role.PLAYER, "dealer.ann")


def test_a_signature_of_another_key_is_refused(house):
    with pytest.raises(SignedOut):
        house.sessions.read(House(OTHER_KEY).token())


def test_a_signature_for_one_use_is_not_valid_for_another(house):
    session = house.sessions.issue(account())
    text = house.sessions.sign(session).rpartition(".")[0]
    with pytest.raises(SignedOut):
        house.sessions.read(f"{text}.{house.sessions.csrf(session)}")


def test_a_new_key_signs_and_the_old_one_is_still_accepted():
    old, both, new = House(OTHER_KEY), House(OTHER_KEY, KEY), House(KEY)
    session = both.sessions.read(old.token())
    assert new.sessions.read(both.sessions.sign(session)) == session
    both.sessions.check_csrf(session, old.sessions.csrf(session))
    assert both.sessions.csrf(session) == new.sessions.csrf(session)


def test_a_role_that_no_longer_exists_is_refused(house):
    unknown = Session("ann", "porter", "0" * 32, house.now)
    with pytest.raises(SignedOut):
        house.sessions.read(house.sessions.sign(unknown))


def test_no_repr_shows_the_keys(house):
    assert KEY.hex() not in repr(house.sessions)
    assert repr(KEY) not in repr(house.sessions)


# -- Held -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", Role)
def test_a_session_lasts_twelve_hours_for_staff_and_thirty_days_for_others(house, role):
    token = house.token(role)
    lifetime = 30 * DAY if role in (Role.GUEST, Role.PLAYER) else DAY // 2
    assert house.sessions.read(token).lifetime * SECOND == lifetime
    house.now += lifetime - 1
    assert house.sessions.read(token)
    house.now += 1
    with pytest.raises(SignedOut, match=r"^The session has ended; sign in again\.$"):
        house.sessions.read(token)


def test_a_change_of_the_account_ends_earlier_sessions(house):
    token = house.token()
    house.now += 5
    house.begins["ann.b-c_d"] = house.now
    with pytest.raises(SignedOut, match=r"^The account has changed since; sign in again\.$"):
        house.sessions.read(token)
    assert house.sessions.read(house.token())


def test_an_account_without_sessions_has_none(house):
    house.begins["ann.b-c_d"] = None
    with pytest.raises(SignedOut, match="changed since"):
        house.sessions.read(house.token())


def test_a_session_is_as_old_as_its_sign_in(house):
    session = house.sessions.issue(account(), house.now - 7)
    house.begins["ann.b-c_d"] = house.now - 6
    with pytest.raises(SignedOut):
        house.sessions.read(house.sessions.sign(session))


# -- Requests ---------------------------------------------------------------------------------------


def test_a_change_by_cookie_needs_the_token_of_the_page(house):
    token = house.token()
    session = house.sessions.find_reader(token, None)
    assert house.sessions.find_actor(token, None, house.sessions.csrf(session)) == session
    for wrong in (None, "", "x", "é" * 64, token, house.sessions.csrf(house.sessions.issue(account()))):
        with pytest.raises(Forbidden, match="does not come from a page of this session"):
            house.sessions.find_actor(token, None, wrong)


def test_every_letter_of_the_token_of_a_page_counts(house):
    session = house.sessions.issue(account())
    right = house.sessions.csrf(session)
    for at in range(len(right)):
        for letter in set(CHARACTERS) - {right[at]}:
            with pytest.raises(Forbidden):
                house.sessions.check_csrf(session, right[:at] + letter + right[at + 1 :])


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER   "])
def test_a_change_by_header_needs_no_token_of_a_page(house, scheme):
    assert house.sessions.find_actor(None, scheme + house.token(), None).account == "ann.b-c_d"


def test_a_cookie_never_replaces_a_wrong_header(house):
    """Otherwise another site's page could send a wrong header along with the browser's cookie."""
    for header in ("", "Bearer", "Bearer ", "Bearer x", "Basic YTpi"):
        with pytest.raises(SignedOut):
            house.sessions.find_actor(house.token(), header, None)


@pytest.mark.parametrize("cookie", [None, ""])
def test_a_request_without_a_session_is_asked_to_sign_in(house, cookie):
    with pytest.raises(SignedOut, match=r"^Sign in first, or play as a guest\.$"):
        house.sessions.find_reader(cookie, None)


def test_a_bearer_token_follows_the_word():
    assert parse_bearer("Bearer abc.def") == "abc.def"
    with pytest.raises(SignedOut, match="must be Bearer"):
        parse_bearer("Token abc")


# -- Files ------------------------------------------------------------------------------------------


def always(name):
    return 0


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "session.key"
    session = Sessions.load(path, always).issue(account())
    token = Sessions.load(path, always).sign(session)
    assert Sessions.load(path, always).read(token) == session
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(path.read_bytes()) == 32
    assert list(tmp_path.iterdir()) == [path]


def test_keys_are_added_at_the_end_of_the_file(tmp_path):
    path = tmp_path / "session.key"
    before = Sessions.load(path, always)
    with path.open("ab") as file:
        file.write(KEY)
    after = Sessions.load(path, always)
    assert after.read(before.sign(before.issue(account())))
    assert House(KEY).sessions._signer.unsign(after.sign(after.issue(account())))


def test_the_second_maker_of_a_secret_reads_the_first(tmp_path):
    path = tmp_path / "key"

    def slow():
        load_or_create_secret(path, lambda: b"first")
        return b"second"

    assert load_or_create_secret(path, slow) == b"first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_secret_that_others_can_read_is_refused(tmp_path, mode):
    path = tmp_path / "key"
    load_or_create_secret(path, lambda: KEY)
    path.chmod(mode)
    with pytest.raises(Refused, match="make it yours alone with chmod 600"):
        load_or_create_secret(path, lambda: KEY)


@pytest.mark.parametrize("content", [b"", bytes(MAX_SECRET_BYTES + 1)])
def test_a_file_that_holds_no_secret_is_refused(tmp_path, content):
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(Refused, match="holds no secret"):
        load_or_create_secret(path, lambda: KEY)


def test_a_secret_that_cannot_be_saved_is_refused_in_a_sentence(tmp_path):
    for path in (tmp_path / "nowhere" / "key", tmp_path):
        with pytest.raises(Refused, match=r"cannot be kept: .*\.$"):
            load_or_create_secret(path, lambda: KEY)


def test_damaged_keys_are_refused(tmp_path):
    path = tmp_path / "session.key"
    load_or_create_secret(path, lambda: bytes(33))
    with pytest.raises(Refused, match="is damaged"):
        Sessions.load(path, always)


def test_the_access_token_is_made_once_and_is_accepted(tmp_path):
    path = tmp_path / "access.token"
    token = access_token(path)
    assert access_token(path) == token
    assert len(token) == 43  # 32 bytes
    assert path.stat().st_mode & 0o777 == 0o600
    assert is_access_token(token, token)
    for wrong in ("", token[:-1], token + "x", token.swapcase(), "é", "\ud800"):
        assert not is_access_token(token, wrong)


def test_a_damaged_access_token_is_refused(tmp_path):
    path = tmp_path / "access.token"
    load_or_create_secret(path, lambda: b"\xff")
    with pytest.raises(Refused, match="is damaged"):
        access_token(path)
