"""From validated documents to a checked domain model; all faults of a document are gathered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import TypeVar

from sopforge.domain import schema
from sopforge.domain.documents import Document, Path
from sopforge.domain.expressions import Constant, Expression, Lookup
from sopforge.domain.expressions import Read as ReadNode
from sopforge.domain.model import (
    Decision,
    DomainModel,
    Edge,
    Field,
    Formula,
    Guard,
    GuardGroup,
    GuardKind,
    GuardLeaf,
    HitPolicy,
    PolicyConstant,
    Role,
    Rule,
    Sampling,
    Step,
    Table,
    Tool,
    ToolKind,
    decision_inputs,
)
from sopforge.domain.parsing import (
    ExpressionError,
    Scope,
    parse_condition,
    parse_value,
    type_name,
)
from sopforge.domain.patterns import PatternError, read_pattern
from sopforge.domain.schema import suggest
from sopforge.domain.types import (
    ANY_DAY,
    BOOLEAN_WORDS,
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
    ValueNotAllowedError,
    ValueType,
    bounds,
    encode,
    scale,
    to_cell,
)
from sopforge.errors import Fault, MaterialError, raise_gathered

# A JSON number is read as a float by most, which keeps 15 decimal digits; integers stay integers.
EXACT_DIGITS = 15
INTEGER_DIGITS = 18

Raw = str | int | bool | Decimal
Bounded = TypeVar("Bounded", NumberType, DateType)
Built = TypeVar("Built")


def build_model(
    document: Document,
    parts: schema.ModelDocument,
    *,
    name: str,
    title: str,
    business_task: str,
) -> DomainModel:
    """Return the checked model of a brief's or a domain document's ``model`` part.

    Raises:
        MaterialError: with every fault found, in document order.
    """
    builder = _Builder(document, parts)
    model = builder.build(name, title, business_task)
    raise_gathered(builder.in_order())
    return model


def _line(where: str) -> int:
    number = where.partition(",")[0].rpartition(":")[2]
    return int(number) if number.isdigit() else 0


@dataclass(slots=True)
class _Builder:
    document: Document
    parts: schema.ModelDocument
    faults: list[Fault] = field(default_factory=list)
    fields: dict[str, Field] = field(default_factory=dict)
    policy: dict[str, PolicyConstant] = field(default_factory=dict)

    def build(self, name: str, title: str, business_task: str) -> DomainModel:
        ((entity, record),) = self.parts.entities.items()
        for field_name, document in record.fields.items():
            path = ("entities", entity, "fields", field_name)
            self.guarded(path, partial(self.add_field, field_name, document))
        for constant_name, policy in self.parts.policy.items():
            add = partial(self.add_constant, constant_name, policy)
            self.guarded(("policy", constant_name), add)
        if len(self.fields) + len(self.policy) < len(record.fields) + len(self.parts.policy):
            # What reads them would be told that there are no such fields.
            raise MaterialError(*self.in_order())
        self.check_names(record.key, entity)
        model = DomainModel(
            name=name,
            title=title,
            business_task=business_task,
            entity=entity,
            key=record.key,
            fields=self.fields,
            policy=self.policy,
            constraints=self.constraints(),
            decisions=self.decisions(),
            tools=self.tools(),
            steps=self.steps(),
            start=self.parts.procedure.start,
        )
        self.known(("procedure", "start"), model.start, model.steps, "step")
        return model

    # faults

    def fault(self, path: Path, code: str, message: str, hint: str = "") -> None:
        self.faults.append(Fault(code, message, self.document.where(("model", *path)), hint))

    def in_order(self) -> list[Fault]:
        return sorted(self.faults, key=lambda fault: _line(fault.where))

    def guarded(self, path: Path, build: Callable[[], Built]) -> Built | None:
        try:
            return build()
        except ExpressionError as cause:
            self.fault(path, cause.code, f"{cause} (column {cause.column})", cause.hint)
        except ValueNotAllowedError as cause:
            self.fault(path, "value-not-allowed", str(cause))
        except PatternError as cause:
            self.fault(path, "pattern-not-supported", str(cause), cause.hint)
        return None

    def known(self, path: Path, name: str, among: Iterable[str], kind: str) -> bool:
        names = list(among)
        if name in names:
            return True
        hint = suggest(name, names) or f"{kind}s are {', '.join(names)}"
        self.fault(path, f"unknown-{kind}", f"no {kind} '{name}'", hint)
        return False

    # fields and policy

    def add_constant(self, name: str, document: schema.PolicyDocument) -> None:
        places = max(0, -int(Decimal(document.value).as_tuple().exponent))
        value = scale(str(document.value), places)
        kind = _checked(NumberType(value, value, places, document.unit))
        self.policy[name] = PolicyConstant(Constant(kind, value, name), document.meaning)

    def add_field(self, name: str, document: schema.FieldDocument) -> None:
        kind = _field_type(document)
        self.fields[name] = Field(
            name=name,
            label=document.label or name.replace("_", " "),
            role=Role(document.role),
            type=kind,
            description=document.description,
            missing=document.missing or "",
            primary=document.primary,
            sampling=_sampling(document),
        )
        self.check_labels(name, self.fields[name])

    def check_labels(self, name: str, item: Field) -> None:
        labels = [*_labels(item.type), *([item.missing] if item.missing else [])]
        path = ("entities", next(iter(self.parts.entities)), "fields", name)
        for label in labels:
            reason = _unreadable(label)
            if reason:
                self.fault(path, "label-not-safe", f"the value '{label}' {reason}", "rename it")
        for label in _twice(labels):
            message = f"'{label}' stands for two values of '{name}'"
            self.fault(path, "duplicate-label", message, "rename or drop one of them")
        if item.role is Role.OUTCOME:
            self.check_contained(path, labels)

    def check_contained(self, path: Path, labels: list[str]) -> None:
        for inner in labels:
            for outer in labels:
                if inner != outer and _loose(inner) in _loose(outer):
                    message = f"the outcome value '{inner}' is contained in '{outer}'"
                    self.fault(path, "label-inside-label", message, "rename one of them")

    def check_names(self, key: str, entity: str) -> None:
        path = ("entities", entity, "key")
        if self.known(path, key, self.fields, "field") and not _is_unique_text(self.fields[key]):
            message = (
                f"the key '{key}' must be an input of type string with pattern and unique: true"
            )
            self.fault(path, "key-not-unique", message)
        primary = [item.name for item in self.fields.values() if item.primary]
        if len(primary) != 1 or self.fields[primary[0]].role is not Role.OUTCOME:
            found = ", ".join(primary) or "none"
            message = f"exactly one outcome must say primary: true, found {found}"
            self.fault(("entities", entity, "fields"), "primary-outcome", message)
        for name in self.policy:
            if name in self.fields:
                message = f"'{name}' is both a field and a policy constant"
                self.fault(("policy", name), "duplicate-name", message, "rename one of them")

    # expressions

    @property
    def scope(self) -> Scope:
        return Scope(
            fields={name: item.type for name, item in self.fields.items()},
            constants={name: item.constant for name, item in self.policy.items()},
            optional=frozenset(name for name, item in self.fields.items() if item.missing),
        )

    def condition(self, path: Path, text: str) -> Expression | None:
        return self.guarded(path, lambda: parse_condition(text, self.scope))

    def value(self, path: Path, raw: Raw, target: ValueType) -> Expression | None:
        if isinstance(target, EnumType | DateType | BooleanType) and not isinstance(raw, Decimal):
            code = self.guarded(path, lambda: encode(target, raw))
            return None if code is None else Constant(target, int(code))
        return self.guarded(path, lambda: parse_value(str(raw), self.scope, target))

    def constraints(self) -> tuple[Expression, ...]:
        texts = enumerate(self.parts.constraints)
        return _kept(self.condition(("constraints", index), text) for index, text in texts)

    # decisions

    def decisions(self) -> dict[str, Decision]:
        built: dict[str, Decision] = {}
        for name, document in self.parts.decisions.items():
            if not self.known(("decisions", name), name, self.fields, "field"):
                continue
            decision = self.decision(name, document)
            if decision is not None:
                built[name] = decision
        self.check_cycles(built)
        return built

    def decision(self, name: str, document: schema.DecisionDocument) -> Decision | None:
        path = ("decisions", name)
        if not _is_one_kind(document):
            message = "a decision has either table and rows, or value, or hit and rules"
            self.fault(path, "decision-kind", message)
            return None
        if isinstance(self.fields[name].type, TextType | SetType):
            message = f"'{name}' is {type_name(self.fields[name].type)}, which no decision can give"
            self.fault(path, "type-error", message, "declare it as an enum, a number or a boolean")
            return None
        text = document.description or self.fields[name].description
        if document.rules is not None:
            return self.table(name, document, document.rules, text)
        value = self.formula_value(name, document)
        return None if value is None else Formula(name, value, text)

    def formula_value(self, name: str, document: schema.DecisionDocument) -> Expression | None:
        path, target = ("decisions", name), self.fields[name].type
        if document.value is None:
            return self.lookup(path, name, document)
        if isinstance(target, NumberType):
            return self.value((*path, "value"), document.value, target)
        message = f"an expression gives a number, but '{name}' is {type_name(target)}"
        self.fault((*path, "value"), "type-error", message, "decide it by rules")
        return None

    def lookup(self, path: Path, name: str, document: schema.DecisionDocument) -> Lookup | None:
        key, rows = str(document.table), document.rows or {}
        if not self.known((*path, "table"), key, self.fields, "field"):
            return None
        kind, target = self.fields[key].type, self.fields[name].type
        if not isinstance(kind, EnumType) or not isinstance(target, NumberType):
            self.fault((*path, "table"), "type-error", "a table maps an enum field to numbers")
            return None
        if list(rows) != list(kind.values):
            message = f"rows must list exactly {', '.join(kind.values)}, in this order"
            found = ", ".join(rows) or "none"
            self.fault((*path, "rows"), "table-rows", f"{message}; found {found}")
            return None
        entries = [self.value((*path, "rows", label), rows[label], target) for label in rows]
        constants = tuple(entry for entry in entries if isinstance(entry, Constant))
        return Lookup(target, ReadNode(kind, key), constants)

    def table(
        self,
        name: str,
        document: schema.DecisionDocument,
        rules: tuple[schema.RuleDocument, ...],
        text: str,
    ) -> Table | None:
        if document.hit is None:
            self.fault(
                ("decisions", name), "missing-field", "rules need 'hit: first' or 'hit: unique'"
            )
            return None
        built = _kept(self.rule(name, index, rule) for index, rule in enumerate(rules))
        for shared in _twice([rule.id for rule in rules]):
            message = f"two rules share the id '{shared}'"
            self.fault(("decisions", name, "rules"), "duplicate-id", message, "rename one of them")
        return Table(name, HitPolicy(document.hit), built, text)

    def rule(self, name: str, index: int, document: schema.RuleDocument) -> Rule | None:
        path = ("decisions", name, "rules", index)
        is_rest = document.otherwise is not None
        result = document.otherwise if is_rest else document.then
        if result is None or is_rest == (document.when is not None):
            message = f"rule {document.id} needs either 'when' and 'then', or 'otherwise'"
            self.fault(path, "rule-shape", message)
            return None
        then = self.value(
            (*path, "otherwise" if is_rest else "then"), result, self.fields[name].type
        )
        when = None if document.when is None else self.condition((*path, "when"), document.when)
        if then is None or (when is None and not is_rest):
            return None
        return Rule(document.id, when, then)

    def check_cycles(self, decisions: Mapping[str, Decision]) -> None:
        done: set[str] = set()

        def visit(name: str, trail: tuple[str, ...]) -> None:
            if name in trail:
                cycle = " -> ".join([*trail[trail.index(name) :], name])
                message = f"decisions form a cycle: {cycle}"
                hint = "let one of them read something else"
                self.fault(("decisions", name), "cyclic-decisions", message, hint)
            elif name in decisions and name not in done:
                for needed in sorted(decision_inputs(decisions[name])):
                    visit(needed, (*trail, name))
                done.add(name)

        for name in decisions:
            visit(name, ())

    # tools

    def tools(self) -> dict[str, Tool]:
        built = {}
        for name, document in self.parts.tools.items():
            path = ("tools", name)
            names = [("takes", n) for n in document.takes] + [
                ("returns", n) for n in document.returns
            ]
            for kind, field_name in names:
                self.known((*path, kind), field_name, self.fields, "field")
            guard = (
                self.guard((*path, "requires"), document.requires) if document.requires else None
            )
            built[name] = Tool(
                name,
                ToolKind(document.kind),
                document.description,
                document.takes,
                document.returns,
                guard,
            )
        return built

    def guard(self, path: Path, document: schema.GuardDocument) -> Guard | None:
        groups = {kind: getattr(document, kind) for kind in GuardKind}
        filled = {kind: nodes for kind, nodes in groups.items() if nodes}
        if document.is_ is None and len(filled) == 1:
            ((kind, nodes),) = filled.items()
            paths = [(*path, kind, index) for index in range(len(nodes))]
            pairs = zip(paths, nodes, strict=True)
            return GuardGroup(document.id, kind, _kept(self.guard(*pair) for pair in pairs))
        if document.is_ is None or filled or not document.refusal or not document.says:
            message = f"guard {document.id} needs either 'is', 'refusal' and 'says', or one group"
            self.fault(path, "guard-shape", message)
            return None
        test = self.condition((*path, "is"), document.is_)
        if test is None:
            return None
        return GuardLeaf(document.id, test, document.refusal, document.says)

    # procedure

    def steps(self) -> dict[str, Step]:
        documents = self.parts.procedure.steps
        return {name: self.step(name, document) for name, document in documents.items()}

    def step(self, name: str, document: schema.StepDocument) -> Step:
        path = ("procedure", "steps", name)
        if document.call is not None:
            self.known((*path, "call"), document.call, self.parts.tools, "tool")
        for decided in document.decide:
            self.known((*path, "decide"), decided, self.parts.decisions, "decision")
        if (document.end is None) == (not document.edges):
            self.fault(path, "step-shape", "a step has either edges or an end")
        return Step(
            id=name,
            title=document.title,
            instruction=document.instruction or "",
            call=document.call,
            decide=document.decide,
            edges=self.edges(name, document.edges),
            end=None if document.end is None else self.ending((*path, "end"), document.end),
        )

    def edges(self, step: str, documents: tuple[schema.EdgeDocument, ...]) -> tuple[Edge, ...]:
        built = []
        for index, document in enumerate(documents):
            path = ("procedure", "steps", step, "edges", index)
            self.known((*path, "to"), document.to, self.parts.procedure.steps, "step")
            when = None if document.when is None else self.condition((*path, "when"), document.when)
            is_last = index == len(documents) - 1
            if (document.when is None) != is_last:
                message = "the last edge, and only the last, has no 'when'"
                hint = "end the edges with the way of all other cases: {to: ...}"
                self.fault(path, "edge-order", message, hint)
            built.append(Edge(f"{step}.{index + 1}", document.to, when))
        return tuple(built)

    def ending(self, path: Path, values: Mapping[str, Raw]) -> dict[str, Constant]:
        outcomes = [name for name, item in self.fields.items() if item.role is Role.OUTCOME]
        built = {}
        for name, raw in values.items():
            if self.known((*path, name), name, outcomes, "outcome"):
                constant = self.value((*path, name), raw, self.fields[name].type)
                if isinstance(constant, Constant):
                    built[name] = constant
                elif constant is not None:
                    message = f"an end sets a plain value, not '{raw}'"
                    self.fault((*path, name), "end-not-plain", message, "decide it at a step")
        return built


def _kept(items: Iterable[Built | None]) -> tuple[Built, ...]:
    return tuple(item for item in items if item is not None)


def _twice(names: list[str]) -> list[str]:
    return list(dict.fromkeys(name for name in names if names.count(name) > 1))


def _is_one_kind(document: schema.DecisionDocument) -> bool:
    kinds = [document.table is not None, document.value is not None, document.rules is not None]
    is_strayed = (document.rows is not None and document.table is None) or (
        document.hit is not None and document.rules is None
    )
    return sum(kinds) == 1 and not is_strayed


def _field_type(document: schema.FieldDocument) -> ValueType:  # noqa: PLR0911 - by type
    match document:
        case schema.StringField():
            _check_text(document)
            return TextType(document.pattern or "", document.pool)
        case schema.IntegerField():
            return _checked(NumberType(document.min, document.max, 0, document.unit))
        case schema.NumberField():
            low, high = scale(document.min, document.places), scale(document.max, document.places)
            return _checked(NumberType(low, high, document.places, document.unit))
        case schema.BooleanField():
            return BooleanType()
        case schema.EnumField():
            return EnumType(document.values)
        case schema.SetField():
            return SetType(document.values, document.empty)
        case schema.DateField():
            low, high = (int(encode(ANY_DAY, day)) for day in (document.min, document.max))
            return _checked(DateType(low, high))


def _checked(kind: Bounded) -> Bounded:
    low, high = bounds(kind)
    if low > high:
        raise ValueNotAllowedError(f"min {to_cell(kind, low)} is above max {to_cell(kind, high)}")
    digits = EXACT_DIGITS if getattr(kind, "places", 0) else INTEGER_DIGITS
    if max(abs(low), abs(high)) >= 10**digits:
        raise ValueNotAllowedError(f"more than {digits} digits cannot be kept exact")
    return kind


def _check_text(document: schema.StringField) -> None:
    if bool(document.pattern) == bool(document.pool):
        raise ValueNotAllowedError("a string has either a pattern or a pool")
    if document.pattern:
        read_pattern(document.pattern)


def _sampling(document: schema.FieldDocument) -> Sampling:
    weights = getattr(document, "weights", None) or ()
    values = getattr(document, "values", ())
    if weights and len(weights) != len(values):
        raise ValueNotAllowedError(f"{len(values)} values need a weight each, found {len(weights)}")
    if weights and not sum(weights):
        raise ValueNotAllowedError("at least one weight must be above 0")
    if document.missing_share and not document.missing:
        raise ValueNotAllowedError("missing_share needs the word shown for missing")
    return Sampling(
        weights=weights,
        missing_share=document.missing_share,
        member_share=getattr(document, "member_share", 0),
        yes_share=getattr(document, "yes_share", 50),
        unique=getattr(document, "unique", False),
    )


def _labels(kind: ValueType) -> tuple[str, ...]:
    match kind:
        case EnumType():
            return kind.values
        case SetType():
            return (*kind.values, kind.empty)
        case BooleanType():
            return BOOLEAN_WORDS
        case TextType():
            return kind.pool
        case _:
            return ()


_READ_AS_MISSING = frozenset(
    {
        *("#n/a", "#na", "-nan", "<na>", "n/a", "na", "nan", "none", "null", "nil"),
        *("#n/a n/a", "1.#ind", "1.#qnan", "unknown", "empty", "-"),
    }
)


def _unreadable(label: str) -> str:
    """Say why a reader of CSV files could change or misread a label, or nothing."""
    if label.strip().lower() in _READ_AS_MISSING:
        return "is read as missing by common readers"
    if label != label.strip() or "\n" in label or ";" in label:
        return "has blanks at its ends, a line break or a semicolon"
    if label[0] in "=+-@":
        return "starts a formula in a spreadsheet"
    if label.lower() in {"true", "false"} or _is_number(label):
        return "is read as a number or a boolean by common readers"
    return ""


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True


def _loose(label: str) -> str:
    return label.lower().replace("_", " ").replace("-", " ").strip()


def _is_unique_text(item: Field) -> bool:
    is_text = isinstance(item.type, TextType) and bool(item.type.pattern)
    return is_text and item.sampling.unique and item.role is Role.INPUT
