"""The shapes of the files that say a package with tables as data; their JSON Schema is published.

``requests.jsonl`` an agent may see, ``state/`` is what the tools work with, secrets among it, and
``grader/gold.jsonl`` is for graders.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

FORMAT = 1
FRAMES, TOOLS = "state/frames.json", "state/tools.json"
REQUESTS, GOLD = "requests.jsonl", "grader/gold.jsonl"
STATE_FILES = (FRAMES, TOOLS, REQUESTS, GOLD)


class Shape(BaseModel):
    """A part of a file; what it does not name is not there."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ValueShape(Shape):
    """What values a field has: numbers with their places and bounds, labels, dates, and so on."""

    type: Literal[
        "number", "yes or no", "label", "set of labels", "date", "date and time", "text", "list"
    ]
    places: int | None = None
    least: str | None = None
    most: str | None = None
    labels: list[str] | None = None
    empty: str | None = None
    size: int | None = None
    fields: dict[str, ValueShape] | None = None
    missing: Annotated[str | None, Field(description="the word for no value")] = None
    malformed: Annotated[list[str] | None, Field(description="other texts that stand here")] = None
    refers_to: Annotated[str | None, Field(description="the table whose key it holds")] = None


class Column(ValueShape):
    """A column of a table, with who may know it: secrets are the tools' alone."""

    role: Literal["input", "told", "observed", "distractor", "secret"]


class Table(Shape):
    """A table with its records by their keys."""

    key: str
    columns: dict[str, Column]
    records: dict[str, dict[str, JsonValue]]


class Fact(ValueShape):
    """A fact of the session, and what it begins with; null where it begins without a value."""

    starts: JsonValue


class Override(Shape):
    """What is other for one task: columns of records by their keys, by tables, and facts."""

    tables: dict[str, dict[str, dict[str, JsonValue]]] = {}
    session: dict[str, JsonValue] = {}


class Frames(Shape):
    """What sessions begin with: shared tables and facts, and by task what is other there."""

    format: Literal[1]
    tables: dict[str, Table]
    session: dict[str, Fact]
    tasks: dict[str, Override]


class Read(Shape):
    """A record that a tool reads: by a parameter, or by a reference that another record holds."""

    record: str
    table: str
    by: str


class CheckShape(Shape):
    """A check of a call: where its test fails, the tool refuses with this code."""

    id: str
    refusal: str
    says: str
    test: dict[str, Any]


class Effect(Shape):
    """What a call writes: a column of a record that it reads, or a fact where there is none."""

    record: str
    column: str
    value: dict[str, Any]


class ToolShape(Shape):
    """A tool: what it is called with, what it checks in order, writes and returns."""

    name: str
    kind: Literal["lookup", "compute", "action"]
    description: str
    parameters: Annotated[dict[str, Any], Field(description="JSON Schema of the arguments")]
    reads: list[Read]
    refusals: Annotated[list[str], Field(description="codes, in the order of what is looked at")]
    checks: list[CheckShape]
    effects: list[Effect]
    returns: dict[str, ValueShape]


class Tools(Shape):
    """The tools with their logic as data."""

    format: Literal[1]
    tools: list[ToolShape]


class Stated(Shape):
    """A value that a task states, with its type."""

    shape: ValueShape
    value: JsonValue


class Request(Shape):
    """What an agent is asked: the text, and the same field by field."""

    task_id: str
    split: str
    text: str
    request: dict[str, Stated]


class Call(Shape):
    """A gold call with its reply, the places of those that it needs, and whether it is needed."""

    tool: str
    arguments: dict[str, JsonValue]
    result: dict[str, JsonValue] | None = None
    refusal: str | None = None
    needs: list[int]
    is_minimal: bool


class Decider(Shape):
    """Whether a case changes a record, and what decided that."""

    acts: bool
    step: str | None = None
    node: str | None = None
    refusal: str | None = None
    parts: list[str] | None = None


class Gold(Shape):
    """What is right for a task: answers, what tables hold at the end, and the calls."""

    task_id: str
    outcomes: dict[str, str]
    scored: dict[str, str] = {}
    end_state: dict[str, dict[str, dict[str, JsonValue]]]
    decided_by: Decider
    calls: list[Call]
    pair: str | None = None


class State(Shape):
    """All files of the layout; each of them is one part of this."""

    frames: Frames
    tools: Tools
    requests: list[Request]
    gold: list[Gold]


def build_state_schema() -> dict[str, Any]:
    """Return the JSON Schema of the layout."""
    schema = State.model_json_schema()
    names = {"frames": FRAMES, "tools": TOOLS, "requests": REQUESTS, "gold": GOLD}
    for part, file in names.items():
        lines = ", an object on each line" if file.endswith(".jsonl") else ""
        schema["properties"][part]["description"] = f"{file}{lines}"
    return schema
