"""Asking a language model: what the model author needs of whoever reaches one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from sopforge.authors.providers.completion import Request


class Asking(Protocol):
    """Asks a model by the templates in ``prompt_templates/``; answers have the asked form."""

    @property
    def identity(self) -> str:
        """Which model answers, with all settings that can change its answers."""

    @property
    def concurrency(self) -> int:
        """How many questions may be open at once."""

    def compute_template_digest(self, template: str) -> str:
        """Return the digest of a template with the form of its answers."""

    def ask(
        self, template: str, values: Mapping[str, object], *, stage: str, repair: int = 0
    ) -> Mapping[str, Any]:
        """Return the answer to a template, which has the form that the template asks for.

        ``repair`` is the round of repair that it is asked in, 0 at the first writing.

        Raises:
            ProviderError: there is no such answer to be had; what was answered before is kept.
        """

    def find_recorded_answer(
        self, template: str, values: Mapping[str, object]
    ) -> tuple[Request, Mapping[str, Any] | None]:
        """Return the question as it would be put, and its answer if that is on record in form."""
