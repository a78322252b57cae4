"""A forger of certificates, who mends every digest and size after a change."""

import json
import zlib
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from feltlab.certifying import check_certificate as checker

MANIFEST = "manifest.json"


class Forger:
    """A certificate in memory: its manifest, its tables and its other files."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = dict(files)
        self.manifest: dict[str, Any] = json.loads(self.files.pop(MANIFEST))
        self.tables = {}
        for name, listed in self.manifest["tables"].items():
            data = zlib.decompress(self.files.pop(listed["file"]))
            self.tables[name] = np.frombuffer(data, listed["dtype"]).reshape(listed["shape"]).copy()

    def write(self, folder: Path) -> Path:
        """Write the folder with tables, sizes and digests that belong together."""
        folder.mkdir()
        contents = dict(self.files)
        for name, array in self.tables.items():
            listed = self.manifest["tables"][name]
            listed["shape"], listed["dtype"] = list(array.shape), array.dtype.str
            contents[listed["file"]] = zlib.compress(np.ascontiguousarray(array).tobytes(), 1)
        for name, content in contents.items():
            (folder / name).write_bytes(content)
            self.manifest["files"][name] = {"bytes": len(content), "sha256": sha256(content).hexdigest()}
        (folder / MANIFEST).write_bytes(checker.canonical_json(self.manifest))
        return folder

    def mend_rules(self) -> None:
        text = sha256(self.files["rules.txt"]).hexdigest()
        offered = [text, sorted(self.manifest["options"].items()), self.manifest["changed_pays"]]
        digest = sha256(json.dumps(offered).encode()).hexdigest()
        self.manifest |= {"rules_text_digest": text, "rules_digest": digest}

    @property
    def law(self) -> dict[tuple[int, ...], int]:
        return {tuple(outcomes): int(count) for outcomes, count in self.manifest["law"]}

    def put_law(self, law: dict[tuple[int, ...], int]) -> None:
        self.manifest["law"] = [[list(outcomes), str(count)] for outcomes, count in sorted(law.items())]

    def mend_figures(self) -> None:
        """Compute all figures from the law and the pays of the manifest, as an able forger would."""
        rules = checker.RULES[self.manifest["game"]]
        tables = tuple(
            tuple((outcome, Fraction(pays), staked) for outcome, pays, staked in spot["lines"])
            for spot in self.manifest["spots"]
        )
        stake = {bet: Fraction(units) for bet, units in self.manifest["stake"].items()}
        game = checker.Game(self.manifest["game"], rules, self.manifest["options"], tables, stake, ())
        self.manifest["figures"] = checker.figures_of(game, self.law)

    def mend_law(self) -> None:
        """Compute law, first choices and figures from the classes and their recorded choices."""
        names = [name.removeprefix("counts.") for name in self.tables if name.startswith("counts.")]
        order = self.manifest["choices"]
        law: dict[tuple[int, ...], int] = {}
        first = {}
        for name in names:
            rows = self.tables["choices"] == (order.index(name) if name in order else checker.NO_CHOICE)
            totals = self.tables[f"counts.{name}"][rows].sum(axis=0, dtype=object)
            for outcomes, n in zip(self.manifest["columns"][f"counts.{name}"], totals, strict=True):
                law[tuple(outcomes)] = law.get(tuple(outcomes), 0) + int(n)
            first["" if name == "none" else name] = str(sum(map(int, totals)))
        self.put_law({outcomes: n for outcomes, n in law.items() if n})
        self.manifest["first_choices"] = first
        self.mend_figures()


def verdict(capsys: Any, folder: Path, *words: str) -> dict[str, Any]:
    """The checker's verdict on a folder, which must never be a traceback."""
    capsys.readouterr()
    status = checker.main([str(folder), "--json", "--nonce=test", *words])
    printed = capsys.readouterr()
    found: dict[str, Any] = {"accepted": False, "reason": printed.err, "checks": []}
    if printed.out:
        found = json.loads(printed.out)
    return found | {"status": status}
