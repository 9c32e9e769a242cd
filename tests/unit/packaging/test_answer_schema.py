"""An answer in JSON is graded as the same answer in XML elements is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from jsonschema import Draft202012Validator

from sopforge.artifacts.packaging.answer_schema import build_answer_schema
from sopforge.artifacts.packaging.carried_files import build_field_entry
from sopforge.language.domain.fields import Field
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import ListType, OrderedType, Value
from sopforge.session.score import is_equal, read_answer, read_value
from tests.worlds.small_models import DOMAINS

NAMES = ("callers", "dispatch", "kits", "lending", "repairs")


def list_values(item: Field) -> Iterator[Value | None]:
    """Yield values of a field: none where it may be missing, the first and the last."""
    kind = item.type
    if item.missing:
        yield None
    if isinstance(kind, ListType):
        least = {name: part.encode(_name_one(part)) for name, part in kind.fields}
        yield from ((), (least,), (least, least))
    elif isinstance(kind, OrderedType):
        yield from (kind.minimum, kind.maximum)
    else:
        whole = len(getattr(kind, "values", "no")) - 1
        yield from (0, 2**whole if kind.name == "set of labels" else 1)


def _name_one(part: object) -> object:
    if isinstance(part, OrderedType):
        return part.bound_cells[0]
    return getattr(part, "values", ("S123",))[0] if getattr(part, "pattern", "") == "" else "S123"


@pytest.mark.parametrize("name", NAMES)
def test_what_fits_the_schema_is_graded_like_elements(name: str) -> None:
    model = read_brief((DOMAINS / f"{name}.yaml").read_text("utf-8"), f"{name}.yaml").model
    validator = Draft202012Validator(build_answer_schema(model))
    final = {model.primary.name: model.primary.as_json(0)}

    for item in model.outcomes:
        read: Callable[[object], object] = partial(read_value, build_field_entry(item))
        cells = [item.format_cell(value) for value in list_values(item)]
        for value, cell in zip(list_values(item), cells, strict=True):
            answer = {**final, item.name: item.as_json(value)}
            stated = read_answer(f"```json\n{json.dumps(answer, indent=1)}\n```")
            elements = read_answer(f"<{item.name}>{cell}</{item.name}>")

            assert list(validator.iter_errors(answer)) == []
            assert is_equal(read, cell, stated[item.name]), (cell, stated)
            assert is_equal(read, cell, elements[item.name])
            # Right for no other value.
            others = [other for other in cells if other != cell]
            assert not any(is_equal(read, other, stated[item.name]) for other in others)
        assert list(validator.iter_errors({**final, "further": 1}))
    assert list(validator.iter_errors({}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '{"care": "plain", "fee": 12.50, "left": true, "why": null}',
            {"care": "plain", "fee": "12.50", "left": "yes"},
        ),
        (
            '{"papers": ["bill", "report"], "parts": [], "notes": [{"part": "Cap", "share": 0.5}]}',
            {
                "papers": "bill; report",
                "parts": "[]",
                "notes": '[{"part": "Cap", "share": "0.5"}]',
            },
        ),
        ("The answer is <care>plain</care>.", {"care": "plain"}),
        ('<care>plain</care> {"care": "careful"}', {"care": "plain"}),
        ('I call {"care": "plain"}', {}),
        ('{"name": "lookUp", "arguments": {"id": "C1"}}', {}),
        ('{"care": "plain"', {}),
        ('["plain"]', {}),
        ("{" + '"a":[' * 100_000, {}),
    ],
)
def test_a_text_that_is_one_object_states_its_values(text: str, found: dict[str, str]) -> None:
    assert read_answer(text) == found
