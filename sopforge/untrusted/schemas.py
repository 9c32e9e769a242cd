"""JSON Schemas that strangers wrote: what they refer to is looked for in themselves alone."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry


def make_validator(schema: Any, formats: FormatChecker | None = None) -> Draft202012Validator:  # noqa: ANN401 - JSON
    """Return a validator that opens no address; the library's own asks files and the network.

    Its methods raise ``referencing.exceptions.Unresolvable`` where a reference leads elsewhere.
    """
    # An empty registry: without one, "$ref": "file:///etc/passwd" is fetched by the library.
    return Draft202012Validator(schema, registry=Registry(), format_checker=formats)
