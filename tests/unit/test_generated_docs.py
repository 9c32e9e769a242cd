"""What the documentation takes from the code is what the code says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from sopforge.domain.operators import operators_page
from sopforge.domain.schema import BriefDocument, DomainDocument

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_operators_is_the_table(golden: object) -> None:
    assert callable(golden)
    golden(DOCS / "operators.md", operators_page())


@pytest.mark.parametrize(
    ("name", "shape"),
    [("brief", BriefDocument), ("domain", DomainDocument)],
    ids=["brief", "domain"],
)
def test_the_published_schema_is_the_models(
    name: str, shape: type[BriefDocument | DomainDocument], golden: object
) -> None:
    schema = shape.model_json_schema(by_alias=True)
    Draft202012Validator.check_schema(schema)
    assert callable(golden)
    golden(DOCS / "schemas" / f"{name}.schema.json", json.dumps(schema, indent=1) + "\n")
