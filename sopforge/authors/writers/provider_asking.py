"""Asks the provider that a brief names, by the templates that ship."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from threading import Lock
from typing import Any

from sopforge.authors.prompts.templates import Template, load_template
from sopforge.authors.providers.client import Client
from sopforge.authors.providers.completion import Request
from sopforge.authors.providers.following_up import find_recorded_value
from sopforge.authors.providers.ledger import Purpose
from sopforge.authors.providers.record import CompletionRecord
from sopforge.authors.providers.selection import RECORDS, build_client, find_api_family
from sopforge.authors.providers.settings import Settings
from sopforge.authors.providers.watching import Watch, ignore_event
from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.schema import AuthorDocument
from sopforge.store.objects import Objects


@dataclass(frozen=True)
class ProviderAsking:
    """Asks by template; the provider is reached, and its key looked for, when it is first asked."""

    writer: AuthorDocument
    objects: Objects
    domain: str
    settings: Settings = field(default_factory=Settings)
    watch: Watch = ignore_event
    _building: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    @property
    def concurrency(self) -> int:
        return self.settings.concurrency

    @property
    def identity(self) -> str:
        writer = self.writer
        return f"{writer.name} {self.model}, effort {writer.effort or 'as it comes'}"

    @property
    def model(self) -> str:
        """The model's id; raises ``MaterialError`` where the brief names none."""
        if self.writer.model is None:
            hint = "write 'author: {name: ..., model: ...}' with the provider's id of the model"
            raise MaterialError(
                Fault("no-model-named", "the brief names no language model", "author", hint)
            )
        return self.writer.model

    def compute_template_digest(self, template: str) -> str:
        return _get_template(template).digest

    def ask(
        self, template: str, values: Mapping[str, object], *, stage: str, repair: int = 0
    ) -> Mapping[str, Any]:
        found = _get_template(template)
        request = found.build_request(values, model=self.model, effort=self.writer.effort)
        purpose = Purpose(stage, found.name, found.version, found.digest, repair)
        # Of threads that ask at once, one builds the client, which keeps the budget of them all.
        with self._building:
            client = self._client
        answer: Mapping[str, Any] = client.ask(request, purpose).value
        return answer

    def find_recorded_answer(
        self, template: str, values: Mapping[str, object]
    ) -> tuple[Request, Mapping[str, Any] | None]:
        found = _get_template(template)
        request = found.build_request(values, model=self.model, effort=self.writer.effort)
        family = find_api_family(self.writer.name, self.model, self.settings)
        record = CompletionRecord(self.objects, RECORDS)
        purpose = Purpose("", found.name, found.version, found.digest)
        return request, find_recorded_value(record, family, request, purpose)

    @cached_property
    def _client(self) -> Client:
        writer, settings = self.writer, self.settings
        return build_client(
            writer.name, self.model, settings, self.objects, self.domain, watch=self.watch
        )


@cache
def _get_template(name: str) -> Template:
    return load_template(name)
