"""Tools with their guard trees."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sopforge.language.domain.building.draws import widen_type
from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.field_parts.labels import describe_reserved_name
from sopforge.language.domain.building.gathering import Gathering, find_duplicates, keep_built
from sopforge.language.domain.documents.model_schema import GuardDocument, ToolDocument
from sopforge.language.domain.documents.schema_terms import Result
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import (
    Choice,
    Expression,
    Missing,
    Presence,
    Read,
    collect_read_fields,
)
from sopforge.language.domain.fields import Entity, Field, Role
from sopforge.language.domain.guards import (
    WHOLE,
    Guard,
    GuardGroup,
    GuardKind,
    GuardLeaf,
    list_guard_ids,
)
from sopforge.language.domain.model import Tool, ToolKind

# The method process_tool_call of each manager, as the name of a tool could spell it.
_DISPATCHER = "processtoolcall"
UNCHANGED = "unchanged"
"""What stands in an effect for the value that the field has."""
RESERVED_CODES = frozenset(
    {
        "invalid_parameter",
        "unknown_record",
        "record_mismatch",
        "unknown_tool",
        "out_of_range",
        "same_record",
    }
)


@dataclass(frozen=True, slots=True)
class ToolBuilder:
    """Builds the tools of one document."""

    gathering: Gathering
    reader: Reader
    fields: Mapping[str, Field]
    entities: Mapping[str, Entity]

    def build(self, documents: Mapping[str, ToolDocument]) -> dict[str, Tool]:
        """Return the tools; unknown names in them are gathered."""
        built = {}
        for name, document in documents.items():
            path: Path = ("tools", name)
            self.check(path, name, document)
            guard = self.build_required((*path, "requires"), document.requires)
            built[name] = Tool(
                name,
                ToolKind(document.kind),
                document.description,
                tuple(document.takes),
                document.returns,
                guard,
                self.build_effects((*path, "effects"), document),
                document.same_as or "",
                document.replaced_by or "",
            )
        for name in documents:
            self.check_standing(built, built[name])
        return built

    def check_standing(self, built: Mapping[str, Tool], tool: Tool) -> None:
        """Add a fault for another name of a tool that is not, or is not quite, the same."""
        path: Path = ("tools", tool.name)
        for part, other in (("same_as", tool.same_as), ("replaced_by", tool.replaced_by)):
            if other:
                self.gathering.is_listed_name((*path, part), other, built, "tool")
        first = built.get(tool.same_as)
        if first is not None and (first is tool or not tool.does_as(first)):
            message = f"{tool.name} is not the same as {first.name}"
            hint = (
                "give both the same 'kind', 'takes', 'returns', 'requires' and 'effects', or"
                " remove 'same_as'"
            )
            self.gathering.add_fault((*path, "same_as"), "tools-differ", message, hint)

    def build_effects(self, path: Path, document: ToolDocument) -> dict[str, Expression]:
        """Return what an action changes; what it cannot change is gathered."""
        if document.effects and document.kind != "action":
            message = f"a {document.kind} tool cannot have effects"
            self.gathering.add_fault(
                path, "effects-not-allowed", message, "set 'kind: action', or remove 'effects'"
            )
        built: dict[str, Expression] = {}
        for name, raw in document.effects.items():
            place = (*path, name)
            if not self.gathering.is_listed_field(place, name, self.fields):
                continue
            if self.may_change(place, name):
                value = self.read_effect(place, name, raw)
                built |= {} if value is None else {name: value}
                self.refuse_secrets(place, collect_read_fields(value) if value else frozenset())
        return built

    def read_effect(self, path: Path, name: str, raw: Result) -> Expression | None:
        """Return the value that a field is changed to: ``unchanged`` is its own."""
        item, scope = self.fields[name], self.reader.scope
        reader = replace(self.reader, scope=replace(scope, paths={**scope.paths, UNCHANGED: name}))
        if not item.table and item.role is not Role.SESSION:
            return reader.read_value(path, raw, item.type)
        # Of a table, whether the value fits is asked when the tool is called.
        found = reader.read_result(path, raw, replace(item, type=widen_type(item.type)))
        return found and (_keep_missing(found, item) if item.missing else found)

    def may_change(self, path: Path, name: str) -> bool:
        """Return whether a field can be changed: it is observed, of the case's own record."""
        case = next(iter(self.entities.values()), None)
        referred = {entity.key for entity in self.entities.values()}
        # Records that cases share stay as they are, so that no task depends on another.
        is_own = case is None or (name in case.fields and name not in referred)
        if self.is_placed_column(name) or self.fields[name].role is Role.SESSION:
            return True
        if is_own and self.fields[name].role is Role.OBSERVED:
            return True
        message = f"an action cannot change '{name}'"
        hint = (
            "choose an observed field of the first entity that is not a reference, a session fact,"
            " or a table's field that is not a reference"
        )
        self.gathering.add_fault(path, "effects-not-allowed", message, hint)
        return False

    def is_placed_column(self, name: str) -> bool:
        """Return whether a field is what the record of a table holds, and refers to no other."""
        item = self.fields[name]
        is_reference = any(entity.key == name for entity in self.entities.values())
        return bool(item.table) and not is_reference and item.role in {Role.OBSERVED, Role.SECRET}

    def refuse_secrets(self, path: Path, names: frozenset[str]) -> None:
        """Add a fault for an effect that would reveal a secret."""
        for name in sorted(names & set(self.fields)):
            if self.fields[name].role is Role.SECRET:
                message = f"the effect reads the secret '{name}', so a tool could reveal it"
                hint = "compare the secret in a guard instead"
                self.gathering.add_fault(path, "effects-not-allowed", message, hint)

    def check(self, path: Path, name: str, document: ToolDocument) -> None:
        if keyword.iskeyword(name) or name.lower() == _DISPATCHER:
            message = describe_reserved_name(name)
            self.gathering.add_fault(path, "name-reserved", message, "rename the tool")
        self.has_only_fields((*path, "takes"), tuple(document.takes))
        self.has_only_fields((*path, "returns"), document.returns)

    def has_only_fields(self, path: Path, names: tuple[str, ...]) -> bool:
        """Return whether all names are fields; any other, or one that stands twice, is a fault."""
        for name in find_duplicates(names):
            message = f"'{name}' is listed twice"
            self.gathering.add_fault(path, "duplicate-name", message, "remove one of them")
        are_known = [self.gathering.is_listed_field(path, name, self.fields) for name in names]
        return all(are_known)

    def build_required(self, path: Path, document: GuardDocument | None) -> Guard | None:
        """Return the guard of a tool; an id that two of its nodes have is a fault."""
        guard = None if document is None else self.build_guard(path, document)
        for name in find_duplicates(list_guard_ids(guard) if guard else ()):
            message = f"two nodes of the guard have the same id, '{name}'"
            self.gathering.add_fault(path, "duplicate-name", message, "rename one of them")
        return guard

    def build_guard(
        self, path: Path, document: GuardDocument, above: GuardDocument | None = None
    ) -> Guard | None:
        """Return a node; below an ``any`` with a refusal of its own, none is needed (``above``)."""
        filled = {kind: nodes for kind, nodes in _list_groups(document).items() if nodes}
        if document.is_ is None and len(filled) == 1:
            ((kind, nodes),) = filled.items()
            return self.build_group(path, document, kind, nodes, above)
        refusal, says = document.refusal, document.says
        if above is not None:
            refusal, says = refusal or above.refusal, says or above.says
        if document.is_ is None or filled or not refusal or not says:
            message = (
                f"guard {document.id} needs either all of 'is', 'refusal' and 'says', or exactly"
                " one of 'all', 'any', 'chain', 'first' and 'not'"
            )
            hint = "add the missing key, or remove the extra keys"
            self.gathering.add_fault(path, "guard-shape", message, hint)
            return None
        if refusal in RESERVED_CODES:
            message = f"every tool already uses the code '{refusal}' itself"
            self.gathering.add_fault(
                (*path, "refusal"), "name-reserved", message, "choose another code"
            )
        test = self.reader.read_condition((*path, "is"), document.is_)
        if test is None:
            return None
        return GuardLeaf(document.id, test, refusal, says)

    def build_group(
        self,
        path: Path,
        document: GuardDocument,
        kind: GuardKind,
        nodes: tuple[GuardDocument, ...],
        above: GuardDocument | None,
    ) -> Guard | None:
        refusal, says = document.refusal or "", document.says or ""
        if bool(refusal) != bool(says) or (refusal and kind not in WHOLE):
            message = (
                f"guard {document.id} is a group '{kind}' that has only one of 'refusal' and 'says'"
            )
            if kind not in WHOLE:
                message = (
                    f"guard {document.id} is a group '{kind}', in which only the parts can refuse"
                )
            hint = "write 'refusal' and 'says' together, at a leaf or at a group 'any'"
            self.gathering.add_fault(path, "guard-shape", message, hint)
            return None
        inherited = document if refusal else above
        if kind is GuardKind.NOT and inherited is None:
            message = f"guard {document.id} is a group 'not', but has no refusal"
            hint = "add 'refusal' and 'says', because the guard inside a 'not' cannot refuse"
            self.gathering.add_fault(path, "guard-shape", message, hint)
            return None
        if kind is GuardKind.NOT and inherited is not None:
            refusal, says = inherited.refusal or "", inherited.says or ""
        built: list[Guard | None] = [
            self.build_guard((*path, kind, *place), node, inherited)
            for place, node in _list_places(kind, nodes)
        ]
        if kind is GuardKind.NOT and built == [None]:
            return None
        return GuardGroup(document.id, kind, keep_built(built), refusal, says)


