from __future__ import annotations

import pytest

from sopforge.checks.api.openapi_valid import CHECK
from sopforge.checks.spoiling import edit_text
from sopforge.workspace import OPENAPI, Workspace


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param("  schemas:\n", "  schemes:\n", "KeyError: 'schemas'", id="no schemas"),
        pytest.param("paths:\n", "paths: [\n", "Error", id="no YAML"),
        pytest.param("'#/components", "'other.yaml#/components", "other.yaml#", id="elsewhere"),
    ],
)
def test_a_document_that_cannot_be_followed_is_invalid(
    sound: Workspace, old: str, new: str, said: str
) -> None:
    (found,) = CHECK.examine(edit_text(sound, OPENAPI, old, new))
    assert found.id == "openapi-invalid"
    assert said in found.message
