"""Templates as they are used: loaded by name, filled with arguments, put as a request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from sopforge.authors.prompts.documents import (
    PromptPassage,
    TemplateDocument,
    read_template_document,
)
from sopforge.authors.prompts.fencing import RULE, fence_value
from sopforge.authors.prompts.outputs import get_output_schema
from sopforge.authors.providers.completion import Block, Effort, Message, Request
from sopforge.errors import Fault, MaterialError, raise_gathered
from sopforge.language.domain.documents.schema import suggest
from sopforge.store.digests import digest_value

FOLDER = "prompt_templates"

# Short and plain, so that nothing can be said in it.
_NAME = re.compile(r"[\w .,'()/-]{1,80}")
_IS_OF_TYPE: Mapping[str, Callable[[object], bool]] = MappingProxyType(
    {
        "material": lambda value: isinstance(value, str),
        "name": lambda value: isinstance(value, str) and bool(_NAME.fullmatch(value)),
        # True and False are integers to Python.
        "number": lambda value: isinstance(value, int) and not isinstance(value, bool),
        "flag": lambda value: isinstance(value, bool),
        "records": lambda value: (
            isinstance(value, list) and all(isinstance(item, dict) for item in value)
        ),
    }
)


def build_prompt_environment() -> ImmutableSandboxedEnvironment:
    """Return Jinja in its sandbox: what is undefined is an error, and nothing is changed."""
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,  # Prompts are no HTML; material is fenced.
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fenced"] = fence_value
    return environment


@dataclass(frozen=True, slots=True)
class Template:
    """A checked template."""

    parts: TemplateDocument
    environment: ImmutableSandboxedEnvironment

    @property
    def name(self) -> str:
        """The name that it is loaded by."""
        return self.parts.name

    @property
    def version(self) -> int:
        """The version that its author gave it."""
        return self.parts.version

    @property
    def digest(self) -> str:
        """A digest of all that decides what is asked; artifacts written with it depend on it."""
        schema = get_output_schema(self.parts.output) if self.parts.output else None
        # The rule stands in no template's file, and is asked with each.
        return digest_value([self.parts.model_dump(mode="json"), schema, RULE])

    def build_request(
        self, arguments: Mapping[str, Any], *, model: str, effort: Effort | None = None
    ) -> Request:
        """Return the request to a model.

        Raises:
            MaterialError: the arguments are not those that the template declares.
        """
        raise_gathered(list(self._find_argument_faults(arguments)))
        return Request(
            model=model,
            system=(Block(RULE), *self._render_blocks(self.parts.system, arguments)),
            messages=(Message("user", self._render_blocks(self.parts.user, arguments)),),
            max_tokens=self.parts.max_tokens,
            schema=get_output_schema(self.parts.output) if self.parts.output else None,
            effort=effort,
        )

    def _render_blocks(
        self, passages: tuple[PromptPassage, ...], arguments: Mapping[str, Any]
    ) -> tuple[Block, ...]:
        filled = (
            Block(self.environment.from_string(passage.text).render(arguments), passage.repeats)
            for passage in passages
        )
        # An optional passage may come to nothing, and providers refuse blocks without text.
        return tuple(block for block in filled if block.text.strip())

    def _find_argument_faults(self, arguments: Mapping[str, Any]) -> Iterator[Fault]:
        declared, where = self.parts.parameters, f"prompt {self.name}"
        for name in arguments:
            if name not in declared:
                message = f"no parameter '{name}'; parameters are {', '.join(declared)}"
                hint = suggest(name, list(declared))
                yield Fault("prompt-argument", message, where, hint)
        for name, parameter in declared.items():
            if name not in arguments:
                message = f"the argument '{name}' is missing: {parameter.purpose}"
                yield Fault("prompt-argument", message, where, "give it")
            elif not _IS_OF_TYPE[parameter.type](arguments[name]):
                found = type(arguments[name]).__name__
                message = f"'{name}' must be of type {parameter.type}, found {found}"
                yield Fault("prompt-argument", message, where, "give what the template declares")


def list_template_names() -> list[str]:
    """Return the names of the templates that ship."""
    found = (item.name for item in files(FOLDER).iterdir() if item.name.endswith(".yaml"))
    return sorted(name.removesuffix(".yaml") for name in found)


def load_template(name: str) -> Template:
    """Return the template of a name.

    Raises:
        MaterialError: there is none, or its file has faults.
    """
    if name not in (known := list_template_names()):
        message = f"no template '{name}'; templates are {', '.join(known)}"
        raise MaterialError(Fault("unknown-template", message, FOLDER, suggest(name, known)))
    file = f"{name}.yaml"
    return read_template(files(FOLDER).joinpath(file).read_text(encoding="utf-8"), file)


def read_template(text: str, source: str) -> Template:
    """Return the template written in ``text``.

    Raises:
        MaterialError: with all faults of the file, each with ``source`` and its line.
    """
    environment = build_prompt_environment()
    parts = read_template_document(text, source, environment)
    return Template(parts, environment)
