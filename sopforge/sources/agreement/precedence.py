"""Which of two rules counts where both apply: by the brief's words, and by the model's order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from sopforge.domain.fields import STORED, Field
from sopforge.domain.language.expressions import AnyOf, Expression, Not, collect_read_fields
from sopforge.domain.model import DomainModel, Step
from sopforge.domain.rules import HitPolicy, Rule, Table, is_first_given
from sopforge.logic.tables import build_agreement
from sopforge.solving.examining.inquiry import Inquiry
from sopforge.solving.examining.tables import build_condition_at
from sopforge.solving.examining.wording import describe_case
from sopforge.solving.questions import NoRow, Row
from sopforge.solving.unfolded_places import TooManyStepsError
from sopforge.solving.unfolding import Moment, Unfolded, find_decision_moments, unfold
from sopforge.sources.account import Account, Passage
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.label_mentions import Mention, list_mentions
from sopforge.sources.agreement.rankings import iterate_ranked
from sopforge.sources.facts import Labels, read_constant
from sopforge.sources.items import Item
from sopforge.sources.prose.markers import BEFORE_ALL, WHATEVER, has_exception, split_statements
from sopforge.sources.prose.sentences import Kind as SentenceKind
from sopforge.sources.prose.sentences import Sentence
from sopforge.sources.prose.sole import iterate_sole
from sopforge.sources.prose.stems import has_shared_word, list_stems, list_stems_in_order

_IN_ORDER = re.compile(
    r"\bin (?:(?:this|that|the (?:given|same|following|stated)) )?order\b(?! to\b)"
    r"|\border of (?:this|these|the) (?:\w+ )?(?:paper|sections?|steps?|points?|list|document|page)"
    r"|\bfirst (?:one |hit |match |rule |point |check |ground |reason |condition |\w+ )?"
    r"(?:that |which |to )?(?:\w+ ){0,4}?(?:appl(?:y|ies)|fits?|holds?|matches|counts?|wins?"
    r"|decides?|settles|stops?|ends?|is met|gives)\b"
    r"|\bstop at the first\b|\bthe one that (?:stands|comes) first\b|\bfrom top to bottom\b",
    re.IGNORECASE,
)
_NOT_IN_ORDER = re.compile(
    r"\b(?:not|never|whichever) (?:\w+ ){0,3}?(?:stop|first|in order|come)", re.IGNORECASE
)
_OF_ALL = re.compile(
    r"\b(?:sections|steps|paper|document|procedure|page|chapters|all (?:other )?checks"
    r"|(?:section|step) \d)\b",
    re.IGNORECASE,
)
_OVERRIDES = re.compile(
    r"\b(?:unless|except\w*|even (?:if|when|where|though)|whatever|regardless|no matter|instead"
    r"|but|however|prevails?|precedence|overrides?|in any (?:case|event)|only|all the same"
    r"|nevertheless|before all|before any\w*|comes? before|goes? before|ahead of)\b",
    re.IGNORECASE,
)
_FOR_ALL = re.compile(
    rf"\bany(?:body|one) at all\b|{BEFORE_ALL}"
    rf"|(?:\bregardless of\b|\bno matter\b|\bwhatever else\b|{WHATEVER})"
    r"(?P<what>[^,;:.()]*)(?!.*\b(?:unless|except)\b)",
    re.IGNORECASE,
)
_BUT_FOR = re.compile(r"\b(?:unless|except)\b", re.IGNORECASE)
_BEATS = re.compile(
    r"\b(?:(?:wins?|prevails?|takes? (?:precedence|priority)|ranks?|goes|comes|counts) "
    r"(?:over|before|above|ahead of)|beats?|trumps?|outranks?|overrides?)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\W*(?:and|as well as)\b(?: \w+){0,4}\W*", re.IGNORECASE)
_ONE_OF_TWO = ("one", "other", "winner")
_LARGER = r"(?:larger|largest|higher|highest|greater|greatest|longer|longest|later|latest)"
_SMALLER = r"(?:smaller|smallest|lower|lowest|lesser|least|shorter|shortest|earlier|earliest)"
_CHOSEN = re.compile(
    rf"\bthe (?:({_LARGER})|({_SMALLER}))"
    r" (?:(?:one|of (?:the two|them|these|both|those)|\w+)\b(?= (?:counts|applies|holds|is|wins))"
    r"|one\b|of (?:the two|them|these|both|those)\b|counts|applies|wins)",
    re.IGNORECASE,
)


def find_precedences(account: Account, model: DomainModel) -> Iterator[Doubt]:
    """Yield the rules that are tried before others, where the brief says that those count first.

    Only rules that both apply in some case, and with other results.
    """
    finder = _Finder(account, model)
    for table in model.decisions.values():
        if isinstance(table, Table) and table.hit is HitPolicy.FIRST and is_first_given(table):
            yield from finder.compare(table)
    for step in model.steps.values():
        yield from finder.compare_edges(step)


@dataclass(frozen=True, slots=True)
class _Scope:
    """A stretch of a part in which what stands first counts, and the words that say so."""

    part: str
    start: int
    end: int
    words: str


@dataclass
class _Finder:
    """Compares the tables of one model with what the brief says of their order."""

    account: Account
    model: DomainModel
    inquiry: Inquiry = field(init=False)
    winners: dict[Labels, list[tuple[str, str, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.inquiry = Inquiry(self.model, self.places)

    @cached_property
    def places(self) -> Sequence[Unfolded]:
        """The places of the procedure, none where it is too long to be followed."""
        try:
            return unfold(self.model)
        except TooManyStepsError:
            return ()

    def compare(self, table: Table) -> Iterator[Doubt]:
        """Yield the pairs of rules of a table in the wrong order, each rule in one of them."""
        rules = [rule for rule in table.rules if rule.when is not None]
        named: set[str] = set()
        for first, second in combinations(rules, 2):
            said = "" if {first.id, second.id} & named else self._find_said(table, first, second)
            case = self._find_case(table, first, second) if said else None
            if case is not None:
                named |= {first.id, second.id}
                names = tuple(f"decisions.{table.name}.{rule.id}" for rule in (first, second))
                quoted = " … ".join(self.account.list_own_quotes(name)[0] for name in names[::-1])
                yield Doubt(Kind.PRECEDENCE, quoted, names, said, case)

    def compare_edges(self, step: Step) -> Iterator[Doubt]:
        """Yield the edges of a step that lead to a result before those to one that wins over it."""
        edges = [edge for edge in step.edges if edge.when is not None]
        for first, second in combinations(edges, 2):
            names = (f"steps.{first.id}", f"steps.{second.id}")
            said = self._find_beaten(*names)
            tried = [edge.when for edge in edges[: edges.index(first)] if edge.when is not None]
            both = [edge.when for edge in (first, second) if edge.when is not None]
            answer = self.inquiry.find_row([*map(Not, tried), *both]) if said else None
            if isinstance(answer, Row):
                yield Doubt(Kind.PRECEDENCE, said, names, said, describe_case(self.model, answer))

    def _find_said(self, table: Table, first: Rule, second: Rule) -> str:
        """Return the words by which the second of two rules counts before the first."""
        one, other = (
            self.account.cited.get(f"decisions.{table.name}.{rule.id}", ())
            for rule in (first, second)
        )
        if not one or not other:
            return ""
        name = f"decisions.{table.name}.{first.id}"
        return (
            self._find_order(one, other)
            or self._find_for_all(self.account.items[name], one, other)
            or self._find_chosen(table, first, second)
            or self._find_alone(one, first, second)
            or self._find_beaten(name, f"decisions.{table.name}.{second.id}")
        )

    def _find_order(self, one: tuple[Passage, ...], other: tuple[Passage, ...]) -> str:
        """Return the words by which the text's order counts, where its second rule is first.

        All that is said of the one has to stand after all that is said of the other.
        """
        for scope in self._ordered:
            mine, theirs = self._list_blocks(scope, one), self._list_blocks(scope, other)
            is_exception = any(_OVERRIDES.search(self.account.quote(item)) for item in one)
            if is_exception or not mine or not theirs:
                continue
            # A sentence after a list may be about all of its points.
            last, section, _ = max(theirs)
            is_point = all(is_one or of != section for _, of, is_one in mine)
            if is_point and min(mine)[0] > last:
                return scope.words
        return ""

    def _list_blocks(
        self, scope: _Scope, passages: tuple[Passage, ...]
    ) -> list[tuple[int, int, bool]]:
        """Return where a rule is said in a scope: the block, its section, whether it is a point."""
        prose = self.account.prose[scope.part]
        return [
            (sentence.block, self._find_section(scope.part, sentence), _is_point(sentence))
            for item in passages
            if item.part == scope.part
            and scope.start <= item.start < scope.end
            and not _IN_ORDER.search(self.account.quote(item))
            and not _is_general(item)
            for sentence in prose.list_at(item.start, item.start + 1)
        ]

    def _find_section(self, part: str, sentence: Sentence) -> int:
        """Return where the section of a sentence begins."""
        sentences = self.account.prose[part].sentences
        headings = [item.start for item in sentences if item.kind is SentenceKind.HEADING]
        return max((place for place in headings if place <= sentence.start), default=0)

    @cached_property
    def _ordered(self) -> tuple[_Scope, ...]:
        """Where in the brief what stands first counts."""
        return tuple(
            _Scope(part, *self._find_span(part, sentence), said[0])
            for part, sentence in self.account.iterate_sentences()
            if (said := _IN_ORDER.search(sentence.text)) and not _NOT_IN_ORDER.search(sentence.text)
        )

    def _find_span(self, part: str, sentence: Sentence) -> tuple[int, int]:
        """Return from where to where an order is said: in one section, or in all of a part."""
        prose = self.account.prose[part]
        if _OF_ALL.search(sentence.text):
            return 0, len(prose.text)
        headings = [item.start for item in prose.sentences if item.kind is SentenceKind.HEADING]
        begins = max((place for place in headings if place <= sentence.start), default=0)
        ends = min((place for place in headings if place > sentence.start), default=len(prose.text))
        return begins, ends

    def _find_for_all(
        self, item: Item, one: tuple[Passage, ...], other: tuple[Passage, ...]
    ) -> str:
        """Return the words by which the second of two rules holds whatever the first reads."""
        if any(_FOR_ALL.search(self.account.quote(passage)) for passage in one):
            return ""
        for passage in other:
            # An exception that is made from it there counts before it.
            if any(self._is_exception(later, passage) for later in one):
                continue
            said = _FOR_ALL.search(self.account.quote(passage))
            words = list_stems(said["what"] or "") if said else frozenset()
            if said and (said["what"] is None or has_shared_word(words, item.words)):
                return said[0].strip()
        return ""

    def _is_exception(self, later: Passage, earlier: Passage) -> bool:
        """Return whether a passage makes an exception from one before it in its paragraph."""
        if not has_exception(self.account.quote(later)):
            return False
        is_after = later.part == earlier.part and later.start > earlier.start
        return is_after and bool(self._list_own_blocks(later) & self._list_own_blocks(earlier))

    def _list_own_blocks(self, passage: Passage) -> frozenset[int]:
        """Return the paragraphs in which a passage stands."""
        sentences = self.account.prose[passage.part].list_at(passage.start, passage.end)
        return frozenset(sentence.block for sentence in sentences)

    def _find_chosen(self, table: Table, first: Rule, second: Rule) -> str:
        """Return the words by which the larger or the smaller of two results counts."""
        values = [figure.value for rule in (first, second) for figure in read_constant(rule.then)]
        # "No reduction in August" is no smaller reduction than another.
        if len(values) < len((first, second)) or not all(values):
            return ""
        names = {f"decisions.{table.name}", f"fields.{table.target}"}
        names |= {f"decisions.{table.name}.{rule.id}" for rule in table.rules}
        for passage in self.account.cited_passages:
            said = _CHOSEN.search(self.account.quote(passage))
            is_about = bool(names & set(passage.items))
            if said and is_about and (values[0] < values[1]) == bool(said[1]):
                return said[0]
        return ""

    def _find_alone(self, one: tuple[Passage, ...], first: Rule, second: Rule) -> str:
        """Return the words by which the first of two rules is about something that stands alone.

        The second is another ground. "Nobody is refused on account of age alone" is read wrongly by
        a rule that never looks at the age, "if rain is the only reason" by one that does and sees
        no other.
        """
        fields = self._list_fields(first)
        # What is worked out elsewhere may look at the others.
        if any(item.role not in STORED for item in fields):
            return ""
        for sole in (item for passage in one for item in iterate_sole(self.account.quote(passage))):
            is_excepted = not sole.is_denied and _BUT_FOR.search(sole.said)
            is_read = _has_named(fields, sole.what)
            is_other = not _has_named(self._list_fields(second), sole.what)
            if is_other and not is_excepted and is_read is not sole.is_denied:
                return sole.said
        return ""

    def _list_fields(self, rule: Rule) -> list[Field]:
        """Return the fields that a rule reads."""
        names = collect_read_fields(rule.when) if rule.when is not None else ()
        return [self.model.fields[name] for name in sorted(names) if name in self.model.fields]

    def _is_met_there(self, moments: Sequence[Moment], holding: Sequence[Expression]) -> bool:
        """Return whether a case meets conditions where the procedure decides the table."""
        if not moments:
            return True
        there = AnyOf(tuple(build_condition_at(moment, holding) for moment in moments))
        return not isinstance(self.inquiry.find_row([there], is_shown=False), NoRow)

    def _find_beaten(self, first: str, second: str) -> str:
        """Return the words by which what the second of two rules gives wins over the first's."""
        one, other = (self.account.items[name].facts.given for name in (first, second))
        for labels in {of for _, of in one} & {of for _, of in other}:
            loses, wins = ({label for label, of in given if of == labels} for given in (one, other))
            if labels not in self.winners:
                self.winners[labels] = list(self._iterate_winners(labels))
            for winner, loser, words in self.winners[labels]:
                if winner in wins and loser in loses:
                    return words
        return ""

    def _iterate_winners(self, labels: Labels) -> Iterator[tuple[str, str, str]]:
        """Yield the labels that win over others by a statement, which is shown."""
        for _, sentence in self.account.iterate_sentences():
            for text, _ in split_statements(sentence.text):
                if beats := _BEATS.search(text):
                    before = _find_named(text[: beats.start()], labels)
                    after = _find_named(re.split(r"[,;.]", text[beats.end() :])[0], labels)
                    yield from ((one, two, text) for one in before for two in after)
                else:
                    yield from _iterate_preferred(text, labels)
                    yield from ((*pair, text) for pair in iterate_ranked(text, labels))

    def _find_case(self, table: Table, first: Rule, second: Rule) -> str | None:
        """Return a case that the first of two rules decides and the second would otherwise."""
        before = table.rules[: table.rules.index(first)]
        given = [
            item
            for item in self.model.decisions.values()
            if isinstance(item, Table) and item.name == table.name
        ]
        places = [table.rules.index(rule) for rule in (first, second)]
        agreements = [build_agreement(*(item.rules[at].then for at in places)) for item in given]
        conditions: list[Expression] = [
            *(Not(rule.when) for rule in before if rule.when is not None),
            *(rule.when for rule in (first, second) if rule.when is not None),
        ]
        moments = find_decision_moments(self.places, table.target)
        for agreement in agreements:
            holding = [*conditions, Not(agreement)]
            answer = self.inquiry.find_row(holding)
            if isinstance(answer, Row) and self._is_met_there(moments, holding):
                return describe_case(self.model, answer)
        return None


