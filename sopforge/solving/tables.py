"""Decision tables examined over all rows: uncovered cases, overlaps, rules that never decide."""

from __future__ import annotations

from itertools import combinations

from sopforge.domain.expressions import Expression, Not
from sopforge.domain.model import DomainModel, HitPolicy, Rule, Table
from sopforge.findings import Finding, error, warning
from sopforge.logic.tables import covered, same_value
from sopforge.solving.questions import Answer, NoRow, Row, Undecided, find_row


def examine_table(model: DomainModel, table: Table) -> list[Finding]:
    """Return the gaps, overlaps and unreachable rules of a table, each with a case."""
    findings = _gaps(model, table)
    if table.hit is HitPolicy.UNIQUE:
        findings += _overlaps(model, table)
    if table.hit is HitPolicy.ANY:
        findings += _disagreements(model, table)
    return findings + _unreachable(model, table)


def _gaps(model: DomainModel, table: Table) -> list[Finding]:
    condition = covered(table)
    if condition is None:
        return []
    answer = find_row(model, holding=(), failing=[condition])
    message = f"no rule of '{table.target}' covers this case"
    hint = "add a rule for it, or a last rule with 'otherwise'"
    return _found("gap", answer, message, _place(table), hint)


def _overlaps(model: DomainModel, table: Table) -> list[Finding]:
    findings: list[Finding] = []
    for first, second in combinations([rule for rule in table.rules if rule.when], 2):
        answer = find_row(model, holding=_conditions((first, second)))
        message = f"rules {first.id} and {second.id} of '{table.target}' both cover this case"
        hint = "narrow one of them, or use 'hit: first' if their order decides"
        findings += _found("overlap", answer, message, _place(table, second), hint)
    return findings


def _disagreements(model: DomainModel, table: Table) -> list[Finding]:
    findings: list[Finding] = []
    for first, second in combinations([rule for rule in table.rules if rule.when], 2):
        differs = Not(same_value(first.then, second.then))
        answer = find_row(model, holding=(*_conditions((first, second)), differs))
        message = f"rules {first.id} and {second.id} of '{table.target}' disagree on this case"
        hint = "let them agree, or use 'hit: first' if their order decides"
        findings += _found("disagreement", answer, message, _place(table, second), hint)
    return findings


def _unreachable(model: DomainModel, table: Table) -> list[Finding]:
    findings = []
    for index, rule in enumerate(table.rules):
        answer = _decided_case(model, table, index)
        if isinstance(answer, NoRow):
            message = f"rule {rule.id} of '{table.target}' never decides a case"
            findings.append(
                error(
                    "unreachable-rule",
                    message,
                    where=_place(table, rule),
                    hint="remove it, or check the rules before it",
                )
            )
        elif isinstance(answer, Undecided):
            findings += _found(
                "unreachable-rule", answer, f"rule {rule.id}", _place(table, rule), ""
            )
    return findings


def _decided_case(model: DomainModel, table: Table, index: int) -> Answer:
    """Return a case that the rule at ``index`` decides; nothing is left behind an ``otherwise``."""
    rule, earlier = table.rules[index], table.rules[:index]
    if any(before.when is None for before in earlier):
        return NoRow()
    is_ordered = table.hit is HitPolicy.FIRST or rule.when is None
    failing = _conditions(earlier) if is_ordered else ()
    return find_row(model, _conditions((rule,)), failing, is_shown=False)


def _conditions(rules: tuple[Rule, ...]) -> tuple[Expression, ...]:
    return tuple(rule.when for rule in rules if rule.when is not None)


def _place(table: Table, rule: Rule | None = None) -> str:
    return f"decisions.{table.target}" + (f", rule {rule.id}" if rule else "")


def _found(finding_id: str, answer: Answer, message: str, where: str, hint: str) -> list[Finding]:
    match answer:
        case Row():
            evidence = str(answer) or "any case"
            return [error(finding_id, message, where=where, evidence=evidence, hint=hint)]
        case Undecided():
            text = f"the solver's budget ran out on: {message}"
            return [warning(f"{finding_id}-undecided", text, where=where)]
        case NoRow():
            return []
