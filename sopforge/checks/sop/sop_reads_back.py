"""SOP: read back from its words alone, the procedure decides every case as the model does.

The reader knows the labels of the model and the English of rules; of the trace it takes only
which passages are excused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sopforge.checks.sop.brief_prose import find_changed_prose, is_same_general, is_same_prose
from sopforge.checks.sop.redundant_rules import check_redundant_rules
from sopforge.checks.sop.restored_lines import restore_lines
from sopforge.checks.sop.returned_values import collect_names_in_words, find_other_results
from sopforge.checks.sop.sop_comparison import (
    Difference,
    compare_decisions,
    compare_transitions,
    compare_values,
)
from sopforge.checks.sop.sop_field_lines import (
    check_field_groups,
    check_field_lines,
    check_result_tables,
    find_introduced_field,
    take_result_tables,
)
from sopforge.checks.spoiling import edit_text
from sopforge.domain.documents.schema import ControlDocument
from sopforge.domain.guards import GuardLeaf, list_guard_checks
from sopforge.domain.language.expressions import AnyOf, Expression, Not
from sopforge.domain.model import (
    INVALID_PARAMETER,
    UNKNOWN_RECORD,
    DomainModel,
    Step,
    Tool,
    build_form_checks,
    find_passed_limits,
)
from sopforge.domain.rules import Formula
from sopforge.errors import StoreError
from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.logic.english_reader import RELATIONS, NotReadError
from sopforge.reading.note_words import reword_meaning
from sopforge.reading.parsed_sop import ParsedSop, ParsedStep, SopReader
from sopforge.reading.sop_passages import (
    BARE_REFERENCE,
    Part,
    Passage,
    collect_facts,
    read_parts,
)
from sopforge.rendering.sop.document import Line, Style, read_sop
from sopforge.rendering.sop.frames import BEGIN, OTHER_STEPS, read_role
from sopforge.rendering.sop.general import list_general_sentences
from sopforge.rendering.sop.meanings import MEANING, OPENING, list_amounts, list_meanings
from sopforge.rendering.sop.named_conditions import list_named_conditions
from sopforge.rendering.sop.own_words import OWN_WORDS
from sopforge.rendering.sop.plain_reading import build_plain_reading
from sopforge.rendering.sop.references import (
    ANNEX,
    MEANT,
    RESULTS,
    name_part_section,
    to_section_number,
)
from sopforge.rendering.sop.sections.closing import render_records
from sopforge.rendering.sop.sections.exceptions import format_reason
from sopforge.rendering.sop.sections.opening import ROLES, render_definitions
from sopforge.rendering.sop.sections.terms import render_terms
from sopforge.rendering.sop.wording import capitalize_text
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

_RELATION = re.compile(
    rf"\b(?:{'|'.join(words for words in RELATIONS if ' ' in words and words != 'the same as')})\b"
)
_SENDS = re.compile(r"\bstep \d+\.\d")
# A field that no rule reads is an entry all the same, and what a limit means must be so.
_BINDING = frozenset({"", "distractor", MEANING})


class SopReadsBack:
    """If SOPForge reads the SOP's text back as rules, they decide every case as the model does."""

    name = "sop-reads-back"
    stage = "sop"

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            stored = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        except StoreError:
            return []  # the check of what is stated says so
        return list(read_back_findings(workspace.model, restore_lines(workspace, stored.lines)))

    def spoil(self, workspace: Workspace) -> Workspace:
        """Turn one comparison round."""
        return edit_text(workspace, SOP_TEXT, "at least", "at most ")


def read_back_findings(model: DomainModel, lines: Iterable[Line]) -> Iterator[Finding]:
    """Return where the text of the lines states another procedure than the model."""
    lines = build_plain_reading(tuple(lines))
    parts = read_parts(line for line in lines if line.excused in _BINDING)
    # What a language model wrote of its own states nothing, not even who has which role.
    headings = read_parts(line for line in lines if line.excused != OWN_WORDS)
    reader = SopReader(model)
    parsed = reader.read(parts)
    numbers = dict(zip(model.steps, (step.number for step in parsed.steps), strict=False))
    yield from _check_headings(model, headings, parsed)
    yield from _check_references(headings, parts)
    yield from _check_bare_references(headings, parts)
    if len(parsed.steps) != len(model.steps):
        return
    yield from _check_parts(model, headings, parsed, numbers)
    assigned = _list_assigned_steps(headings, numbers)
    for step, said in zip(model.steps.values(), parsed.steps, strict=True):
        # The roles say it of all steps, or each step of itself.
        named = replace(said, by=said.by or assigned.get(said.number, ""))
        yield from _check_step(model, reader, step, named, numbers)
    yield from check_redundant_rules(model, lines, _BINDING, parsed.steps)
    yield from _check_scores(model, parsed)
    yield from _check_named_conditions(model, parsed, parts)
    yield from _check_guards(model, parsed)
    yield from _check_hand_overs(model, parsed, numbers)
    yield from _check_roles(model, headings, numbers)
    yield from _check_unread_passages(model, parsed, numbers)


