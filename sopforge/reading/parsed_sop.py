"""The procedure as an SOP states it: steps, decisions, transitions, ends, scores and guards.

"Determine the urgency (urgency). If the amount is at least 500 USD, it is High. In every other
case, it is Low." is read as a decision of ``urgency`` with the rule ``amount >= 500: High`` and
otherwise ``Low``: the frame of a sentence is matched here, the English of its condition is read by
``sopforge.logic.english_reader``. A rule that the text lacks is a rule that the parsed procedure
lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import AllOf, Constant, Expression, Missing
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Collect, Decision, Formula, HitPolicy, Rule, Table
from sopforge.logic.english_reader import NotReadError
from sopforge.logic.phrasing.grammar import say_still
from sopforge.logic.tables import TOTALS
from sopforge.reading.call_words import list_plainly, write_out_check
from sopforge.reading.clause_words import index_other_clauses, reorder_definition
from sopforge.reading.formula_words import spell_signs
from sopforge.reading.label_words import PlainNames
from sopforge.reading.parsed_effects import EffectReader
from sopforge.reading.rewordings import reword_passage, reword_passages
from sopforge.reading.sop_language import Language, find_outside_brackets
from sopforge.reading.sop_passages import Part, Passage, collect_facts, name_next_steps
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.frames import Frame
from sopforge.rendering.sop.sections.exceptions import collect_refusals
from sopforge.rendering.sop.sections.formulas import phrase_keys, phrase_unit
from sopforge.rendering.sop.sections.opening import DEFINITIONS
from sopforge.rendering.sop.sections.tables import ANY, CONDITION, IN_ALL_OTHER_CASES, OTHERWISE
from sopforge.rendering.sop.wording import capitalize_text

_POLICIES: dict[str, tuple[HitPolicy, Collect | None, bool]] = {
    text: (hit, None, True)
    for policies in (frames.RULE_POLICIES, frames.ROW_POLICIES)
    for hit, text in policies.items()
} | {
    text: (HitPolicy.COLLECT, collect, is_whole)
    for (collect, is_whole), text in frames.COLLECTED.items()
}
_REST_FIRST = re.compile(
    r"[Ii]n (?:all|any|every) other cases?, "
    r"(?P<value>[\"\d(-].*|(?<=in all other cases, )(?:the|what) .*)\."
)
"""A value that is said after the words for all other cases."""
_BARE_REST = re.compile(r"(?:[Ii]n all other cases|[Oo]therwise), (?P<value>[\d\"(-].*)\.")
"""A rule that gives a value alone after the words for all other cases."""
_ENDINGS = (
    *(frames.CLOSE, frames.HAND_OVER, frames.HAND),
    *(frames.REPORT_AND_CLOSE, frames.REPORT_AND_HAND_OVER),
)
_JOINT = re.compile(", | and ")
_TIMES = re.compile(r"(\d+) times")
_TAKEN = re.compile(", (?:and )?| and ")
_MORE_THAN_NAMES = re.compile(r"[;()]| (?:returns?|gives?|get|obtain|receive) ")
_END_VALUES = re.compile(r"(?:, | and )(?=the [^\"]+? \(\w+\) as )")
_SEVERAL = 2
_ASKED = re.compile(
    r"(?P<asked>(?:the|whether) .+?) \((?P<name>\w+)\)(?:, (?=the|whether)| and |$)"
)


@dataclass(frozen=True, slots=True)
class Transition:
    """A transition to a step by its number; ``when`` is None for that of all other cases."""

    when: Expression | None
    to: str
    bound: int | None = None
    then: str | None = None


@dataclass(slots=True)
class ParsedStep:
    """A step as the text states it."""

    number: str
    title: str
    call: tuple[str, tuple[str, ...], str] | None = None
    effects: dict[str, Expression] = field(default_factory=dict)
    limits: dict[str, tuple[str, Expression | None, Expression | None]] = field(
        default_factory=dict
    )
    refusals: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    transitions: list[Transition] = field(default_factory=list)
    end: dict[str, Expression] = field(default_factory=dict)
    is_end: bool = False
    is_return: bool = False
    do: str = ""
    by: str = ""
    hand_to: str = ""
    zero_for_none: set[str] = field(default_factory=set)
    together: tuple[str, ...] = ()


@dataclass(slots=True)
class ParsedPart:
    """What a section says of the part that it is: its first step, and how loops count."""

    start: str = ""
    is_counted_anew: bool = False


@dataclass(slots=True)
class ParsedSop:
    """What a text states; ``unread`` are the passages that the reader cannot interpret.

    ``unread_in_steps`` are the texts of those that stand in steps, which alone send cases on.

    ``named_conditions`` are those that the text defines, by the clauses that it gives them.
    ``parts`` are the parts of the procedure, by the numbers of their sections; ``ordered`` are the
    places of those guards whose alternatives are tried in their order.
    """

    parts: dict[str, ParsedPart] = field(default_factory=dict)
    steps: list[ParsedStep] = field(default_factory=list)
    scores: dict[str, Expression] = field(default_factory=dict)
    guards: list[tuple[str, Expression, str]] = field(default_factory=list)
    ordered: set[int] = field(default_factory=set)
    hand_overs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    named_conditions: dict[str, Expression] = field(default_factory=dict)
    unread: list[Passage] = field(default_factory=list)
    unread_in_steps: set[str] = field(default_factory=set)
    not_understood: dict[str, str] = field(default_factory=dict)
    """By the text of an unread passage, its words from the first that no rule knows."""


class SopReader:
    """Reads the parts of an SOP; what fits no sentence of a rule is left unread."""

    def __init__(self, model: DomainModel) -> None:
        self.model = model
        self.language = Language(model)
        self.names = {item.label: name for name, item in model.fields.items()}
        self.plain_names = PlainNames(self.names)
        self.prose = {" ".join(step.instruction.split()) for step in model.steps.values()}
        self.labels = (*self.names, *_list_part_labels(model))
        self.refusals = collect_refusals(model)
        self.titles: Mapping[str, str] = {}
        self.parsed = ParsedSop()

    def read(self, parts: Iterable[Part]) -> ParsedSop:
        """Return what the parts state."""
        all_parts = list(parts)
        self.titles = {part.number: part.title for part in all_parts}
        all_parts = [name_next_steps(part, self.titles) for part in all_parts]
        # First, for a rule may use what a later section defines.
        defined = [item for part in all_parts for item in self._learn_named_conditions(part)]
        for part in all_parts:
            is_step = "." in part.number
            step = ParsedStep(part.number, part.title)
            if is_step:
                self.parsed.steps.append(step)
            of_sections = (
                self._read_score,
                self._read_guard,
                self._read_hand_over,
                partial(self._read_part_opening, part.number),
                partial(self._read_counting, part.number),
            )
            rules = self._list_step_readers(step) if is_step else of_sections
            for passage in part.passages:
                if any(passage is item for item in defined):
                    continue
                # A step's instruction is its author's prose: however it reads, it states no rule.
                if passage.text in self.prose or not self._read_passage(passage, rules):
                    self.parsed.unread.append(passage)
                    self.parsed.unread_in_steps |= {passage.whole} if is_step else set()
            if is_step and part.passages:
                self._add_next_step(step)
        return self.parsed

    def _add_next_step(self, step: ParsedStep) -> None:
        """Add where a case goes from a step that names no step for all other cases."""
        is_open = all(item.when is not None for item in step.transitions)
        section, _, place = step.number.partition(".")
        following = f"{section}.{int(place) + 1}" if place.isdigit() else ""
        if is_open and not step.is_end and not step.is_return and following in self.titles:
            step.transitions.append(Transition(None, following))

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that stand for conditions."""
        return tuple(self.language.vocabulary.said)

    def _learn_named_conditions(self, part: Part) -> Iterator[Passage]:
        """Yield the passages of a part that define conditions, each once it is learned."""
        if part.title.lower() != DEFINITIONS.lower():
            return
        for passage in part.passages:
            turned = reorder_definition(passage.text, self.clauses)
            found = frames.NAMED_CONDITION.match(turned) if passage.is_bullet else None
            if found is None or bool(passage.items) != (found["end"] == ":"):
                continue
            said = f"{found['clause'][:1].lower()}{found['clause'][1:]}"
            clause = index_other_clauses(self.clauses).get(said, said)
            try:
                meant = self._learn_named_condition(clause, found["condition"], passage.items)
            except NotReadError as cause:
                self.parsed.not_understood[passage.whole] = _find_last_words(passage, [cause])
                continue
            self.parsed.named_conditions[clause] = meant
            yield passage

    def _learn_named_condition(self, clause: str, words: str, items: Sequence[str]) -> Expression:
        """Return what a clause means by its definition, in these or in other words."""
        try:
            return self.language.learn_named_condition(clause, words, items)
        except NotReadError:
            passage = Passage(words, is_bullet=False, items=list(items))
            reworded = reword_passage(passage, self.labels, self.clauses)
            return self.language.learn_named_condition(clause, reworded.text, reworded.items)

    def _read_passage(self, passage: Passage, rules: Sequence[Callable[[Passage], None]]) -> bool:
        """Return whether a passage is a sentence of a rule, as it stands or in other words."""
        causes: list[NotReadError] = []
        spelled = replace(
            passage,
            text=frames.to_two_cases(spell_signs(passage.text)),
            items=list(map(spell_signs, passage.items)),
        )
        whole = write_out_check(spelled.text, self.refusals) if spelled.is_bullet else spelled.text
        named = replace(spelled, text=self.plain_names.restore(whole))
        if _is_read_by(rules, named, causes) or self._read_other_words(named, rules, causes):
            return True
        for text in self.plain_names.iterate_named(spelled.text):
            if self._read_other_words(replace(spelled, text=text), rules, causes):
                return True
        self.parsed.not_understood[passage.whole] = _find_last_words(spelled, causes)
        return False

    def _read_other_words(
        self,
        passage: Passage,
        rules: Sequence[Callable[[Passage], None]],
        causes: list[NotReadError],
    ) -> bool:
        """Return whether a passage in other words says sentences of rules."""
        reworded = reword_passages(passage, self.labels, self.clauses)
        return reworded != (passage,) and all(_is_read_by(rules, part, causes) for part in reworded)

    def read_condition(self, text: str) -> Expression:
        """Return the condition that a clause states, as it stands or in other words.

        Raises:
            NotReadError: it is not understood.
        """
        try:
            return self.language.interpret_condition(text)
        except NotReadError:
            reworded = reword_passage(Passage(text, is_bullet=False), self.labels, self.clauses)
            return self.language.interpret_condition(reworded.text)

    def _list_step_readers(self, step: ParsedStep) -> tuple[Callable[[Passage], None], ...]:
        reader = _StepReader(self, step)
        return (
            *(
                reader.read_responsible,
                reader.read_part,
                reader.read_return,
                reader.read_call,
                reader.read_effect,
                reader.read_limits,
                reader.read_refusal,
                reader.decide_together,
                reader.look_up_together,
                reader.decide_as_before,
                reader.decide_two_cases,
                reader.decide,
                # After decisions, whose first sentence would fit a formula's pattern too.
                reader.read_formula,
            ),
            *(
                reader.read_rule,
                reader.read_default_rule,
                reader.read_bound,
                reader.read_transition,
                reader.read_default_transition,
                reader.read_end,
            ),
        )

    def _read_score(self, passage: Passage) -> None:
        if not passage.is_bullet:
            raise NotReadError(passage.text)
        joint = frames.JOINT_LOOK_UP.match(passage.text)
        if joint is not None:
            self.parsed.scores |= read_joint_look_up(self.model, self.language, passage, joint)
            return
        found = _require_match(passage.text, frames.CALCULATOR)
        name, value = read_field_value(self.model, self.language, passage, found["value"])
        self.parsed.scores[name] = value

    def _read_guard(self, passage: Passage) -> None:
        if passage.items:
            self._read_listed_guard(passage)
            return
        denied = frames.REFUSES_IF.match(passage.text)
        if denied is not None:
            words = _strip_fence(denied["condition"])
            test = self.language.interpret_denial(f"{words}.", ())
            self.parsed.guards.append((denied["tool"], test, denied["code"]))
            return
        found = _require_match(passage.text, frames.REFUSES_UNLESS, frames.REQUIRED)
        condition = self.language.interpret_condition(_strip_fence(found["condition"]))
        if found["order"] not in {"", frames.IN_ORDER}:
            raise NotReadError(passage.text)
        if found["order"]:
            self.parsed.ordered.add(len(self.parsed.guards))
        self.parsed.guards.append((found["tool"], condition, found["code"]))

    def _read_listed_guard(self, passage: Passage) -> None:
        """Read a check whose conditions stand in a list, said of what passes or of what fails."""
        text, items = passage.text, passage.items
        found = frames.REFUSES_IF_NONE.match(text)
        if found is not None:
            test = self.language.interpret_condition_line(f"{frames.ANY_HOLDS}:", items)
        elif (found := frames.REFUSES_IF_LISTED.match(text)) is not None:
            test = self.language.interpret_denial(f"{found['opening']}.", items)
        else:
            found = _require_match(text, frames.REFUSES_UNLESS_LISTED, frames.REQUIRED_LISTED)
            test = self.language.interpret_condition_line(f"{found['opening']}:", items)
        self.parsed.guards.append((found["tool"], test, found["code"]))

    def _read_part_opening(self, section: str, passage: Passage) -> None:
        found = _require_match(passage.text, frames.PART_OPENING)
        start = require_number(found["to"], self.titles)
        self.parsed.parts.setdefault(section, ParsedPart()).start = start

    def _read_counting(self, section: str, passage: Passage) -> None:
        if passage.text != frames.COUNT_ANEW:
            raise NotReadError(passage.text)
        self.parsed.parts.setdefault(section, ParsedPart()).is_counted_anew = True

    def _read_hand_over(self, passage: Passage) -> None:
        found = _require_match(passage.text, frames.TAKES_OVER_ALONE, frames.TAKES_OVER)
        self.parsed.hand_overs[found["office"]] = collect_facts(found["steps"]).references


