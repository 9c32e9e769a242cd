"""The form of what makes complexity levels harder."""

from __future__ import annotations

from pydantic import Field

from sopforge.authors.prompts.forms.form import Output


class WrittenNames(Output):
    """Names of a trade; a list that is not asked for is empty."""

    roles: list[str] = Field(description="Names in the singular, without an article.")
    systems: list[str] = Field(description="Names in the singular, without an article.")
    papers: list[str] = Field(description="Names in the singular, without an article.")
