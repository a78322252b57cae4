"""The process beside the server that proves: it reads questions, a line of JSON each, and answers them.

`python -m feltlab.workers.lab` answers each question by lines on its standard output: `progress` now and
then, and at last `result`, or `refused` with a sentence. It ends when its standard input does, so no
server leaves one behind.
"""

import io
import json
import os
import sys
import tempfile
import threading
import time
import zipfile
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from feltlab.analysis.audit import audit
from feltlab.analysis.design.break_even import break_evens, solved_break_even
from feltlab.analysis.design.pays import Design, bet_of, called, design, with_pays
from feltlab.analysis.design.search import nearest
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.games import GAMES, solver_of
from feltlab.parallel.progress import Progress
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof, prove, strategy_card
from feltlab.report.document import Block, Document, Items, Picture, TableBlock
from feltlab.report.numbers import gain

NICENESS = 15  # a table comes before a proof
EVERY = 0.1  # seconds between two words on the progress
Answer = dict[str, Any]
Asked = Mapping[str, Any]


# -- What can be asked ------------------------------------------------------------------------------


def game_of(asked: Asked) -> Game:
    return GAMES[asked["game"]].with_options(asked["options"])


def proof(asked: Asked, progress: Progress) -> Answer:
    """The proof of a game, what its pictures show, and which strategies it knows."""
    game = game_of(asked)
    found = prove(game, read_stake(game, asked["stake"]), asked["strategy"], progress)
    returns = {bet.name: _returns(found, bet) for bet in game.wagers}
    known = solver_of(game).strategies
    return found.as_json() | {"nets": _nets(found), "returns": returns, "strategies": dict(known)}


def _nets(found: Proof) -> list[Answer]:
    """How likely each net of the whole stake is."""
    staked = [(found.game.spot(bet), units) for bet, units in found.stake.items() if units]
    counts: dict[Fraction, int] = defaultdict(int)
    for outcomes, count in found.law.counts.items():
        net = sum((units * found.tally.net(bet, outcomes) for bet, units in staked), Fraction(0))
        counts[net] += count
    shares = ((net, Fraction(count, found.tally.deals)) for net, count in sorted(counts.items()))
    return [{"net": exact(net), "probability": exact(share)} for net, share in shares]


def _returns(found: Proof, bet: Spot) -> list[Answer]:
    """What each outcome adds to the expected net, for bars."""
    return [
        {
            "label": outcome.name,
            "value": float(outcome.returned),
            "text": gain(outcome.returned),
            "kind": "ahead" if outcome.net > 0 else "behind",
        }
        for outcome in found.outcomes(bet)
        if outcome.net
    ]


def card(asked: Asked, progress: Progress) -> Answer:
    """The best strategy on a card."""
    game = game_of(asked)
    made = strategy_card(game, read_stake(game, asked["stake"]))
    return made.as_json() | {"cost": exact(made.cost)}


def designed(asked: Asked, progress: Progress) -> Answer:
    """What other pays make of a bet under the play that is best for them."""
    return _told(_design(asked, progress))


def repriced(asked: Asked, progress: Progress) -> Answer:
    """The same under the play that is best for the listed pays: nothing is solved but for them."""
    game = game_of(asked)
    before = prove(game, read_stake(game, asked["stake"]), progress=progress)
    bet = bet_of(game, asked["bet"])
    return _told(Design(bet, before, replace(before, game=with_pays(game, bet, _pays(asked)))))


def _told(made: Design) -> Answer:
    """A design, and where each of its lines would break even."""
    even = break_evens(made.after, made.bet)
    found = made.as_json()
    for line, told in zip(made.lines, found["lines"], strict=True):
        pay = even.get((line.spot.name, line.line.outcome))
        told["break_even"] = exact(pay) if pay else None
    return found


def even(asked: Asked, progress: Progress) -> Answer:
    """Of a bet with one pay that the play depends on: where it breaks even if it is played anew for each."""
    game = game_of(asked)
    proved = prove(game, read_stake(game, asked["stake"]), progress=progress)
    found = solved_break_even(proved, bet_of(game, asked["bet"]), progress)
    if found is None:
        return {}
    (line,) = found.changed
    return {"pays": str(line.line.pays), "house_edge": exact(found.edge)}


def _design(asked: Asked, progress: Progress) -> Design:
    game = game_of(asked)
    return design(game, read_stake(game, asked["stake"]), asked["bet"], _pays(asked), progress)


def _pays(asked: Asked) -> dict[str, Fraction]:
    return {name: Fraction(pay) for name, pay in asked["pays"].items()}


def tables(asked: Asked, progress: Progress) -> Answer:
    """The tables nearest to an edge, each with the pays that lead to it from the listed ones."""
    made = _design(asked, progress)
    target, step = Fraction(asked["target"]), Fraction(1, 2 if asked["half"] else 1)
    found = nearest(made.after.game, made.after.stake, asked["bet"], target, step, progress=progress)
    told = [_table(made, each, target) for each in found]
    return {"target": exact(target), "tables": told}


