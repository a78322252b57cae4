"""Accounts: what each role may do, who is let in, and that no secret leaves."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher
from sqlalchemy import text

from feltlab.digests import canonical_json
from feltlab.errors import Refused, Unknown
from feltlab.ledger.event import Draft, Entry
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.passwords import list_columns, load_hash
from feltlab.pit import accounts as accounts_module
from feltlab.pit.account_book import digest_hash
from feltlab.pit.accounts import (
    MISMATCH,
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
from feltlab.pit.verify import verify
from feltlab.server.sessions import Sessions, SignedOut
from tests.support.databases import raw

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
SECRET = "correct horse battery"
OTHER = "another horse battery"


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        yield ledger


@pytest.fixture
def accounts(ledger):
    accounts = Accounts(ledger, QUICK)
    accounts.create("boss", SECRET, Role.ADMINISTRATOR, by="house")
    accounts.create("ann", SECRET)
    return accounts


@pytest.fixture
def sessions(accounts):
    return Sessions((bytes(32),), accounts.sessions_from)


def hash_of(ledger, name):
    hashed = load_hash(ledger, name)
    assert hashed
    return hashed


def last_event(ledger):
    """The kind and the data of the last event, whose digest is that of the hash that is stored now."""
    *_, event = ledger.events("house")
    data = dict(event.data)
    if "hash_digest" in data:
        assert data.pop("hash_digest") == digest_hash(hash_of(ledger, data["account"]))
    return event.kind, data


def told(change):
    (draft,) = change.drafts
    assert draft.chain == "house"
    return draft.kind, dict(draft.data)


def refused(accounts, name, password):
    with pytest.raises(SignInRefused) as refusal:
        accounts.sign_in(name, password)
    return str(refusal.value), *told(refusal.value)


# -- Roles ------------------------------------------------------------------------------------------

MATRIX = {  # play, deal, supervise, audit, administer, submit, regulate, oversee, enrol
    Role.GUEST: "x........",
    Role.PLAYER: "x........",
    Role.DEALER: ".x.......",
    Role.SUPERVISOR: ".xx......",
    Role.AUDITOR: "...x.....",
    Role.ADMINISTRATOR: ".xxxx...x",
    Role.MAKER: ".....x..x",
    Role.REGULATOR: "...x..x.x",
    Role.AGENCY: "...x...xx",
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


def test_no_role_decides_for_two_sides():
    decides = {Permission.ADMINISTER, Permission.SUBMIT, Permission.REGULATE, Permission.OVERSEE}
    for role in Role:
        assert len(decides & role.permissions) <= 1, role
        assert decides & role.permissions <= {role.side.decides_by}


def test_members_keep_the_accounts_of_their_own_side():
    kept = {keeper: {role for role in Role if keeper.may_keep(role)} for keeper in Role}
    staff = {Role.DEALER, Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR}
    assert kept.pop(Role.ADMINISTRATOR) == {Role.GUEST, Role.PLAYER, *staff}
    for role in (Role.MAKER, Role.REGULATOR, Role.AGENCY):
        assert kept.pop(role) == {role}
    assert set(map(frozenset, kept.values())) == {frozenset()}
    with pytest.raises(
        Forbidden, match=r"^Only members of the state keep its accounts; the first one needs a"
    ):
        Role.ADMINISTRATOR.check_keeps(Role.REGULATOR)


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


def test_a_new_account_is_a_player(accounts, ledger):
    change = accounts.create("Bob", SECRET)
    assert (change.account.name, change.account.role, change.account.disabled) == ("bob", Role.PLAYER, False)
    assert last_event(ledger) == ("account-created", {"account": "bob", "role": "player", "by": "bob"})
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


def test_only_the_right_password_reveals_that_an_account_is_disabled(accounts, ledger):
    accounts.disable("ann", "boss")
    assert last_event(ledger) == ("account-disabled", {"account": "ann", "by": "boss"})
    sentence, _, data = refused(accounts, "ann", SECRET)
    assert (sentence, data["why"]) == ("This account is disabled.", "disabled")
    assert refused(accounts, "ann", OTHER)[0] == WRONG
    accounts.enable("ann", "boss")
    assert last_event(ledger) == ("account-enabled", {"account": "ann", "by": "boss"})
    assert accounts.sign_in("ann", SECRET)


def test_a_password_is_changed_with_the_old_one(accounts, ledger):
    with pytest.raises(SignInRefused):
        accounts.change_password("ann", OTHER, OTHER)
    with pytest.raises(Refused, match="10 to 200"):
        accounts.change_password("ann", SECRET, "short")
    accounts.change_password("ann", SECRET, OTHER)
    assert last_event(ledger) == ("password-changed", {"account": "ann", "by": "ann"})
    assert accounts.sign_in("ann", OTHER)
    assert refused(accounts, "ann", SECRET)[0] == WRONG


def test_a_forgotten_password_is_replaced_by_a_generated_one(accounts, ledger):
    change = accounts.reset_password("ann", by="boss")
    assert last_event(ledger) == ("password-changed", {"account": "ann", "by": "boss"})
    assert accounts.sign_in("ann", change.password)
    assert refused(accounts, "ann", SECRET)[0] == WRONG


def test_a_role_is_changed(accounts, ledger):
    accounts.create("dora", SECRET, Role.DEALER, by="boss")
    change = accounts.set_role("DORA", Role.SUPERVISOR, by="boss")
    expected = {"account": "dora", "role": "supervisor", "was": "dealer", "by": "boss"}
    assert last_event(ledger) == ("role-changed", expected)
    assert accounts["dora"].role is change.account.role is Role.SUPERVISOR


@pytest.mark.parametrize("before", [role for role in Role if role is not Role.GUEST])
def test_no_account_gets_a_role_of_another_side(accounts, before):
    accounts.create("carl", SECRET, before, by="boss")
    for role in (role for role in Role if role.side != before.side and role is not Role.GUEST):
        with pytest.raises(Refused, match="no account has roles of two sides"):
            accounts.set_role("carl", role, by="boss")
    assert accounts["carl"].role is before


def test_an_unknown_account_cannot_be_changed(accounts):
    for act in (
        lambda: accounts["bob"],
        lambda: accounts.disable("bob", "boss"),
        lambda: accounts.set_role("bob", Role.DEALER, "boss"),
        lambda: accounts.reset_password("bob", "boss"),
    ):
        with pytest.raises(Unknown, match=r"^There is no account 'bob'\.$"):
            act()


def test_accounts_are_still_there_after_a_restart(accounts, ledger):
    assert Accounts(ledger, QUICK).all() == accounts.all()


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


def test_only_the_first_start_creates_an_administrator(ledger):
    accounts = Accounts(ledger, QUICK)
    change = accounts.ensure_administrator()
    expected = {"account": "admin", "role": "administrator", "by": "house"}
    assert last_event(ledger) == ("account-created", expected)
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
    accounts.create("dora", SECRET, Role.ADMINISTRATOR, "boss")
    assert accounts.disable("boss", "dora").account.disabled


def test_two_administrators_who_disable_each_other_leave_one(accounts):
    accounts.create("dora", SECRET, Role.ADMINISTRATOR, "boss")

    def disable(name):
        try:
            return accounts.disable(name, "x")
        except Refused:
            return None

    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(disable, ["dora", "boss"] * 5))
    assert any(done)
    assert sum(not accounts[name].disabled for name in ("dora", "boss")) == 1


# -- Sessions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda accounts: accounts.set_role("ann", Role.PLAYER, "boss"),
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
        accounts.set_role(name, Role.DEALER, by="boss")
        return row

    accounts.create("dora", SECRET, Role.SUPERVISOR, "boss")
    monkeypatch.setattr(accounts, "_verify", slowly)
    signed = accounts.sign_in("dora", SECRET)
    assert signed.account.role is Role.SUPERVISOR
    with pytest.raises(SignedOut):
        sessions.read(sessions.sign(sessions.issue(signed.account, signed.at)))


def test_an_unknown_account_has_no_sessions(accounts):
    assert accounts.sessions_from("bob") is None
    accounts.create("bob", SECRET)
    assert accounts.sessions_from("bob")


def test_a_change_by_another_process_is_seen_soon(accounts, ledger, monkeypatch):
    monkeypatch.setattr(accounts_module, "CACHE_SECONDS", 0.05)
    assert accounts.sessions_from("ann")
    Accounts(ledger, QUICK).disable("ann", "boss")
    time.sleep(0.06)
    assert accounts.sessions_from("ann") is None


# -- Secrets ----------------------------------------------------------------------------------------


def test_no_secret_is_returned_recorded_or_shown(accounts, ledger):
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
    drafts = [*changes[1].drafts, *refusal.value.drafts, *ledger.events("house")]
    seen = [repr(change) for change in changes] + [repr(refusal.value), repr(accounts), repr(accounts.all())]
    seen += [canonical_json(draft.data).decode() for draft in drafts]
    for secret in (SECRET, OTHER, made, hash_of(ledger, "bob"), "argon2"):
        assert not [text for text in seen if secret in text]
    assert len(drafts) == 10


def test_hashes_are_salted_and_of_argon2id(accounts, ledger):
    hashes = {hash_of(ledger, "ann"), hash_of(ledger, "boss")}
    assert len(hashes) == 2
    assert all(text.startswith("$argon2id$") for text in hashes)


def test_a_sign_in_rehashes_after_new_parameters_and_keeps_sessions(accounts, ledger):
    before, begins = hash_of(ledger, "ann"), accounts.sessions_from("ann")
    later = Accounts(ledger, PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    later.sign_in("ann", SECRET)
    after = hash_of(ledger, "ann")
    assert "m=8,t=1" in before
    assert "m=16,t=2" in after
    assert later.sign_in("ann", SECRET)
    assert hash_of(ledger, "ann") == after
    assert later.sessions_from("ann") == begins


def test_rehashing_does_not_restore_a_changed_password(accounts, ledger, monkeypatch):
    later = Accounts(ledger, PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    verified = later._verify

    def slowly(name, password):
        row = verified(name, password)
        accounts.change_password("ann", SECRET, OTHER)
        return row

    monkeypatch.setattr(later, "_verify", slowly)
    later.sign_in("ann", SECRET)
    assert accounts.sign_in("ann", OTHER)


# -- Beside the ledger ------------------------------------------------------------------------------


def change_rows(place, *statements):
    with raw(str(place)) as connection:
        for statement in statements:
            connection.execute(text(statement))


def find_problems(ledger):
    return [str(problem) for problem in verify(ledger).problems]


FOREIGN = QUICK.hash(OTHER)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (f"UPDATE accounts SET password = '{FOREIGN}' WHERE name = 'ann'", "not the one that an event set"),
        ("UPDATE accounts SET password = 'x' WHERE name = 'ann'", "not the one that an event set"),
        ("DELETE FROM accounts WHERE name = 'ann'", "lacks ann"),
        (f"INSERT INTO accounts VALUES ('mal', '{FOREIGN}')", "has mal, an account that no event created"),
        ("ALTER TABLE accounts ADD COLUMN role TEXT DEFAULT 'administrator'", "may not have: role"),
    ],
)
def test_a_change_of_the_table_has_no_effect_and_is_reported(database, statement, problem):
    with Ledger.open(database) as ledger:
        accounts = Accounts(ledger, QUICK)
        accounts.ensure_administrator()
        accounts.create("ann", SECRET)
        assert find_problems(ledger) == []
        change_rows(database, statement)
        (found,) = find_problems(ledger)
        assert problem in found
        if problem.startswith("may not have"):
            assert accounts.sign_in("ann", SECRET).account.role is Role.PLAYER
            return
        name = "mal" if "mal" in statement else "ann"
        told_of = {"account": name, "why": "its record does not match the ledger"}
        assert refused(accounts, name, OTHER) == (MISMATCH, "sign-in-refused", told_of)
        if name == "ann":  # a new password mends it
            made = accounts.reset_password("ann", by="admin")
            assert accounts.sign_in("ann", made.password)
            assert find_problems(ledger) == []


OLD_TABLE = """CREATE TABLE accounts (name VARCHAR(32) NOT NULL PRIMARY KEY, role VARCHAR(16) NOT NULL,
    password VARCHAR(255) NOT NULL, disabled BOOLEAN NOT NULL, created VARCHAR(40) NOT NULL,
    sessions_valid_from BIGINT NOT NULL)"""
NOTED = "2026-01-02T03:04:05.000006+00:00"


def write_old_accounts(place, *rows):
    """A ledger with accounts as they were before their passwords were bound to events."""
    made = [("admin", "administrator", "house"), ("ann", "player", "ann"), ("bob", "dealer", "admin")]
    with Ledger.open(place) as ledger:
        drafts = [
            Draft("house", "account-created", {"account": name, "role": role, "by": by})
            for name, role, by in made
        ]
        ledger.append_blocking(
            Entry((*drafts, Draft("house", "account-disabled", {"account": "bob", "by": "admin"})))
        )
    hashed = QUICK.hash(SECRET)
    values = [f"('{name}', '{role}', '{hashed}', {name == 'bob'}, '{NOTED}', 77)" for name, role, _ in made]
    change_rows(
        place, "DROP TABLE accounts", OLD_TABLE, f"INSERT INTO accounts VALUES {', '.join(values)}", *rows
    )


def test_an_old_ledger_adopts_its_accounts_once(database):
    write_old_accounts(database)
    with Ledger.open(database, writer=False) as ledger:
        assert find_problems(ledger) == []
    for _ in range(2):
        with Ledger.open(database) as ledger:
            accounts = Accounts(ledger, QUICK)
            assert accounts["bob"] == Account("bob", Role.DEALER, True, NOTED)
            assert accounts.sessions_from("ann") == 77
            assert accounts.sign_in("ann", SECRET)
            assert [
                event.data["differ"] for event in ledger.events("house", kinds=("accounts-adopted",))
            ] == [[]]
            assert list_columns(ledger) == ["name", "password"]
            assert find_problems(ledger) == []
    change_rows(database, f"UPDATE accounts SET password = '{FOREIGN}' WHERE name = 'ann'")
    with Ledger.open(database, writer=False) as ledger:
        assert len(find_problems(ledger)) == 1


def test_what_was_changed_beside_an_old_ledger_is_not_adopted(database):
    mal = f"INSERT INTO accounts VALUES ('mal', 'administrator', '{FOREIGN}', {False}, '{NOTED}', 7)"
    write_old_accounts(database, "UPDATE accounts SET role = 'administrator' WHERE name = 'ann'", mal)
    with Ledger.open(database) as ledger:
        accounts = Accounts(ledger, QUICK)
        assert accounts.sign_in("ann", SECRET).account.role is Role.PLAYER
        assert refused(accounts, "mal", OTHER)[0] == MISMATCH
        found = " ".join(find_problems(ledger))
    for sentence in ("the row of ann was not", "the row of mal was not", "has mal, an account that no event"):
        assert sentence in found


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