class _StepReader:
    """Reads the passages of one step, each by the sentence that it is."""

    def __init__(self, reader: SopReader, step: ParsedStep) -> None:
        self.model, self.language, self.step = reader.model, reader.language, step
        self.names, self.titles = reader.names, reader.titles
        self.earlier = {item.number: item for item in reader.parsed.steps if item is not step}
        self.effects = EffectReader(self.model, self.language, self.names)

    def read_responsible(self, passage: Passage) -> None:
        self.step.by = _require_match(passage.text, frames.RESPONSIBLE)["office"]

    def read_part(self, passage: Passage) -> None:
        found = _require_match(passage.text, frames.CARRY_OUT)
        self.step.do = require_number(found["part"].removeprefix("section "), self.titles)

    def read_return(self, passage: Passage) -> None:
        if passage.text != frames.RETURN:
            raise NotReadError(passage.text)
        self.step.is_return = True

    def read_call(self, passage: Passage) -> None:
        listed = frames.CALL_LISTED.match(passage.text) if passage.items else None
        found = listed or _require_match(passage.text, frames.CALL)
        if _MORE_THAN_NAMES.search(found["takes"]) or bool(listed) != bool(passage.items):
            raise NotReadError(passage.text)
        items = ", ".join(item[:-1] for item in passage.items)
        returned = items or list_plainly(found["returned"])
        self.step.call = (found["tool"], tuple(_TAKEN.split(found["takes"])), returned)

    def read_effect(self, passage: Passage) -> None:
        name, value = self.effects.read_effect(passage.text)
        self.step.effects[name] = value

    def read_limits(self, passage: Passage) -> None:
        tool, name, limits = self.effects.read_limits(passage.text)
        self.step.limits[name] = (tool, *limits)

    def read_refusal(self, passage: Passage) -> None:
        several = frames.REFUSED_ALIKE.match(passage.text)
        found = several or _require_match(passage.text, frames.REFUSED, frames.REFUSED_BECAUSE)
        to = self.require_step_number(found["to"])
        codes = frames.NEXT_CODE.findall(found["codes"]) if several else []
        parts = [_require_match(code, frames.CODE) for code in codes] or [found]
        self.step.refusals |= {part["code"]: (found["tool"], part["reason"], to) for part in parts}

    def decide(self, passage: Passage) -> None:
        found = _require_table_opening(passage.text, frames.PLAIN_TABLE, frames.DECISION)
        target = found["target"]
        self.require_label(found["asked"], target)
        if found["policy"] not in _POLICIES:
            raise NotReadError(found["policy"])
        hit, collect, is_whole = _POLICIES[found["policy"]]
        rules = tuple(self.read_rows(target, passage.rows)) if found["table"] else ()
        # Only what was read to its end counts: a passage that fails half read leaves nothing.
        self.step.decisions[target] = Table(target, hit, rules, "", collect)
        if collect in TOTALS and not is_whole:
            self.step.zero_for_none.add(target)

    def decide_together(self, passage: Passage) -> None:
        """Read the opening of a table that gives several fields, and its rows if it has any."""
        found = _require_table_opening(
            passage.text, frames.PLAIN_JOINT_TABLE, frames.JOINT_DECISION
        )
        targets = self.require_asked_fields(found["fields"])
        hit, collect, _ = _POLICIES.get(found["policy"], (HitPolicy.COLLECT, None, True))
        if hit is HitPolicy.COLLECT or collect is not None:
            raise NotReadError(found["policy"])
        rules = {
            target: tuple(self.read_rows(target, _select_column(passage.rows, len(targets), place)))
            for place, target in enumerate(targets)
            if found["table"]
        }
        for target in targets:
            self.step.decisions[target] = Table(target, hit, rules.get(target, ()), "")
        self.step.together = targets

    def look_up_together(self, passage: Passage) -> None:
        """Read a table that several fields are looked up in."""
        found = _require_match(passage.text, frames.JOINT_LOOK_UP)
        self.require_asked_fields(found["fields"])
        values = read_joint_look_up(self.model, self.language, passage, found)
        self.step.decisions |= {
            target: Formula(target, value, "") for target, value in values.items()
        }

    def decide_two_cases(self, passage: Passage) -> None:
        """Read a decision between two labels in one sentence."""
        frame = frames.TWO_CASES_LISTED if passage.items else frames.TWO_CASES
        found = _require_match(passage.text, frame)
        target = found["target"]
        self.require_label(found["asked"], target)
        words = found["opening" if passage.items else "condition"]
        conditions = self.language.interpret_conditions(words, passage.items)
        then, rest = (self.read_answer(target, f'"{found[x]}"') for x in ("value", "rest"))
        rules = (*(Rule("", item, then) for item in conditions), Rule("", None, rest))
        self.step.decisions[target] = Table(target, HitPolicy.FIRST, rules, "")

    def decide_as_before(self, passage: Passage) -> None:
        """Read that fields are decided by the rules of an earlier step."""
        found = _require_match(passage.text, frames.AS_BEFORE)
        before = self.earlier.get(self.require_step_number(found["to"]))
        targets = self.require_asked_fields(found["fields"], least=1)
        if before is None or not before.decisions.keys() >= {*targets}:
            raise NotReadError(passage.text)
        self.step.decisions |= {target: before.decisions[target] for target in targets}
        self.step.zero_for_none |= before.zero_for_none & {*targets}

    def require_asked_fields(self, words: str, least: int = _SEVERAL) -> tuple[str, ...]:
        """Return the fields that are to be decided together, each asked for with its name."""
        targets = list_asked_names(words, least)
        for target, asked in targets.items():
            self.require_label(asked, target)
        return tuple(targets)

    def read_rows(self, target: str, rows: list[list[str]]) -> Iterator[Rule]:
        header, *body = rows
        *subjects, result = header
        if self.require_field_name(result) != target:
            raise NotReadError(result)
        for *cells, value in body:
            if len(cells) != len(subjects):
                raise NotReadError(" | ".join(cells))
            then = self.read_answer(target, value)
            if cells[0] in {OTHERWISE, IN_ALL_OTHER_CASES}:
                if set(cells[1:]) - {ANY}:
                    raise NotReadError(" | ".join(cells))
                yield Rule("", None, then)
                continue
            if subjects == [CONDITION]:
                yield Rule("", self.language.interpret_condition(cells[0]), then)
                continue
            parts = [
                self.language.interpret_condition(f"the {subject} is {part}")
                for subject, cell in zip(subjects, cells, strict=True)
                if cell != ANY
                for part in _split_conditions(cell)
            ]
            yield Rule("", parts[0] if len(parts) == 1 else AllOf(tuple(parts)), then)

    def read_formula(self, passage: Passage) -> None:
        found = _require_match(passage.text, frames.COPY, frames.FORMULA)
        said = found["value"]
        if frames.COPY.match(passage.text):
            said = frames.VALUE.render(value=said)
        words = f"{self.require_label(found['asked'], found['target'])}{said}"
        name, value = read_field_value(self.model, self.language, passage, words)
        if name != found["target"]:
            raise NotReadError(passage.text)
        self.step.decisions[name] = Formula(name, value, "")

    def read_rule(self, passage: Passage) -> None:
        table = self.require_table(passage)
        if table.target not in self.step.together and (case := self.read_case_rule(table, passage)):
            self.add(table, case)
            return
        if table.hit is HitPolicy.COLLECT:
            self.add(table, self.read_collected_rule(table, passage))
            return
        if table.target in self.step.together:
            self.read_joint_rule(passage)
            return
        passage = self.name_answer(table, passage)
        for clause, answer in self.get_clauses(table.target).items():
            if _is_read(partial(self.read_clause_rule, table, clause, answer), passage):
                return
        starts = self.list_answer_starts(table.target)
        found = self.language.interpret_conditional(passage.text, passage.items, starts)
        then = self.read_answer(table.target, found.result[:-1])
        self.add(table, *(Rule("", condition, then) for condition in found.conditions))

    def read_case_rule(self, table: Table, passage: Passage) -> Rule | None:
        """Return a rule that gives its value alone after its condition, None for another one."""
        is_case = passage.text.startswith(("If ", "if ")) and passage.text.endswith(".")
        if passage.items or not is_case or table.collect is Collect.COUNT:
            return None
        sentence = passage.text[3:-1]
        place = find_outside_brackets(sentence, ": ")
        if place >= 0:
            condition = self.language.interpret_condition(sentence[:place])
            return Rule("", condition, self.read_answer(table.target, sentence[place + 2 :]))
        return self.split_case_rule(table, sentence)

    def split_case_rule(self, table: Table, sentence: str) -> Rule | None:
        """Return a rule whose value follows a comma: the first comma after a whole condition."""
        for found in re.finditer(", (?:then )?", sentence):
            words, value = sentence[: found.start()], sentence[found.end() :]
            if words.count('"') % 2:
                continue
            try:
                condition = self.language.interpret_condition(words)
                return Rule("", condition, self.read_answer(table.target, value))
            except NotReadError:
                continue
        return None

    def read_joint_rule(self, passage: Passage) -> None:
        """Read a rule that gives several fields at once."""
        targets = self.step.together
        shared = self.start_shared_answer(targets)
        starts = [shared, *self.get_clauses(targets[0]), *self.list_answer_starts(targets[0])]
        for start in starts:
            try:
                found = self.language.interpret_conditional(passage.text, passage.items, [start])
            except NotReadError:
                continue
            self.add_jointly(f"{start}{found.result[:-1]}", found.conditions)
            return
        raise NotReadError(passage.text)

    def add_jointly(self, words: str, conditions: Sequence[Expression | None]) -> None:
        """Add rules of the same conditions to the tables that are given together."""
        targets = self.step.together
        answers = dict(zip(targets, self.read_answers(targets, words), strict=True))
        for target, then in answers.items():
            table = self.step.decisions[target]
            if isinstance(table, Table):
                self.add(table, *(Rule("", condition, then) for condition in conditions))

    def read_answers(self, targets: Sequence[str], words: str) -> list[Expression]:
        """Return the values of several fields, as one sentence gives them: one after another."""
        shared = self.start_shared_answer(targets)
        if len(targets) > 1 and words.startswith(shared):
            return [self.read_answer(target, words.removeprefix(shared)) for target in targets]
        target, *others = targets
        for clause, answer in self.get_clauses(target).items():
            rest = words.removeprefix(clause)
            if words.startswith(clause) and (bool(rest) == bool(others)):
                return self.read_answers_after(target, f'"{answer}"', others, rest)
        start = next(
            (item for item in self.list_answer_starts(target) if words.startswith(item)), ""
        )
        if not start:
            raise NotReadError(words)
        value = words.removeprefix(start)
        end = self.find_answer_end(others[0], value) if others else len(value)
        return self.read_answers_after(target, value[:end], others, value[end:])

    def read_answers_after(
        self, target: str, value: str, others: Sequence[str], rest: str
    ) -> list[Expression]:
        """Return the value of a field, and those of the fields that are named after it."""
        found = self.read_answer(target, value)
        if not others:
            if rest:
                raise NotReadError(rest)
            return [found]
        joint = _JOINT.match(rest)
        if joint is None:
            raise NotReadError(rest)
        return [found, *self.read_answers(others, rest[joint.end() :])]

    def find_answer_end(self, target: str, words: str) -> int:
        """Return where a value ends, before the next field and what joins that."""
        starts = [*self.get_clauses(target), *self.list_answer_starts(target)]
        places = [
            find_outside_brackets(words, f"{joint}{start}")
            for start in starts
            for joint in (", ", " and ")
        ]
        found = [place for place in places if place >= 0]
        if not found:
            raise NotReadError(words)
        return min(found)

    def read_clause_rule(self, table: Table, clause: str, answer: str, passage: Passage) -> None:
        """Read a rule that says what is so, for the answer which that stands for."""
        found = self.language.interpret_conditional(passage.text, passage.items, [clause])
        if len(found.result) != 1:
            raise NotReadError(passage.text)
        then = self.read_answer(table.target, f'"{answer}"')
        self.add(table, *(Rule("", condition, then) for condition in found.conditions))

    def get_clauses(self, target: str) -> dict[str, str]:
        """Return the clauses that stand for the answers of a yes/no field."""
        words = self.model.fields[target].said
        return {} if words is None else {words.yes: "yes", words.no: "no"}

    def read_collected_rule(self, table: Table, passage: Passage) -> Rule:
        """Return a rule whose result is added, counted or compared with those of others."""
        # That line is for all other cases, and not one more to be added up.
        if frames.DEFAULT.match(passage.text) is not None:
            raise NotReadError(passage.text)
        if table.collect is Collect.COUNT:
            condition = self.language.interpret_condition_line(passage.text, passage.items)
            # A stand-in: of rules that are counted, only the conditions are compared.
            return Rule("", condition, self.read_answer(table.target, "1"))
        value, condition = self.language.interpret_collected_line(passage.text, passage.items)
        return Rule("", condition, self.read_answer(table.target, value))

    def read_default_rule(self, passage: Passage) -> None:
        table = self.require_table(passage)
        case = frames.CASE_DEFAULT.match(passage.text) or _BARE_REST.fullmatch(passage.text)
        if case is not None and table.target not in self.step.together:
            self.add(table, Rule("", None, self.read_answer(table.target, case["value"])))
            return
        if table.target not in self.step.together:
            passage = self.name_answer(table, passage)
        result = _require_match(passage.text, frames.DEFAULT)["result"]
        if table.target in self.step.together:
            self.add_jointly(result, [None])
            return
        answer = self.get_clauses(table.target).get(result)
        starts = [item for item in self.list_answer_starts(table.target) if result.startswith(item)]
        if answer is None and not starts:
            raise NotReadError(passage.text)
        words = f'"{answer}"' if answer else result.removeprefix(starts[0])
        self.add(table, Rule("", None, self.read_answer(table.target, words)))

    def name_answer(self, table: Table, passage: Passage) -> Passage:
        """Return a rule that gives its value alone as a sentence that names the field."""
        label = self.model.fields[table.target].label
        turned = _REST_FIRST.fullmatch(passage.text)
        is_bare = turned is not None and not turned["value"].startswith(f"the {label} ")
        text = f"{turned['value']} in all other cases." if turned and is_bare else passage.text
        return replace(passage, text=frames.name_answer(text, label))

    def start_shared_answer(self, targets: Sequence[str]) -> str:
        """Return how a sentence begins that gives several fields one value."""
        return frames.start_shared_answer([self.model.fields[name].label for name in targets])

    def list_answer_starts(self, target: str) -> list[str]:
        """Return how the result of a rule begins, before the value."""
        label = self.model.fields[target].label
        return [frames.ANSWER.render(label=label, be=be, value="") for be in frames.BE]

    def require_table(self, passage: Passage) -> Table:
        """Return the table whose rules are being read."""
        decisions = list(self.step.decisions.values())
        if not passage.is_bullet or not decisions or not isinstance(decisions[-1], Table):
            raise NotReadError(passage.text)
        return decisions[-1]

    def add(self, table: Table, *rules: Rule) -> None:
        all_rules = (*table.rules, *rules)
        self.step.decisions[table.target] = Table(
            table.target, table.hit, all_rules, "", table.collect
        )

    def read_answer(self, target: str, words: str) -> Expression:
        return self.language.interpret_value(words, self.model.fields[target])

    def read_transition(self, passage: Passage) -> None:
        text, bound = self.split_bound(passage.text)
        starts = [frames.GO_TO, frames.REPEAT]
        found = self.language.interpret_conditional(text, passage.items, starts)
        # A colon leads to the list of its conditions.
        end = ":" if passage.items else "."
        result = found.result.removesuffix(end)
        to = self.require_step_number(result) if result else self.step.number
        self.step.transitions += [
            Transition(condition, to, *bound) for condition in found.conditions
        ]

    def read_bound(self, passage: Passage) -> None:
        """Read a bound that follows the list of the conditions for its transition."""
        text, bound = self.split_bound(passage.text)
        if text or not bound or not self.step.transitions:
            raise NotReadError(passage.text)
        last = self.step.transitions[-1]
        self.step.transitions[-1] = Transition(last.when, last.to, *bound)

    def read_default_transition(self, passage: Passage) -> None:
        text, bound = self.split_bound(passage.text)
        found = _require_match(text, frames.GO_ON, frames.GO_ON_OTHERWISE)
        self.step.transitions.append(
            Transition(None, self.require_step_number(found["to"]), *bound)
        )

    def read_end(self, passage: Passage) -> None:
        for frame, rest in ((frames.END_AND_LEAVE, "leave"), (frames.END_AND_REPORT, "report")):
            if joined := frame.match(passage.text):
                self.read_end(replace(passage, text=frames.END.render(values=joined["values"])))
                self.read_end(replace(passage, text=capitalize_text(joined[rest])))
                return
        endings = (frame.match(passage.text) for frame in _ENDINGS)
        ending = next((found for found in endings if found is not None), None)
        if ending is not None:
            self.step.is_end, self.step.hand_to = True, ending.get("office", "")
            return
        values = _require_match(passage.text, frames.END)["values"]
        found = [_require_match(part, frames.END_VALUE) for part in _END_VALUES.split(values)]
        if any(self.require_field_name(part["label"]) != part["name"] for part in found):
            raise NotReadError(passage.text)
        answers = {part["name"]: self.read_answer(part["name"], part["value"]) for part in found}
        if not all(isinstance(answer, Constant | Missing) for answer in answers.values()):
            raise NotReadError(passage.text)  # it is decided by a condition
        self.step.end |= answers

    def split_bound(self, text: str) -> tuple[str, tuple[int, str] | tuple[()]]:
        """Return a sentence without its bound, and the bound: how often, and where to then."""
        repeated = frames.REPEATED.match(text) or frames.REPEATED_AT_MOST.match(text)
        found = repeated or frames.BOUNDED.match(text)
        if found is None:
            return text, ()
        known = {words: count for count, words in frames.TIMES.items()}
        times = found["times"].removeprefix("at most ")
        count = known.get(times) or _TIMES.fullmatch(times)
        if count is None:
            raise NotReadError(text)
        if found.get("still", frames.STILL_SO) != frames.STILL_SO:
            condition = found["sentence"].removeprefix("If ").removesuffix(", ")
            if found["still"] not in {say_still(condition), condition}:
                raise NotReadError(text)
        most = count if isinstance(count, int) else int(count[1])
        bound = (most, self.require_step_number(found["to"]))
        rest = f"{frames.REPEAT}." if repeated else ""
        return f"{found['sentence']}{rest}".removesuffix(" "), bound

    def require_step_number(self, reference: str) -> str:
        """Return the number of the step that "6.5 (Hold)" names."""
        return require_number(reference, self.titles)

    def require_label(self, asked: str, target: str) -> str:
        """Return the label of a field that is to be decided, by what the text asks for."""
        item = self.model.fields.get(target)
        if item is None:
            raise NotReadError(target)
        known = [f"the {item.label}", *([f"whether {item.said.yes}"] if item.said else [])]
        if asked not in known:
            raise NotReadError(asked)
        return item.label

    def require_field_name(self, label: str) -> str:
        if label not in self.names:
            raise NotReadError(label)
        return self.names[label]


