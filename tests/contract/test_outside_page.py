"""The page on what a brief cannot say is right: faults that it names come, its advice has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.errors import MaterialError
from sopforge.language.domain.documents.model_schema import ModelDocument
from sopforge.language.domain.documents.yaml_documents import Plain, read_document, write_document
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace

PAGE = (Path(__file__).parents[2] / "docs" / "outside.md").read_text(encoding="utf-8")
AREA, R5 = "floor_area * height", "postcode in ['D-01067', 'D-10115']"
FAULTS = [
    ("A product of three fields", "degree-too-high", AREA, "length * width * height"),
    ("Labels such as NA", "label-not-safe", "not subject to customs", "NA"),
    ("Labels such as NA", "label-not-safe", "not subject to customs", "'null'"),
    ("Labels such as NA", "label-not-safe", "not subject to customs", "'007'"),
    ("Identifiers with leading zeros", "pattern-not-safe", "D-[0-9]{5}", "[0-9]{5}"),
    ("Text that must be understood", "type-error", R5, "'late' in remark"),
    ("Unbounded lists", "missing-field", "size: 4, ", ""),
    ("Unbounded lists", "invalid-value", "size: 4", "size: 61"),
    (
        "Results in the order of the rules",
        "invalid-value",
        "hit: collect",
        "hit: rule order",
    ),
    ("A rule that always applies", "unknown-field", "drawn or volume > 4000000", "true"),
    ("Recursion", "cyclic-decisions", AREA, '"min(volume + 1, 8000000)"'),
    ("Recursion", "endless-loop", ", at_most: 1, then: unclear", ""),
    ("Time zones", "value-not-allowed", "2026-03-01 00:00", "2026-03-01 08:00+01:00"),
    ("Chance", "unknown-function", "drawn or volume", "random() < 0.05 or volume"),
    ("Percentiles and roots", "unknown-function", "usual_weight > 500", "percentile(parts) > 500"),
    ("Percentiles and roots", "unknown-function", "usual_weight > 500", "sqrt(volume) > 500"),
    ("Clocks", "unknown-function", "drawn or volume", "now() > '2026-04-01 00:00' or volume"),
    ("Clocks", "unknown-field", "drawn or volume", "today > '2026-04-01' or volume"),
]


EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def join_examples(old: str = "", new: str = "") -> str:
    """Return the examples as one brief, with a text of one replaced; what is the model's put there.

    A text that is replaced stands once in them.
    """
    assert not old or sum(text.count(old) for text in EXAMPLES) == 1
    whole: dict[str, Plain] = {}
    for example in EXAMPLES:
        text = example.replace(old, new) if old else example
        part = read_document(text, "docs/outside.md").value
        assert isinstance(part, dict)
        for name, value in part.items():
            if name == "fields":
                add(whole, {"model": {"entities": {"crate": {"fields": value}}}})
            else:
                add(whole, {"model": {name: value}} if is_of_model(name) else {name: value})
    return write_document(whole)


def is_of_model(name: str) -> bool:
    return name in ModelDocument.model_fields


def add(whole: dict[str, Plain], part: dict[str, Plain]) -> None:
    for name, value in part.items():
        there = whole.setdefault(name, {}) if isinstance(value, dict) else None
        if isinstance(there, dict) and isinstance(value, dict):
            add(there, value)
        else:
            assert name not in whole, name
            whole[name] = value


def find_codes(text: str) -> set[str]:
    """Return the codes of what is wrong with a brief: in reading it, or in its model."""
    try:
        brief = read_brief(text, "outside.yaml")
    except MaterialError as cause:
        return {fault.code for fault in cause.faults}
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return {item.id for item in examine("schema", workspace)}


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_what_the_page_advises_is_a_brief_without_findings() -> None:
    assert find_codes(join_examples()) == set()


@pytest.mark.parametrize(("title", "code", "old", "new"), FAULTS)
def test_what_the_page_says_cannot_be_said_is_refused_as_it_says(
    title: str, code: str, old: str, new: str
) -> None:
    assert code in find_codes(join_examples(old, new))
    assert f"`{code}`" in section(title)


def test_every_code_of_the_table_is_tried() -> None:
    table = PAGE.partition("| --- | --- | --- |\n")[2].partition("\n\n")[0]

    assert {*re.findall(r"`([a-z-]+)`", table)} == {code for _, code, _, _ in FAULTS}
    titles = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert titles == list(dict.fromkeys(title for title, _, _, _ in FAULTS))
