"""What is said of the entries of lists: of one of them, of none, and of one list alone."""

from __future__ import annotations

from dataclasses import replace

from sopforge.language.domain.fields import Said
from sopforge.language.domain.parsing import parse_condition, parse_value
from sopforge.language.english.forms import Forms
from sopforge.language.english.words import phrase_expression
from tests.generators import english_domain as domain


def test_no_meaning_is_of_entries_of_two_lists() -> None:
    forms = Forms(domain.FIELDS)
    claim, visit = (("part", name, "settled") for name in ("claims", "visits"))

    assert forms.make("and", claim, visit) is None
    assert forms.make("and", claim, ("field", "fragile")) is not None


def test_an_average_without_entries_has_the_unit_of_the_others() -> None:
    rule = "average((i.amount for i in visits), places=1, default=0)"

    said = phrase_expression(parse_value(rule, domain.SCOPE, domain.WIDE), domain.FIELDS)

    unit = dict(domain.FIELDS["visits"].type.fields)["amount"].unit  # type: ignore[union-attr]
    assert unit
    assert said.endswith(f", or 0 {unit} if there is none")


def test_a_clause_with_a_value_has_the_verb_of_one_entry() -> None:
    visits = domain.FIELDS["visits"]
    clause = Said("it was for {}", "it was not for {}")
    parts = tuple(replace(x, value_clause=clause) if x.name == "kind" else x for x in visits.parts)
    fields = {**domain.FIELDS, "visits": replace(visits, parts=parts)}

    said = phrase_expression(
        parse_condition(
            "any(i.kind == speed and i.paid_on < sent_on for i in visits)", domain.SCOPE
        ),
        fields,
    )

    assert "that was for the speed" in said
