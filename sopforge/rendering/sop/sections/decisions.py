"""The decisions of a model in the SOP: formulas, and tables with what their rules make together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    Choice,
    Constant,
    Expression,
    Lookup,
    Missing,
    Read,
    iterate_parts,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import (
    Collect,
    Decision,
    Formula,
    HitPolicy,
    Rule,
    Table,
    is_first_given,
    list_targets,
)
from sopforge.domain.values.types import BooleanType, EnumType, ListType, NumberType, SetType
from sopforge.logic.english import phrase_entry, phrase_expression, phrase_value
from sopforge.logic.phrasing.brackets import format_amount, get_unit, is_clause, is_worked_out
from sopforge.logic.phrasing.grammar import conjugate_be, format_quantity, join_items
from sopforge.logic.phrasing.idioms import unwrap_node
from sopforge.logic.phrasing.last_labels import name_last_label
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sections.conditions import (
    Case,
    choose_opening,
    group_neighbours,
    is_listed,
    join_pair,
    list_stated_items,
    render_condition,
    render_condition_list,
    render_conditional_sentence,
)
from sopforge.rendering.sop.sections.formulas import (
    phrase_formula,
    phrase_keys,
    render_formula,
    takes_signs,
)
from sopforge.rendering.sop.sections.tables import (
    has_condition_column,
    has_table_form,
    is_long_look_up,
    list_look_up_keys,
    render_condition_table,
    render_joint_look_up,
    render_table,
)
from sopforge.rendering.sop.wording import FIRST, Conjunction, Wording

_BRACKET = "("
_LONGEST_FIRST = 90
"""A longer value stands after its condition."""
_LONGEST_BETWEEN = 200
"""A longer condition does not stand between two labels."""


def render_decision(model: DomainModel, target: str, wording: Wording = FIRST) -> Iterator[Line]:
    """Return how a field is decided at a step; of several that one table gives, at the first."""
    decision, item = model.decisions[target], model.fields[target]
    if decision.shared is not None:
        if is_first_given(decision):
            yield from _render_joint_decision(model, decision, wording)
        return
    asked = phrase_asked(item)
    if isinstance(decision, Formula) and isinstance(unwrap_node(decision.value), Read):
        value = phrase_value(decision.value, model.fields)
        text = frames.COPY.render(asked=asked, target=target, value=value)
        yield Line(Style.PARAGRAPH, text, (f"decision {target}",))
        return
    if isinstance(decision, Formula):
        is_looked_up = is_long_look_up(model, decision.value)
        verbs = (frames.LOOK_UP,) if is_looked_up else frames.WORK_OUT_VERBS
        is_listed_anew = isinstance(item.type, SetType | ListType)
        verb = frames.DECIDE_VERB if is_listed_anew else wording.choose(verbs, "work out")
        opening = frames.FORMULA.render(verb=verb, asked=asked, target=target, value="")
        yield from render_formula(model, decision, Style.PARAGRAPH, opening, "as")
        return
    if two_cases := _render_two_cases(model, decision):
        yield from two_cases
        return
    is_counted = decision.hit is HitPolicy.COLLECT and decision.collect is not Collect.UNION
    verb = wording.choose(frames.WORK_OUT_VERBS, "work out") if is_counted else frames.DECIDE_VERB
    is_table = has_table_form(model, decision)
    is_plain = is_table and decision.hit is HitPolicy.UNIQUE
    text = (frames.PLAIN_TABLE if is_plain else frames.DECISION).render(
        verb=verb,
        asked=asked,
        target=target,
        table=frames.BY_TABLE if is_table else "",
        policy=frames.ROW_POLICIES[decision.hit] if is_table else _explain_hit_policy(decision),
    )
    yield Line(Style.PARAGRAPH, text, (f"decision {target}",))
    yield from _render_body(model, [decision], wording)


def _render_two_cases(model: DomainModel, table: Table) -> list[Line]:
    """Return a table of two labels as a sentence, maybe with a list, [] for any other table."""
    item, (*rules, last) = model.fields[table.target], table.rules
    is_pair = table.hit is HitPolicy.FIRST and last.when is None and bool(rules)
    is_label = isinstance(item.type, BooleanType | EnumType)
    if not is_pair or not is_label or has_table_form(model, table):
        return []
    results = [rule.then for rule in table.rules]
    is_plain = all(isinstance(result, Constant | Missing) for result in results)
    if not is_plain or len({*results[:-1]}) > 1:
        return []
    cases = [_build_case([table], rule.id, rule.when, ()) for rule in rules if rule.when]
    stated = (
        f"decision {table.target}",
        *(f"rule {table.target}.{rule.id}" for rule in table.rules),
    )
    states = tuple(dict.fromkeys([*stated, *(name for case in cases for name in case.states)]))
    value, rest = (_phrase_result(model, item, then)[1:-1] for then in results[-2:])
    if len(cases) > 1 or is_listed(cases[0].condition):
        text = _phrase_two_cases(item, (value, rest), choose_opening(cases), ":")
        opening = Line(Style.PARAGRAPH, text, states)
        return [opening, *render_condition_list(model, cases)]
    words = phrase_expression(cases[0].condition, model.fields)
    if len(words) > _LONGEST_BETWEEN or frames.OTHERWISE in words:
        return []
    text = _phrase_two_cases(item, (value, rest), words, ".")
    return [Line(Style.PARAGRAPH, text, states)]


def _phrase_two_cases(item: Field, labels: tuple[str, str], condition: str, end: str) -> str:
    """Return which of two labels a field has; of a yes/no field, it is asked whether it is so."""
    asked = {"verb": frames.DECIDE_VERB, "asked": phrase_asked(item), "target": item.name}
    given = {**asked, **dict(zip(("value", "rest"), labels, strict=True))}
    if item.said is None:
        it = "them" if conjugate_be(item.label) == "are" else "it"
        if end == ":":
            return frames.SET_TO_LISTED.render(**given, opening=condition)
        return frames.SET_TO.render(**given, condition=condition, it=it)
    frame = frames.TWO_CASES_LISTED if end == ":" else frames.TWO_CASES
    return frame.render(**given, condition=condition, opening=condition)


def render_decisions(
    model: DomainModel, targets: Sequence[str], earlier: Mapping[str, str], wording: Wording = FIRST
) -> Iterator[Line]:
    """Return how a step decides its fields, in their order.

    ``earlier`` has the steps, as sentences name them, that decide fields before this one does: the
    rules of those stand there, if they are more than a line.
    """
    for step, group in groupby(targets, lambda target: earlier.get(target, "")):
        names = list(group)
        lines = [line for target in names for line in render_decision(model, target, wording)]
        if not step or len(lines) <= len(names):
            yield from lines
            continue
        states = tuple(dict.fromkeys(state for line in lines for state in line.states))
        text = frames.AS_BEFORE.render(
            verb=frames.DECIDE_VERB, fields=_phrase_asked_fields(model, names), to=step
        )
        yield Line(Style.PARAGRAPH, text, tuple(x for x in states if not x.startswith("policy ")))


def render_calculator(model: DomainModel, formula: Formula) -> Iterator[Line]:
    """Return how a calculator works a field out, and what it looks up together with that."""
    if formula.shared is not None:
        if is_first_given(formula):
            yield from _render_joint_look_up(model, formula, Style.BULLET, frames.LOOK_UP)
        return
    label = model.fields[formula.target].label
    opening = frames.CALCULATOR.render(value=label)
    yield from render_formula(model, formula, Style.BULLET, opening, conjugate_be(label))


def _render_joint_decision(
    model: DomainModel, decision: Decision, wording: Wording
) -> Iterator[Line]:
    """Return the one table or list of rules that gives several fields."""
    if isinstance(decision, Formula):
        yield from _render_joint_look_up(model, decision, Style.PARAGRAPH, frames.DECIDE_VERB)
        return
    tables = list_joint_tables(model, decision)
    is_table = has_condition_column(model, tables) or all(
        has_table_form(model, table) for table in tables
    )
    is_plain = is_table and decision.hit is HitPolicy.UNIQUE
    text = (frames.PLAIN_JOINT_TABLE if is_plain else frames.JOINT_DECISION).render(
        verb=frames.DECIDE_VERB,
        fields=_phrase_asked_fields(model, list_targets(decision)),
        table=frames.BY_TABLE if is_table else "",
        policy=(frames.ROW_POLICIES if is_table else frames.RULE_POLICIES)[decision.hit],
    )
    yield Line(Style.PARAGRAPH, text, _name_decisions(list_targets(decision)))
    yield from _render_body(model, tables, wording)


def _render_joint_look_up(
    model: DomainModel, formula: Formula, style: Style, verb: str
) -> Iterator[Line]:
    """Return the one table that several fields are looked up in."""
    targets = list_targets(formula)
    values = {
        target: item.value
        for target in targets
        if isinstance(item := model.decisions[target], Formula)
    }
    labels = [model.fields[name].label for name in list_look_up_keys(formula.value)]
    text = frames.JOINT_LOOK_UP.render(
        verb=verb, fields=_phrase_asked_fields(model, targets), keys=phrase_keys(labels)
    )
    yield Line(style, text, _name_decisions(targets))
    yield from render_joint_look_up(
        model, values, lambda target, value: _phrase_entry(model, model.fields[target], value)
    )


def _phrase_asked_fields(model: DomainModel, targets: Sequence[str]) -> str:
    """Return the fields that a table gives, each with its name in brackets."""
    items = [model.fields[target] for target in targets]
    return join_items([f"{phrase_asked(item)} ({item.name})" for item in items])


def phrase_asked(item: Field) -> str:
    """Return what is asked where a field is decided."""
    return f"whether {item.said.yes}" if item.said else f"the {item.label}"


def _name_decisions(targets: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"decision {target}" for target in targets)


def list_joint_tables(model: DomainModel, table: Table) -> list[Table]:
    """Return the tables that are given together, one for each field."""
    found = [model.decisions[target] for target in list_targets(table)]
    return [item for item in found if isinstance(item, Table)]


def _render_body(model: DomainModel, tables: list[Table], wording: Wording) -> Iterator[Line]:
    """Return the rules of tables of the same conditions, as a table of the text or as sentences."""
    first = tables[0]
    has_columns = all(has_table_form(model, table) for table in tables)
    if has_columns or has_condition_column(model, tables):
        results = [
            [
                _phrase_result(model, model.fields[table.target], rule.then)
                for table, rule in zip(tables, rules, strict=True)
            ]
            for rules in zip(*(table.rules for table in tables), strict=True)
        ]
        if not has_columns:
            yield from render_condition_table(model, tables, results)
            return
        named = [name_last_label(table, model.fields) for table in tables]
        yield from render_table(model, named, results)
        return
    rows = list(zip(*(table.rules for table in tables), strict=True))
    groups = list(group_neighbours(rows, lambda rules: _get_shared_results(first, rules)))
    is_by_case = len(tables) == 1 and _has_formula(model, first)
    for group in groups:
        yield from _render_rules(model, tables, group, wording, is_by_case=is_by_case)


def _explain_hit_policy(table: Table) -> str:
    """Return how the rules of a table decide together."""
    is_whole = any(rule.when is None for rule in table.rules)
    return frames.RULE_POLICIES.get(table.hit) or frames.COLLECTED[table.collect, is_whole]


def _get_shared_results(table: Table, rules: Sequence[Rule]) -> tuple[Expression, ...] | None:
    """Return the results by which neighbours go together: rules that are collected never do."""
    is_alone = rules[0].when is None or table.hit is HitPolicy.COLLECT
    return None if is_alone else tuple(rule.then for rule in rules)


def _has_formula(model: DomainModel, table: Table) -> bool:
    """Return whether a value of a table is a formula: then each stands after its condition."""
    is_said = _has_bare_results(model.fields[table.target], table)
    values = [rule.then for rule in table.rules]
    return is_said and any(
        _phrase_long_result(model, table, value) or _BRACKET in phrase_value(value, model.fields)
        for value in values
        if is_worked_out(value)
    )


def _render_rules(
    model: DomainModel,
    tables: list[Table],
    rows: list[tuple[Rule, ...]],
    wording: Wording,
    *,
    is_by_case: bool,
) -> Iterator[Line]:
    """Return the sentences of neighbouring rules of the same results.

    ``is_by_case``: each value stands after its condition, unless that takes a list.
    """
    table = tables[0]
    items = [model.fields[item.target] for item in tables]
    value = _phrase_result(model, items[0], rows[0][0].then)
    # What is worked out stands at the end of its sentence, where it needs no brackets.
    is_last = len(items) == 1 and not isinstance(rows[0][0].then, Constant | Missing | Read)
    is_bare = len(items) == 1 and _has_bare_results(items[0], table)
    answers = [
        _phrase_bare(model, item, rule.then)
        if is_bare
        else _phrase_answer(model, item, rule, inside=not is_last)
        for item, rule in zip(items, rows[0], strict=True)
    ]
    result = _join_answers(model, items, rows[0]) or join_items(answers)
    amounts = list_stated_items("", *(rule.then for rule in rows[0]))[1:]
    cases = [
        _build_case(tables, rules[0].id, rules[0].when, amounts) for rules in rows if rules[0].when
    ]
    is_collected = table.hit is HitPolicy.COLLECT
    formula = _phrase_long_result(model, table, rows[0][0].then) if is_bare or is_collected else ""
    if is_by_case and not formula:
        formula = _phrase_result(model, items[0], rows[0][0].then, inside=False)
    if formula and len(cases) == 1 and not is_listed(cases[0].condition):
        words = phrase_expression(cases[0].condition, model.fields)
        text = frames.CASE_RULE.render(condition=words, value=formula)
        yield Line(Style.BULLET, text, cases[0].states)
        return
    if not cases:
        rest = frames.NONE_APPLIES if is_collected else wording.rest
        names = (*(f"rule {item.target}.{rows[0][0].id}" for item in tables), *amounts)
        frame = frames.DEFAULT
        if is_bare and not is_collected:
            rest = frames.REST[-1]
            frame, rest = (
                (frames.CASE_DEFAULT, rest) if formula else (frames.BARE_DEFAULT, rest.lower())
            )
        said = formula or (answers[0] if is_bare else value)
        yield Line(Style.BULLET, frame.render(rest=rest, result=result, value=said), names)
    elif is_collected and table.collect is Collect.COUNT:
        yield from render_condition(model, Style.BULLET, cases[0])
    elif is_collected:
        said = _phrase_collected(model, items[0], rows[0][0].then)
        first, *others = render_conditional_sentence(
            model, Style.BULLET, Conjunction.AFTER, cases, said
        )
        yield replace(first, text=f"{said[:1]}{first.text[1:]}")
        yield from others
    else:
        conjunction = Conjunction.AFTER if is_bare else Conjunction.IF
        first, *others = render_conditional_sentence(
            model, Style.BULLET, conjunction, join_pair(model, cases) if is_bare else cases, result
        )
        # A value alone is no sentence, and begins with a small letter.
        yield replace(first, text=f"{result[:1]}{first.text[1:]}") if is_bare else first
        yield from others


def _phrase_long_result(model: DomainModel, table: Table, value: Expression) -> str:
    """Return a result that signs say better than words, "" for any other."""
    is_number = table.collect is not Collect.COUNT and isinstance(value.type, NumberType)
    inner = iterate_parts(value)
    if not is_number or any(isinstance(part, Choice | Lookup) for part in inner):
        return ""
    words = phrase_formula(value, model.fields)
    is_long = is_worked_out(value) and len(words) > _LONGEST_FIRST
    return words if takes_signs(value) or is_long else ""


def _has_bare_results(item: Field, table: Table) -> bool:
    """Return whether the value of each rule can stand before its condition, as a label does."""
    is_plain = not any(isinstance(unwrap_node(rule.then), Choice | Lookup) for rule in table.rules)
    is_number = not isinstance(item.type, BooleanType | SetType | ListType)
    is_label = all(isinstance(rule.then, Constant | Missing) for rule in table.rules)
    is_said = (is_plain and is_number) or is_label
    return is_said and table.hit is not HitPolicy.COLLECT and not item.said


def _phrase_bare(model: DomainModel, item: Field, value: Expression) -> str:
    """Return a value before its condition; what is rounded or bounded ends with a comma."""
    words = _phrase_result(model, item, value, inside=False)
    return f"{words}," if is_clause(value) else words


def _phrase_collected(model: DomainModel, item: Field, value: Expression) -> str:
    """Return a value that is added or compared with others, before its condition."""
    is_chosen = any(isinstance(part, Choice | Lookup) for part in iterate_parts(value))
    is_number = isinstance(value.type, NumberType)
    if is_chosen or not is_number:
        return _phrase_result(model, item, value)
    return _phrase_bare(model, item, value)


def _build_case(
    tables: list[Table], name: str, condition: Expression, amounts: Sequence[str]
) -> Case:
    """Return a case with what else its line states: rules of other fields, and amounts."""
    first, *others = (f"rule {table.target}.{name}" for table in tables)
    return Case(first, condition, (*others, *amounts))


def _phrase_answer(model: DomainModel, item: Field, rule: Rule, *, inside: bool = True) -> str:
    """Return the answer of a rule; ``inside`` a sentence, not at its end."""
    value = _phrase_result(model, item, rule.then, inside=inside)
    return _phrase_clause(item, rule.then) or frames.ANSWER.render(
        label=item.label, be=conjugate_be(item.label), value=value
    )


def _join_answers(model: DomainModel, items: Sequence[Field], rules: Sequence[Rule]) -> str:
    """Return that several fields have one value, "" where they have not."""
    values = {
        _phrase_result(model, item, rule.then) for item, rule in zip(items, rules, strict=True)
    }
    is_said = any(item.said for item in items)
    if len(items) == 1 or len(values) > 1 or is_said:
        return ""
    return f"{frames.start_shared_answer([item.label for item in items])}{values.pop()}"


def _phrase_clause(item: Field, value: Expression) -> str:
    """Return what is so where a yes/no field has an answer, "" where no clause says it."""
    if item.said is None or not isinstance(value, Constant):
        return ""
    return item.said.yes if value.value else item.said.no


def _phrase_entry(model: DomainModel, item: Field, value: Expression) -> str:
    """Return an entry of a look-up that gives several fields; a plain number has its unit."""
    if isinstance(value, Constant) and isinstance(item.type, NumberType):
        return format_amount(value, get_unit(value) or item.type.unit)
    return phrase_entry(value, model.fields)


def _phrase_result(
    model: DomainModel, item: Field, value: Expression, *, inside: bool = True
) -> str:
    """Return the result of a rule; a plain number has the unit of its field."""
    words = phrase_value(value, model.fields, inside=inside)
    if isinstance(value, Constant) and isinstance(item.type, NumberType) and not get_unit(value):
        return format_quantity(words, item.type.unit)
    return words