def _make_mismatch_finding(place: str, message: str, evidence: str = "") -> Finding:
    return make_error_finding(
        "sop-reads-differently",
        f"{place}: the text differs from the model ({message})",
        where=SOP_TEXT,
        evidence=evidence,
        hint="rewrite the rule so that it decides as the model does, in the wording of the"
        " other rules",
    )


def _check_difference(place: str, found: Difference | None) -> Iterator[Finding]:
    if found is not None and found.is_alike:
        yield make_warning_finding(
            "sop-reads-alike",
            f"{place}: the text states the rule {found.what}",
            where=SOP_TEXT,
            evidence=found.evidence,
            hint="rewrite it in the words of the rule",
        )
    elif found is not None:
        yield _make_mismatch_finding(place, found.what, found.evidence)


def _check_headings(model: DomainModel, parts: list[Part], parsed: ParsedSop) -> Iterator[Finding]:
    """Report sections and steps that are not numbered in turn, or are not those of the model."""
    sections = [part for part in parts if "." not in part.number]
    if [part.number for part in sections] != [str(n + 1) for n in range(len(sections))]:
        yield _make_mismatch_finding("sections", "they are not numbered consecutively")
    titles = [" ".join(step.title.split()) for step in model.steps.values()]
    if [step.title for step in parsed.steps] != titles:
        yield _make_mismatch_finding("steps", f"they are not {', '.join(titles)}")
    # The main procedure, then each part in the section after it.
    first = parsed.steps[0].number.partition(".")[0] if parsed.steps else "0"
    wanted = [
        f"{section}.{place + 1}"
        for section, name in enumerate(("", *model.parts), start=int(first))
        for place in range(len(model.list_steps_in(name)))
    ]
    if [step.number for step in parsed.steps] != wanted or not _are_below_sections(parts):
        yield _make_mismatch_finding("steps", "they are not numbered consecutively")


def _are_below_sections(parts: list[Part]) -> bool:
    """Return whether each step stands in the section whose number it has."""
    section = ""
    for part in parts:
        if "." not in part.number:
            section = part.number
        elif part.number.partition(".")[0] != section:
            return False
    return True


def _check_parts(
    model: DomainModel, headings: list[Part], parsed: ParsedSop, numbers: dict[str, str]
) -> Iterator[Finding]:
    """Report where the text differs on what the parts are called, and where they begin."""
    titles = {part.number: part.title for part in headings}
    sections = {number: name for name, number in _number_parts(model, numbers).items()}
    for number in dict.fromkeys([*sections, *parsed.parts]):
        part, said = model.parts.get(sections.get(number, "")), parsed.parts.get(number)
        if part is None or said is None:
            yield _make_mismatch_finding(f"section {number}", "whether steps have it carried out")
            continue
        steps = model.list_steps_in(part.name)
        has_loop = any(edge.bound is not None for step in steps for edge in step.edges)
        if titles[number] != name_part_section(part):
            yield _make_mismatch_finding(f"section {number}", "the title of the part")
        if said.start != numbers[part.start]:
            yield _make_mismatch_finding(f"section {number}", "where the part begins")
        if said.is_counted_anew != has_loop:
            yield _make_mismatch_finding(f"section {number}", "how repeated steps are counted")


def _number_parts(model: DomainModel, numbers: dict[str, str]) -> dict[str, str]:
    """Return the number of each part's section."""
    return {name: numbers[part.start].partition(".")[0] for name, part in model.parts.items()}


def _check_references(headings: list[Part], parts: list[Part]) -> Iterator[Finding]:
    """Report references to a section or step by another number than it has."""
    titles = {part.number: part.title for part in headings}
    for text in (passage.whole for part in parts for passage in part.passages):
        bare = re.sub(r'"[^"]*"', "", text)
        for found in re.finditer(r"\b(?:step|section) (\d[\d.]*) \(", bare):
            title = re.sub(r'"[^"]*"', "", titles.get(found[1], "\n"))
            if not bare.startswith(f"{title})", found.end()):
                yield _make_mismatch_finding(
                    found[0].removesuffix(" ("), "no heading has this title", text
                )


