"""Decision tables examined over all rows: uncovered cases, overlaps, rules that never decide."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Expression,
    Not,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import (
    HitPolicy,
    Rule,
    Table,
    collect_decision_inputs,
    is_first_given,
)
from sopforge.language.english.nouns import join_items
from sopforge.language.logic.tables import build_agreement, build_coverage_condition
from sopforge.progress.tracking import track
from sopforge.proof.solving.examining.inquiry import NARROWER, Inquiry
from sopforge.proof.solving.examining.led_cases import (
    build_condition_at,
    find_case,
    is_ever_decided,
)
from sopforge.proof.solving.examining.ranges import examine_ranges
from sopforge.proof.solving.examining.wording import describe_case
from sopforge.proof.solving.questions import Answer, NoRow, Row, Undecided, find_changeable_fields
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import (
    FALSE,
    Moment,
    find_decision_moments,
    unfold,
)

_UNDECIDED = {
    "gap": "end the table with a rule that has 'otherwise'",
    "overlap": "write 'hit: first', so that the first of two rules decides",
    "disagreement": "write 'hit: first', so that the first of two rules decides",
    "unreachable-rule": f"{NARROWER}, or remove the rule",
}


def examine_tables(model: DomainModel) -> list[Finding]:
    """Return what is wrong with the decisions of a model, each with a case.

    Nothing is said of a model whose constraints no row satisfies.
    """
    if Inquiry(model).is_impossible():
        return []  # the examination of the procedure names the constraints
    try:
        places = unfold(model)
    except TooManyStepsError:
        places = ()
    inquiry = Inquiry(model, places)
    tables = [item for item in model.decisions.values() if isinstance(item, Table)]
    findings = [
        finding
        for table in track(tables, "tables asked about")
        for finding in examine_table(
            model, table, find_decision_moments(places, table.target), inquiry
        )
    ]
    for decision in model.decisions.values():
        moments = find_decision_moments(places, decision.target)
        findings += examine_ranges(inquiry, decision, moments)
    return findings


def examine_table(
    model: DomainModel,
    table: Table,
    moments: Sequence[Moment] = (),
    inquiry: Inquiry | None = None,
) -> list[Finding]:
    """Return the gaps, overlaps and unreachable rules of a table, each with a case.

    ``moments`` are those at which the procedure decides it, and only cases that come there count;
    without any, all rows do. ``inquiry`` is the one of the examination that this is a part of.
    """
    inquiry = inquiry or Inquiry(model)
    findings = _find_disagreements(inquiry, table, moments) if table.hit is HitPolicy.ANY else []
    if not is_first_given(table):
        return (
            findings  # of one table that gives several fields, the conditions are asked about once
        )
    findings = [*_find_gaps(inquiry, table, moments), *findings]
    if table.hit is HitPolicy.UNIQUE:
        findings += _find_overlaps(inquiry, table, moments)
    return findings + _find_unreachable_rules(inquiry, table, moments)


def _find_gaps(inquiry: Inquiry, table: Table, moments: Sequence[Moment]) -> list[Finding]:
    condition = build_coverage_condition(table)
    if condition is None:
        return []
    answer = find_case(inquiry, table, moments, [Not(condition)])
    message = f"no rule of '{table.name}' covers {_describe_answer(inquiry.model, answer)}"
    hint = "add a rule for it, or a last rule with 'otherwise'"
    return _make_findings("gap", answer, message, _locate_rule(table), hint)


def _find_overlaps(inquiry: Inquiry, table: Table, moments: Sequence[Moment]) -> list[Finding]:
    findings: list[Finding] = []
    for (first, second), conditions in _list_meeting_rules(inquiry, table, differing=False):
        answer = find_case(inquiry, table, moments, conditions)
        named = _describe_answer(inquiry.model, answer)
        message = f"rules {first.id} and {second.id} of '{table.name}' both cover {named}"
        hint = "narrow the condition of one rule, or write 'hit: first' if their order decides"
        findings += _make_findings("overlap", answer, message, _locate_rule(table, second), hint)
    return findings


def _find_disagreements(inquiry: Inquiry, table: Table, moments: Sequence[Moment]) -> list[Finding]:
    findings: list[Finding] = []
    for (first, second), conditions in _list_meeting_rules(inquiry, table, differing=True):
        answer = find_case(inquiry, table, moments, conditions)
        named = _describe_answer(inquiry.model, answer)
        message = f"rules {first.id} and {second.id} of '{table.target}' disagree on {named}"
        hint = "give both rules the same result, or write 'hit: first' if their order decides"
        findings += _make_findings(
            "disagreement", answer, message, _locate_rule(table, second), hint
        )
    return findings


def _list_meeting_rules(
    inquiry: Inquiry, table: Table, *, differing: bool
) -> list[tuple[tuple[Rule, Rule], tuple[Expression, ...]]]:
    """Return the pairs of rules with the conditions of meeting; none if no pair ever meets.

    One question about all pairs is enough for most tables.
    """
    pairs = []
    for first, second in combinations([rule for rule in table.rules if rule.when], 2):
        differs = (Not(build_agreement(first.then, second.then)),) if differing else ()
        pairs.append(((first, second), (*_list_conditions((first, second)), *differs)))
    any_pair = AnyOf(tuple(AllOf(conditions) for _, conditions in pairs)) if pairs else FALSE
    is_none = inquiry.is_impossible(any_pair)
    return (
        []
        if is_none and not find_changeable_fields(inquiry.model) & collect_decision_inputs(table)
        else pairs
    )


def _find_unreachable_rules(
    inquiry: Inquiry, table: Table, moments: Sequence[Moment]
) -> list[Finding]:
    followed = moments if is_ever_decided(inquiry, moments) else ()
    findings = []
    for index, rule in enumerate(table.rules):
        name, where = f"rule {rule.id} of '{table.name}'", _locate_rule(table, rule)
        answer = _find_decided_case(inquiry, table, index, followed)
        # Asked of drawn records alone, and an action may make others before the table is read.
        if isinstance(answer, NoRow) and not followed and find_changeable_fields(inquiry.model):
            findings += _make_findings(
                "unreachable-rule", Undecided(), f"whether {name} decides", where, ""
            )
        elif isinstance(answer, NoRow):
            reason, hint = _explain_unreachable(inquiry, table, index, followed)
            message = f"{name} never decides a case: {reason}"
            findings.append(
                make_warning_finding("unreachable-rule", message, where=where, hint=hint)
            )
        elif isinstance(answer, Undecided):
            findings += _make_findings(
                "unreachable-rule", answer, f"whether {name} decides", where, ""
            )
    return findings


def _explain_unreachable(
    inquiry: Inquiry, table: Table, index: int, followed: Sequence[Moment]
) -> tuple[str, str]:
    """Return why a rule never decides a case, and what to do about it."""
    is_dead = isinstance(_find_decided_case(inquiry, table, index, ()), NoRow)
    moments = () if is_dead else followed
    rules = _find_swallowing_rules(inquiry, table, index, moments)
    if not rules and is_dead:
        return "no case meets its condition", "remove it, or correct its condition"
    if not rules:
        reason = "no case that it covers reaches the step that decides it"
        return reason, "remove it, or check the steps and edges before it"
    which = "all of its cases" if is_dead else "all of its cases that come here"
    named = join_items([rule.id for rule in rules])
    if len(rules) == 1:
        return f"rule {named} before it takes {which}", f"remove it, or narrow rule {named}"
    reason = f"rules {named} before it together cover {which}"
    return reason, f"remove it, or narrow one of the rules {named}"


def _find_swallowing_rules(
    inquiry: Inquiry, table: Table, index: int, moments: Sequence[Moment]
) -> Sequence[Rule]:
    """Return the earlier rules that leave a rule no case, of which none can be spared.

    There is none where the rule has no case by itself, and one where one is enough.
    """
    own = _list_conditions((table.rules[index],))

    def leave_nothing(earlier: Sequence[Rule]) -> bool:
        holding = (*own, *map(Not, _list_conditions(tuple(earlier))))
        if moments:
            holding = (AnyOf(tuple(build_condition_at(moment, holding) for moment in moments)),)
        return inquiry.is_impossible(*holding)

    earlier = table.rules[:index] if _is_ordered(table, table.rules[index]) else ()
    if leave_nothing(()):
        return ()
    # Each alone before all together: a single culprit is easier to put right.
    one = next((rule for rule in earlier if leave_nothing((rule,))), None)
    if one is not None:
        return (one,)
    kept = list(earlier)
    for rule in earlier:
        rest = [other for other in kept if other is not rule]
        kept = rest if leave_nothing(rest) else kept
    return kept


def _is_ordered(table: Table, rule: Rule) -> bool:
    """Return whether a rule decides only what the rules before it leave."""
    return table.is_in_turn or rule.when is None


def _find_decided_case(
    inquiry: Inquiry, table: Table, index: int, moments: Sequence[Moment]
) -> Answer:
    """Return a case that the rule at ``index`` decides; nothing is left after an ``otherwise``."""
    rule, earlier = table.rules[index], table.rules[:index]
    if any(before.when is None for before in earlier):
        return NoRow()
    failing = _list_conditions(earlier) if _is_ordered(table, rule) else ()
    holding = (*_list_conditions((rule,)), *map(Not, failing))
    if moments:
        holding = (AnyOf(tuple(build_condition_at(moment, holding) for moment in moments)),)
    return inquiry.find_row(holding, is_shown=False)


def _describe_answer(model: DomainModel, answer: Answer) -> str:
    return describe_case(model, answer) if isinstance(answer, Row) else "all cases"


def _list_conditions(rules: tuple[Rule, ...]) -> tuple[Expression, ...]:
    return tuple(rule.when for rule in rules if rule.when is not None)


def _locate_rule(table: Table, rule: Rule | None = None) -> str:
    return f"decisions.{table.name}" + (f", rule {rule.id}" if rule else "")


def _make_findings(
    finding_id: str, answer: Answer, message: str, where: str, hint: str
) -> list[Finding]:
    match answer:
        case Row():
            evidence = str(answer) or "any case"
            return [
                make_error_finding(finding_id, message, where=where, evidence=evidence, hint=hint)
            ]
        case Undecided():
            text = f"the solver's budget ran out on: {message}"
            advice = _UNDECIDED[finding_id]
            return [make_warning_finding(f"{finding_id}-undecided", text, where=where, hint=advice)]
        case NoRow():
            return []
