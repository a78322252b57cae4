"""The Merkle tree of a ledger that grows, kept so that its root and its paths take milliseconds at any age.

The roots of full tiles of 1,024 events are stored in a file beside the ledger. The file is a cache: its last
tile is compared with the events at the start, and a file that does not fit is computed again. Nothing is
believed because of it: a verification reads every event.
"""

from collections.abc import Iterable
from copy import copy
from pathlib import Path

from feltlab.errors import Refused
from feltlab.files import replace_file
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.merkle import Frontier, find_path, full_root, leaf_hash, node_hash

TILE_LEVEL = 10
TILE_EVENTS = 1 << TILE_LEVEL
HASH_BYTES = 32


class EventTree:
    """The tree over the first events of a ledger, as far as it was read."""

    def __init__(self, ledger: Ledger, cache: Path) -> None:
        self._ledger, self._cache = ledger, cache
        self._archived = 0  # tiles whose events are in an archive
        self._tiles = self._load_tiles()
        self._tail: list[bytes] = []  # leaves after the last full tile
        self._nodes: dict[tuple[int, int], bytes] = {}  # roots above full tiles, by level and place

    @property
    def size(self) -> int:
        return len(self._tiles) * TILE_EVENTS + len(self._tail)

    @property
    def root(self) -> bytes:
        root = self.root_at(self.size)
        assert root is not None
        return root

    def root_at(self, size: int) -> bytes | None:
        """The root when the ledger had this many events; None if it has fewer."""
        return None if size > self.size else self.frontier_at(size).root

    def first_tiles(self, size: int) -> tuple[bytes, ...]:
        """The roots of the full tiles of this many events."""
        return tuple(self._tiles[: size // TILE_EVENTS])

    def frontier_at(self, size: int) -> Frontier:
        """The frontier when the ledger had this many events."""
        full, rest = divmod(size, TILE_EVENTS)
        frontier = Frontier()
        for level in reversed(range(full.bit_length())):
            if full >> level & 1:
                frontier.add(self._node(level, (full >> level) - 1), TILE_LEVEL + level)
        leaves = self._tail if full == len(self._tiles) else self._read_tile(full) if rest else []
        for leaf in leaves[:rest]:
            frontier.add(leaf)
        return frontier

    def catch_up(self) -> None:
        """Read the events that were written since the last call."""
        before = len(self._tiles)
        for digest in self._ledger.digests(self.size):
            self._tail.append(leaf_hash(digest))
            if len(self._tail) == TILE_EVENTS:
                self._tiles.append(full_root(self._tail))
                self._tail = []
        if len(self._tiles) > before:
            with replace_file(self._cache) as stream:
                stream.write(b"".join(self._tiles))

    def back_to(self, size: int) -> "EventTree":
        """The tree as it was when the ledger had this many events, at most as many as were read."""
        full, rest = divmod(size, TILE_EVENTS)
        before = copy(self)
        before._tail = (self._tail if full == len(self._tiles) else self._read_tile(full))[:rest]
        before._tiles = self._tiles[:full]
        return before

    def find_path(self, sequence: int, archives: Iterable[Ledger] = ()) -> list[bytes]:
        """The path from the event of a sequence to the root; archives have the events that were moved."""
        tile, place = divmod(sequence - 1, TILE_EVENTS)
        if tile < self._archived:
            leaves = self._read_archived(tile, archives)
        else:
            leaves = self._tail if tile == len(self._tiles) else self._read_tile(tile)
        return [*find_path(leaves, place), *self._find_tile_path(0, self._tile_count, tile)]

    def _read_archived(self, tile: int, archives: Iterable[Ledger]) -> list[bytes]:
        """The leaves of a tile from the archive that has all of them as they were."""
        for archive in archives:
            leaves = _read_leaves(archive, tile)
            if len(leaves) == TILE_EVENTS and full_root(leaves) == self._tiles[tile]:
                return leaves
        raise Refused("The events of that time are in an archive, without which no receipt can be made.")

    @property
    def _tile_count(self) -> int:
        """The number of tiles, with the last one that is not full."""
        return len(self._tiles) + bool(self._tail)

    def _find_tile_path(self, first: int, count: int, tile: int) -> list[bytes]:
        """The siblings of a tile on the way to the root of some tiles."""
        if count == 1:
            return []
        split = 1 << (count - 1).bit_length() - 1
        if tile < first + split:
            path, sibling = self._find_tile_path(first, split, tile), (first + split, count - split)
        else:
            path, sibling = self._find_tile_path(first + split, count - split, tile), (first, split)
        return [*path, self._root_of(*sibling)]

    def _root_of(self, first: int, count: int) -> bytes:
        """The root of some tiles, which a split has made."""
        if first + count <= len(self._tiles) and count & (count - 1) == 0:
            level = count.bit_length() - 1
            return self._node(level, first >> level)
        if count == 1:
            return Frontier(self._tail).root
        split = 1 << (count - 1).bit_length() - 1
        return node_hash(self._root_of(first, split), self._root_of(first + split, count - split))

    def _node(self, level: int, place: int) -> bytes:
        """The root of two to the power of `level` full tiles, which never changes."""
        if level == 0:
            return self._tiles[place]
        known = self._nodes.get((level, place))
        if known is None:
            known = node_hash(self._node(level - 1, 2 * place), self._node(level - 1, 2 * place + 1))
            self._nodes[level, place] = known
        return known

    def _read_tile(self, tile: int) -> list[bytes]:
        return _read_leaves(self._ledger, tile)

    def _load_tiles(self) -> list[bytes]:
        removal = self._ledger.load_removal()
        known = list(removal.tiles) if removal else []
        self._archived = len(known)
        try:
            stored = self._cache.read_bytes()
        except OSError:
            return known
        tiles = [stored[at : at + HASH_BYTES] for at in range(0, len(stored), HASH_BYTES)]
        if len(tiles) <= len(known) or tiles[: len(known)] != known:
            return known
        last = self._read_tile(len(tiles) - 1)
        return tiles if len(last) == TILE_EVENTS and full_root(last) == tiles[-1] else known


def _read_leaves(ledger: Ledger, tile: int) -> list[bytes]:
    first = tile * TILE_EVENTS
    return [leaf_hash(digest) for digest in ledger.digests(first, first + TILE_EVENTS)]