def _check_bare_references(headings: list[Part], parts: list[Part]) -> Iterator[Finding]:
    """Report references by a number alone to another section than the words before it mean."""
    titles = {part.number: part.title.lower().removeprefix(ANNEX.lower()) for part in headings}
    for text in (passage.whole for part in parts for passage in part.passages):
        for words, number in BARE_REFERENCE.findall(text):
            if titles.get(number) != MEANT[words].lower():
                message = f"it is not that of the {words}"
                yield _make_mismatch_finding(f"section {number}", message, text)


def _check_step(
    model: DomainModel, reader: SopReader, step: Step, said: ParsedStep, numbers: dict[str, str]
) -> Iterator[Finding]:
    place = f"step {said.number}"
    yield from _check_call(model, step, said)
    if list(said.decisions) != list(step.decide):
        yield _make_mismatch_finding(place, f"it decides {', '.join(said.decisions) or 'nothing'}")
        return
    for target, decision in said.decisions.items():
        found = compare_decisions(
            model, decision, model.decisions[target], is_zero_for_none=target in said.zero_for_none
        )
        yield from _check_difference(f"{place}, {target}", found)
    yield from _check_difference(
        f"{place}, transitions", compare_transitions(model, said.transitions, step.edges, numbers)
    )
    yield from _check_refusals(model, reader, step, said, numbers)
    effects = model.tools[step.call].effects if step.call else {}
    yield from _check_values(model, f"{place}, effects", said.effects, effects)
    yield from _check_limits(model, step, said)
    if said.is_return != step.is_return:
        yield _make_mismatch_finding(place, "whether the case goes back to the step before")
    if said.do != _number_parts(model, numbers).get(step.do, ""):
        yield _make_mismatch_finding(place, "which part is carried out here")
    # Where one office carries out all steps, the roles name it.
    is_shared = len({other.by for other in model.steps.values()}) > 1
    if said.by != step.by and (said.by or is_shared):
        yield _make_mismatch_finding(place, f"it is carried out by {said.by or 'nobody'}")
    yield from _check_end(model, step, said)


def _check_end(model: DomainModel, step: Step, said: ParsedStep) -> Iterator[Finding]:
    """Report where the text differs on whether and how the procedure ends at a step."""
    place = f"step {said.number}"
    # An end settles its results at once, in whatever order they are named.
    known = step.end or {}
    ordered = {name: said.end[name] for name in known if name in said.end} | said.end
    yield from _check_values(model, f"{place}, end", ordered, known)
    if said.is_end != (step.end is not None):
        yield _make_mismatch_finding(place, "whether the procedure ends here")
    if said.hand_to != step.hand_to:
        yield _make_mismatch_finding(place, f"it hands the case to {said.hand_to or 'nobody'}")


def _check_call(model: DomainModel, step: Step, said: ParsedStep) -> Iterator[Finding]:
    place = f"step {said.number}"
    if step.call is None or said.call is None:
        if (step.call is None) != (said.call is None):
            yield _make_mismatch_finding(place, "whether a tool is called")
        return
    tool, (name, takes, returned) = model.tools[step.call], said.call
    if (name, takes) != (tool.offered_name, model.describe_arguments(tool)):
        yield _make_mismatch_finding(place, f"it calls {name} with {', '.join(takes)}")
    for message in find_other_results(model, tool, returned):
        yield _make_mismatch_finding(place, message, returned)


def _check_refusals(
    model: DomainModel, reader: SopReader, step: Step, said: ParsedStep, numbers: dict[str, str]
) -> Iterator[Finding]:
    wanted = {code: numbers[edge.to] for code, edge in step.refusals.items()}
    if {code: to for code, (_, _, to) in said.refusals.items()} != wanted:
        yield _make_mismatch_finding(f"step {said.number}", "the transitions after refusals")
        return
    for code, (tool, reason, _) in said.refusals.items():
        called = model.tools[step.call or ""]
        if tool != called.offered_name or not _is_reason(model, reader, called, code, reason):
            yield _make_mismatch_finding(f"step {said.number}", f"the refusal {code}", reason)


