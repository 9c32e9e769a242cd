"""The form of a template's file, and what is wrong with one that is out of it, by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from jinja2 import TemplateSyntaxError, meta, nodes
from jinja2.sandbox import SandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field

from sopforge.authors.prompts.outputs import OUTPUTS
from sopforge.errors import Fault, raise_gathered
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import Document, Path, read_document

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Part: TypeAlias = Literal["system", "user"]

# Providers remember so many beginnings of one question.
MOST_REPEATS = 4


class Parameter(BaseModel):
    """What a template is given; material is shown within a fence, a name of ours need not be."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["material", "records", "name", "number", "flag"]
    purpose: str


class PromptPassage(BaseModel):
    """A piece of a prompt; ``repeats`` says that all up to its end will be asked with again."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    repeats: bool = False


class TemplateDocument(BaseModel):
    """The file of a template."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1]
    name: Name
    version: Annotated[int, Field(ge=1)]
    purpose: str
    parameters: dict[Name, Parameter]
    output: str | None = None
    max_tokens: Annotated[int, Field(ge=1)]
    system: tuple[PromptPassage, ...]
    user: Annotated[tuple[PromptPassage, ...], Field(min_length=1)]

    def iterate_passages(self) -> Iterator[tuple[Path, PromptPassage]]:
        """Yield each passage with its place in the file."""
        parts: dict[Part, tuple[PromptPassage, ...]] = {"system": self.system, "user": self.user}
        for part, passages in parts.items():
            for index, passage in enumerate(passages):
                yield (part, index, "text"), passage


def read_template_document(
    text: str, source: str, environment: SandboxedEnvironment
) -> TemplateDocument:
    """Return the document of a template.

    Raises:
        MaterialError: with all its faults, each with ``source`` and its line.
    """
    document = read_document(text, source)
    parts = validate(document, TemplateDocument)
    reading = _Reading(document, parts, environment)
    raise_gathered(
        [
            *reading.find_output_faults(),
            *reading.repeat_faults(),
            *reading.find_passage_faults(),
            *reading.find_parameter_faults(),
        ]
    )
    return parts


class _Reading:
    """A document whose shape is right, and the syntax trees of its passages."""

    def __init__(
        self, document: Document, parts: TemplateDocument, environment: SandboxedEnvironment
    ) -> None:
        self._document = document
        self._parts = parts
        self._trees: dict[Path, nodes.Template] = {}
        self._faults: list[Fault] = []
        for path, passage in parts.iterate_passages():
            try:
                self._trees[path] = environment.parse(passage.text)
            except TemplateSyntaxError as error:
                message = f"line {error.lineno} of the text: {error.message}"
                self._faults.append(
                    self._make_fault("prompt-syntax", message, path, "see Jinja's page")
                )

    def find_output_faults(self) -> Iterator[Fault]:
        output = self._parts.output
        if output is not None and output not in OUTPUTS:
            message = f"no output '{output}'; outputs are {', '.join(OUTPUTS)}"
            yield self._make_fault(
                "prompt-output", message, ("output",), suggest(output, list(OUTPUTS))
            )

    def repeat_faults(self) -> Iterator[Fault]:
        repeating = [path for path, passage in self._parts.iterate_passages() if passage.repeats]
        if len(repeating) > MOST_REPEATS:
            message = f"{len(repeating)} passages repeat; at most {MOST_REPEATS} are remembered"
            path = repeating[MOST_REPEATS]
            yield self._make_fault(
                "prompt-repeats", message, path, "mark the last of each row only"
            )

    def find_passage_faults(self) -> Iterator[Fault]:
        yield from self._faults
        for path, tree in self._trees.items():
            bare = dict.fromkeys(_find_bare_names(tree, self._find_safe_parameters()))
            for name in bare:
                message = f"'{name}' is shown without a fence"
                hint = f"write {{{{ {name} | fenced('what it is') }}}}"
                yield self._make_fault("prompt-not-fenced", message, path, hint)

    def find_parameter_faults(self) -> Iterator[Fault]:
        declared, used = self._parts.parameters, set[str]()
        for path, tree in self._trees.items():
            for name in sorted(meta.find_undeclared_variables(tree)):
                used.add(name)
                if name not in declared:
                    message = f"no parameter '{name}'; parameters are {', '.join(declared)}"
                    hint = suggest(name, list(declared)) or "declare it under parameters"
                    yield self._make_fault("prompt-parameter", message, path, hint)
        for name in declared:
            # A passage that cannot be parsed may be the one that uses it.
            if name not in used and not self._faults:
                message = f"no passage uses the parameter '{name}'"
                yield self._make_fault(
                    "prompt-parameter", message, ("parameters", name), "remove it"
                )

    def _find_safe_parameters(self) -> set[str]:
        """Return the parameters that may stand without a fence, for their values are ours."""
        ours = {"name", "number", "flag"}
        return {name for name, one in self._parts.parameters.items() if one.type in ours}

    def _make_fault(self, code: str, message: str, path: Path, hint: str) -> Fault:
        return Fault(code, message, self._document.locate_part(path), hint)


def _find_bare_names(tree: nodes.Template, ours: set[str]) -> Iterator[str]:
    """Yield the names whose values are shown, in whole or in part, outside a fence."""
    # A loop or a {% set %} can put material under the name of a parameter that needs no fence.
    ours = ours - {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    for output in tree.find_all(nodes.Output):
        for shown in output.nodes:
            if not _is_fenced(shown):
                names = [shown] if isinstance(shown, nodes.Name) else shown.find_all(nodes.Name)
                yield from (name.name for name in names if name.name not in ours)


def _is_fenced(shown: nodes.Expr) -> bool:
    """Whether all that is shown stands within a fence, whose label is written out."""
    return (
        isinstance(shown, nodes.Filter)
        and shown.name == "fenced"
        # The label stands outside of what is escaped, so that material in it would be read as ours.
        and all(isinstance(argument, nodes.Const) for argument in shown.args)
    )
