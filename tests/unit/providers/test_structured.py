from __future__ import annotations

import pytest

from sopforge.providers.completion import StopReason
from sopforge.providers.structured import Outcome, Routes, Unfit, outcome_of, read_value
from tests.providers import REQUEST, SCHEMA, answer, request_for

CITY = '{"city": "Graz", "people": 3}'


def test_a_value_that_fits_is_returned() -> None:
    assert read_value(CITY, SCHEMA) == {"city": "Graz", "people": 3}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Graz", "the answer is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("", "the answer is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ('{"city": "Graz", "people": NaN}', "the answer is not JSON: NaN is no number of JSON"),
        ('{"city": "Graz"}', "$: 'people' is a required property"),
        ('{"city": "Graz", "people": 0}', "$.people: 0 is less than the minimum of 1"),
    ],
    ids=["text", "empty", "no number", "missing", "too small"],
)
def test_what_does_not_fit_says_where(text: str, problem: str) -> None:
    with pytest.raises(Unfit) as caught:
        read_value(text, SCHEMA)
    assert caught.value.problems == [problem]


def test_of_many_problems_the_first_are_told_and_the_rest_counted() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    with pytest.raises(Unfit) as caught:
        read_value('["a","b","c","d","e","f","g","h","i","j","k","l"]', schema)
    assert len(caught.value.problems) == 11
    assert caught.value.problems[-1] == "and 2 more"


@pytest.mark.parametrize(
    ("text", "stop", "outcome"),
    [
        (CITY, StopReason.END, Outcome.ANSWER),
        ("Graz", StopReason.END, Outcome.MALFORMED),
        (CITY, StopReason.TRUNCATED, Outcome.TRUNCATED),
        ("", StopReason.REFUSED, Outcome.REFUSED),
        ("", StopReason.CONTEXT_FULL, Outcome.CONTEXT_FULL),
    ],
    ids=["answer", "malformed", "truncated", "refused", "context full"],
)
def test_an_outcome_is_what_the_answer_is_good_for(
    text: str, stop: StopReason, outcome: Outcome
) -> None:
    assert outcome_of(request_for("anthropic", schema=SCHEMA), answer(text, stop)) is outcome
    if outcome is Outcome.MALFORMED:
        assert outcome_of(REQUEST, answer(text, stop)) is Outcome.ANSWER


def test_only_the_model_that_refused_schemas_is_given_a_tool() -> None:
    routes = Routes()
    assert not routes.is_refused("old", "prompt is too long")
    assert routes.is_refused("old", "output_config.format: not supported by this model")
    assert (routes.route("old"), routes.route("new")) == ("tool", "native")
    assert not routes.is_refused("old", "output_config.format: not supported by this model")