def _is_reason(model: DomainModel, reader: SopReader, tool: Tool, code: str, reason: str) -> bool:
    """Return whether the words give the reason for a refusal; that of a guard may be left out."""
    if code == UNKNOWN_RECORD:
        return all(name in reason for name in model.name_lacking_records(tool))
    is_form = code == INVALID_PARAMETER
    checks = build_form_checks(model, tool) if is_form else list_guard_checks(tool.guard)
    tests: list[Expression] = [Not(x.test) for x in checks if is_form or x.refusal == code]
    own_words = {format_reason(x.says) for x in checks if not is_form and x.refusal == code}
    if not is_form and reason in {"", *own_words}:
        return True
    try:
        found = reader.read_condition(reason)
    except NotReadError:
        return False
    known = tests[0] if len(tests) == 1 else AnyOf(tuple(tests))
    return compare_values(model, found, known) is None


def _check_values(
    model: DomainModel,
    place: str,
    said: dict[str, Expression],
    known: Mapping[str, Expression],
) -> Iterator[Finding]:
    if list(said) != list(known):
        yield _make_mismatch_finding(place, f"it sets {', '.join(said) or 'nothing'}")
        return
    for name, value in said.items():
        yield from _check_difference(f"{place}, {name}", compare_values(model, value, known[name]))


def _check_limits(model: DomainModel, step: Step, said: ParsedStep) -> Iterator[Finding]:
    """Report where the text differs on the values beyond which a call refuses to change a field."""
    tool = model.tools[step.call] if step.call else None
    passed = {
        name: find_passed_limits(model.fields[name], value)
        for name, value in (tool.effects.items() if tool else ())
    }
    known = {name: limits for name, limits in passed.items() if any(limits)}
    place = f"step {said.number}"
    if list(said.limits) != list(known):
        yield _make_mismatch_finding(place, f"it limits {', '.join(said.limits) or 'nothing'}")
        return
    for name, (named, *limits) in said.limits.items():
        if tool is None or named != tool.offered_name:
            yield _make_mismatch_finding(place, f"{named} refuses to change {name}")
        for stated, wanted in zip(limits, known[name], strict=True):
            found = compare_values(model, stated, wanted)
            yield from _check_difference(f"{place}, the range of {name}", found)


def _check_scores(model: DomainModel, parsed: ParsedSop) -> Iterator[Finding]:
    decided = {target for step in model.steps.values() for target in step.decide}
    for name, decision in model.decisions.items():
        if not isinstance(decision, Formula) or name in decided:
            continue
        if name not in parsed.scores:
            yield _make_mismatch_finding(name, "it is not said how it is worked out")
            continue
        yield from _check_difference(
            name, compare_values(model, parsed.scores[name], decision.value)
        )


def _check_named_conditions(
    model: DomainModel, parsed: ParsedSop, parts: Sequence[Part]
) -> Iterator[Finding]:
    """Report where the text differs on what a named condition is, or defines one for nothing."""
    said, named = parsed.named_conditions, list_named_conditions(model)
    text = "\n".join(passage.whole for part in parts for passage in part.passages)
    for item in named:
        clauses = (item.said.yes, item.said.no)
        if item.said.yes in said:
            found = compare_values(model, said[item.said.yes], item.condition)
            yield from _check_difference(f"the definition of '{item.said.yes}'", found)
        elif any(clause in text for clause in clauses):
            yield _make_unstated_finding(f"when {item.said.yes}")
    known = {item.said.yes for item in named}
    # In the order of the text; a definition itself begins with a capital.
    for clause in said:
        if clause not in known and clause not in text:
            yield _make_mismatch_finding("definitions", f"no rule uses '{clause}'")


def _check_guards(model: DomainModel, parsed: ParsedSop) -> Iterator[Finding]:
    # Of tools that no step calls, none need be stated.
    called = [step.call for step in model.steps.values() if step.call]
    stated = [
        name
        for offered in dict.fromkeys(tool for tool, _, _ in parsed.guards)
        for name, tool in model.tools.items()
        if tool.offered_name == offered
    ]
    names = dict.fromkeys([*stated, *called])
    tools = [model.tools[name] for name in names]
    known: list[tuple[str, GuardLeaf]] = []
    for name, check in (
        (tool.offered_name, check) for tool in tools for check in list_guard_checks(tool.guard)
    ):
        # What a tool checks alike, whichever records steps call it about, is said once.
        alike = (other for tool, other in known if tool == name)
        if all((other.test, other.refusal) != (check.test, check.refusal) for other in alike):
            known.append((name, check))
    said = [(tool, refusal) for tool, _, refusal in parsed.guards]
    if said != [(tool, check.refusal) for tool, check in known]:
        yield _make_mismatch_finding(
            "refusals", "what the tools check, and with which code they refuse"
        )
        return
    pairs = zip(parsed.guards, _pair_checks(model, parsed.guards, known), strict=True)
    for place, ((tool, test, refusal), check) in enumerate(pairs):
        if (place in parsed.ordered) != check.is_ordered:
            message = "whether the alternatives are tried in their order"
            yield _make_mismatch_finding(f"{tool}, {refusal}", message)
        yield from _check_difference(f"{tool}, {refusal}", compare_values(model, test, check.test))


