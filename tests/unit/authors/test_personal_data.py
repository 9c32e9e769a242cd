"""A brief that names real people is noticed before it is sent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.authors.writers.personal_data import check_personal_data
from tests.unit.authors.test_model_author import brief_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ask jane.miller@riverbank-insurance.com about it.", "a mail address"),
        # The examples of the standards' own pages.
        ("Pay to GB82 WEST 1234 5698 7654 32 at once.", "an account number"),
        ("The card 4111 1111 1111 1111 was charged.", "a card number"),
        ("Call +44 20 7946 0958 first.", "a telephone number"),
        ("His number is 078-05-1120.", "a social security number"),
    ],
)
def test_what_has_the_form_of_personal_data_is_reported_with_its_line(text: str, kind: str) -> None:
    brief = brief_of(guidelines=text)

    (found,) = check_personal_data(brief)

    line = next(n for n, one in enumerate(brief.text.splitlines(), 1) if text[:12] in one)
    assert found.message.startswith(kind)
    assert found.where == f"fees.yaml:{line}"
    assert text not in str(found.as_record())


@pytest.mark.parametrize(
    "text",
    [
        "Write to clerk@example.com or clerk@mail.example.org.",
        "Policies have numbers such as INS123456, GB82 or 2026-01-31.",
        "Orders such as 4111 1111 1111 1112 are no cards.",
        "The fee is 1,250.50 EUR for 12 to 20 days; the pattern is [0-9]{6}.",
    ],
)
def test_what_only_looks_alike_is_not(text: str) -> None:
    assert check_personal_data(brief_of(guidelines=text)) == []


def test_the_draft_is_read_too() -> None:
    brief = replace(brief_of(), draft="Purpose\n\nAsk bob@real-firm.co.uk.\n")

    assert [found.where for found in check_personal_data(brief)] == ["draft:3"]
