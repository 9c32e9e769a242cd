"""Claims: what a release says of itself, and whether it was found so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sopforge.errors import SopForgeError, shorten_texts
from sopforge.findings import Finding, convert_faults, has_errors, make_error_finding
from sopforge.untrusted.content import UNREADABLE, describe


class ClaimStanding(StrEnum):
    """Whether a claim was found to hold."""

    VERIFIED = "verified"
    FAILED = "failed"
    OPEN = "not verified"


@dataclass(frozen=True, slots=True)
class Observation:
    """What was found of a claim: what there is to say, and what is wrong.

    ``is_open`` says that it could not be looked at; ``message`` says why.
    """

    message: str
    findings: Sequence[Finding] = ()
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a release says of itself: of which part, what, and whether it holds."""

    part: str
    what: str
    standing: ClaimStanding
    message: str
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        shorten_texts(self)

    def as_record(self) -> dict[str, object]:
        """Return the claim as plain JSON values."""
        return {
            "part": self.part,
            "what": self.what,
            "standing": self.standing.value,
            "message": self.message,
            "findings": [finding.as_record() for finding in self.findings],
        }


def check_claim(part: str, what: str, look: Callable[[], Observation]) -> Claim:
    """Return what looking finds of a claim; files that cannot be read make it fail."""
    try:
        seen = look()
    except SopForgeError as refused:
        seen = Observation("the package cannot be examined", convert_faults(refused.faults))
    except UNREADABLE as broken:
        message = f"{what} cannot be read: {describe(broken)}"
        seen = Observation(
            "it cannot be read", [make_error_finding("package-malformed", message, where=part)]
        )
    standing = ClaimStanding.OPEN if seen.is_open else ClaimStanding.VERIFIED
    # Errors count before what could not be looked at: a claim that is wrong in part is wrong.
    if has_errors(seen.findings):
        standing = ClaimStanding.FAILED
    return Claim(part, what, standing, seen.message, tuple(seen.findings))


def make_wrong_findings(messages: Iterable[str], where: str) -> list[Finding]:
    """Return what is not as a release says, as findings."""
    hint = "get the release again from its publisher"
    return [
        make_error_finding("release-wrong", message, where=where, hint=hint) for message in messages
    ]