def require_number(reference: str, titles: Mapping[str, str]) -> str:
    """Return the number of the step or section that "6.5 (Hold)" names.

    Words after the title would say more than where to go on, as in "6.5 (Hold) on Mondays".
    """
    number = reference.partition(" ")[0]
    if reference != f"{number} ({titles.get(number)})":
        raise NotReadError(reference)
    return number


def list_asked_names(words: str, least: int = _SEVERAL) -> dict[str, str]:
    """Return the names of fields that are asked for, each with the words that ask for it."""
    found = list(_ASKED.finditer(words))
    joined = "".join(item[0] for item in found)
    if len(found) < least or joined != words:
        raise NotReadError(words)
    return {item["name"]: item["asked"] for item in found}


def _select_column(rows: list[list[str]], count: int, place: int) -> list[list[str]]:
    """Return the rows of a table with the one of its last columns that is at a place."""
    return [[*row[:-count], row[len(row) - count + place]] for row in rows]


def read_joint_look_up(
    model: DomainModel, language: Language, passage: Passage, found: Mapping[str, str]
) -> dict[str, Expression]:
    """Return the look-ups of the fields that one table gives."""
    names = {item.label: name for name, item in model.fields.items()}
    targets = list(list_asked_names(found["fields"]))
    rows, count = passage.rows, len(targets)
    if not rows or not _are_keys(found["keys"], rows[0][:-count]):
        raise NotReadError(passage.text)
    return {
        target: _read_lookup(
            language, names, _select_column(rows, count, place), model.fields[target]
        )
        for place, target in enumerate(targets)
        if target in model.fields
    }


