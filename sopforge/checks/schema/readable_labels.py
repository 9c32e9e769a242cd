"""Schema: the label of a list is a plural, so that sentences have a word for one of its entries."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.fields import Field
from sopforge.domain.values.types import ListType
from sopforge.english.nouns import singularize
from sopforge.findings import Finding, make_warning_finding
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
        """Give a list a label in the singular."""
        name = next(x.name for x in workspace.model.fields.values() if isinstance(x.type, ListType))

        def rename(document: Parsed) -> None:
            for entity in document["model"]["entities"].values():
                if name in entity["fields"]:
                    entity["fields"][name]["label"] = "opinion"

        return edit_yaml(workspace, DOMAIN, rename)


def _names_one(item: Field) -> bool:
    return isinstance(item.type, ListType) and not singularize(item.label)


CHECK = ReadableLabels()