def _iterate_preferred(text: str, labels: Labels) -> Iterator[tuple[str, str, str]]:
    """Yield the label that counts of two: "grounds for A and for B: A", with the other one."""
    said = list_mentions(text, labels)
    if len(said) != len(_ONE_OF_TWO):
        said = _list_by_words(text, labels)
    if len(said) == len(_ONE_OF_TWO):
        one, other, winner = (item.label for item in said)
        is_both = _BOTH.fullmatch(text, said[0].end, said[1].start)
        if is_both and one != other and winner in (one, other):
            yield winner, one if winner == other else other, text


def _list_by_words(text: str, labels: Labels) -> tuple[Mention, ...]:
    """Return where a text has a word of one label alone: "to wait" is "keep waiting"."""
    owners: dict[str, set[str]] = {}
    for label in labels:
        for stem in list_stems(label):
            owners.setdefault(stem, set()).add(label)
    return tuple(
        Mention(label, start, end)
        for stem, start, end in list_stems_in_order(text)
        for label in owners.get(stem, ())
        if len(owners[stem]) == 1
    )


def _find_named(text: str, labels: Labels) -> list[str]:
    """Return the labels that a text names, or the one of which it has a word: "a referral"."""
    named = [item.label for item in list_mentions(text, labels)]
    words = list_stems(text)
    alike = [label for label in labels if has_shared_word(list_stems(label), words)]
    return named or (alike if len(alike) == 1 else [])


def _has_named(fields: Sequence[Field], text: str) -> bool:
    """Return whether a text has a word of what one of some fields is called."""
    words = list_stems(text)
    return any(has_shared_word(list_stems(f"{item.name} {item.label}"), words) for item in fields)


def _is_point(sentence: Sentence) -> bool:
    return sentence.kind is SentenceKind.ITEM or bool(sentence.number)


def _is_general(passage: Passage) -> bool:
    """Return whether a passage is about several decisions, and so no place in a list of one."""
    decisions = {name.split(".")[1] for name in passage.items if name.startswith("decisions.")}
    return len(decisions) > 1
