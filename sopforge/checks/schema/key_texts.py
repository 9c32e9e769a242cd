"""Schema: fields of unique texts have enough of them for the tasks that are asked for."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import TextType
from sopforge.proof.dataset.sampling.placing import count_wanted_keys
from sopforge.workspace import DOMAIN, Workspace


class KeyTexts:
    """The pattern of each unique field allows a different value for each task.

    A model that a language model wrote has as many as rows are looked at for the tasks, for it can
    be asked to; of one that a brief states, only what cannot be is an error.
    """

    name = "key-texts"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        brief = workspace.brief
        tasks = brief.parts.dataset.n_samples
        wanted = tasks if brief.built is not None else count_wanted_keys(tasks)
        return [
            make_error_finding(
                "pattern-too-small",
                f"{shape} allows only {size} values, but the requested tasks need {wanted}: one"
                " for each task, and spare ones for rejected rows",
                where=f"fields.{name}",
                hint="widen the pattern, for example to X[0-9]{6}, or lower dataset.n_samples",
            )
            for name, shape, size in _list_unique_texts(workspace.model)
            if size < wanted
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        def shorten(document: Parsed) -> None:
            entity = next(iter(document["model"]["entities"].values()))
            entity["fields"][entity["key"]]["pattern"] = "KEY[0-9]"

        return edit_yaml(workspace, DOMAIN, shorten)


def _list_unique_texts(model: DomainModel) -> list[tuple[str, str, int]]:
    """Return the unique texts of the case: field, shape, and how many there are."""
    found = []
    for item in [model.fields[name] for name in model.case.fields]:
        kind = item.type
        shape = find_shape(kind) if isinstance(kind, TextType) and item.sampling.unique else None
        if isinstance(kind, TextType) and shape is not None:
            words = f"the pattern {kind.pattern}" if kind.pattern else f"'{kind.like}'"
            found.append((item.name, words, shape.size))
    return found


CHECK = KeyTexts()
