"""The documents of a progressive: its proof, and its proposal with every check."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from feltlab.analysis.progressives.joint_play import JointPlay, OneChoicePlay
from feltlab.analysis.progressives.progressive_proof import ProgressiveProof
from feltlab.analysis.progressives.proposal import Proposal
from feltlab.analysis.progressives.street_play import StreetPlay
from feltlab.games import GAMES
from feltlab.progressives.catalogue import progressives_of
from feltlab.progressives.progressive import Level, Meter, Progressive
from feltlab.progressives.progressive_file import digest_progressive
from feltlab.progressives.rates import rate_text
from feltlab.report.document import Block, Document, Items, Paragraph, Section, TableBlock, Tone, columns
from feltlab.text import capitalised, dollars, listing, money, percent, round_fraction

EXAMPLES = 6  # of hands that are played differently
ROUNDED_FROM = 10_000  # one in so many is printed without decimals
MAX_EXACT_CHARS = 40  # of an exact amount that is printed
TONES: dict[str, Tone] = {"passes": "good", "fails": "bad", "to do": "plain"}


def proof_document(proof: ProgressiveProof) -> Document:
    """The proof of a progressive at a game."""
    return _document(proof.progressive, "Proof of a progressive", proof_sections(proof))


def proposal_document(proposal: Proposal) -> Document:
    """The proposal of a progressive: its data, its chances and every check."""
    rows = tuple((item.verdict, item.name, item.sentence, item.citation) for item in proposal.items)
    tones = tuple(TONES[item.verdict] for item in proposal.items)
    verdict = "It may be proposed." if proposal.is_sound else "It may not be proposed as it is."
    checks = (
        Paragraph(verdict, "good" if proposal.is_sound else "bad"),
        TableBlock(columns("verdict", "item", "finding", "source"), rows, tones=tones),
    )
    data = Section("The progressive", (*_terms(proposal.progressive), _chances(proposal)))
    return _document(proposal.progressive, "Proposal of a progressive", (data, Section("Checks", checks)))


def _document(progressive: Progressive, kind: str, sections: tuple[Section, ...]) -> Document:
    digest, status = digest_progressive(progressive), capitalised(progressive.status)
    return Document(progressive.title, kind, digest, progressive.date, sections, (f"{status}.",))


# -- Terms ------------------------------------------------------------------------------------------


def _terms(progressive: Progressive) -> tuple[Block, ...]:
    rules = (
        f"One bet of {dollars(progressive.bet_cents)} for each seat; the house keeps"
        f" {rate_text(progressive.house_rate)} of it, from which the tray pays fixed prizes.",
        f"A fold {'forfeits the jackpot' if progressive.fold == 'forfeits' else 'leaves the jackpot open'}.",
        "Two wins of the whole meter in one round share it."
        if progressive.top_tie == "split"
        else "Of two wins of the whole meter in one round the first dealt takes it, the next the new seed.",
        "Shares of one round are of the amount when bets were locked."
        if progressive.share_tie == "simultaneous"
        else "Shares of one round are taken one after the other.",
        *(_describe_meter(meter) for meter in progressive.meters),
    )
    return (Items(rules),)


def _describe_meter(meter: Meter) -> str:
    parts = [
        f"Meter {meter.name!r} begins at {dollars(meter.seed_cents)}, paid by the {meter.seeded_by}",
        f"{rate_text(meter.rate)} of each bet is displayed",
    ]
    if meter.reserve_rate:
        parts.append(f"{rate_text(meter.reserve_rate)} is kept for later seeds")
    if meter.hidden_rate:
        parts.append(f"{rate_text(meter.hidden_rate)} is hidden until the next jackpot begins")
    if meter.cap_cents is not None:
        where = "next jackpot" if meter.overflow == "next" else meter.overflow
        parts.append(f"it stops at {dollars(meter.cap_cents)}; the rest goes to the {where}")
    if meter.must_hit:
        low, high = dollars(meter.must_hit.low_cents), dollars(meter.must_hit.high_cents)
        knots = [f"{percent(p, 2)} of them by {dollars(cents)}" for cents, p in meter.must_hit.knots]
        law = f", {listing(knots)}" if knots else ", all equally likely"
        parts.append(f"it is won at a secret amount between {low} and {high}{law}")
    return "; ".join(parts) + "."


def describe_prize(level: Level) -> str:
    """'100 % of the meter', '$50 for one'."""
    prize = f"{rate_text(level.share)} of the meter" if level.share else dollars(level.fixed_cents)
    source = " from the meter" if level.from_meter else ""
    return f"{prize}{source}, {'to one' if level.to_one else 'for one'}"


def _chances(proposal: Proposal) -> TableBlock:
    rows = tuple(
        (level.name, describe_prize(level), *(str(found[n]) for found in proposal.chances.values()))
        for n, level in enumerate(proposal.progressive.levels)
    )
    return TableBlock(columns("level", "prize", *(f">{game}" for game in proposal.chances)), rows)


# -- The proof --------------------------------------------------------------------------------------


def proof_sections(proof: ProgressiveProof) -> tuple[Section, ...]:
    """The sections of a proof."""
    meters = (_meter_section(proof, meter) for meter in proof.progressive.meters)
    joint = (_joint_section(proof, joint) for joint in proof.joints.values())
    return (_levels_section(proof), *meters, *joint)


def name_others(game: str, proofs: tuple[ProgressiveProof, ...]) -> Iterator[str]:
    """A line for each progressive that comes with a game and is not proved in its PAR sheet."""
    proved = {proof.progressive.name for proof in proofs}
    for each in progressives_of(game) if game in GAMES else ():
        if each.name not in proved:
            yield f"{each.title} ({each.status}) is not in this sheet; --progressive {each.name} adds it"


def par_sections(proofs: tuple[ProgressiveProof, ...]) -> Iterator[Section]:
    """The progressives of a PAR sheet: each with its terms, and the sections of its proof below it."""
    for proof in proofs:
        progressive = proof.progressive
        status = Paragraph(
            f"{capitalised(progressive.status)}. Rules of {progressive.date}, digest"
            f" {digest_progressive(progressive)}.",
            "note",
        )
        yield Section(f"Progressive: {progressive.title}", (status, *_terms(progressive)))
        for section in proof_sections(proof):
            yield replace(section, level=2)


def _levels_section(proof: ProgressiveProof) -> Section:
    lines = proof.returns.level_returns()
    rows = tuple(
        (
            line.level.name,
            describe_prize(line.level),
            str(line.chance),
            percent(line.chance, 6),
            _one_in(line.chance),
            money(float(line.mean_cents)),
            _six(line.returned),
        )
        for line in lines
    )
    any_chance = sum((line.chance for line in lines), Fraction(0))
    total = (
        "all levels", "", "", percent(any_chance, 6),
        f"{float(1 / any_chance):,.2f}" if any_chance else "never", "",
        _six(sum((line.returned for line in lines), Fraction(0))),
    )  # fmt: skip
    heads = columns("level", "prize", ">chance", ">percent", ">one in", ">mean", ">return")
    blocks: tuple[Block, ...] = (
        TableBlock(heads, (*rows, total), totals=1),
        *(Paragraph(note) for note in _level_notes(proof) if note),
    )
    return Section("Levels", blocks)


def _level_notes(proof: ProgressiveProof) -> list[str]:
    returns = proof.returns
    terms = [f"{_six(returns.fixed)} in fixed prizes"]
    for meter in proof.progressive.meters:
        if slope := returns.slope(meter):
            terms.append(f"{_six(slope * 100_000)} for each $1,000 on meter {meter.name}")
        if secret := returns.must_hit_return(meter):
            terms.append(f"{_six(secret)} by meter {meter.name}, which is won at a secret amount")
    played = (
        "" if not proof.joints else " It counts the levels under the play that is best for the game alone."
    )
    return [
        f"A bet returns {listing(terms)}.{played}",
        f"In the long run a bet returns {percent(returns.long_run)}; the tray, the bets and the seeds put in"
        f" {percent(returns.conserved)}.",
        f"Envy returns {percent(returns.envy())} more for each other seat with a bet."
        if returns.envy()
        else "",
    ]


def _one_in(chance: Fraction) -> str:
    """'98.93', '108,290', 'never'."""
    if not chance:
        return "never"
    many = float(1 / chance)
    return f"{many:,.0f}" if many >= ROUNDED_FROM else f"{many:,.2f}"


def _six(value: Fraction) -> str:
    return str(round_fraction(value, 6))


def _meter_section(proof: ProgressiveProof, meter: Meter) -> Section:
    returns, rate = proof.returns, proof.returns.win_rate(meter)
    even, half = proof.break_even_of(meter), proof.returns.clock_percentile(meter, 50)
    facts = [
        _line_note(proof, meter),
        f"A bet breaks even at {money(float(even))}{_exactly(even)}." if even is not None else "",
        f"The mean win is {money(float(returns.mean_seen(meter)))}.",
        f"It is won once in {float(1 / rate):,.0f} bets: once in {float(proof.clock.rounds(1 / rate)):,.0f}"
        f" rounds of {_describe_tables(proof)}, or once in {float(proof.clock.days(1 / rate)):,.1f} days of"
        f" {proof.clock.bets_a_day:,} bets. Half of all wins come within {half:,} bets, or"
        f" {float(proof.clock.days(half)):,.1f} days.",
        f"Its seeds cost {percent(returns.seed_cost(meter))} of the bets.",
        *_law_notes(proof, meter),
    ]
    amounts = proof.percentiles(meter)
    table = TableBlock(
        columns("of all wins", *(f">{n} %" for n in amounts)),
        (("are at most", *(money(float(amount)) for amount in amounts.values())),),
    )
    return Section(f"Meter {meter.name}", (Items(tuple(fact for fact in facts if fact)), table))


def _describe_tables(proof: ProgressiveProof) -> str:
    clock = proof.clock
    tables = f"{clock.tables:,} tables" if clock.tables > 1 else "a table"
    return f"{tables} with {clock.seats} bets"


def _line_note(proof: ProgressiveProof, meter: Meter) -> str:
    """The return as a line in the meter, or what a secret amount makes of it."""
    if meter.must_hit:
        returned = percent(proof.returns.must_hit_return(meter))
        return f"It returns {returned} of each bet in the long run, and more the nearer it is to its end."
    slope, other = proof.returns.slope(meter) * 100_000, proof.return_without(meter)
    return (
        f"A bet returns {percent(other)} without this meter, and {percent(slope)} more for each $1,000 on it."
    )


def _exactly(cents: Fraction) -> str:
    """The exact amount where it is short enough to be read."""
    dollars_exactly = str(cents / 100)
    return f", {dollars_exactly} dollars exactly" if len(dollars_exactly) <= MAX_EXACT_CHARS else ""


def _law_notes(proof: ProgressiveProof, meter: Meter) -> list[str]:
    notes = []
    if proof.is_simulated(meter):
        history, mine = proof.histories[meter.name], [*proof.progressive.levels_on(meter)]
        lines = proof.returns.level_returns()
        exact = sum((line.returned for line in lines if line.level in mine), Fraction(0))
        notes.append(
            f"{history.bets:,} simulated bets returned {history.returned:.6f} from this meter, with a"
            f" standard error of {history.error:.6f}; exactly it is {_six(exact)}. The percentiles are"
            " simulated."
        )
    if meter.cap_cents is not None and not meter.must_hit:
        share = proof.returns.overflow_share(meter)
        where = "next jackpot" if meter.overflow == "next" else meter.overflow
        cost = "costs the players nothing in the long run"
        if meter.overflow != "next":
            cost = f"costs them {percent(Fraction(share) * meter.rate)} of each bet"
        notes.append(
            f"{percent(share)} of the contributions come while it is at its cap of"
            f" {dollars(meter.cap_cents)}, and go to the {where}; that {cost}."
        )
    return notes


def _joint_section(proof: ProgressiveProof, joint: JointPlay) -> Section:
    unit, bet = dollars(joint.unit_cents), dollars(proof.progressive.bet_cents)
    title = "Joint play" if len(proof.joints) == 1 else f"Joint play with meter {joint.meter.name}"
    base = f"The stake is {_stake(proof)}, in units of {unit}, and {bet} on the jackpot."
    others = [
        f"{meter.name} at {dollars(proof.mean_cents(meter))}"
        for meter in proof.progressive.meters
        if meter.name in proof.joints and meter != joint.meter
    ]
    base += f" The other meters stay at their means: {listing(others)}." if others else ""
    if joint.first_move is None:
        never = "The best play never moves with the meter: it serves every hand that can claim a level."
        return Section(title, (Paragraph(base), Paragraph(never)))
    seen = proof.mean_cents(joint.meter)
    facts = Items(tuple(_joint_facts(joint, seen)))
    blocks: tuple[Block, ...] = (Paragraph(base), facts, *_joint_tables(joint, seen))
    return Section(title, blocks)


def _joint_facts(joint: JointPlay, seen: int) -> Iterator[str]:
    first, even = joint.first_move, joint.break_even
    yield (
        f"The best play first changes at {money(float(first))} on the meter."
        if first
        else "The fixed prizes change the best play even at an empty meter."
    )
    what = "hands are played" if isinstance(joint, OneChoicePlay) else "first choices are made"
    yield (
        f"At the mean of {money(float(seen))}, {percent(joint.moved_share(seen))} of the {what} differently;"
        f" playing for both gains {money(float(joint.gain_at(seen)))} a round."
    )
    if even is not None:
        yield f"Played together, the jackpot's bet breaks even at {money(float(even))}."


def _joint_tables(joint: JointPlay, seen: int) -> Iterator[TableBlock]:
    if moves := joint.examples(seen, EXAMPLES):
        yield TableBlock(columns("hand", "without the jackpot", "at the mean meter"), tuple(moves))
    if isinstance(joint, StreetPlay):
        rows = tuple(
            (street, choice, percent(old), percent(new))
            for street, choice, old, new in joint.street_shares(seen)
        )
        heads = columns("street", "choice", ">rounds without the jackpot", ">at the mean meter")
        yield TableBlock(heads, rows)


def _stake(proof: ProgressiveProof) -> str:
    return ", ".join(f"{bet} {units}" for bet, units in proof.stake.items() if units)
