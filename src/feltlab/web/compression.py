"""Compressed answers: static files, and pages that hold no secret.

A page whose text depends on both a secret and the address would tell the secret by its size, so a page is
compressed only where its route says so.
"""

import gzip
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response

COMPRESSIBLE_SUFFIXES = {".css", ".js", ".svg", ".html", ".txt"}  # fonts are compressed already
FILE_LEVEL = 9  # once a file
PAGE_LEVEL = 3  # for every request: a lobby takes half a millisecond
MIN_BYTES = 500  # below which the header costs what is gained
MAX_FILES_KEPT = 200


def accepts_gzip(headers: Headers) -> bool:
    """Whether a client takes gzip: it names it, and not with a weight of zero."""
    for offer in headers.get("accept-encoding", "").lower().split(","):
        coding, _, weight = offer.partition(";")
        if coding.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def compress_page(response: Response, headers: Headers) -> Response:
    """The same page, compressed if its client takes that."""
    response.headers["vary"] = "accept-encoding"
    if accepts_gzip(headers) and len(response.body) >= MIN_BYTES:
        response.body = gzip.compress(bytes(response.body), PAGE_LEVEL, mtime=0)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))
    return response


def compress_file(path: Path, response: Response, headers: Headers) -> Response:
    """The answer with a static file, compressed if its client takes that and the file is text."""
    if path.suffix not in COMPRESSIBLE_SUFFIXES:
        return response
    response.headers["vary"] = "accept-encoding"
    if response.status_code != 200 or not accepts_gzip(headers) or "range" in headers:
        return response
    made = Response(_compress(path, path.stat().st_mtime_ns), headers=dict(response.headers))
    made.headers["content-length"] = str(len(made.body))
    made.headers["content-encoding"] = "gzip"
    made.headers["etag"] = f"W/{response.headers['etag']}"  # the bytes differ, the content does not
    return made


@lru_cache(MAX_FILES_KEPT)
def _compress(path: Path, changed_ns: int) -> bytes:
    """The compressed content of a file, made again when the file changes."""
    return gzip.compress(path.read_bytes(), FILE_LEVEL, mtime=0)
