"""Canonical JSON and SHA-256: the one way in which feltlab digests data."""

import hashlib
from typing import Any

import orjson


def canonical_json(data: Any) -> bytes:
    """Data as JSON with sorted keys, no spaces, in UTF-8."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS)


def sha256_hex(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def digest_json(data: Any) -> str:
    """The SHA-256 digest of data as canonical JSON."""
    return sha256_hex(canonical_json(data))
