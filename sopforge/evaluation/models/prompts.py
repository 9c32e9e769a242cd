"""The prompts of model agents: one YAML file for each kind, in ``prompt_templates/agents``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict

from sopforge.authors.prompts.templates import FOLDER, build_prompt_environment
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.store.digests import digest_value


class PromptDocument(BaseModel):
    """A file of prompts: the first two messages, and what an agent says afterwards by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1]
    name: str
    version: int
    purpose: str
    system: str
    user: str
    says: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class AgentPrompts:
    """The prompts of an agent, filled with what it is given: an SOP stands in them as it is."""

    document: PromptDocument
    environment: ImmutableSandboxedEnvironment

    @property
    def digest(self) -> str:
        """A digest of all that it says; what was asked with other words is another attempt."""
        return digest_value(self.document.model_dump(mode="json"))

    def write_system(self, **given: object) -> str:
        """Return what the model is given before the task."""
        return self._fill(self.document.system, given)

    def write_user(self, **given: object) -> str:
        """Return the task."""
        return self._fill(self.document.user, given)

    def write(self, name: str, **given: object) -> str:
        """Return something that the agent says afterwards."""
        return self._fill(self.document.says[name], given)

    def _fill(self, text: str, given: Mapping[str, object]) -> str:
        return self.environment.from_string(text).render(given).strip()


@cache
def load_agent_prompts(name: str) -> AgentPrompts:
    """Return the prompts of a kind of agent.

    Raises:
        MaterialError: the file has faults.
    """
    source = f"{FOLDER}/agents/{name}.yaml"
    text = (files(FOLDER) / "agents" / f"{name}.yaml").read_text(encoding="utf-8")
    document = validate(read_document(text, source), PromptDocument)
    return AgentPrompts(document, build_prompt_environment())
