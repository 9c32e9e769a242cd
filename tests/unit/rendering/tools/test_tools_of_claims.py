"""The emitted tools of a domain with every feature, against the model's own answers."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.values.types import Json, Value
from sopforge.language.logic.tool_calls import Refused, answer_tool_call
from sopforge.proof.dataset.records import as_json, write_records
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import CLAIMS, claim, claims, day, line, minute

MODEL = claims()
Record = Mapping[str, Value | None]


@dataclass(frozen=True)
class Emitted:
    """An emitted module with the records that it reads, imported from a folder of its own."""

    model: DomainModel
    module: ModuleType
    manager: Any
    records: list[Record]

    def call(self, tool: str, arguments: Mapping[str, object]) -> object:
        """Return what the tool answers, or the code of its refusal."""
        try:
            return self.manager.process_tool_call(tool, dict(arguments))
        except self.module.ToolRefusal as refusal:
            return refusal.code

    def expected(self, tool: Tool, frame: Record, record: Record) -> object:
        said = answer_tool_call(self.model, tool, frame, record)
        return said.code if isinstance(said, Refused) else as_json(self.model, said)


@cache
def render_claims() -> str:
    """Return the module of the claims, which takes more than a second to render."""
    return render_tools(MODEL)


@pytest.fixture
def emit(tmp_path: Path) -> Callable[..., Emitted]:
    """Return what writes and imports the module of a model with the given records."""

    def emitted(records: list[Record], model: DomainModel = MODEL) -> Emitted:
        for name, text in write_records(model, records).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        path = tmp_path / "tools.py"
        source = render_claims() if model is MODEL else render_tools(model)
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("emitted_tools", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return Emitted(model, module, module.ExpenseClaimsManager(), records)

    return emitted


def drawn(count: int) -> list[Record]:
    """Return records that the sampler draws, and some at the edges."""
    edges: list[Record] = [
        claim(claim_id="EX000001"),
        claim(claim_id="EX000002", lines=(), earlier_claims=None),
        claim(claim_id="EX000003", lines=(line(0, 100),), frozen=1, earlier_claims=()),
        claim(claim_id="EX000004", trip_end=day("2025-12-31"), pin="M2X"),
        claim(claim_id="EX000005", lines=(line(0, 60_000, extras=3),) * 4, grade=2, region=1),
        claim(claim_id="EX000006", handed_in_at=minute("2026-06-30 23:59")),
    ]
    rows = sample_rows(MODEL, 3, range(count))
    keys = {row["claim_id"] for row in edges}
    return edges + [row for row in rows if row["claim_id"] not in keys]


def frames(emitted: Emitted) -> Iterator[tuple[Tool, Record, Record]]:
    """Return each tool's arguments for each record, the amount to pay around its limits."""
    for place, record in enumerate(emitted.records):
        payable = (-1, 0, 1, 89_999, 90_000, 90_001)[place % 6]
        known = {**record, "payable": payable}
        for tool in emitted.model.tools.values():
            yield tool, {name: known[name] for name in tool.takes}, record


def test_every_tool_answers_as_the_model_does_on_drawn_records(
    emit: Callable[..., Emitted],
) -> None:
    emitted = emit(drawn(150))

    kinds = set()
    for tool, frame, record in frames(emitted):
        wanted = emitted.expected(tool, frame, record)
        kinds.add((tool.name, wanted if isinstance(wanted, str) else "answered"))
        assert emitted.call(tool.name, as_json(MODEL, frame)) == wanted

    refusals = ("wrong_code", "not_payable", "account_frozen", "answered")
    assert kinds == {
        *((tool.name, "answered") for tool in MODEL.tools.values()),
        *(("payClaim", code) for code in refusals),
    }


def test_arguments_of_another_record_are_answered_as_the_model_does(
    emit: Callable[..., Emitted],
) -> None:
    emitted = emit(drawn(60))
    others = [*emitted.records[1:], emitted.records[0]]

    found = set()
    for (tool, frame, record), other in zip(frames(emitted), repeated(others), strict=True):
        for name in tool.takes:
            if name == MODEL.key or name not in other:
                continue
            mixed = {**frame, name: other[name]}
            wanted = emitted.expected(tool, mixed, record)
            found.add(wanted if isinstance(wanted, str) else "answered")
            assert emitted.call(tool.name, as_json(MODEL, mixed)) == wanted
    assert {"record_mismatch", "wrong_code", "answered"} <= found


def repeated(records: list[Record]) -> list[Record]:
    return [record for record in records for _ in MODEL.tools]


