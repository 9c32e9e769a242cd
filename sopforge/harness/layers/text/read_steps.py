"""The rules of steps, read from the words of an SOP or of a part of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sopforge.artifacts.rendering.sop.alignment import with_text
from sopforge.artifacts.rendering.sop.ambiguous import CAREFUL, CARELESS, read_annex
from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.references import References, find_references
from sopforge.artifacts.rendering.sop.resolving import read_plainly
from sopforge.artifacts.rendering.sop.sections.tables import ANY, CONDITION, REST
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import Counts, DomainModel, Edge, Step
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.procedure.loops import note_loops
from sopforge.language.domain.rules import (
    Collect,
    Decision,
    Formula,
    HitPolicy,
    Rule,
    Table,
    rank_rules,
)
from sopforge.language.domain.values.types import BooleanType
from sopforge.language.english.phrases import say_of
from sopforge.language.english.presence import Presence
from sopforge.language.english.sources import NotReadError, Rules
from sopforge.language.english.statements import RANKED
from sopforge.language.english.terms import Term, map_parts

_KEPT = 8
_HITS = {"first": HitPolicy.FIRST, "unique": HitPolicy.UNIQUE, "any": HitPolicy.ANY}
_BODY = frozenset({Style.BULLET, Style.ROW})
_PLAIN_ANSWERS = frozenset({"field", "label", "if"})


@dataclass(frozen=True, slots=True)
class ReadSteps:
    """A model with the rules and transitions that a text states; ``unread`` are other sentences."""

    model: DomainModel
    unread: tuple[str, ...]


@dataclass
class StepReader:
    """Reads texts of steps as ``read_steps`` does, each of the last few once."""

    kept: dict[tuple[int, str, int, bool], tuple[DomainModel, ReadSteps]] = field(
        default_factory=dict
    )
    writers: dict[int, tuple[DomainModel, Writer]] = field(default_factory=dict)

    def __call__(
        self, model: DomainModel, text: str, main: int, *, is_careful: bool = True
    ) -> ReadSteps:
        key = id(model), text, main, is_careful
        if key not in self.kept:
            if len(self.kept) >= _KEPT:
                self.kept.pop(next(iter(self.kept)))
            # With the model, so that no other one comes by its id while this is kept.
            writer = self._load_writer(model)
            read = read_steps(model, text, main, writer, is_careful=is_careful)
            self.kept[key] = model, read
        return self.kept[key][1]

    def _load_writer(self, model: DomainModel) -> Writer:
        if id(model) not in self.writers:
            self.writers[id(model)] = model, Writer(model)
        return self.writers[id(model)][1]


def number_steps(model: DomainModel, main: int) -> dict[str, str]:
    """Return the number of each step in an SOP whose procedure begins in a section of a number.

    Each part stands in the section after the one before it.
    """
    sections = {name: main + place for place, name in enumerate(("", *model.parts))}
    return {
        step.id: f"{sections[part]}.{place}"
        for part in sections
        for place, step in enumerate(model.list_steps_in(part), 1)
    }


def read_steps(
    model: DomainModel,
    text: str,
    main: int,
    writer: Writer | None = None,
    *,
    is_careful: bool = True,
) -> ReadSteps:
    """Return a model with what a text says of the steps in it, all else being as it is.

    Nothing but the words is read: pointers to rules, limits and terms of other sections are
    followed where the text has these. ``writer`` is the one of the model, if there is one already.
    Who is not careful takes words that ask for care otherwise, and looks nothing up in an annex.
    """
    writer = writer or Writer(model)
    statements = parse_text(text)
    numbers, references = number_steps(model, main), list_references(model, main, statements)
    words = writer.words.with_phrases(CAREFUL if is_careful else CARELESS)
    read = read_plainly(words, references, statements)
    annex = read_annex(words.forms, read)
    reader = _Reader(writer)
    titles = {name: " ".join(step.title.split()) for name, step in model.steps.items()}
    reader.learn_definitions(read)
    headings = {f"{number} {titles[name]}": name for name, number in numbers.items()}
    decisions, edges, unread = dict(model.decisions), dict[str, tuple[Edge, ...]](), list[str]()
    for step, found in _split_steps(read, headings):
        resolve = partial(annex.resolve, step) if is_careful else annex.ignore
        own = [replace(item, term=item.term and resolve(item.term)) for item in found]
        unread += [item.text for item in own if not item.kind]
        decisions |= {x: y for x, y in reader.read_decisions(own) if x in decisions}
        stated = tuple(reader.read_edges(step, own))
        if all(edge.when is not None for edge in stated):
            stated = (*stated, *_go_on(model, model.steps[step]))
        if own and stated:
            edges[step] = stated
    changed = {
        name: replace(step, edges=edges[name]) if name in edges else step
        for name, step in model.steps.items()
    }
    steps = note_loops(changed)
    return ReadSteps(replace(model, steps=steps, decisions=decisions), tuple(unread))


def parse_text(text: str) -> Sequence[Statement]:
    """Return the statements of a text, of which it is not said yet what they mean."""
    return with_text(SopDocument(()), f"Text\n\n{text}").statements


def list_references(model: DomainModel, main: int, statements: Iterable[Statement]) -> References:
    """Return the numbers of all steps, and of those sections that a text has."""
    known = find_references(statements, model)
    numbers = number_steps(model, main).items()
    steps = {x: f"{number} ({' '.join(model.steps[x].title.split())})" for x, number in numbers}
    return References(steps, known.sections, known.parts)


def _split_steps(
    statements: Iterable[Statement], headings: Mapping[str, str]
) -> Iterator[tuple[str, list[Statement]]]:
    """Yield the steps of a text with their statements."""
    step, own = "", list[Statement]()
    for item in statements:
        if item.style in {Style.TITLE, Style.SECTION, Style.STEP}:
            if step:
                yield step, own
            step, own = headings.get(item.text, ""), []
        else:
            own.append(item)
    if step:
        yield step, own


def _go_on(model: DomainModel, step: Step) -> Iterator[Edge]:
    """Yield where all other cases go where a text does not say so: on to the next step."""
    order = model.list_steps_in(step.part)
    following = order[order.index(step) + 1 :][:1]
    if step.end is None and not step.is_return:
        yield from (Edge(step.id, "on", other.id, None, None, None) for other in following)


class _Reader:
    """Makes decisions and transitions of statements."""

    def __init__(self, writer: Writer) -> None:
        model = self.model = writer.model
        self.forms = writer.words.forms
        self.presence = Presence(self.forms)
        self.meanings: dict[str, Term] = {
            item.name: writer.mean(item.condition) for item in writer.named
        }
        self.rules = Rules(
            Scope(
                {name: item.type for name, item in model.fields.items()},
                {name: item.constant for name, item in model.policy.items()},
                frozenset(name for name, item in model.fields.items() if item.missing),
                {name: calendar for name, (calendar, _) in model.calendars.items()},
                frozenset(item.name for item in model.malformable),
            )
        )

    def learn_definitions(self, statements: Iterable[Statement]) -> None:
        """Take the conditions that a text defines for what it says that they are."""
        for item in statements:
            if item.kind == "definition" and item.term is not None:
                _, (_, name), meant = item.term
                self.meanings[name] = meant

    def make_condition(self, term: Term | None) -> Expression | None:
        """Return what a condition says as an expression."""
        if term is None:
            return None
        return self.rules.make_condition(self.presence.add_implied(self._spell(term)))

    def make_value(self, target: str, term: Term) -> Expression:
        """Return what a field is given as an expression."""
        item, spelled = self.model.fields[target], self._spell(term)
        is_answer = isinstance(item.type, BooleanType) and spelled[0] not in _PLAIN_ANSWERS
        meant = self.presence.add_implied(spelled) if is_answer else self._add_implied(spelled)
        return self.rules.make_value(meant, item.type, item.missing)

    def _add_implied(self, value: Term) -> Term:
        """Return a value with what the conditions in it imply."""
        changed = map_parts(value, self._add_implied)
        if changed[0] != "if":
            return changed
        _, asked, *values = changed
        return ("if", self.presence.add_implied(asked), *values)

    def _spell(self, term: Term) -> Term:
        if term[0] == "field" and term[1] in self.meanings:
            return self._spell(self.meanings[term[1]])
        return map_parts(term, self._spell)

    # decisions

    def read_decisions(self, statements: Sequence[Statement]) -> Iterator[tuple[str, Decision]]:
        """Yield what statements say of how fields are decided; what makes no rule says nothing."""
        for place, item in enumerate(statements):
            try:
                yield from self._read_decision(item, statements[place + 1 :])
            except NotReadError:
                continue

    def _read_decision(
        self, item: Statement, following: Sequence[Statement]
    ) -> Iterator[tuple[str, Decision]]:
        match item.term:
            case ("decides", (_, target), value):
                yield target, self._make_formula(target, self.make_value(target, value))
            case ("chooses", (_, target), asked, label, rest):
                cases: list[tuple[Term | None, Term]] = [
                    (asked, ("label", label)),
                    (None, ("label", rest)),
                ]
                yield target, self._make_table(target, "first rule", cases)
            case ("opens", policy, *targets):
                body = _take_body(following)
                for _, target in targets:
                    cases = [x for entry in body for x in self._list_cases(entry, target, body)]
                    yield target, self._make_table(target, policy, cases)
            case ("ranks", (_, *labels), (_, target)):
                body = _take_body(following)
                cases = [x for entry in body for x in self._list_cases(entry, target, body)]
                table = self._make_table(target, "first rule", cases)
                yield target, replace(table, rules=rank_rules(table.rules, labels))
            case ("looks", _, *targets):
                rows = _take_body(following)
                for number, (_, target) in enumerate(targets):
                    values = _list_entries(rows, len(targets), number)
                    yield (
                        target,
                        self._make_formula(target, self.make_value(target, self._build(values))),
                    )
            case _:
                return

    def _build(self, rows: Sequence[tuple[tuple[str, ...], tuple[Term, ...], Term]]) -> Term:
        """Return a look-up of rows: fields, what is in their columns, and the value."""
        names, _, value = rows[0]
        if not names:
            return value
        kind = self.model.fields[names[0]].type
        every = tuple(getattr(kind, "values", ()))
        said = {label for _, (key, *_), _ in rows if key != REST for label in key[1:]}
        groups: dict[tuple[str, ...], list[tuple[tuple[str, ...], tuple[Term, ...], Term]]] = {}
        for _, (key, *others), entry in rows:
            labels = tuple(x for x in every if x not in said) if key == REST else key[1:]
            groups.setdefault(labels, []).append((names[1:], tuple(others), entry))
        parts = (("entry", ("labels", *labels), self._build(x)) for labels, x in groups.items())
        return ("table", ("field", names[0]), *parts)

    def _make_formula(self, target: str, value: Expression) -> Formula:
        known = self.model.decisions.get(target)
        if isinstance(known, Formula):
            return replace(known, value=value)
        return Formula(target, value, known.description if known else "")

    def _make_table(
        self, target: str, policy: str, cases: Sequence[tuple[Term | None, Term]]
    ) -> Table:
        rules = tuple(
            Rule(f"R{number}", self.make_condition(asked), self.make_value(target, value))
            for number, (asked, value) in enumerate(cases, 1)
        )
        name = policy.partition(" ")[0]
        hit = _HITS.get(name, HitPolicy.COLLECT)
        picked = {said: name for name, said in RANKED.items()}
        collect = Collect(picked.get(name, name)) if hit is HitPolicy.COLLECT else None
        known = self.model.decisions.get(target)
        table = known if isinstance(known, Table) else Table(target, hit, (), "")
        return replace(table, hit=hit, rules=rules, collect=collect)

    def _list_cases(
        self, entry: Statement, target: str, body: Sequence[Statement]
    ) -> Iterator[tuple[Term | None, Term]]:
        """Yield the condition and the result of a rule or a row for a field."""
        match entry.term:
            case ("rule", value, asked):
                yield asked, value
            case ("counted", asked):
                yield asked, ("number", "1", "", "")
            case ("answers", asked, *given):
                yield from ((asked, value) for _, (_, name), value in given if name == target)
            case ("row", *cells):
                columns = next(x.term[1:] for x in body if x.kind == "header" and x.term)
                place = columns.index(target)
                yield self._join_cells(columns, cells), cells[place][1]
            case _:
                return

    def _join_cells(self, columns: Sequence[str], cells: Sequence[tuple[str, Term]]) -> Term | None:
        """Return what the cells of a row ask together, None where they ask nothing."""
        asked = [
            part if name == CONDITION else say_of(part, ("field", name), self.forms)
            for name, (kind, part) in zip(columns, cells, strict=True)
            if kind in {"cell", "onlycell", "condition"} and part not in {ANY, REST}
        ]
        return self.forms.join("and", *asked) if asked else None

    # transitions

    def read_edges(self, step: str, statements: Iterable[Statement]) -> Iterator[Edge]:
        """Yield the transitions that statements say, one after the other."""
        for number, item in enumerate(statements, 1):
            match item.term:
                case ("goes", asked, (_, to)):
                    yield Edge(step, str(number), to, self.make_condition(asked), None, None)
                case ("repeats", asked, (_, times, over), (_, then)):
                    edge = Edge(step, str(number), step, self.make_condition(asked))
                    yield self.bind_edge(edge, int(times), then, over)
                case ("returns", asked, (_, to), (_, times, over), (_, then)):
                    edge = Edge(step, str(number), to, self.make_condition(asked))
                    yield self.bind_edge(edge, int(times), then, over)
                case _:
                    continue

    def bind_edge(self, edge: Edge, bound: int, then: str, over: str) -> Edge:
        """Return an edge back with its bound, and what that counts over."""
        counts = Counts(over)
        return replace(edge, bound=bound, then=then, counts=counts, declared=counts)


def _take_body(statements: Sequence[Statement]) -> list[Statement]:
    """Return the rules or rows that stand right below a sentence."""
    found = []
    for item in statements:
        if item.style not in _BODY:
            break
        found.append(item)
    return found


def _list_entries(
    rows: Sequence[Statement], results: int, number: int
) -> list[tuple[tuple[str, ...], tuple[Term, ...], Term]]:
    """Return the rows of a look-up for one of its fields."""
    columns = next((x.term[1:] for x in rows if x.kind == "header" and x.term), ())
    if not columns:
        raise NotReadError("a look-up without heads")
    split = len(columns) - results
    cells = [[part for _, part in x.term[1:]] for x in rows if x.kind == "row" and x.term]
    return [(tuple(columns[:split]), tuple(row[:split]), row[split + number]) for row in cells]
