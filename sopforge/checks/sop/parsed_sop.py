"""The procedure as an SOP states it: steps, decisions, transitions, ends, scores and guards.

"Decide on the urgency (urgency). If the amount is at least 500 USD, it is High. In every other
case, it is Low." is read as a decision of ``urgency`` with the rule ``amount >= 500: High`` and
otherwise ``Low``: the frame of a sentence is matched here, the English of its condition is read by
``sopforge.logic.english_reader``. A rule that the text lacks is a rule that the parsed procedure
lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from sopforge.checks.sop.sop_language import Language
from sopforge.checks.sop.sop_passages import Part, Passage, collect_facts
from sopforge.domain.language.expressions import AllOf, Expression
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Collect, Decision, Formula, HitPolicy, Rule, Table
from sopforge.domain.values.types import NumberType, ValueType
from sopforge.logic.english_reader import NotReadError
from sopforge.rendering.sop.sections.tables import OTHERWISE

_CALL = re.compile(r"(?:Call|Use) the tool (\w+) with ([\w, ]+)\.(?: It returns (.+)\.)?")
_EFFECT = re.compile(r"The call sets the (.+) on file to (.+)\.")
_REFUSED = re.compile(r"If (\w+) refuses with (\w+)(?:, because (.+))?, go to step (\S+) \(.+\)\.")
_DECIDE = re.compile(
    r"(?:Determine|Decide(?: on)?|Work out|Calculate) ((?:the|whether) .+?) \((\w+)\)"
    r"( by this table)?\. (.+)"
)
_WORK_OUT = re.compile(r"(?:Work out|Calculate) ((?:the|whether) .+?) \((\w+)\)(.*)")
_SCORE = re.compile(r"The (.+)")
_REST = re.compile(
    r"(?:In every other case|In all other cases|Otherwise|If none of these applies), (.+)\."
)
_ON = re.compile(
    r"(?:(?:Otherwise|In every other case|In all other cases), (?:continue with|go on to)"
    r"|Continue with|Go on to) step (\S+) \(.+?\)\.(.*)"
)
_BOUND = re.compile(
    r" ?Do so (\d+) times? at most; where you would do so once more, go to step (\S+) \(.+\)"
    r" instead\."
)
_END = re.compile(r"Set the (.+?) \((\w+)\) to (.+)\.")
_ENDS_HERE = re.compile(
    r"State the results as section \d+ \(Results\) says"
    r"(?:, and hand the case to the (.+) with all that section \d+ \((?i:Records)\) lists)?\."
    r" The procedure ends here\."
)
_TAKES_OVER = re.compile(r"The (.+) takes over at (step .+)\.")
_GUARD = re.compile(r"(\w+) checks that (.+), or refuses: (\w+)\.")
_HITS = {
    "The first of these rules that applies decides.": HitPolicy.FIRST,
    "The first row that applies decides.": HitPolicy.FIRST,
    "Exactly one of these rules applies.": HitPolicy.UNIQUE,
    "Exactly one row applies.": HitPolicy.UNIQUE,
    "Several of these rules may apply; they then agree.": HitPolicy.ANY,
    "Several rows may apply; they then agree.": HitPolicy.ANY,
}
_COLLECTED = re.compile(
    r"Add up what every line that applies (gives)(; where none applies, it is zero)?\."
    r"|Count the conditions that (hold)(; where none holds, it is zero)?\."
    r"|Take the (smallest|largest) of what the lines that apply give\."
    r"(?: At least one of them applies\.)?"
)
_COLLECTS = {
    "gives": Collect.SUM,
    "hold": Collect.COUNT,
    "smallest": Collect.MINIMUM,
    "largest": Collect.MAXIMUM,
}


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
    refusals: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    transitions: list[Transition] = field(default_factory=list)
    end: dict[str, Expression] = field(default_factory=dict)
    is_end: bool = False
    hand_to: str = ""
    zero_for_none: set[str] = field(default_factory=set)


@dataclass(slots=True)
class ParsedSop:
    """What a text states; ``unread`` are the passages that the reader cannot interpret."""

    steps: list[ParsedStep] = field(default_factory=list)
    scores: dict[str, Expression] = field(default_factory=dict)
    guards: list[tuple[str, Expression, str]] = field(default_factory=list)
    hand_overs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unread: list[Passage] = field(default_factory=list)


class SopReader:
    """Reads the parts of an SOP; what fits no sentence of a rule is left unread."""

    def __init__(self, model: DomainModel) -> None:
        self.model = model
        self.language = Language(model)
        self.names = {item.label: name for name, item in model.fields.items()}
        self.prose = {" ".join(step.instruction.split()) for step in model.steps.values()}
        self.parsed = ParsedSop()

    def read(self, parts: Iterable[Part]) -> ParsedSop:
        """Return what the parts state."""
        for part in parts:
            is_step = "." in part.number
            step = ParsedStep(part.number, part.title)
            if is_step:
                self.parsed.steps.append(step)
            of_sections = (self._read_score, self._read_guard, self._read_hand_over)
            rules = self._list_step_readers(step) if is_step else of_sections
            for passage in part.passages:
                # A step's instruction is its author's prose: however it reads, it states no rule.
                if passage.text in self.prose or not any(_is_read(rule, passage) for rule in rules):
                    self.parsed.unread.append(passage)
        return self.parsed

    def _list_step_readers(self, step: ParsedStep) -> tuple[Callable[[Passage], None], ...]:
        reader = _StepReader(self.model, self.language, self.names, step)
        return (
            *(
                reader.read_call,
                reader.read_effect,
                reader.read_refusal,
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
        name, value = read_field_value(
            self.model, self.language, passage, _require_match(_SCORE, passage)[1]
        )
        self.parsed.scores[name] = value

    def _read_guard(self, passage: Passage) -> None:
        found = _require_match(_GUARD, passage)
        condition = self.language.interpret_condition(_strip_fence(found[2]))
        self.parsed.guards.append((found[1], condition, found[3]))

    def _read_hand_over(self, passage: Passage) -> None:
        office, steps = _require_match(_TAKES_OVER, passage).groups()
        self.parsed.hand_overs[office] = collect_facts(steps).references


class _StepReader:
    """Reads the passages of one step, each by the sentence that it is."""

    def __init__(
        self, model: DomainModel, language: Language, names: dict[str, str], step: ParsedStep
    ) -> None:
        self.model, self.language, self.names, self.step = model, language, names, step

    def read_call(self, passage: Passage) -> None:
        found = _require_match(_CALL, passage)
        self.step.call = (found[1], tuple(found[2].split(", ")), found[3] or "")

    def read_effect(self, passage: Passage) -> None:
        found = _require_match(_EFFECT, passage)
        name = self.require_field_name(found[1])
        self.step.effects[name] = self.language.interpret_value(
            found[2], self.model.fields[name].type
        )

    def read_refusal(self, passage: Passage) -> None:
        tool, code, reason, to = _require_match(_REFUSED, passage).groups()
        self.step.refusals[code] = (tool, reason or "", to)

    def decide(self, passage: Passage) -> None:
        asked, target, by_table, how = _require_match(_DECIDE, passage).groups()
        self.require_label(asked, target)
        hit, collect = _parse_hit_policy(how)
        rules = tuple(self.read_rows(target, passage.rows)) if by_table else ()
        # Only what was read to its end counts: a passage that fails half read leaves nothing.
        self.step.decisions[target] = Table(target, hit, rules, "", collect)
        if how.endswith(", it is zero."):
            self.step.zero_for_none.add(target)

    def read_rows(self, target: str, rows: list[list[str]]) -> Iterator[Rule]:
        header, *body = rows
        *subjects, result = header
        if self.require_field_name(result) != target:
            raise NotReadError(result)
        for *cells, value in body:
            if len(cells) != len(subjects):
                raise NotReadError(" | ".join(cells))
            then = self.language.interpret_value(value, self.model.fields[target].type)
            if cells[0] == OTHERWISE:
                if set(cells[1:]) - {"any"}:
                    raise NotReadError(" | ".join(cells))
                yield Rule("", None, then)
                continue
            parts = [
                self.language.interpret_condition(f"the {subject} is {part}")
                for subject, cell in zip(subjects, cells, strict=True)
                if cell != "any"
                for part in _split_conditions(cell)
            ]
            yield Rule("", parts[0] if len(parts) == 1 else AllOf(tuple(parts)), then)

    def read_formula(self, passage: Passage) -> None:
        asked, target, rest = _require_match(_WORK_OUT, passage).groups()
        words = f"{self.require_label(asked, target)}{rest}"
        name, value = read_field_value(self.model, self.language, passage, words)
        if name != target:
            raise NotReadError(passage.text)
        self.step.decisions[name] = Formula(name, value, "")

    def read_rule(self, passage: Passage) -> None:
        table = self.require_table(passage)
        if table.hit is HitPolicy.COLLECT:
            self.add(table, self.read_collected_rule(table, passage))
            return
        for clause, answer in self.get_clauses(table.target).items():
            if _is_read(partial(self.read_clause_rule, table, clause, answer), passage):
                return
        label = self.model.fields[table.target].label
        starts = [f"the {label} is ", f"the {label} are "]
        found = self.language.interpret_conditional(passage.text, passage.items, starts)
        then = self.read_answer(table.target, found.result[:-1])
        self.add(table, *(Rule("", condition, then) for condition in found.conditions))

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
        if _REST.fullmatch(passage.text):
            raise NotReadError(passage.text)
        if table.collect is Collect.COUNT:
            condition = self.language.interpret_condition_line(passage.text, passage.items)
            # A stand-in: of rules that are counted, only the conditions are compared.
            return Rule("", condition, self.read_answer(table.target, "1"))
        value, condition = self.language.interpret_collected_line(passage.text, passage.items)
        return Rule("", condition, self.read_answer(table.target, value))

    def read_default_rule(self, passage: Passage) -> None:
        table = self.require_table(passage)
        words = _require_match(_REST, passage)[1]
        answer = self.get_clauses(table.target).get(words)
        if answer is not None:
            self.add(table, Rule("", None, self.read_answer(table.target, f'"{answer}"')))
            return
        label = self.model.fields[table.target].label
        found = re.fullmatch(rf"the {re.escape(label)} (?:is|are) (.+)", words)
        if found is None:
            raise NotReadError(passage.text)
        self.add(table, Rule("", None, self.read_answer(table.target, found[1])))

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
        return self.language.interpret_value(words, self.model.fields[target].type)

    def read_transition(self, passage: Passage) -> None:
        text, bound = _without_bound(passage.text)
        found = self.language.interpret_conditional(text, passage.items, ["go to step "])
        to = found.result.split(" ", 1)[0]
        self.step.transitions += [
            Transition(condition, to, *bound) for condition in found.conditions
        ]

    def read_bound(self, passage: Passage) -> None:
        """Read a bound that follows the list of the conditions for its transition."""
        found = _require_match(_BOUND, passage)
        if not self.step.transitions:
            raise NotReadError(passage.text)
        last = self.step.transitions[-1]
        self.step.transitions[-1] = Transition(last.when, last.to, int(found[1]), found[2])

    def read_default_transition(self, passage: Passage) -> None:
        to, rest = _require_match(_ON, passage).groups()
        text, bound = _without_bound(rest)
        if text:
            raise NotReadError(passage.text)
        self.step.transitions.append(Transition(None, to, *bound))

    def read_end(self, passage: Passage) -> None:
        ending = _ENDS_HERE.fullmatch(passage.text)
        if ending is not None:
            self.step.is_end, self.step.hand_to = True, ending[1] or ""
            return
        label, name, value = _require_match(_END, passage).groups()
        if self.require_field_name(label) != name:
            raise NotReadError(passage.text)
        self.step.end[name] = self.language.interpret_value(value, self.model.fields[name].type)

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


def read_field_value(
    model: DomainModel, language: Language, passage: Passage, words: str
) -> tuple[str, Expression]:
    """Return the field and the value of "label, in unit: value." or of a look-up's table."""
    names = {item.label: name for name, item in model.fields.items()}
    # The longest one, for a label may begin as a longer one does.
    label = max((item for item in names if words.startswith(item)), key=len, default="")
    if not label:
        raise NotReadError(words)
    name, kind = names[label], model.fields[names[label]].type
    rest = words.removeprefix(label)
    unit = f", in {kind.unit}" if isinstance(kind, NumberType) and kind.unit else ""
    rest = rest.removeprefix(unit) if unit else rest
    if not passage.rows:
        return name, _read_sentence_value(language, passage, rest, kind)
    keys = " and ".join(f"the {label}" for label in passage.rows[0][:-1])
    if rest != f", by {keys}:":
        raise NotReadError(words)
    return name, _read_lookup(language, names, passage.rows, name, kind)


