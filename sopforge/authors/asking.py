"""Asking a language model: what the model author needs of whoever reaches one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Asking(Protocol):
    """Asks a model by the templates in ``prompt_templates/``; answers have the asked form."""

    @property
    def identity(self) -> str:
        """Which model answers, with all settings that can change its answers."""

    def version(self, template: str) -> str:
        """Return the digest of a template with the form of its answers."""

    def ask(self, template: str, values: Mapping[str, object], *, stage: str) -> Mapping[str, Any]:
        """Return the answer to a template, which has the form that the template asks for.

        Raises:
            ProviderError: there is no such answer to be had; what was answered before is kept.
        """
