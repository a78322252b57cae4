"""Canonical JSON and SHA-256, the same everywhere."""

from typing import Any

import orjson


def canonical_json(data: Any) -> bytes:
    """The one way to write data as JSON."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS)
