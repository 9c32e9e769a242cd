"""Whether a file that a person edited is still of its form, before anything is made of it."""

from __future__ import annotations

import ast
import json
import textwrap

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.language.domain.reading import read_domain

DOMAIN_FILE = "domain.yaml"


class _Schema(BaseModel):
    properties: dict[str, object]
    required: list[str]


class _Input(BaseModel):
    form: _Schema = Field(alias="json")


class _Spec(BaseModel):
    name: str
    description: str
    takes: _Input = Field(alias="inputSchema")


class _Tool(BaseModel):
    spec: _Spec = Field(alias="toolSpec")


_TOOLSPECS = TypeAdapter(list[_Tool])
"""The form of tool descriptions: what they say of each tool is for the checks."""


def refuse_unreadable(name: str, text: str) -> None:
    """Raise ``MaterialError`` for a text that is not of its file's form."""
    try:
        match name:
            case "domain.yaml":
                read_domain(text, name)
            case "openapi.yaml":
                _refuse_other_shape(
                    read_document(text, name).value, dict, "a mapping (name: value)"
                )
            case "toolspecs.json":
                _read_toolspecs(text)
            case "tools.py":
                ast.parse(text)
            case _:
                _ = text.encode()
    except (SyntaxError, ValueError) as cause:
        message, hint = f"the file cannot be read: {cause}", "correct it, then submit it again"
        raise MaterialError(Fault("edit-unreadable", message, name, hint)) from cause


def _read_toolspecs(text: str) -> None:
    """Raise ``ValueError`` for a text that is no list of tools as checks read them."""
    value = json.loads(text)
    _refuse_other_shape(value, list, "a list of tools")
    try:
        _TOOLSPECS.validate_python(value)
    except ValidationError as cause:
        first = cause.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        message = f"{place}: {first['msg']}"
        raise ValueError(message) from cause


def _refuse_other_shape(value: object, shape: type, called: str) -> None:
    """Raise ``ValueError`` for a text of another form than its file."""
    if not isinstance(value, shape):
        found = textwrap.shorten(str(value), 40, placeholder="...")
        raise ValueError(f"expected {called}, found '{found}'")  # noqa: TRY004 - as json raises
