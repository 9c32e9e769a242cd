"""The page on briefs is right: all of its examples together are one brief without findings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.language.domain.documents.model_schema import ModelDocument
from sopforge.language.domain.documents.yaml_documents import Plain, read_document, write_document
from sopforge.language.domain.parsing import Scope, parse_condition, parse_value
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.domain.values.types import NumberType
from sopforge.pipeline.stages.pipeline import Ending, advance
from sopforge.store.opening import open_store
from sopforge.workspace import DOMAIN, Workspace

PAGE = (Path(__file__).parents[2] / "docs" / "brief.md").read_text(encoding="utf-8")
Part: TypeAlias = dict[str, Plain]


def examples() -> list[Part]:
    """Return the YAML examples of the page, in order."""
    found = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    parts = [read_document(text, "docs/brief.md").value for text in found]
    return [part for part in parts if isinstance(part, dict)]


def joined(parts: list[Part]) -> Part:
    """Return the examples as one brief: what belongs under ``model`` or ``fields`` put there."""
    whole: Part = {"model": {}}
    for part in parts:
        for name, value in part.items():
            if name == "fields":
                add(whole, {"model": {"entities": {"rental": {"fields": value}}}})
            elif name in ModelDocument.model_fields:
                add(whole, {"model": {name: value}})
            else:
                add(whole, {name: value})
    return whole


def add(whole: Part, part: Part) -> None:
    """Put a part into a whole; nothing is said twice."""
    for name, value in part.items():
        there = whole.setdefault(name, {}) if isinstance(value, dict) else None
        if isinstance(there, dict) and isinstance(value, dict):
            add(there, value)
        else:
            assert name not in whole, name
            whole[name] = value


@pytest.fixture(scope="module")
def brief() -> Brief:
    return read_brief(write_document(joined(examples())), "docs/brief.md")


def test_no_example_is_left_out() -> None:
    assert len(examples()) == PAGE.count("```yaml") == 20


def test_the_examples_are_one_brief_without_findings(brief: Brief) -> None:
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    assert examine("schema", workspace) == []


def test_the_examples_go_through_all_stages(tmp_path: Path) -> None:
    parts = {**joined(examples()), "complexity": {"levels": ["L0", "L3"]}}
    brief = read_brief(write_document(parts), "docs/brief.md")
    ended = advance(open_store(tmp_path), brief, approve_clean=True)
    assert (ended.ending, ended.version.manifest.findings) == (Ending.APPROVED, ())


def test_the_examples_use_every_kind_of_part(brief: Brief) -> None:
    documents = brief.parts.model
    assert documents is not None
    fields = [item for entity in documents.entities.values() for item in entity.fields.values()]
    assert {item.type for item in fields} == {
        *("string", "integer", "number", "boolean", "enum", "set", "date", "datetime", "list"),
    }
    assert {item.role for item in fields} == {
        *("input", "observed", "derived", "outcome", "distractor", "secret"),
    }
    hits = {decision.hit for decision in documents.decisions.values() if decision.hit}
    assert hits == {"unique", "first", "any", "priority", "collect"}
    assert {tool.kind for tool in documents.tools.values()} == {"lookup", "compute", "action"}


def list_conditions() -> list[str]:
    """Return the expressions of the table of what to write."""
    section = PAGE.partition("## Conditions and values")[2].partition("\n## ")[0]
    cells = [line.split(" | ")[-1] for line in section.splitlines() if line.startswith("| ")][2:]
    codes = [text for cell in cells for text in re.findall(r"`([^`]+)`", cell)]
    words = {"and", "or", "not", "== 'yes'", "min"}
    found = [text.strip('"') for text in codes if text not in words and "(...)" not in text]
    # A date has no type of its own beside a number's and a condition's: it is read in a comparison.
    return [f"{text} == {text}" if text.startswith("add_") else text for text in found]


@pytest.mark.parametrize("text", list_conditions())
def test_what_the_table_says_to_write_can_be_written(text: str, brief: Brief) -> None:
    model = brief.model
    days = NumberType(1, 60)
    scope = Scope(
        fields={**{name: item.type for name, item in model.fields.items()}, "days": days},
        constants={name: item.constant for name, item in model.policy.items()},
        optional=frozenset(name for name, item in model.fields.items() if item.missing),
        malformable=frozenset(item.name for item in model.malformable),
        calendars={name: calendar for name, (calendar, _) in model.calendars.items()},
    )
    wide = NumberType(-(10**12), 10**12, 6)
    is_value = text.startswith(
        (
            *("5 if", "round", "sum", "max", "min", "average", "days_", "count(d"),
            *("floor", "ceiling", "remainder", "deposit **"),
        )
    )
    read = parse_value(text, scope, wide) if is_value else parse_condition(text, scope)
    assert isinstance(read.type, NumberType) == is_value