def _table(made: Design, found: Design, target: Fraction) -> Answer:
    from_listed = Design(made.bet, made.before, found.after)
    changed = [(called(made.bet, line), str(line.line.pays), str(line.present)) for line in found.changed]
    return {
        "house_edge": exact(found.edge),
        "off": exact(found.edge - target),
        "hit_frequency": exact(found.after.tally.hit_frequency(made.bet)),
        "change": str(found.change),
        "changed": [dict(zip(("outcome", "pays", "present"), line, strict=True)) for line in changed],
        "re-solved": found.resolved,
        "pays": {called(made.bet, line): str(line.line.pays) for line in from_listed.changed},
    }


def findings(asked: Asked, progress: Progress) -> Answer:
    """The audit's report."""
    from feltlab.report.documents import findings as report

    names = asked["games"]
    found = list(audit(names, lambda done: progress(0.8 * done)))
    told = told_document(report.document(found, names)) | report.as_json(found, names)
    return told | {"stories": list(_stories(names))}


def _stories(names: list[str]) -> Iterator[Answer]:
    """The first product of each game: under other options it is wrong in the same way."""
    from feltlab.analysis.multiplied_chances import products
    from feltlab.report.documents.multiplied_panels import story

    for name in names:
        yield from (story(product) for product in islice(products(GAMES[name]), 1))


def told_document(document: Document) -> Answer:
    sections = [
        {"title": section.title, "level": section.level, "blocks": [_block(b) for b in section.blocks]}
        for section in document.sections
    ]
    return {"title": document.title, "date": document.date, "digest": document.digest, "sections": sections}


def _block(block: Block) -> Answer:
    if isinstance(block, TableBlock):
        columns = [{"title": column.title, "right": column.right} for column in block.columns]
        tones: list[str] = list(block.tones) or ["plain"] * len(block.rows)
        first = len(block.rows) - block.totals
        tones = [tone if n < first else "total" for n, tone in enumerate(tones)]
        return {
            "kind": "table",
            "columns": columns,
            "caption": block.caption,
            "rows": block.rows,
            "tones": tones,
        }
    if isinstance(block, Items):
        return {"kind": "items", "entries": block.entries, "numbered": block.numbered}
    if isinstance(block, Picture):
        return {"kind": "picture", "svg": block.svg.decode().strip(), "words": block.words}
    return {"kind": "paragraph", "text": block.text, "tone": block.tone}


def par(asked: Asked, progress: Progress) -> Answer:
    """A PAR sheet as a file."""
    from feltlab.analysis.par_sheet import par_sheet
    from feltlab.report.documents.par_sheet import document
    from feltlab.report.write import write

    game = game_of(asked)
    sheet = par_sheet(game, read_stake(game, asked["stake"]), asked["strategy"], progress)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"par.{asked['suffix']}")
        write(path, document(sheet), sheet.as_json())
        return _file(path.read_bytes())


def packet(asked: Asked, progress: Progress) -> Answer:
    """A submission packet as a zip archive; the same packet makes the same bytes."""
    from feltlab.analysis.par_sheet import par_sheet
    from feltlab.report.packet_files import write_packet
    from feltlab.submission import packet as packets
    from feltlab.submission.venues import venue

    game = game_of(asked)
    made = packets.packet(game, venue(asked["venue"]))
    whole = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        write_packet(Path(folder), made, par_sheet(game, progress=progress))
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).rglob("*.*")):
                name = f"{asked['game']}/{path.relative_to(folder)}"
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return _file(whole.getvalue())


def _file(content: bytes) -> Answer:
    return {"file": b64encode(content).decode()}


KINDS: dict[str, Callable[[Asked, Progress], Answer]] = {
    "proof": proof,
    "card": card,
    "design": designed,
    "repriced": repriced,
    "even": even,
    "tables": tables,
    "findings": findings,
    "par": par,
    "packet": packet,
}


# -- The process ------------------------------------------------------------------------------------


def answer(asked: Asked, out: IO[str]) -> None:
    """Answer one question; what goes wrong is said to the server, and the next question can come."""
    last = 0.0

    def say(**told: Any) -> None:
        print(json.dumps(told), file=out, flush=True)

    def progress(done: float) -> None:
        nonlocal last
        if time.monotonic() - last > EVERY:
            last = time.monotonic()
            say(progress=done)

    try:
        say(result=KINDS[asked["kind"]](asked, progress))
    except Refused as refused:
        say(refused=str(refused))
    except Exception as error:
        print(f"feltlab: the lab failed: {error!r}", file=sys.stderr, flush=True)
        say(failed=type(error).__name__)


def main() -> None:
    with suppress(OSError):
        os.nice(NICENESS)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what anything else prints is no answer
    questions: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=[questions], daemon=True).start()
    with suppress(BrokenPipeError):
        while True:
            answer(json.loads(questions.get()), out)


def _listen(questions: "SimpleQueue[str]") -> None:
    """Take questions; when the server is gone, end at once, whatever is being proved."""
    for line in sys.stdin:
        questions.put(line)
    os._exit(0)


if __name__ == "__main__":
    main()