def _read_sentence_value(
    language: Language, passage: Passage, words: str, kind: ValueType
) -> Expression:
    """Return what a sentence says that a value is, with the list below it."""
    parts = [item[:-1] for item in passage.items]
    if not parts and words.startswith(": ") and words.endswith("."):
        return language.interpret_value(words[2:-1], kind)
    if not parts or not passage.items[-1].endswith("."):
        raise NotReadError(words)
    if words.startswith(": ") and words.endswith(", where:"):
        named = dict(part.partition(" is ")[::2] for part in parts)
        return language.interpret_named_value(words[2:].removesuffix(", where:"), named, kind)
    found = re.fullmatch(r",? (?:is|are|as) (.+):", words)
    if found is None:
        raise NotReadError(words)
    return language.interpret_value_list(found[1], parts, kind)


def _read_lookup(
    language: Language, names: dict[str, str], rows: list[list[str]], name: str, kind: ValueType
) -> Expression:
    *labels, result = rows[0]
    if not {*labels, result} <= set(names) or names[result] != name:
        raise NotReadError(result)
    return language.interpret_table([names[label] for label in labels], rows[1:], kind)


def _is_read(rule: Callable[[Passage], None], passage: Passage) -> bool:
    try:
        rule(passage)
    except NotReadError:
        return False
    return True


def _require_match(pattern: re.Pattern[str], passage: Passage) -> re.Match[str]:
    found = pattern.fullmatch(passage.text)
    if found is None:
        raise NotReadError(passage.text)
    return found


def _parse_hit_policy(how: str) -> tuple[HitPolicy, Collect | None]:
    if how in _HITS:
        return _HITS[how], None
    found = _COLLECTED.fullmatch(how)
    if found is None:
        raise NotReadError(how)
    word = found[1] or found[3] or found[5]
    return HitPolicy.COLLECT, _COLLECTS[word]


def _split_conditions(cell: str) -> list[str]:
    """Split what a cell asks for at each "and" outside quotation marks."""
    hidden = re.sub(r'"[^"]*"', lambda found: found[0].replace(" ", "\0"), cell)
    return [part.replace("\0", " ") for part in hidden.split(" and ")]


def _without_bound(text: str) -> tuple[str, tuple[int, str] | tuple[()]]:
    found = _BOUND.search(text)
    if found is None:
        return text, ()
    return text[: found.start()], (int(found[1]), found[2])


def _strip_fence(words: str) -> str:
    return words[1:-1] if words.startswith(("(all of", "(for ")) else words
