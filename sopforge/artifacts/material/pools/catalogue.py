"""A catalogue of plausible services of any organisation: each office has each of the services."""

from __future__ import annotations

from sopforge.artifacts.material.pools.trade_services import ServiceFrame

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
    ServiceFrame(
        "find{}Contact",
        "Find who at the {of} answers questions about {case} files",
        "{}_contact",
        "person at the {of} who answers questions",
        ("A. Brandt", "C. Okafor", "J. Marsh", "L. Ferrer", "M. Ito", "S. Novak"),
    ),
    ServiceFrame(
        "get{}Hours",
        "Show when the {of} that keeps {case} files is open",
        "{}_hours",
        "opening hours of the {of}",
        ("Afternoons", "All day", "By appointment", "Mornings"),
    ),
    ServiceFrame(
        "locate{}",
        "Show where the {of} that keeps {case} files is found",
        "{}_place",
        "place of the {of}",
        ("Annex", "East wing", "Ground floor", "Main building", "Riverside"),
    ),
    ServiceFrame(
        "show{}Notice",
        "Show the latest notice of the {of} about {case} files",
        "{}_notice",
        "latest notice of the {of}",
        ("Copy filed", "New shelf mark", "No notice", "Scan replaced", "Yearly stocktaking"),
    ),
)