def _pair_checks(
    model: DomainModel,
    said: Sequence[tuple[str, Expression, str]],
    known: Sequence[tuple[str, GuardLeaf]],
) -> list[GuardLeaf]:
    """Return for each refusal that a text states the check that it is: the same one, or the next.

    What a tool checks of other records is stated for each step that calls it, in any order.
    """
    left = list(known)
    found: list[GuardLeaf] = []
    for tool, test, refusal in said:
        alike = [item for item in left if (item[0], item[1].refusal) == (tool, refusal)]
        same = (item for item in alike if compare_values(model, test, item[1].test) is None)
        chosen = next(same, alike[0]) if len(alike) > 1 else alike[0]
        left.remove(chosen)
        found.append(chosen[1])
    return found


def _check_hand_overs(
    model: DomainModel, parsed: ParsedSop, numbers: dict[str, str]
) -> Iterator[Finding]:
    """Report where the text differs on which office takes cases over at which steps."""
    known = {
        office: tuple(numbers[step] for step in steps) for office, steps in model.hand_overs.items()
    }
    if parsed.hand_overs != known:
        yield _make_mismatch_finding("escalation", "who takes cases over, and at which steps")


def _check_roles(
    model: DomainModel, headings: list[Part], numbers: dict[str, str]
) -> Iterator[Finding]:
    """Report offices that carry out steps or take cases over, and that no role is given to.

    What the roles say of steps has to be what the steps say.
    """
    for role, carried in _list_carried_steps(headings, numbers).items():
        own = {numbers[step.id] for step in model.steps.values() if step.by == role}
        if own != carried:
            steps = _read_roles(headings)[role]
            yield _make_mismatch_finding("roles", f"which steps the {role} carries out", steps)
    text = " ".join(_list_role_texts(headings)).lower()
    known = [*(step.by for step in model.steps.values() if step.by), *model.hand_overs]
    lacking = [office for office in dict.fromkeys(known) if office.lower() not in text]
    yield from (_make_unstated_finding(f"among the roles, the {office}") for office in lacking)


def _list_role_texts(headings: Iterable[Part]) -> list[str]:
    """Return what the section on roles says."""
    named = [part for part in headings if part.title.lower() == ROLES.lower()]
    return [passage.text for part in named for passage in part.passages]


def _read_roles(headings: Iterable[Part]) -> dict[str, str]:
    """Return which steps each role carries out, in words."""
    roles = [found for text in _list_role_texts(headings) if (found := read_role(text))]
    return {found["office"]: found["carried"] for found in roles}


def _list_carried_steps(
    headings: Iterable[Part], numbers: Mapping[str, str]
) -> dict[str, set[str]]:
    """Return the numbers of the steps that each role carries out."""
    said = _read_roles(headings)
    listed = {role: {*collect_facts(f"{steps}.").references} for role, steps in said.items()}
    rest = {*numbers.values()}.difference(*listed.values())
    return {role: rest if said[role] == OTHER_STEPS else listed[role] for role in said}


def _list_assigned_steps(headings: Iterable[Part], numbers: Mapping[str, str]) -> dict[str, str]:
    """Return the role that carries out each step, by the numbers of the steps."""
    carried = _list_carried_steps(headings, numbers)
    return {number: role for role, steps in carried.items() for number in steps}


