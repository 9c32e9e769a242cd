from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest

from sopforge.authors.providers.completion import Completion, JsonSchema, Request, StopReason
from sopforge.authors.providers.structured_answers import (
    Outcome,
    Route,
    Routes,
    Unfit,
    assess_completion,
    read_value,
)
from sopforge.errors import Fault, ProviderError
from tests.worlds.providers import REQUEST, SCHEMA, answer, request_for

CITY = '{"city": "Graz", "people": 3}'


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


def test_of_many_problems_the_first_are_listed_and_the_rest_counted() -> None:
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
    assert assess_completion(request_for("anthropic", schema=SCHEMA), answer(text, stop)) is outcome
    if outcome is Outcome.MALFORMED:
        assert assess_completion(REQUEST, answer(text, stop)) is Outcome.ANSWER


def refusal(message: str, code: str = "model-request-refused") -> ProviderError:
    return ProviderError(Fault(code, message))


def routes_taken(schema: JsonSchema | None, *errors: ProviderError) -> list[str]:
    """Return the routes of two questions to a model that first fails so."""
    routes, taken, left = Routes(), list[str](), list(errors)

    def attempt(request: Request, route: Route) -> Completion:  # noqa: ARG001 - as adapters have it
        taken.append(route)
        if left:
            raise left.pop(0)
        return answer(CITY)

    for _ in range(2):
        with suppress(ProviderError):
            routes.complete(replace(REQUEST, schema=schema), attempt)
    return taken


def test_a_model_that_refuses_schemas_is_given_a_tool_from_then_on() -> None:
    error = refusal("output_config.format: not supported by this model")
    assert routes_taken(SCHEMA, error) == ["native", "tool", "tool"]
    assert routes_taken(None, error) == ["native", "native"]


def test_other_refusals_change_no_route() -> None:
    assert routes_taken(SCHEMA, refusal("prompt is too long")) == ["native", "native"]
    other = refusal("no access to structured outputs", "model-access-denied")
    assert routes_taken(SCHEMA, other) == ["native", "native"]


def test_a_tool_that_is_refused_as_well_is_an_error() -> None:
    errors = [refusal("response_format"), refusal("tools, and response_format"), refusal("no")]
    assert routes_taken(SCHEMA, *errors) == ["native", "tool", "tool"]


def test_another_model_keeps_its_own_route() -> None:
    routes, taken = Routes(), list[tuple[str, str]]()

    def attempt(request: Request, route: Route) -> Completion:
        taken.append((request.model, route))
        if (request.model, route) == ("old", "native"):
            raise refusal("json_schema")
        return answer(CITY)

    for model in ("old", "new"):
        routes.complete(replace(REQUEST, model=model, schema=SCHEMA), attempt)
    assert taken == [("old", "native"), ("old", "tool"), ("new", "native")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(r'{"city": "Gr\ud83dz", "people": 3}', id="half a pair"),
        pytest.param(r'{"city": "Gr\u0000z", "people": 3}', id="NUL"),
        pytest.param(r'{"city": "Gr\u001b[2Jz", "people": 3}', id="escape"),
        pytest.param("[" * 200_000, id="deep"),
    ],
)
def test_what_no_file_can_hold_is_out_of_form(text: str) -> None:
    with pytest.raises(Unfit):
        read_value(text, SCHEMA)


def test_tabs_and_line_ends_are_text() -> None:
    assert read_value(r'{"city": "Graz\n\tII", "people": 3}', SCHEMA)["city"] == "Graz\n\tII"
