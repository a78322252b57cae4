"""A dealer's certificate: the games that a passed exam allows a dealer to deal, with a digest."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from feltlab.digests import digest_json
from feltlab.report.document import Document, Paragraph, Section, TableBlock, columns
from feltlab.report.documents.sign_off import LINE
from feltlab.school.exams.exam import ExamAttempt, parse_game
from feltlab.text import listing

SHOWN_DIGITS = 16  # of a digest, where it names a certificate


@dataclass(frozen=True)
class DealerCertificate:
    """A dealer's certificate; its digest covers all other fields."""

    number: int  # of the attempt
    dealer: str
    exam: int
    games: tuple[str, ...]
    rules: tuple[str, ...]  # the digest of the rules of each game
    right: int
    hands: int
    pass_percent: int
    trainer: str
    day: str
    digest: str = ""

    def compute_digest(self) -> str:
        plain = {name: value for name, value in self.to_json().items() if name != "digest"}
        return digest_json(plain)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "games": list(self.games), "rules": list(self.rules)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "DealerCertificate":
        """A certificate from plain data, of which nothing is left out."""
        return cls(**{**data, "games": tuple(data["games"]), "rules": tuple(data["rules"])})


def certify_attempt(attempt: ExamAttempt, day: date) -> DealerCertificate:
    """The certificate of a passed attempt."""
    issued = DealerCertificate(
        attempt.number,
        attempt.dealer,
        attempt.exam.number,
        attempt.exam.games,
        tuple(parse_game(words).digest for words in attempt.exam.games),
        attempt.right,
        len(attempt.questions),
        attempt.exam.pass_percent,
        attempt.exam.by,
        day.isoformat(),
    )
    return replace(issued, digest=issued.compute_digest())


def certificate_document(certificate: DealerCertificate) -> Document:
    """The certificate as a page to print."""
    games = [parse_game(words) for words in certificate.games]
    rows = tuple(
        (game.title, words.partition(" ")[2] or "as approved", digest)
        for game, words, digest in zip(games, certificate.games, certificate.rules, strict=True)
    )
    signed = ((certificate.trainer, "trainer", LINE), (certificate.dealer, "dealer", LINE))
    may_deal = f"{certificate.dealer} may deal {listing(g.title for g in games)}, having passed the exam."
    check = (
        f"feltlab school check {certificate.digest[:SHOWN_DIGITS]} prints what the school's ledger has under "
        "this digest: the dealer, the games and the day. A certificate that says anything else is forged."
    )
    return Document(
        certificate.dealer,
        "Dealer's certificate",
        certificate.digest,
        certificate.day,
        (
            Section(
                "Passed", (Paragraph(may_deal, "lead"), TableBlock(columns("", ""), _facts(certificate)))
            ),
            Section("Games", (TableBlock(columns("game", "options", "digest of its rules"), rows),)),
            Section("Signatures", (TableBlock(columns("name", "", "signature"), signed),)),
            Section("How to check it", (Paragraph(check, "note"),)),
        ),
    )


def _facts(certificate: DealerCertificate) -> tuple[tuple[str, str], ...]:
    right = f"{certificate.right} of {certificate.hands}; to pass {certificate.pass_percent} %"
    return (
        ("dealer", certificate.dealer),
        ("exam", f"{certificate.exam}, set by {certificate.trainer}"),
        ("right answers", right),
        ("day", certificate.day),
        ("digest", certificate.digest),
    )
