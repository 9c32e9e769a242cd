"""Schema: the label of a list is a plural, so that sentences have a word for one of its entries."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.types import ListType
from sopforge.language.english.nouns import singularize
from sopforge.workspace import DOMAIN, Workspace


class ReadableLabels:
    """Each list has a label in the plural."""

    name = "readable-labels"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        return [
            make_warning_finding(
                "label-reads-badly",
                f"the label '{item.label}' is in the singular, but names a list; sentences then"
                f" read 'the {item.label} holds an entry whose ...'",
                where=item.place,
                hint="write a plural: 'defects found' instead of 'finding'",
            )
            for item in workspace.model.fields.values()
            if _names_one(item)
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Add a list with a label in the singular."""

        def add_list(document: Parsed) -> None:
            entity = next(iter(document["model"]["entities"].values()))
            entity["fields"]["opinion"] = {
                "role": "observed",
                "type": "list",
                "size": 2,
                "empty": "no opinion",
                "description": "opinion",
                "items": {"agrees": {"type": "boolean", "description": "who gave it agrees"}},
            }

        return edit_yaml(workspace, DOMAIN, add_list)


def _names_one(item: Field) -> bool:
    return isinstance(item.type, ListType) and not singularize(item.label)


CHECK = ReadableLabels()
