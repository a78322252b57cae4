"""The Merkle tree of a ledger that grows, kept so that its root and its paths take milliseconds at any age.

The roots of full tiles of 1,024 events are stored in a file beside the ledger. The file is a cache: its last
tile is compared with the events at the start, and a file that does not fit is computed again. Nothing is
believed because of it: a verification reads every event.
"""

from pathlib import Path

from feltlab.files import replace_file
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.merkle import Frontier, find_path, leaf_hash

TILE_LEVEL = 10
TILE_EVENTS = 1 << TILE_LEVEL
HASH_BYTES = 32


class EventTree:
    """The tree over the first events of a ledger, as far as it was read."""

    def __init__(self, ledger: Ledger, cache: Path) -> None:
        self._ledger, self._cache = ledger, cache
        self._tiles = self._load_tiles()
        self._tail: list[bytes] = []  # leaves after the last full tile

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
        if size > self.size:
            return None
        full, rest = divmod(size, TILE_EVENTS)
        frontier = Frontier()
        for tile in self._tiles[:full]:
            frontier.add(tile, TILE_LEVEL)
        leaves = self._tail if full == len(self._tiles) else self._read_tile(full) if rest else []
        for leaf in leaves[:rest]:
            frontier.add(leaf)
        return frontier.root

    def catch_up(self) -> None:
        """Read the events that were written since the last call."""
        before = len(self._tiles)
        for digest in self._ledger.digests(self.size):
            self._tail.append(leaf_hash(digest))
            if len(self._tail) == TILE_EVENTS:
                self._tiles.append(Frontier(self._tail).root)
                self._tail = []
        if len(self._tiles) > before:
            with replace_file(self._cache) as stream:
                stream.write(b"".join(self._tiles))

    def find_path(self, sequence: int) -> list[bytes]:
        """The path from the event of a sequence to the root."""
        tile, place = divmod(sequence - 1, TILE_EVENTS)
        leaves = self._tail if tile == len(self._tiles) else self._read_tile(tile)
        tail = [Frontier(self._tail).root] if self._tail else []
        return [*find_path(leaves, place), *find_path([*self._tiles, *tail], tile)]

    def _read_tile(self, tile: int) -> list[bytes]:
        first = tile * TILE_EVENTS
        return [leaf_hash(digest) for digest in self._ledger.digests(first, first + TILE_EVENTS)]

    def _load_tiles(self) -> list[bytes]:
        try:
            stored = self._cache.read_bytes()
        except OSError:
            return []
        tiles = [stored[at : at + HASH_BYTES] for at in range(0, len(stored), HASH_BYTES)]
        last = self._read_tile(len(tiles) - 1) if tiles else []
        return tiles if len(last) == TILE_EVENTS and Frontier(last).root == tiles[-1] else []