def read_field_value(
    model: DomainModel, language: Language, passage: Passage, words: str
) -> tuple[str, Expression]:
    """Return the field and the value of "label, in unit: value." or of a look-up's table."""
    names = {item.label: name for name, item in model.fields.items()}
    # The longest one, for a label may begin as a longer one does.
    label = max((item for item in names if words.startswith(item)), key=len, default="")
    if not label:
        raise NotReadError(words)
    name = names[label]
    item = model.fields[name]
    rest = words.removeprefix(label).removeprefix(phrase_unit(item))
    if not passage.rows:
        return name, _read_sentence_value(language, passage, rest, item)
    if not _are_keys(rest, passage.rows[0][:-1]):
        raise NotReadError(words)
    return name, _read_lookup(language, names, passage.rows, item)


def _are_keys(words: str, labels: Sequence[str]) -> bool:
    """Return whether words name what a table is looked up by, with articles or without."""
    return words in {phrase_keys(labels), phrase_keys([f"the {label}" for label in labels])}


def _read_sentence_value(
    language: Language, passage: Passage, words: str, item: Field
) -> Expression:
    """Return what a sentence says that a value is, with the list below it."""
    parts = [entry[:-1] for entry in passage.items]
    if not parts:
        return language.interpret_value(_require_match(words, frames.VALUE)["value"], item)
    if not passage.items[-1].endswith("."):
        raise NotReadError(words)
    selected = frames.SELECTED.match(words)
    if selected is not None:
        return language.interpret_selection(selected, parts, item)
    aggregated = frames.AGGREGATED.match(words)
    if aggregated is not None:
        return language.interpret_aggregate(aggregated, parts, item)
    lettered = frames.VALUE_WHERE.match(words)
    if lettered is not None:
        letters = [_require_match(part, frames.LETTER) for part in parts]
        named = {found["letter"]: found["value"] for found in letters}
        return language.interpret_named_value(lettered["value"], named, item)
    head = "" if words == frames.CASES else _require_match(words, frames.LISTED)["head"]
    return language.interpret_value_list(head, parts, item)