LINES: list[dict[str, Json]] = [
    {"kind": "Meal", "amount": 12.5, "has_receipt": "yes", "extras": []},
    {"kind": "Hotel", "amount": 119.0, "has_receipt": "yes", "extras": []},
]
FIND: dict[str, Any] = {
    "claim_id": "EX000001",
    "lines": LINES,
    "handed_in_at": "2026-03-18 09:30",
    "signed_by": "Ada",
}


OTHERS: list[tuple[str, object, str]] = [
    ("lines", [], "record_mismatch"),
    ("lines", LINES[::-1], "record_mismatch"),
    ("lines", "no line", "invalid_parameter"),
    ("lines", LINES[0], "invalid_parameter"),
    ("lines", [1], "invalid_parameter"),
    ("lines", [{}], "invalid_parameter"),
    ("lines", [{**LINES[0], "x": 1}], "invalid_parameter"),
    ("lines", [{**LINES[0], "amount": 1.005}], "invalid_parameter"),
    ("lines", [{**LINES[0], "kind": "Bus"}], "invalid_parameter"),
    ("lines", [{**LINES[0], "extras": "Tip"}], "invalid_parameter"),
    ("lines", [LINES[0]] * 5, "invalid_parameter"),
    ("handed_in_at", "2026-03-18", "invalid_parameter"),
    ("handed_in_at", "2026-03-18T09:30", "invalid_parameter"),
    ("handed_in_at", "2026-03-18 9:30", "invalid_parameter"),
    ("handed_in_at", "2026-02-30 09:30", "invalid_parameter"),
    ("handed_in_at", "2026-03-18 24:00", "invalid_parameter"),
    ("handed_in_at", "2026-01-04 23:59", "invalid_parameter"),
    ("handed_in_at", "2026-07-01 00:00", "invalid_parameter"),
    ("handed_in_at", "2026-03-18 09:31", "record_mismatch"),
    ("signed_by", "Bo", "record_mismatch"),
]


def test_lists_times_and_texts_are_checked(emit: Callable[..., Emitted]) -> None:
    emitted = emit([claim()])

    found = [
        (name, given, emitted.call("findClaimant", {**FIND, name: given}))
        for name, given, _ in OTHERS
    ]

    assert found == OTHERS
    assert emitted.call("findClaimant", FIND) == {
        "grade": "Staff",
        "region": "Near",
        "line_manager": "Ada",
        "earlier_claims": [{"paid": 0.0, "was_late": "yes"}],
    }


def test_ties_are_rounded_away_from_zero(emit: Callable[..., Emitted]) -> None:
    """An eighth of each sum of cents: 0.135 is no float."""
    emitted = emit([claim()])
    parts: dict[tuple[int, ...], float] = {
        (4,): 0.01, (3,): 0.0, (100,): 0.13, (50, 50): 0.13, (108,): 0.14, (): 0.0
    }  # fmt: skip

    for cents, part in parts.items():
        meals = [{**LINES[0], "amount": float(Decimal(each).scaleb(-2))} for each in cents]
        said = emitted.call("addUp", {"lines": meals, "grade": "Staff", "region": "Near"})
        assert isinstance(said, dict)
        assert said["meal_part"] == part, cents


def test_a_calendar_without_holidays_counts_all_working_days(
    emit: Callable[..., Emitted],
) -> None:
    [days] = re.findall(r"holidays: \[[^\]]+\]", CLAIMS)
    arguments = {"trip_end": "2026-04-02", "handed_in_at": "2026-04-07 08:00"}

    emitted = emit([claim()], claims((days, "holidays: []")))

    # Thursday to Tuesday: Friday, Monday and Tuesday.
    assert emitted.call("countDays", arguments) == {"days_taken": 3, "claim_until": "2026-07-02"}


def test_the_module_holds_calendars_policy_and_functions_that_it_calls() -> None:
    source = render_claims()

    assert "# days on which the office is closed\nOFFICE = (\n    date(2026, 1, 1)." in source
    assert "# greatest amount that is paid at once: 900 USD\nPAY_LIMIT = 900\n" in source
    defined = re.findall(r"^def (\w+)\(", source, re.MULTILINE)
    assert {"rounded", "add_months", "workdays"} <= set(defined)
    assert all(source.count(f"{name}(") > 1 for name in defined)
    assert "LATE_AFTER" not in source


def test_a_secret_is_kept_in_the_records_and_shown_by_no_tool(emit: Callable[..., Emitted]) -> None:
    emitted = emit(drawn(40))

    for tool, frame, _ in frames(emitted):
        said = emitted.call(tool.name, as_json(MODEL, frame))
        assert "stored_pin" not in str(said)
        assert "stored_pin" not in tool.takes
    assert all(tool.kind is not ToolKind.COMPUTE for tool in MODEL.tools.values() if tool.guard)