def _list_groups(
    document: GuardDocument,
) -> dict[GuardKind, tuple[GuardDocument, ...]]:
    """Return the nodes of each kind of group that a guard names."""
    return {
        GuardKind.ALL: document.all or (),
        GuardKind.ANY: document.any or (),
        GuardKind.CHAIN: document.chain or (),
        GuardKind.FIRST: document.first or (),
        GuardKind.NOT: () if document.not_ is None else (document.not_,),
    }


def _list_places(
    kind: GuardKind, nodes: tuple[GuardDocument, ...]
) -> list[tuple[Path, GuardDocument]]:
    """Return the nodes of a group with their places below it; that of a "not" is no list."""
    if kind is GuardKind.NOT:
        return [((), node) for node in nodes]
    return [((place,), node) for place, node in enumerate(nodes)]


def _keep_missing(value: Expression, item: Field) -> Expression:
    """Return what a field is changed to, missing where it stays as it is and is missing."""
    match value:
        case Choice():
            then, otherwise = (_keep_missing(part, item) for part in (value.then, value.otherwise))
            return replace(value, then=then, otherwise=otherwise)
        case Read(field=name) if name == item.name:
            nothing = Missing(value.type, item.missing)
            return Choice(value.type, Presence(name), value, nothing)
        case _:
            return value
