"""A certificate: the classes of a proof and a manifest, in a folder that can be checked without feltlab.

`check_certificate.py` beside this module checks it; that file imports nothing of feltlab, and a copy of it is
part of every certificate. `docs/certificates.md` describes the format.
"""

import zlib
from collections.abc import Mapping
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from feltlab import __version__
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.rules_digest import digested_text
from feltlab.core.solver import ClassTables
from feltlab.core.stake import Stake
from feltlab.core.tally import Tally
from feltlab.digests import canonical_json, sha256_hex
from feltlab.errors import Refused
from feltlab.files import check_folder_place, read_limited, replace_folder
from feltlab.games import solver_of
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.proving.proof import Proof, prove
from feltlab.signing.manifest import is_signed
from feltlab.submission.rule_sheet import render_rule_sheet

FORMAT, FORMAT_VERSION = "feltlab-certificate", 2
MANIFEST_FILE, CHECKER_FILE = "manifest.json", "check_certificate.py"
RULES_FILE, SHEET_FILE = "rules.txt", "rules.md"
STRATEGY = "optimal"
MAX_MANIFEST_BYTES = 1 << 25
DTYPES = ("|u1", "<u2", "<u4", "<i8")

Files = dict[str, bytes]  # by name


def certify(game: Game, stake: Stake, progress: Progress = nobody_listens) -> Files:
    """The files of the certificate of a game's best play under a stake."""
    known = solver_of(game)
    if known.classes is None:
        raise Refused(f"{game.title} has no certificate yet: its solver does not export classes.")
    proof = prove(game, stake, STRATEGY, part_of(progress, 0.0, 0.3))
    classes = known.classes(game, stake, part_of(progress, 0.3, 0.9))
    files = {f"{name}.bin": _pack(array) for name, array in classes.arrays.items()}
    files |= {
        RULES_FILE: digested_text(Path(str(game.rules.__file__))),
        SHEET_FILE: render_rule_sheet(game).encode(),
        CHECKER_FILE: checker_source(),
    }
    files[MANIFEST_FILE] = canonical_json(_manifest(proof, classes, files))
    progress(1.0)
    return files


def checker_source() -> bytes:
    return (resources.files("feltlab.certifying") / CHECKER_FILE).read_bytes()


def _pack(array: NDArray[Any]) -> bytes:
    return zlib.compress(np.ascontiguousarray(array).tobytes(), 1)


# -- The manifest -----------------------------------------------------------------------------------


def _manifest(proof: Proof, classes: ClassTables, files: Files) -> dict[str, Any]:
    game, law = proof.game, proof.law
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "program": {"name": "feltlab", "version": __version__},
        "game": game.name,
        "title": game.title,
        "rules_digest": game.digest,
        "rules_text_digest": game.rules_digest,
        "options": dict(game.options),
        "changed_pays": [[spot, outcome, str(pays)] for spot, outcome, pays in game.pays],
        "spots": [_spot_json(game, spot) for spot in game.spots],
        "choices": [choice.name for choice in game.choices],
        "stake": {bet: str(units) for bet, units in proof.stake.items()},
        "strategy": proof.strategy,
        "method": law.method,
        "deals": str(proof.tally.deals),
        "law": [[list(outcomes), str(count)] for outcomes, count in sorted(law.counts.items())],
        "first_choices": {choice: str(count) for choice, count in law.first_choices.items()},
        "figures": figures(game, proof.stake, proof.tally),
        "tables": {name: _table_json(name, array) for name, array in classes.arrays.items()},
        "columns": {name: [list(outcomes) for outcomes in of] for name, of in classes.columns.items()},
        "files": {name: {"bytes": len(data), "sha256": sha256_hex(data)} for name, data in files.items()},
    }


def _spot_json(game: Game, spot: Spot) -> dict[str, Any]:
    lines = game.pay_table(spot).lines
    return {
        "name": spot.name,
        "raises": spot.raises,
        "size": str(spot.size),
        "lines": [[line.outcome, str(line.pays), spot.most_units_of(line)] for line in lines],
    }


def _table_json(name: str, array: NDArray[Any]) -> dict[str, Any]:
    if array.dtype.str not in DTYPES:
        raise ValueError(f"{name} has the type {array.dtype.str}, which a certificate does not store")
    return {
        "file": f"{name}.bin",
        "dtype": array.dtype.str,
        "shape": list(array.shape),
        "compression": "zlib",
    }


# -- Figures ----------------------------------------------------------------------------------------


def figures(game: Game, stake: Stake, tally: Tally) -> dict[str, Any]:
    """Every figure of a certificate as a fraction in lowest terms."""
    expected = tally.total_expected(stake)
    wagered = sum((n * tally.average_wager(game.spot(bet)) for bet, n in stake.items()), Fraction(0))
    total = {
        "expected": expected,
        "average_wager": wagered,
        "element_of_risk": -expected / wagered,
        "variance": tally.total_variance(stake),
    }
    return {
        "bets": {bet.name: _texts(_bet_figures(tally, bet)) for bet in game.wagers},
        "total": _texts(total),
        "covariance": {
            a.name: _texts({b.name: tally.covariance(a, b) for b in game.wagers}) for a in game.wagers
        },
    }


def _bet_figures(tally: Tally, bet: Spot) -> dict[str, Fraction]:
    expected, wagered = tally.expected(bet), tally.average_wager(bet)
    nets = [(tally.net(bet, outcomes), count) for outcomes, count in tally.counts.items()]
    return {
        "expected": expected,
        "house_edge": -expected,
        "average_wager": wagered,
        "element_of_risk": -expected / wagered,
        "variance": tally.variance(bet),
        "net_win_probability": Fraction(sum(count for net, count in nets if net > 0), tally.deals),
        "net_push_probability": Fraction(sum(count for net, count in nets if net == 0), tally.deals),
    }


def _texts(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: f"{value.numerator}/{value.denominator}" for name, value in values.items()}


# -- The folder -------------------------------------------------------------------------------------


def write_certificate(place: Path, files: Files) -> None:
    """Replace a folder by a certificate, so that nobody ever sees half of one."""
    check_place(place)
    with replace_folder(place) as folder:
        for name, content in files.items():
            (folder / name).write_bytes(content)


def check_place(place: Path) -> None:
    """Refuse a place that cannot be written, or whose contents must not be replaced by a certificate."""
    check_folder_place(place)
    if not place.exists():
        return
    if is_signed(place):
        raise Refused(f"{place} holds a signed certificate, which is not replaced; name a new folder.")
    found = {path.name for path in place.iterdir()}
    if found and not found <= {*_listed_files(place), MANIFEST_FILE}:
        raise Refused(f"{place} holds other things than a certificate; name an empty or a new folder.")


def _listed_files(place: Path) -> set[str]:
    """The files that the manifest in a folder lists; none if there is no manifest of a certificate."""
    path = place / MANIFEST_FILE
    try:
        data = orjson.loads(read_limited(path, MAX_MANIFEST_BYTES))
        return set(data["files"]) if data["format"] == FORMAT else set()
    except (ValueError, KeyError, TypeError):  # `Refused` is a ValueError
        return set()


def read_program(place: Path) -> str:
    """The version of the program that wrote a certificate; '' where the manifest names none."""
    try:
        return str(
            orjson.loads(read_limited(place / MANIFEST_FILE, MAX_MANIFEST_BYTES))["program"]["version"]
        )
    except (ValueError, KeyError, TypeError):
        return ""
