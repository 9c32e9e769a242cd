"""What was done on the day of an entry, alone and beside what else is said of the entry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.language.domain.parsing import parse_value
from sopforge.language.english.words import phrase_expression
from tests.generators import english_domain as domain

LATE = "sum(i.amount for i in visits if i.paid_on < sent_on)"
LATE_AND_FAST = "sum(i.amount for i in visits if i.paid_on < sent_on and i.kind == 'Fast')"


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("paid", ("visits paid before", "visits that were paid before")),
        ("that happened", ("visits that happened before", "visits that happened before")),
    ],
)
def test_it_reads_as_english(verb: str, words: tuple[str, str]) -> None:
    visits = domain.FIELDS["visits"]
    parts = tuple(replace(x, verb=verb if x.name == "paid_on" else x.verb) for x in visits.parts)
    fields = {**domain.FIELDS, "visits": replace(visits, parts=parts)}

    said = [
        phrase_expression(parse_value(text, domain.SCOPE, domain.WIDE), fields)
        for text in (LATE, LATE_AND_FAST)
    ]

    assert words[0] in said[0]
    assert words[1] in said[1]
    assert "that were that" not in said[1]
