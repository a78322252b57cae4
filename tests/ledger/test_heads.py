"""Signed heads: a tree over all events, witnesses that expose any change, receipts that hold offline."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import orjson
import pytest

from feltlab.errors import Refused
from feltlab.ledger import event_tree
from feltlab.ledger.chains import verify_chains
from feltlab.ledger.event import Draft, Entry, event_digest
from feltlab.ledger.event_tree import EventTree
from feltlab.ledger.head_keys import HeadKey, KeyTrust
from feltlab.ledger.heads import SignedHead, WitnessCheck, parse_head_key, read_witness, sign_head
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.merkle import EMPTY_ROOT, Frontier, find_path, follow_path, leaf_hash
from tests.support.insider import Events, rewrite_ledger

LEAVES = [leaf_hash(sha256(bytes([n])).hexdigest()) for n in range(70)]


def plain_root(leaves: list[bytes]) -> bytes:
    """The root by the recursive definition of RFC 6962."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"").digest()
    split = 1
    while 2 * split < len(leaves):
        split *= 2
    return sha256(b"\1" + plain_root(leaves[:split]) + plain_root(leaves[split:])).digest()


def test_a_root_is_that_of_the_definition() -> None:
    assert plain_root([]) == EMPTY_ROOT
    for size in range(1, len(LEAVES)):
        assert Frontier(LEAVES[:size]).root == plain_root(LEAVES[:size])


def test_every_path_leads_to_the_root_and_no_other_does() -> None:
    for size in (1, 2, 3, 7, 8, 9, 31, 64, 69):
        root = plain_root(LEAVES[:size])
        for index in range(size):
            path = find_path(LEAVES[:size], index)
            assert follow_path(LEAVES[index], index, size, path) == root
            assert follow_path(LEAVES[index], index, size, [*path, LEAVES[0]]) is None
            assert not path or follow_path(LEAVES[index], index, size, path[:-1]) != root
            assert follow_path(LEAVES[-1], index, size, path) != root


# -- A ledger and its heads -------------------------------------------------------------------------


def write(ledger: Ledger, first: int, last: int) -> None:
    for n in range(first, last):
        ledger.append_blocking(Entry((Draft(f"chain-{n % 3}", "noted", {"n": n}),)))


@pytest.fixture
def tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_tree, "TILE_LEVEL", 2)
    monkeypatch.setattr(event_tree, "TILE_EVENTS", 4)


@pytest.mark.usefixtures("tiles")
def test_a_tree_grows_with_its_ledger_and_is_found_again(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        tree = EventTree(ledger, tmp_path / "tiles")
        for size in (1, 4, 5, 11, 24):
            write(ledger, tree.size, size)
            tree.catch_up()
            leaves = [leaf_hash(digest) for digest in ledger.digests(0)]
            assert tree.size == len(leaves)
            assert tree.root == plain_root(leaves)
            roots = [tree.root_at(count) for count in range(1, len(leaves) + 2)]
            assert roots == [*(plain_root(leaves[:count]) for count in range(1, len(leaves) + 1)), None]
            again = EventTree(ledger, tmp_path / "tiles")
            again.catch_up()
            assert again.root == tree.root
            for sequence in range(1, tree.size + 1):
                path = tree.find_path(sequence)
                assert follow_path(leaves[sequence - 1], sequence - 1, tree.size, path) == tree.root
        (tmp_path / "tiles").write_bytes(bytes(96))  # a cache that does not fit is computed again
        other = EventTree(ledger, tmp_path / "tiles")
        other.catch_up()
        assert other.root == tree.root


@pytest.fixture
def witnessed(tmp_path: Path) -> Path:
    """A ledger of thirty events, and a witness with a head after every ten."""
    key = HeadKey(tmp_path / "heads.key")
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger, (tmp_path / "witness").open("wb") as witness:
        tree = EventTree(ledger, tmp_path / "tiles")
        for first in (0, 10, 20):
            write(ledger, first, first + 10)
            tree.catch_up()
            witness.write(sign_head(key, tree.size, tree.root).line)
    return tmp_path


def find_problems(place: Path, witness: Path) -> list[str]:
    with Ledger.open(place, writer=False) as ledger:
        return [
            str(problem) for problem in verify_chains(ledger, witness=WitnessCheck(read_witness(witness)))
        ]


def test_a_sound_ledger_agrees_with_its_witness(witnessed: Path) -> None:
    check = WitnessCheck(read_witness(witnessed / "witness"))
    with Ledger.open(witnessed / "ledger.sqlite", writer=False) as ledger:
        assert not list(verify_chains(ledger, witness=check))
    assert check.matched
    assert check.matched.size == 30


def change_data(events: Events) -> None:
    events[12]["data"]["n"] = 99


def change_moment(events: Events) -> None:
    events[12]["at"] = events[11]["at"]


def swap_neighbours(events: Events) -> None:
    events[12], events[13] = events[13], events[12]  # of different chains
    events[12]["at"], events[13]["at"] = events[13]["at"], events[12]["at"]  # moments run forwards


def remove_event(events: Events) -> None:
    del events[12]


def add_event(events: Events) -> None:
    events.insert(12, {**events[12], "data": {"n": 99}})


def cut_tail(events: Events) -> None:
    del events[25:]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (change_data, "after event 10 was changed"),
        (change_moment, "after event 10 was changed"),
        (swap_neighbours, "after event 10 was changed"),
        (remove_event, "after event 10 was changed"),
        (add_event, "after event 10 was changed"),
        (cut_tail, "were taken out"),
    ],
)
def test_a_witness_exposes_an_insider_who_computes_all_digests_again(
    witnessed: Path, change: Callable[[Events], None], says: str
) -> None:
    (witnessed / "other").mkdir()
    forged = rewrite_ledger(witnessed, witnessed / "other", change)
    with Ledger.open(forged, writer=False) as ledger:
        assert not list(verify_chains(ledger)), "without a witness nothing is wrong"
    (problem,) = find_problems(forged, witnessed / "witness")
    assert says in problem


