"""A catalogue of plausible services of any organisation: each office has each of the services."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Service:
    """A look-up that an office offers; ``{}`` and ``{office}`` stand for the office."""

    tool: str
    says: str
    field: str
    means: str
    values: tuple[str, ...]


OFFICES = (
    "archive",
    "cash office",
    "data protection office",
    "facilities desk",
    "help desk",
    "legal library",
    "mail room",
    "press office",
    "print shop",
    "quality team",
    "reception",
    "records room",
    "staff council",
    "training centre",
    "translation service",
    "travel desk",
)
SERVICES = (
    Service(
        "find{}Contact",
        "Find who at the {office} answers questions about {case} files",
        "{}_contact",
        "person at the {office} who answers questions",
        ("A. Brandt", "C. Okafor", "J. Marsh", "L. Ferrer", "M. Ito", "S. Novak"),
    ),
    Service(
        "get{}Hours",
        "Show when the {office} that keeps {case} files is open",
        "{}_hours",
        "opening hours of the {office}",
        ("Afternoons", "All day", "By appointment", "Mornings"),
    ),
    Service(
        "locate{}",
        "Show where the {office} that keeps {case} files is found",
        "{}_place",
        "place of the {office}",
        ("Annex", "East wing", "Ground floor", "Main building", "Riverside"),
    ),
    Service(
        "show{}Notice",
        "Show the latest notice of the {office} about {case} files",
        "{}_notice",
        "latest notice of the {office}",
        ("Copy filed", "New shelf mark", "No notice", "Scan replaced", "Yearly stocktaking"),
    ),
)
