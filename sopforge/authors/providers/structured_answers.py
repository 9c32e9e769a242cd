"""Answers in the form of a JSON schema: how a schema is put, and what an answer lacks of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from sopforge.authors.providers.completion import Completion, JsonSchema, Request, StopReason
from sopforge.errors import ProviderError

Route: TypeAlias = Literal["native", "tool"]

# Control characters but tabs and line ends, and halves of surrogate pairs.
_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
# The name of the tool, or of the schema, under which an answer is asked for.
ANSWER = "answer"
MOST_PROBLEMS = 10
_ABOUT_SCHEMAS = re.compile(
    r"output_?config|output_?format|response_?format|text_?format|structured|json_?schema",
    re.IGNORECASE,
)


class Unfit(Exception):  # noqa: N818 - an answer that does not fit is no error of the program
    """An answer is not what its schema asks for; ``problems`` say why."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def read_value(text: str, schema: JsonSchema) -> Any:  # noqa: ANN401 - JSON
    """Return the value that a text holds.

    Raises:
        Unfit: the text is no JSON, or its value does not fit the schema.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import

    try:
        # Python reads NaN and Infinity unless it is kept from it; JSON has neither.
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as cause:
        raise Unfit([f"the answer is not JSON: {cause}"]) from cause
    odd = next(filter(None, map(_ODD.search, _iterate_texts(value))), None)
    if odd is not None:
        raise Unfit([f"the answer holds the character {odd[0]!r}, which no text can hold"])
    found = Draft202012Validator(schema).iter_errors(value)
    # In an order of its own: the errors go back to the model, and that question must have the same
    # words at the next run, or its answer on record would not be found (ADR 0009).
    errors = sorted(found, key=lambda error: (error.json_path, error.message))
    if errors:
        shown = [f"{error.json_path}: {error.message}" for error in errors[:MOST_PROBLEMS]]
        more = len(errors) - len(shown)
        raise Unfit([*shown, f"and {more} more"] if more else shown)
    return value


class Outcome(StrEnum):
    """What an answer is good for; all but the first are rejects."""

    ANSWER = "answer"
    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    CONTEXT_FULL = "context-full"


def assess_completion(request: Request, completion: Completion) -> Outcome:
    """Return what the answer is good for."""
    if completion.stop is not StopReason.END:
        return Outcome(completion.stop.value)
    if request.schema is not None:
        try:
            read_value(completion.text, request.schema)
        except Unfit:
            return Outcome.MALFORMED
    return Outcome.ANSWER


class Routes:
    """By which route each model is given a schema: its own, until it refuses that; then a tool."""

    def __init__(self, first: Route = "native") -> None:
        self._first = first
        self._forced: set[str] = set()

    def complete(
        self, request: Request, attempt: Callable[[Request, Route], Completion]
    ) -> Completion:
        """Return the answer of an attempt, by a tool where the model refuses the native route."""
        route: Route = "tool" if request.model in self._forced else self._first
        try:
            return attempt(request, route)
        except ProviderError as error:
            if request.schema is None or route == "tool" or not _is_about_schemas(error):
                raise
        self._forced.add(request.model)
        return attempt(request, "tool")


def _is_about_schemas(error: ProviderError) -> bool:
    fault = error.faults[0]
    return fault.code == "model-request-refused" and bool(_ABOUT_SCHEMAS.search(fault.message))


def _refuse_constant(name: str) -> None:
    message = f"{name} is no number of JSON"
    raise ValueError(message)


def _iterate_texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Return all texts in a value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        yield from _iterate_texts(list(value.values()))
    elif isinstance(value, list):
        for part in value:
            yield from _iterate_texts(part)
