"""Answers in the form of a JSON schema: how a schema is put, and what an answer lacks of it."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from jsonschema import Draft202012Validator

from sopforge.providers.completion import Completion, JsonSchema, Request, StopReason

Route: TypeAlias = Literal["native", "tool"]

# The name of the tool, or of the schema, under which an answer is asked for.
ANSWER = "answer"
MOST_PROBLEMS = 10
_REFUSED_NATIVE = re.compile(
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
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except ValueError as cause:
        raise Unfit([f"the answer is not JSON: {cause}"]) from cause
    found = Draft202012Validator(schema).iter_errors(value)
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


def outcome_of(request: Request, completion: Completion) -> Outcome:
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

    def route(self, model: str) -> Route:
        """Return the model's route."""
        return "tool" if model in self._forced else self._first

    def is_refused(self, model: str, message: str) -> bool:
        """Return whether a refusal is of the native route, which is then taken no more."""
        if self.route(model) == "tool" or not _REFUSED_NATIVE.search(message):
            return False
        self._forced.add(model)
        return True


def _refuse_constant(name: str) -> None:
    message = f"{name} is no number of JSON"
    raise ValueError(message)
