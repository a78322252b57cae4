"""Accounts: what each role may do, who is let in, and that no secret leaves."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher
from sqlalchemy import create_engine, select

from feltlab.digests import canonical_json
from feltlab.errors import Refused, Unknown
from feltlab.pit import accounts as accounts_module
from feltlab.pit.accounts import (
    ACCOUNTS,
    HASHER,
    NAME,
    WRONG,
    Account,
    Accounts,
    SignInRefused,
    create_guest,
    normalise_password,
    parse_name,
)
from feltlab.pit.roles import Forbidden, Permission, Role
from feltlab.server.sessions import Sessions, SignedOut

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
SECRET = "correct horse battery"
OTHER = "another horse battery"


@pytest.fixture
def engine(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'accounts.db'}")
    yield engine
    engine.dispose()


@pytest.fixture
def accounts(engine):
    accounts = Accounts(engine, QUICK)
    accounts.create("boss", SECRET, Role.ADMINISTRATOR, by="house")
    accounts.create("ann", SECRET)
    return accounts


@pytest.fixture
def sessions(accounts):
    return Sessions((bytes(32),), accounts.sessions_from)


def hash_of(engine, name):
    with engine.connect() as connection:
        return connection.execute(select(ACCOUNTS.c.password).where(ACCOUNTS.c.name == name)).scalar_one()


def told(change):
    (draft,) = change.drafts
    assert draft.chain == "house"
    return draft.kind, dict(draft.data)


def refused(accounts, name, password):
    with pytest.raises(SignInRefused) as refusal:
        accounts.sign_in(name, password)
    return str(refusal.value), *told(refusal.value)


# -- Roles ------------------------------------------------------------------------------------------

MATRIX = {  # play, deal, supervise, audit, administer
    Role.GUEST: "x....",
    Role.PLAYER: "x....",
    Role.DEALER: ".x...",
    Role.SUPERVISOR: ".xx..",
    Role.AUDITOR: "...x.",
    Role.ADMINISTRATOR: ".xxxx",
}


@pytest.mark.parametrize("role", Role)
def test_each_role_may_do_what_the_matrix_says(role):
    assert "".join(".x"[role.may(act)] for act in Permission) == MATRIX[role]


@pytest.mark.parametrize("role", Role)
def test_a_role_without_the_permission_is_refused(role):
    for act in Permission:
        if role.may(act):
            role.check(act)
        else:
            with pytest.raises(Forbidden, match=f" {role} may not {act}"):
                role.check(act)


def test_an_auditor_changes_nothing():
    assert Role.AUDITOR.permissions == {Permission.AUDIT}
    with pytest.raises(Forbidden, match=r"^An auditor may not play\.$"):
        Role.AUDITOR.check(Permission.PLAY)


def test_staff_does_not_play():
    assert [role for role in Role if not role.is_staff] == [Role.GUEST, Role.PLAYER]


def test_a_role_is_read_from_text():
    assert Role.parse("dealer") is Role.DEALER
    with pytest.raises(Unknown, match="'king' is not a role; the roles are guest, player, dealer"):
        Role.parse("king")


# -- Names and passwords ----------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["ab", "a" * 32, "Ann", "a.b-c_d", "007", "guest"])
def test_a_name_is_kept_in_small_letters(text):
    assert parse_name(text) == text.lower()


@pytest.mark.parametrize(
    "text", ["", "a", "a" * 33, "a b", "é1", "a\n", "..", "-a", "_a", "\u212aelvin", "a/b", "a\x00", "<b>"]
)
def test_other_names_are_refused(text):
    with pytest.raises(Refused, match=r"^A name has 2 to 32 characters"):
        parse_name(text)


@pytest.mark.parametrize("text", ["guest-7f3a9c", "GUEST-x"])
def test_names_of_guests_are_reserved(text):
    with pytest.raises(Refused, match=r"^Names that begin with guest- are for guests\.$"):
        parse_name(text)


@pytest.mark.parametrize("length", [10, 200])
def test_a_password_has_10_to_200_characters(length):
    assert normalise_password("p" * length, "ann") == "p" * length
    for wrong in (9, 201):
        with pytest.raises(Refused, match=r"^A password has 10 to 200 characters\.$"):
            normalise_password("p" * wrong, "ann")


@pytest.mark.parametrize("text", ["ann-of-green", "Ann-Of-Green"])
def test_a_password_may_not_be_the_name(text):
    with pytest.raises(Refused, match=r"^A password may not be the name\.$"):
        normalise_password(text, "ann-of-green")


def test_a_password_of_half_characters_is_refused(accounts):
    with pytest.raises(Refused, match="not text"):
        normalise_password("\ud800" * 10, "ann")
    assert refused(accounts, "ann", "\ud800" * 10)[0] == WRONG


def test_a_password_is_the_same_from_any_keyboard(accounts):
    accounts.create("bob", "caf\u00e9 caf\u00e9 caf\u00e9")
    assert accounts.sign_in("bob", "cafe\u0301 cafe\u0301 cafe\u0301").account.name == "bob"


def test_guests_have_names_of_their_own_and_no_account(accounts):
    names = {create_guest().name for _ in range(2000)}
    assert len(names) == 2000
    assert all(NAME.fullmatch(name) and name.startswith("guest-") for name in names)
    assert create_guest().role is Role.GUEST
    assert accounts.sessions_from(create_guest().name) == 0
    for act in (
        lambda: accounts.create("bob", SECRET, Role.GUEST),
        lambda: accounts.set_role("ann", Role.GUEST, "boss"),
    ):
        with pytest.raises(Refused, match=r"^Guests have no account\.$"):
            act()


# -- The store --------------------------------------------------------------------------------------


def test_a_new_account_is_a_player(accounts):
    change = accounts.create("Bob", SECRET)
    assert (change.account.name, change.account.role, change.account.disabled) == ("bob", Role.PLAYER, False)
    assert told(change) == ("account-created", {"account": "bob", "role": "player", "by": "bob"})
    assert accounts["bob"] == change.account
    assert [account.name for account in accounts.all()] == ["ann", "bob", "boss"]


@pytest.mark.parametrize("name", ["ann", "ANN"])
def test_a_name_is_taken_once(accounts, name):
    with pytest.raises(Refused, match=r"^The name ann is taken\.$"):
        accounts.create(name, OTHER)
    assert accounts.sign_in("ann", SECRET)


def test_the_right_password_signs_in(accounts):
    for name in ("ann", "ANN"):
        change = accounts.sign_in(name, SECRET)
        assert (change.account, change.drafts) == (accounts["ann"], ())


def test_only_the_sign_ins_of_staff_are_recorded(accounts):
    assert told(accounts.sign_in("boss", SECRET)) == (
        "signed-in",
        {"account": "boss", "role": "administrator"},
    )


@pytest.mark.parametrize("password", ["", OTHER, SECRET.upper(), SECRET + " ", "x" * 10**6])
def test_a_wrong_password_is_refused_and_recorded(accounts, password):
    expected = {"account": "ann", "why": "wrong password"}
    assert refused(accounts, "ann", password) == (WRONG, "sign-in-refused", expected)


@pytest.mark.parametrize(
    "name", ["bob", "", "guest-7f3a9-c2k4m", "a'; drop table accounts", "\ud800", SECRET]
)
def test_an_unknown_name_is_refused_alike_and_not_recorded(accounts, name):
    """It could be a password in the wrong field."""
    expected = {"account": None, "why": "unknown name"}
    assert refused(accounts, name, SECRET) == (WRONG, "sign-in-refused", expected)


def test_only_the_right_password_reveals_that_an_account_is_disabled(accounts):
    assert told(accounts.disable("ann", "boss")) == ("account-disabled", {"account": "ann", "by": "boss"})
    sentence, _, data = refused(accounts, "ann", SECRET)
    assert (sentence, data["why"]) == ("This account is disabled.", "disabled")
    assert refused(accounts, "ann", OTHER)[0] == WRONG
    assert told(accounts.enable("ann", "boss")) == ("account-enabled", {"account": "ann", "by": "boss"})
    assert accounts.sign_in("ann", SECRET)


def test_a_password_is_changed_with_the_old_one(accounts):
    with pytest.raises(SignInRefused):
        accounts.change_password("ann", OTHER, OTHER)
    with pytest.raises(Refused, match="10 to 200"):
        accounts.change_password("ann", SECRET, "short")
    expected = ("password-changed", {"account": "ann", "by": "ann"})
    assert told(accounts.change_password("ann", SECRET, OTHER)) == expected
    assert accounts.sign_in("ann", OTHER)
    assert refused(accounts, "ann", SECRET)[0] == WRONG


def test_a_forgotten_password_is_replaced_by_a_generated_one(accounts):
    change = accounts.reset_password("ann", by="boss")
    assert told(change) == ("password-changed", {"account": "ann", "by": "boss"})
    assert accounts.sign_in("ann", change.password)
    assert refused(accounts, "ann", SECRET)[0] == WRONG


def test_a_role_is_changed(accounts):
    change = accounts.set_role("ANN", Role.DEALER, by="boss")
    expected = {"account": "ann", "role": "dealer", "was": "player", "by": "boss"}
    assert told(change) == ("role-changed", expected)
    assert accounts["ann"].role is change.account.role is Role.DEALER


def test_an_unknown_account_cannot_be_changed(accounts):
    for act in (
        lambda: accounts["bob"],
        lambda: accounts.disable("bob", "boss"),
        lambda: accounts.set_role("bob", Role.DEALER, "boss"),
        lambda: accounts.reset_password("bob", "boss"),
    ):
        with pytest.raises(Unknown, match=r"^There is no account 'bob'\.$"):
            act()


def test_accounts_are_still_there_after_a_restart(accounts, engine):
    assert Accounts(engine, QUICK).all() == accounts.all()


def test_a_password_changed_at_the_same_moment_is_not_overwritten(accounts, monkeypatch):
    verified = accounts._verify

    def slowly(name, password):
        row = verified(name, password)
        accounts.reset_password(name, by="boss")
        return row

    monkeypatch.setattr(accounts, "_verify", slowly)
    with pytest.raises(Refused, match="at the same moment"):
        accounts.change_password("ann", SECRET, OTHER)


# -- Administrators ---------------------------------------------------------------------------------


def test_only_the_first_start_creates_an_administrator(engine):
    accounts = Accounts(engine, QUICK)
    change = accounts.ensure_administrator()
    expected = {"account": "admin", "role": "administrator", "by": "house"}
    assert told(change) == ("account-created", expected)
    assert accounts.sign_in("admin", change.password).account.role is Role.ADMINISTRATOR
    assert len(change.password) == 20  # 15 bytes
    assert accounts.ensure_administrator() is None


def test_the_last_administrator_stays(accounts):
    for act in (
        lambda: accounts.disable("boss", "boss"),
        lambda: accounts.set_role("boss", Role.AUDITOR, "boss"),
    ):
        with pytest.raises(Refused, match=r"^There must be an administrator; create another one first\.$"):
            act()
    assert accounts["boss"] == accounts.sign_in("boss", SECRET).account
    accounts.set_role("ann", Role.ADMINISTRATOR, "boss")
    assert accounts.disable("boss", "ann").account.disabled


def test_two_administrators_who_disable_each_other_leave_one(accounts):
    accounts.set_role("ann", Role.ADMINISTRATOR, "boss")

    def disable(name):
        try:
            return accounts.disable(name, "x")
        except Refused:
            return None

    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(disable, ["ann", "boss"] * 5))
    assert any(done)
    assert sum(not account.disabled for account in accounts.all()) == 1


# -- Sessions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda accounts: accounts.set_role("ann", Role.DEALER, "boss"),
        lambda accounts: accounts.disable("ann", "boss"),
        lambda accounts: accounts.reset_password("ann", "boss"),
        lambda accounts: accounts.change_password("ann", SECRET, OTHER),
    ],
)
def test_every_change_ends_the_sessions_of_its_account_and_no_others(accounts, sessions, change):
    tokens = []
    for name in ("ann", "boss"):
        signed = accounts.sign_in(name, SECRET)
        tokens.append(sessions.sign(sessions.issue(signed.account, signed.at)))
        assert sessions.read(tokens[-1])
    done = change(accounts)
    with pytest.raises(SignedOut):
        sessions.read(tokens[0])
    assert sessions.read(tokens[1])
    if not done.account.disabled:
        assert sessions.read(sessions.sign(sessions.issue(done.account, done.at))).role is done.account.role


def test_a_change_during_a_sign_in_ends_the_session_that_follows(accounts, sessions, monkeypatch):
    verified = accounts._verify

    def slowly(name, password):
        row = verified(name, password)
        accounts.set_role(name, Role.PLAYER, by="boss")
        return row

    accounts.set_role("ann", Role.SUPERVISOR, "boss")
    monkeypatch.setattr(accounts, "_verify", slowly)
    signed = accounts.sign_in("ann", SECRET)
    assert signed.account.role is Role.SUPERVISOR
    with pytest.raises(SignedOut):
        sessions.read(sessions.sign(sessions.issue(signed.account, signed.at)))


def test_an_unknown_account_has_no_sessions(accounts):
    assert accounts.sessions_from("bob") is None
    accounts.create("bob", SECRET)
    assert accounts.sessions_from("bob")


def test_a_change_by_another_process_is_seen_soon(accounts, engine, monkeypatch):
    monkeypatch.setattr(accounts_module, "CACHE_SECONDS", 0.05)
    assert accounts.sessions_from("ann")
    Accounts(engine, QUICK).disable("ann", "boss")
    time.sleep(0.06)
    assert accounts.sessions_from("ann") is None


# -- Secrets ----------------------------------------------------------------------------------------


def test_no_secret_is_returned_recorded_or_shown(accounts, engine):
    changes = [
        accounts.create("bob", SECRET, Role.SUPERVISOR, by="boss"),
        accounts.sign_in("bob", SECRET),
        accounts.set_role("bob", Role.DEALER, "boss"),
        accounts.change_password("bob", SECRET, OTHER),
        accounts.disable("bob", "boss"),
        accounts.enable("bob", "boss"),
        accounts.reset_password("bob", "boss"),
    ]
    made = changes[-1].password
    with pytest.raises(SignInRefused) as refusal:
        accounts.sign_in(SECRET, OTHER)
    drafts = [draft for change in [*changes, refusal.value] for draft in change.drafts]
    seen = [repr(change) for change in changes] + [repr(refusal.value), repr(accounts), repr(accounts.all())]
    seen += [canonical_json(draft.data).decode() for draft in drafts]
    for secret in (SECRET, OTHER, made, hash_of(engine, "bob"), "argon2"):
        assert not [text for text in seen if secret in text]
    assert len(drafts) == 8


def test_hashes_are_salted_and_of_argon2id(accounts, engine):
    hashes = {hash_of(engine, "ann"), hash_of(engine, "boss")}
    assert len(hashes) == 2
    assert all(text.startswith("$argon2id$") for text in hashes)
    assert len(HASHER.hash(SECRET)) < vars(ACCOUNTS.c.password.type)["length"]


def test_a_sign_in_rehashes_after_new_parameters_and_keeps_sessions(accounts, engine):
    before, begins = hash_of(engine, "ann"), accounts.sessions_from("ann")
    later = Accounts(engine, PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    later.sign_in("ann", SECRET)
    after = hash_of(engine, "ann")
    assert "m=8,t=1" in before
    assert "m=16,t=2" in after
    assert later.sign_in("ann", SECRET)
    assert hash_of(engine, "ann") == after
    assert later.sessions_from("ann") == begins


def test_rehashing_does_not_restore_a_changed_password(accounts, engine, monkeypatch):
    later = Accounts(engine, PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    verified = later._verify

    def slowly(name, password):
        row = verified(name, password)
        accounts.change_password("ann", SECRET, OTHER)
        return row

    monkeypatch.setattr(later, "_verify", slowly)
    later.sign_in("ann", SECRET)
    assert accounts.sign_in("ann", OTHER)


def test_a_damaged_hash_matches_no_password(accounts, engine):
    with engine.begin() as connection:
        connection.execute(ACCOUNTS.update().where(ACCOUNTS.c.name == "ann").values(password="x"))
    assert refused(accounts, "ann", SECRET)[0] == WRONG


def test_an_unknown_name_is_checked_as_long_as_a_known_one(accounts, monkeypatch):
    """One hash of the same parameters is verified, whatever is asked: time follows from that."""
    checked = []

    class Counting(PasswordHasher):
        def verify(self, hash, password):
            checked.append(hash.rpartition("$")[0].rpartition("$")[0])
            return super().verify(hash, password)

    monkeypatch.setattr(accounts, "_hasher", Counting(time_cost=1, memory_cost=8, parallelism=1))
    for name, password in [
        ("ann", OTHER),
        ("bob", OTHER),
        ("no name", OTHER),
        ("ann", ""),
        ("bob", "x" * 999),
    ]:
        refused(accounts, name, password)
    assert len(checked) == 5
    assert len(set(checked)) == 1


def test_an_account_is_a_value(accounts):
    account = accounts["ann"]
    assert account == Account("ann", Role.PLAYER, False, account.created)
    with pytest.raises(AttributeError):
        account.role = Role.ADMINISTRATOR