def _read_lookup(
    language: Language, names: dict[str, str], rows: list[list[str]], item: Field
) -> Expression:
    *labels, result = rows[0]
    if not {*labels, result} <= set(names) or names[result] != item.name:
        raise NotReadError(result)
    return language.interpret_table([names[label] for label in labels], rows[1:], item)


def _list_part_labels(model: DomainModel) -> list[str]:
    """Return the labels of what the entries of lists have."""
    return [
        item.label_part(name)
        for item in model.fields.values()
        for name, _ in getattr(item.type, "fields", ())
    ]


def _find_last_words(passage: Passage, causes: Iterable[NotReadError]) -> str:
    """Return the words that are left where a rule got furthest, "" where none began to fit."""
    left = [cause.left for cause in causes if cause.left and cause.left in passage.whole]
    return min(left, key=len, default="")


def _is_read_by(
    rules: Sequence[Callable[[Passage], None]], passage: Passage, causes: list[NotReadError]
) -> bool:
    """Return whether one of the rules reads a passage; the causes of the others are added."""
    for rule in rules:
        try:
            rule(passage)
        except NotReadError as cause:
            causes.append(cause)
        else:
            return True
    return False


def _is_read(rule: Callable[[Passage], None], passage: Passage) -> bool:
    try:
        rule(passage)
    except NotReadError:
        return False
    return True


def _require_table_opening(text: str, plain: Frame, full: Frame) -> dict[str, str]:
    """Return what the opening of a table says; one that names no policy has rows that exclude."""
    found = plain.match(text)
    if found is not None:
        return {**found, "policy": frames.ROW_POLICIES[HitPolicy.UNIQUE]}
    return _require_match(text, full)


def _require_match(text: str, *known: Frame) -> dict[str, str]:
    """Return what fills the first of the frames that a text fits."""
    for frame in known:
        found = frame.match(text)
        if found is not None:
            return found
    raise NotReadError(text)


def _split_conditions(cell: str) -> list[str]:
    """Split what a cell asks for at each "and" outside quotation marks."""
    hidden = re.sub(r'"[^"]*"', lambda found: found[0].replace(" ", "\0"), cell)
    return [part.replace("\0", " ") for part in hidden.split(" and ")]


def _strip_fence(words: str) -> str:
    return words[1:-1] if words.startswith(("(all of", "(for ")) else words