def test_a_witness_of_an_insider_without_the_key_is_not_believed(witnessed: Path) -> None:
    lines = (witnessed / "witness").read_bytes().splitlines()
    head, other = orjson.loads(lines[1]), HeadKey(witnessed / "other.key")
    forged = {
        "its signature is wrong": orjson.dumps({**head, "root": "00" * 32}),
        "it is signed with another key": sign_head(other, head["size"], bytes(32)).line.strip(),
    }
    for says, line in forged.items():
        (witnessed / "forged").write_bytes(b"\n".join([lines[0], line, lines[2], b""]))
        with pytest.raises(Refused, match=says):
            read_witness(witnessed / "forged")
    with pytest.raises(Refused, match="another key"):
        read_witness(witnessed / "witness", KeyTrust([other.public]))
    with pytest.raises(Refused, match="no signed head"):
        read_witness(witnessed / "ledger.sqlite")
    with pytest.raises(Refused, match="64 hexadecimal digits"):
        parse_head_key("")
    assert read_witness(witnessed / "witness", KeyTrust([parse_head_key(head["key"].upper())]))


def test_lines_that_are_no_heads_hide_no_head(witnessed: Path) -> None:
    lines = (witnessed / "witness").read_bytes().splitlines()
    odd = [
        b'{"size": 12}',
        b"",
        b"\xff",
        lines[0][:40],
        orjson.dumps({**orjson.loads(lines[0]), "root": [1]}),
    ]
    (witnessed / "odd").write_bytes(b"\n".join([odd[0], lines[0], *odd[1:], lines[1], lines[2], b""]))
    assert read_witness(witnessed / "odd") == read_witness(witnessed / "witness")


def test_a_server_that_went_on_with_an_older_copy_is_exposed_by_heads_out_of_order(witnessed: Path) -> None:
    (witnessed / "other").mkdir()
    forged = rewrite_ledger(witnessed, witnessed / "other", cut_tail)
    with Ledger.open(forged) as ledger, (witnessed / "witness").open("ab") as witness:
        write(ledger, 100, 110)
        tree = EventTree(ledger, witnessed / "other" / "tiles")
        tree.catch_up()
        for size in (26, tree.size):
            root = tree.root_at(size)
            assert root
            witness.write(sign_head(HeadKey(witnessed / "heads.key"), size, root).line)
    assert any("was changed" in problem for problem in find_problems(forged, witnessed / "witness"))


def test_a_head_that_is_only_half_written_is_left_out(witnessed: Path) -> None:
    whole = (witnessed / "witness").read_bytes()
    (witnessed / "half").write_bytes(whole[:-10])
    assert [head.size for head in read_witness(witnessed / "half")] == [10, 20]


def test_a_text_of_an_event_gives_its_digest(witnessed: Path) -> None:
    with Ledger.open(witnessed / "ledger.sqlite", writer=False) as ledger:
        for stored, past in ledger.linked_events(chain="chain-1"):
            before = ledger.digest_of(stored.chain, stored.number - 1)
            text = stored.write_text(past)
            line = f'["{before}",{text[1:]}'
            assert sha256(line.encode()).hexdigest() == stored.digest
            assert event_digest(before, *orjson.loads(text)) == stored.digest


def test_a_signed_head_round_trips(tmp_path: Path) -> None:
    head = sign_head(HeadKey(tmp_path / "key"), 7, bytes(32))
    assert SignedHead.parse(head.line) == head
