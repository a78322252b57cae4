"""A Merkle tree over the events of a ledger, as RFC 6962 defines it.

The leaves are the digests of all events in the order of writing. So one root binds every event of every chain
and their order, and a path of some twenty hashes shows that one event is among them.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from hashlib import sha256

LEAF, NODE = b"\0", b"\1"  # prefixes, so that no node can pose as a leaf
EMPTY_ROOT = sha256().digest()


def leaf_hash(digest: str) -> bytes:
    """The hash of an event's digest as a leaf."""
    return sha256(LEAF + bytes.fromhex(digest)).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(NODE + left + right).digest()


def full_root(nodes: Sequence[bytes]) -> bytes:
    """The root of as many nodes of one level as a power of two, computed level by level."""
    while len(nodes) > 1:
        pairs = zip(nodes[::2], nodes[1::2], strict=True)
        nodes = [sha256(NODE + left + right).digest() for left, right in pairs]
    return nodes[0]


class Frontier:
    """The roots of the full subtrees of a tree: enough to add leaves to it and to compute its root."""

    def __init__(self, nodes: Iterable[bytes] = ()) -> None:
        self.size = 0  # leaves
        self._roots: list[tuple[int, bytes]] = []  # level and hash, the highest first
        for node in nodes:
            self.add(node)

    def add(self, node: bytes, level: int = 0) -> None:
        """Add a leaf, or the root of a full subtree whose level no smaller one precedes."""
        self.size += 1 << level
        while self._roots and self._roots[-1][0] == level:
            node, level = node_hash(self._roots.pop()[1], node), level + 1
        self._roots.append((level, node))

    @property
    def peaks(self) -> list[list[int | str]]:
        """The level and the hash of each full subtree, the highest first, as JSON."""
        return [[level, node.hex()] for level, node in self._roots]

    @classmethod
    def from_peaks(cls, peaks: Iterable[Sequence[int | str]]) -> "Frontier":
        frontier = cls()
        for level, node in peaks:
            frontier.add(bytes.fromhex(str(node)), int(level))
        return frontier

    @property
    def root(self) -> bytes:
        nodes = [node for _, node in reversed(self._roots)]
        return reduce(lambda right, left: node_hash(left, right), nodes) if nodes else EMPTY_ROOT


def find_path(nodes: Sequence[bytes], index: int) -> list[bytes]:
    """The siblings of a node on the way from it to the root."""
    if len(nodes) == 1:
        return []
    split = 1 << (len(nodes) - 1).bit_length() - 1
    if index < split:
        return [*find_path(nodes[:split], index), Frontier(nodes[split:]).root]
    return [*find_path(nodes[split:], index - split), Frontier(nodes[:split]).root]


def follow_path(leaf: bytes, index: int, size: int, path: Iterable[bytes]) -> bytes | None:
    """The root of a tree of this size to which a leaf's path leads; None if the path has another length."""
    node, place, last = leaf, index, size - 1
    for sibling in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            node = node_hash(sibling, node)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        place, last = place >> 1, last >> 1
    return node if last == 0 else None