def _check_unread_passages(
    model: DomainModel, parsed: ParsedSop, numbers: dict[str, str]
) -> Iterator[Finding]:
    """Report what is said of fields, what no sentence says, and what is no sentence of a rule."""
    unread, tables = take_result_tables(parsed.unread)
    fixed = [*list_general_sentences(model), *(line.text for line in render_terms(model))]
    texts = [passage.text for passage in unread]
    notes = {text: _find_note(text, fixed) for text in texts}
    instructions = [" ".join(step.instruction.split()) for step in model.steps.values()]
    records = render_records(model, ControlDocument())
    # What is no bullet names tools, and levels have others. References to sections, which have no
    # number here, are checked elsewhere.
    kept = [line.text for line in records if line.style is Style.BULLET]
    prose = [*instructions, *(text for text in kept if to_section_number(RESULTS) not in text)]
    yield from (_make_unstated_finding(text) for text in fixed if text not in notes.values())
    known = {
        *(text for text, note in notes.items() if note is not None),
        *instructions,
        *(" ".join(line.text.split()) for line in render_definitions(model)),
        *(passage.whole for passage in unread if _are_meanings(model, passage)),
        *(text for text in texts if read_role(text)),
    }
    fields: dict[str, list[Passage]] = {}
    for passage in unread:
        item = find_introduced_field(model, passage)
        if item is not None:
            fields.setdefault(item.name, []).append(passage)
        elif passage.whole not in known and (
            _is_binding(model, passage, numbers)
            or (passage.whole in parsed.unread_in_steps and _SENDS.search(passage.text))
            or _is_other_definition(model, passage)
        ):
            yield _make_unread_finding(passage, parsed.not_understood.get(passage.whole, ""))
        elif passage.whole not in known:
            yield from _check_instruction(passage, prose)
    yield from check_result_tables(model, tables, numbers)
    needed = collect_names_in_words(model, parsed)
    yield from check_field_lines(model, fields, tables, numbers, needed)
    yield from check_field_groups(model, unread, numbers)


def _find_note(text: str, fixed: Sequence[str]) -> str | None:
    """Return the general sentence that a text says, None where it says none of them."""
    if text in fixed:
        return text
    return next((note for note in fixed if is_same_general(text, note)), None)


def _are_meanings(model: DomainModel, passage: Passage) -> bool:
    """Return whether a passage says what constants mean, in the brief's words or in like ones."""
    found = list_amounts(passage.text, passage.items)
    meanings = list_meanings(model)
    return bool(found) and all(
        any(
            amount == known and _is_like_meaning(words, meaning)
            for amount, words in readings
            for known, meaning in meanings
        )
        for readings in found
    )


def _is_like_meaning(words: str, meaning: str) -> bool:
    """Return whether words say what a limit means, and neither add to it nor take from it."""
    return is_same_prose(*(reword_meaning(_lower_capital(text)) for text in (words, meaning)))


def _lower_capital(text: str) -> str:
    """Return a text without the capital at its beginning, unless it begins with an abbreviation."""
    return text if text[1:2].isupper() else f"{text[:1].lower()}{text[1:]}"


def _is_binding(model: DomainModel, passage: Passage, numbers: dict[str, str]) -> bool:
    """Return whether a passage says something that only a sentence of a rule may say."""
    found = collect_facts(passage.whole)
    if passage.text.startswith(BEGIN):
        return found.references != (numbers[model.start],)
    if passage.text.startswith(OPENING):
        return True  # it says of constants what they do not mean
    has_facts = bool(found.quoted or found.figures or passage.rows)
    return has_facts or _RELATION.search(passage.whole) is not None


def _is_other_definition(model: DomainModel, passage: Passage) -> bool:
    """Return whether a passage defines a result with another measure than its description has."""
    term, colon, words = passage.text.partition(": ")
    return bool(colon and passage.is_bullet) and any(
        term == capitalize_text(item.label)
        and not is_same_prose(words, " ".join(item.description.split()), item.label)
        for item in model.outcomes
    )


def _make_unstated_finding(text: str) -> Finding:
    message = f"the text does not say: {text}"
    return make_error_finding(
        "sop-not-stated", message, where=SOP_TEXT, hint="add this line in the same words"
    )


def _check_instruction(passage: Passage, prose: Iterable[str]) -> Iterator[Finding]:
    """Report a passage that says otherwise what an instruction of the model says."""
    known = find_changed_prose(passage.whole, prose)
    if known is not None:
        yield make_error_finding(
            "sop-not-read",
            f"the text differs from the model's line: {known}",
            where=SOP_TEXT,
            evidence=passage.whole,
            hint="restore the line, or add the new wording to the brief",
        )


def _make_unread_finding(passage: Passage, left: str) -> Finding:
    message = "a passage with figures, labels or comparisons cannot be read as a rule of the model"
    words = f'; not understood: "{left}"' if left else ""
    return make_error_finding(
        "sop-not-read",
        f"{message}{words}",
        where=SOP_TEXT,
        evidence=passage.whole,
        hint="write it like another rule, or delete the passage",
    )


CHECK = SopReadsBack()
