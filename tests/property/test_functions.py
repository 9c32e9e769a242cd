"""A call of a function is read as its text is, with the arguments written in its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.functions import define_functions
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.model_schema import FunctionDocument
from sopforge.language.domain.documents.yaml_documents import Document
from sopforge.language.domain.parsing import Scope, parse_condition, parse_value
from sopforge.language.domain.values.types import BooleanType
from tests.generators.models import make_model

MODELS = 40


def define(scope: Scope, **texts: tuple[tuple[str, ...], str]) -> Scope:
    """Return a scope with functions, each of what it takes and its text."""
    gathering = Gathering(Document("made.yaml", {}, {(): 1}))
    documents: Mapping[str, FunctionDocument] = {
        name: FunctionDocument.model_validate({"takes": takes, "is": text})
        for name, (takes, text) in texts.items()
    }
    functions = define_functions(Reader(gathering, scope), documents, ())
    assert not gathering.faults
    return replace(scope, functions=functions)


def rename(text: str, old: str, new: str) -> str:
    """Return a text in which a field is called otherwise; attributes and labels stay."""
    parts = re.split(r"('[^']*')", text)
    return "".join(
        part if part.startswith("'") else re.sub(rf"(?<![\w.]){old}(?!\w)", new, part)
        for part in parts
    )


@pytest.mark.parametrize("number", range(MODELS))
def test_a_call_is_read_as_the_text_itself(number: int) -> None:
    model = make_model(number)
    tried = 0
    for item in model.questions:
        fields = [name for name in model.scope.fields if rename(item.text, name, "_") != item.text]
        if item.decision is not None or not fields or "O'" in item.text or '"' in item.text:
            continue
        first, *rest = fields
        text = rename(item.text, first, "p_1")
        takes: tuple[str, ...] = ("p_1",)
        if rest:
            text, takes = rename(text, rest[0], "p_2"), ("p_2", "p_1")
        inner = (takes, text)
        outer = (("q",), f"inner({', '.join('q' if t == 'p_1' else rest[0] for t in takes)})")
        scope = define(model.scope, inner=inner, outer=outer)
        direct = f"inner({', '.join(first if t == 'p_1' else rest[0] for t in takes)})"
        kind = item.expression.type
        for called in (direct, f"outer({first})"):
            found = (
                parse_condition(called, scope)
                if isinstance(kind, BooleanType)
                else parse_value(called, scope, kind)
            )
            assert found == item.expression, (item.text, called)
        tried += 1
    assert tried > 5
