"""Decisions: look-ups, expressions and rules with a hit policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.gathering import Gathering, find_duplicates, keep_built
from sopforge.language.domain.building.joint_decisions import build_together
from sopforge.language.domain.documents.model_schema import DecisionDocument, RuleDocument
from sopforge.language.domain.documents.schema_terms import Result
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import (
    Constant,
    Expression,
    Lookup,
    Read,
    may_be_missing,
)
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.parsing.selections import SELECTION_HINT
from sopforge.language.domain.rules import (
    Collect,
    Decision,
    Formula,
    HitPolicy,
    Rule,
    Table,
    Together,
    collect_decision_inputs,
    rank_rules,
)
from sopforge.language.domain.values.types import (
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
)

_COLLECT_HINTS = {
    SetType: "write 'collect: union'",
    NumberType: "write 'collect: sum', 'min', 'max' or 'count'",
    EnumType: (
        "write 'collect: min' or 'max', and 'ordered: true' at the field, with 'values' from the"
        " lowest to the highest; or use another hit policy"
    ),
}
_EXTREMES = frozenset({Collect.MINIMUM, Collect.MAXIMUM})
Row: TypeAlias = "Result | Mapping[str, Row]"
Rows: TypeAlias = Mapping[str, Row]
Keys = tuple[tuple[str, EnumType], ...]


@dataclass(frozen=True, slots=True)
class DecisionBuilder:
    """Builds the decisions of one document."""

    gathering: Gathering
    reader: Reader
    fields: Mapping[str, Field]
    conditions: dict[Path, Expression | None] = field(default_factory=dict)

    def build(self, documents: Mapping[str, DecisionDocument]) -> dict[str, Decision]:
        """Return the decisions that could be built."""
        built: dict[str, Decision] = {}
        for name, document in documents.items():
            if document.gives is not None:
                built |= build_together(self, documents, name, document)
            elif self.gathering.is_listed_name(("decisions", name), name, self.fields, "field"):
                decision = self.build_decision(name, document)
                if decision is not None:
                    built[name] = decision
        self.check_cycles(built)
        return built

    def build_decision(
        self, name: str, document: DecisionDocument, shared: Together | None = None
    ) -> Decision | None:
        """Return the decision on a field, which may be a part of a table that gives several."""
        path = ("decisions", shared.name if shared else name)
        if not _is_one_kind(document):
            message = (
                "a decision needs exactly one of these: 'value'; 'table' with 'rows'; 'rules' with"
                " 'hit'"
            )
            hint = "keep the keys of one form, and remove the others"
            self.gathering.add_fault(path, "decision-kind", message, hint)
            return None
        if isinstance(self.fields[name].type, ListType) and document.value is None:
            message = f"'{name}' is a list, and only 'value' can decide a list"
            self.gathering.add_fault(path, "type-error", message, SELECTION_HINT)
            return None
        if isinstance(self.fields[name].type, TextType):
            message = f"'{name}' is {self.fields[name].type.noun}, a type that no decision can give"
            hint = "declare it as an enum, a number, a date, a boolean, a set or a list"
            self.gathering.add_fault(path, "type-error", message, hint)
            return None
        role = self.fields[name].role
        if role not in {Role.DERIVED, Role.OUTCOME}:
            message = f"'{name}' is decided here, but its role is {role}"
            hint = (
                "set its role to derived (or to outcome, if it is an answer), or remove the"
                " decision"
            )
            self.gathering.add_fault(path, "decision-role", message, hint)
            return None
        text = document.description or self.fields[name].description
        if document.rules is not None:
            table = self.build_table(path, name, document, document.rules, text)
            return table and replace(table, shared=shared)
        value = self.build_formula_value(path, name, document)
        return None if value is None else Formula(name, value, text, shared)

    def build_formula_value(
        self, path: Path, name: str, document: DecisionDocument
    ) -> Expression | None:
        if document.value is not None:
            place, item = (*path, "value"), self.fields[name]
            return self.reader.read_result(place, document.value, item, is_proved=True)
        names = document.table if isinstance(document.table, tuple) else (str(document.table),)
        keys = keep_built([self.find_table_key((*path, "table"), key) for key in names])
        if find_duplicates(names):
            message = f"the table names '{names[0]}' twice"
            self.gathering.add_fault(
                (*path, "table"), "duplicate-name", message, "remove one of them"
            )
        elif len(keys) == len(names):
            rows: Rows = document.rows or {}
            return self.build_lookup((*path, "rows"), keys, rows, self.fields[name])
        return None

    def find_table_key(self, path: Path, name: str) -> tuple[str, EnumType] | None:
        """Return a field that rows can be found by."""
        name = self.reader.scope.paths.get(name, name)
        if not self.gathering.is_listed_field(path, name, self.fields):
            return None
        kind = self.fields[name].type
        if isinstance(kind, EnumType):
            return name, kind
        message = f"a table looks up enum fields, but '{name}' is {kind.noun}"
        self.gathering.add_fault(path, "type-error", message, "decide it with rules")
        return None

    def build_lookup(self, path: Path, keys: Keys, rows: Rows, target: Field) -> Lookup | None:
        """Return a look-up by the first key, of look-ups by the others."""
        (key, kind), *inner = keys
        # A look-up finds its entry by the label's position, so that the order carries meaning.
        if list(rows) != list(kind.values):
            found = ", ".join(rows) or "none"
            message = f"'rows' must list exactly {', '.join(kind.values)}, in this order"
            hint = f"write one row for each value of '{key}', in the order of its 'values'"
            self.gathering.add_fault(path, "table-rows", f"{message}; found {found}", hint)
            return None
        parts: list[Expression] = []
        for label in rows:
            entry = self.build_entry((*path, label), tuple(inner), rows[label], target)
            parts += [] if entry is None else [entry]
        is_whole = len(parts) == len(rows)
        return Lookup(target.type, Read(kind, key), tuple(parts)) if is_whole else None

    def build_entry(
        self,
        path: Path,
        inner: Keys,
        raw: Row,
        target: Field,
    ) -> Expression | None:
        if inner and isinstance(raw, Mapping):
            return self.build_lookup(path, inner, raw, target)
        if inner or isinstance(raw, Mapping):
            message = "a table on one field needs one result for each value, found several"
            hint = "write one result, or name a second field under 'table'"
            if inner:
                message = "a table on two fields needs several results in each row, found one"
                hint = f"write a result for each value of '{inner[0][0]}': {{value: result, ...}}"
            self.gathering.add_fault(path, "table-rows", message, hint)
            return None
        return self.reader.read_result(path, raw, target)

    # rules

    def build_table(
        self,
        path: Path,
        name: str,
        document: DecisionDocument,
        rules: tuple[RuleDocument, ...],
        text: str,
    ) -> Table | None:
        if document.hit is None:
            message = "'hit' is required with 'rules'"
            hint = (
                "add 'hit: first' to use the first rule that holds, or set unique, any, priority or"
                " collect"
            )
            self.gathering.add_fault(path, "missing-field", message, hint)
            return None
        hit = HitPolicy(document.hit)
        if (hit is HitPolicy.COLLECT) != (document.collect is not None):
            message, hint = (
                "'collect' requires 'hit: collect'",
                "set 'hit: collect', or remove 'collect'",
            )
            if hit is HitPolicy.COLLECT:
                message = "'hit: collect' requires the key 'collect'"
                hint = "add 'collect' with sum, min, max, count or union, or use another hit policy"
            self.gathering.add_fault(path, "collect", message, hint)
            return None
        if (document.priority is not None) and hit is not HitPolicy.PRIORITY:
            message = "'priority' requires 'hit: priority'"
            hint = "set 'hit: priority', or remove 'priority'"
            self.gathering.add_fault(path, "priority", message, hint)
            return None
        collect = None if document.collect is None else Collect(document.collect)
        built = keep_built(
            self.build_rule((*path, "rules", index), name, rule) for index, rule in enumerate(rules)
        )
        self.check_rules((*path, "rules"), rules)
        table = Table(name, hit, built, text, collect)
        is_whole = len(built) == len(rules)
        if hit is HitPolicy.PRIORITY:
            return self.rank_table(path, table, document.priority) if is_whole else table
        # The bounds of some of the rules would be reported for all of them.
        return self.check_collected_table(path, table) if collect and is_whole else table

    def rank_table(self, path: Path, table: Table, given: tuple[str, ...] | None) -> Table | None:
        """Return a table with its rules in the order of their results."""
        kind = self.fields[table.target].type
        tested = [rule.then for rule in table.rules if rule.when is not None]
        labels = [x.type.to_cell(x.value) for x in tested if isinstance(x, Constant)]
        if not isinstance(kind, EnumType) or len(labels) < len(tested):
            message = "with 'hit: priority', the result of each rule must be a label"
            hint = (
                "write labels of an enum field, or use 'hit: first' with the rules in their order"
            )
            self.gathering.add_fault(path, "priority", message, hint)
            return None
        order = kind.values if given is None else given
        place = (*path, "priority")
        for label in find_duplicates(order):
            message = f"'priority' names '{label}' twice"
            self.gathering.add_fault(place, "priority", message, "remove one of them")
        for label in order:
            self.gathering.is_listed_name(place, label, kind.values, "value")
        lacking = [label for label in dict.fromkeys(labels) if label not in order]
        if lacking:
            message = f"'priority' lacks results of rules: {', '.join(lacking)}"
            hint = "list each result, the one that goes before all others first"
            self.gathering.add_fault(place, "priority", message, hint)
        listed = tuple(rule.id for rule in table.rules)
        named = tuple(label for label in order if label in labels)
        return replace(table, rules=rank_rules(table.rules, order), priority=named, listed=listed)

    def check_collected_table(self, path: Path, table: Table) -> Table | None:
        """Return a table that collects, unless what it collects is no value of its field."""
        target = self.fields[table.target].type
        wanted = SetType if table.collect is Collect.UNION else NumberType
        has_order = isinstance(target, EnumType) and target.is_ordered
        if not isinstance(target, wanted) and not (has_order and table.collect in _EXTREMES):
            message = f"'collect: {table.collect}' gives {wanted.noun}, but"
            hint = _COLLECT_HINTS.get(type(target), "use another hit policy")
            message = f"{message} '{table.target}' is {target.noun}"
            self.gathering.add_fault(path, "type-error", message, hint)
            return None
        if any(may_be_missing(rule.then) for rule in table.rules):
            message = "with 'hit: collect', each rule must give a value that is never missing"
            hint = "remove the rule whose result can be missing, or use another hit policy"
            self.gathering.add_fault(path, "missing-result", message, hint)
            return None
        if all(rule.when is None for rule in table.rules):
            message = "'hit: collect' needs at least one rule with 'when'"
            hint = "add a rule with 'when' and 'then', or use another hit policy"
            self.gathering.add_fault(path, "collect", message, hint)
            return None
        return table

    def check_rules(self, path: Path, rules: tuple[RuleDocument, ...]) -> None:
        for shared in find_duplicates(rule.id for rule in rules):
            message = f"two rules have the same id, '{shared}'"
            self.gathering.add_fault(path, "duplicate-id", message, "change one of the two ids")
        for index, rule in enumerate(rules[:-1]):
            if rule.otherwise is not None:
                message = f"rule {rule.id} has 'otherwise', but is not the last rule"
                self.gathering.add_fault(
                    (*path, index), "otherwise-not-last", message, "move it to the end of the rules"
                )

    def build_rule(self, path: Path, name: str, document: RuleDocument) -> Rule | None:
        is_rest = document.otherwise is not None
        result = document.otherwise if is_rest else document.then
        if result is None or is_rest == (document.when is not None):
            message = f"rule {document.id} needs either 'when' and 'then', or 'otherwise'"
            hint = "write {when: condition, then: result}, or {otherwise: result} as the last rule"
            self.gathering.add_fault(path, "rule-shape", message, hint)
            return None
        if isinstance(result, dict):
            message = f"rule {document.id} gives {', '.join(result)}, but the table gives one field"
            hint = f"give the table another name, and write gives: [{', '.join(result)}]"
            self.gathering.add_fault(path, "result-fields", message, hint)
            return None
        place = (*path, "otherwise" if is_rest else "then")
        then = self.reader.read_result(place, result, self.fields[name], is_proved=True)
        text = document.when
        when = None if text is None else self.read_condition((*path, "when"), text)
        if then is None or (when is None and not is_rest):
            return None
        return Rule(document.id, when, then)

    def read_condition(self, path: Path, text: str) -> Expression | None:
        """Return a condition, the same object where several fields are given under it."""
        if path not in self.conditions:
            self.conditions[path] = self.reader.read_condition(path, text)
        return self.conditions[path]

    def check_cycles(self, decisions: Mapping[str, Decision]) -> None:
        done: set[str] = set()

        def visit(name: str, trail: tuple[str, ...]) -> None:
            if name in trail:
                cycle = " -> ".join([*trail[trail.index(name) :], name])
                message = f"decisions form a cycle: {cycle}"
                hint = "change one decision of the cycle so that it no longer reads the next one"
                self.gathering.add_fault(("decisions", name), "cyclic-decisions", message, hint)
            elif name in decisions and name not in done:
                for needed in sorted(collect_decision_inputs(decisions[name])):
                    visit(needed, (*trail, name))
                done.add(name)

        for name in decisions:
            visit(name, ())


def _is_one_kind(document: DecisionDocument) -> bool:
    kinds = [document.table is not None, document.value is not None, document.rules is not None]
    is_strayed = (document.rows is not None and document.table is None) or (
        (document.hit is not None or document.collect is not None or document.priority is not None)
        and document.rules is None
    )
    return sum(kinds) == 1 and not is_strayed
