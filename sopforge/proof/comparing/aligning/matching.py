"""Facts and answers of two readings matched by their words and types, as far as these are plain.

Whatever two readings decide has no part in it: labels that one of them mixed up must not be matched
as it mixed them up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sopforge.language.domain.expressions.expressions import Span
from sopforge.language.domain.fields import STORED, Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.parsing import ExpressionError
from sopforge.language.domain.values.types import (
    AtomType,
    BooleanType,
    EnumType,
    ListType,
    MomentType,
    NumberType,
    OrderedType,
    SetType,
    TextType,
)
from sopforge.proof.comparing.aligning.alignment import (
    NO_VALUE,
    AlignedField,
    AlignedOutcome,
    Alignment,
    find_open,
    list_cells,
    parse_aligned,
)
from sopforge.proof.comparing.aligning.needed import list_answer_fields, list_row_fields
from sopforge.proof.comparing.aligning.wording import (
    Vocabulary,
    is_alike,
    is_denial,
    list_key_stems,
    pair_labels,
)

LEAST_LIKENESS = 0.6
"""How much of the words must be the same where nothing else says that two fields are one."""
LEAST_MARGIN = 0.15
_MOST_CANDIDATES = 3
_LIST_VARIABLES = ("i", "item", "entry", "part")
_FINER = {("week", "day"): 7, ("day", "hour"): 24, ("hour", "minut"): 60, ("year", "month"): 12}
"""How many of a unit make one of another; the stems of their names."""


def match_models(
    ours: DomainModel, theirs: DomainModel, given: Alignment | None = None
) -> Alignment:
    """Return the alignment of two models; what is ``given`` prevails, what stays open is named.

    Matched are fields and outcomes of the same name or label, of the same set of labels, or of much
    the same words, whose types fit each other.
    """
    known = given or Alignment()
    matching = _Matching(ours, theirs, known)
    fields = {**known.fields, **matching.match_fields()}
    outcomes = {**known.outcomes, **matching.match_outcomes()}
    made = Alignment(fields, outcomes, known.lacking)
    return find_open(ours, theirs, made, matching.list_candidates(made))


@dataclass(frozen=True, slots=True)
class _Pair:
    """A field of theirs, the one of ours that it may be, and how: the greatest rank counts first.

    ``is_sure`` says that names or labels are enough; else no second pair may come near.
    """

    theirs: str
    ours: str
    rank: float
    is_sure: bool


@dataclass(slots=True)
class _Matching:
    ours: DomainModel
    theirs: DomainModel
    given: Alignment
    words: Vocabulary = field(init=False)

    def __post_init__(self) -> None:
        fields = [*self.ours.fields.values(), *self.theirs.fields.values()]
        self.words = Vocabulary.count(fields)

    # fields

    def match_fields(self) -> dict[str, AlignedField]:
        """Return the fields of theirs that rows need, each with an expression over ours."""
        ours = [item for item in self.ours.fields.values() if item.role in STORED]
        open_ = [item for item in self.list_needed() if item.name not in self.given.lacking]
        found = self.assign(open_, ours, self.write_field)
        # What they state and ours does not may be there for something that ours states.
        left = [item for item in open_ if item.name not in found]
        if left:
            found |= self.match_worked_out(left, found, ours)
        return found

    def list_needed(self) -> list[Field]:
        given = [n for n in self.given.fields if self.theirs.fields[n].role is Role.DERIVED]
        needed = list_row_fields(self.theirs, given)
        return [item for item in needed if item.name not in self.given.fields]

    def match_worked_out(
        self, left: Sequence[Field], found: Mapping[str, AlignedField], ours: Sequence[Field]
    ) -> dict[str, AlignedField]:
        """Return what theirs works out from fields without a partner, where ours states it."""
        taken = {item.text for item in found.values()}
        free = [item for item in ours if item.name not in taken]
        derived = [
            item
            for item in self.theirs.fields.values()
            if item.role is Role.DERIVED
            and item.name in self.theirs.decisions
            and item.name not in self.given.fields
        ]
        made: dict[str, AlignedField] = {}
        # What is worked out may be about a fact without being it: like words are not enough.
        called = {words for item in free for words in (item.name, item.label)}
        derived = [item for item in derived if {item.name, item.label} & called]
        for name, aligned in self.assign(derived, free, self.write_field).items():
            needed = {item.name for item in list_row_fields(self.theirs, [*made, name])}
            # Only for their sake: else what is worked out shows how it is worked out.
            if any(item.name not in needed for item in left):
                made[name] = aligned
        return made

    def assign(
        self,
        theirs: Iterable[Field],
        ours: Sequence[Field],
        write: Callable[[Field, Field], str],
    ) -> dict[str, AlignedField]:
        """Return for each field the one of ours that it is, as an expression."""
        found: dict[str, AlignedField] = {}
        for pair in self.choose_pairs(list(theirs), ours, write):
            item = self.theirs.fields[pair.theirs]
            aligned = self.try_parse(write(item, self.ours.fields[pair.ours]), item)
            if aligned is not None:
                found[pair.theirs] = aligned
        return found

    def try_parse(self, text: str, item: Field) -> AlignedField | None:
        try:
            return parse_aligned(text, self.ours, item) if text else None
        except ExpressionError:
            return None  # the types do not fit after all: what is matched must be readable

    def choose_pairs(
        self,
        theirs: Sequence[Field],
        ours: Sequence[Field],
        write: Callable[[Field, Field], str],
    ) -> list[_Pair]:
        """Return the pairs that are plain, the plainest first; each field is in one of them."""
        pairs = [
            pair
            for item in theirs
            for other in ours
            if write(item, other)
            for pair in [self.rank_pair(item, other)]
            if pair.rank >= LEAST_LIKENESS
        ]
        pairs.sort(key=lambda pair: -pair.rank)
        chosen: list[_Pair] = []
        while pairs:
            first = pairs[0]
            rivals = [
                pair
                for pair in pairs[1:]
                if (pair.theirs == first.theirs) != (pair.ours == first.ours)
                and pair.rank > first.rank - LEAST_MARGIN
            ]
            if rivals and (not first.is_sure or rivals[0].rank == first.rank):
                # Which of them is meant, words alone do not say.
                pairs = [
                    pair for pair in pairs if pair is not first and pair.theirs != first.theirs
                ]
                continue
            chosen.append(first)
            pairs = [
                pair for pair in pairs if pair.theirs != first.theirs and pair.ours != first.ours
            ]
        return chosen

    def rank_pair(self, item: Field, other: Field) -> _Pair:
        names = item.column or item.name, other.column or other.name
        if names[0] == names[1] and item.name == other.name:
            return _Pair(item.name, other.name, 4.0, is_sure=True)
        if item.label == other.label or is_alike(item.label, other.label):
            return _Pair(item.name, other.name, 3.0, is_sure=True)
        if is_alike(names[0].replace("_", " "), names[1].replace("_", " ")):
            return _Pair(item.name, other.name, 2.5, is_sure=True)
        rank = self.words.compare(item, other)
        if _has_same_labels(item, other):
            rank += 1.0
        if _is_named_by_label(item, other):
            rank += 0.7
        return _Pair(item.name, other.name, rank, is_sure=False)

    def write_field(self, item: Field, other: Field) -> str:
        """Return the expression by which a field of ours is one of theirs, "" if it cannot be."""
        return write_conversion(item, other)

    # outcomes

    def match_outcomes(self) -> dict[str, AlignedOutcome]:
        """Return the outcomes and scored values of theirs, each with that of ours."""
        theirs = [
            item for item in list_answer_fields(self.theirs) if item.name not in self.given.outcomes
        ]
        taken = {item.name for item in self.given.outcomes.values()}
        ours = [item for item in list_answer_fields(self.ours) if item.name not in taken]
        chosen = self.choose_pairs(theirs, ours, _write_outcome)
        found = {pair.theirs: pair.ours for pair in chosen}
        found |= self.match_primary(found, theirs, ours)
        return {
            name: AlignedOutcome(
                other, map_labels(self.theirs.fields[name], self.ours.fields[other]) or {}
            )
            for name, other in found.items()
        }

    def match_primary(
        self, found: Mapping[str, str], theirs: Sequence[Field], ours: Sequence[Field]
    ) -> dict[str, str]:
        """Return the scored columns as one, where most of their labels fit; then what is left."""
        left = [item for item in theirs if item.name not in found]
        right = [item for item in ours if item.name not in found.values()]
        made = {
            item.name: other.name
            for item in left
            for other in right
            if item.primary and other.primary and _count_pairs(item, other) > 1
        }
        left = [item for item in left if item.name not in made]
        right = [item for item in right if item.name not in made.values()]
        for item in left:
            fitting = [other for other in right if _write_outcome(item, other)]
            rivals = [other for other in left if fitting and _write_outcome(other, fitting[0])]
            if len(fitting) == len(rivals) == 1 and self.words.compare(item, fitting[0]) > 0:
                made[item.name] = fitting[0].name
        return made

    # what stays open

    def list_candidates(self, made: Alignment) -> dict[str, tuple[str, ...]]:
        """Return of what has no partner what it may be, the likeliest first."""
        found: dict[str, tuple[str, ...]] = {}
        ours = [item for item in self.ours.fields.values() if item.role in STORED]
        for item in self.list_needed():
            if item.name not in made.fields:
                found[item.name] = tuple(self.iterate_candidates(item, ours))
        answers = list_answer_fields(self.ours)
        for item in list_answer_fields(self.theirs):
            if item.name not in made.outcomes:
                fitting = [other for other in answers if _write_outcome(item, other)]
                near = sorted(fitting, key=partial(self.compare_reversed, item))
                found[item.name] = tuple(other.name for other in near[:_MOST_CANDIDATES])
        return found

    def compare_reversed(self, item: Field, other: Field) -> float:
        return -self.words.compare(item, other)

    def iterate_candidates(self, item: Field, ours: Sequence[Field]) -> Iterator[str]:
        near = sorted(ours, key=partial(self.compare_reversed, item))
        written = [write_conversion(item, other) or _write_perhaps(item, other) for other in near]
        spans = list(_iterate_spans(item, near))
        yield from [text for text in [*spans[:1], *written] if text][:_MOST_CANDIDATES]


def _write_outcome(item: Field, other: Field) -> str:
    return other.name if map_labels(item, other) is not None else ""


def map_labels(item: Field, other: Field) -> dict[str, str] | None:
    """Return the cells of an outcome of ours for those of theirs that are written otherwise.

    None where the two cannot be compared. A label without a partner stays without.
    """
    labelled = EnumType, BooleanType
    kinds = item.type, other.type
    if isinstance(kinds[0], labelled) and isinstance(kinds[1], labelled):
        return _map_label_cells(item, other)
    if isinstance(kinds[0], SetType) and isinstance(kinds[1], SetType):
        paired = pair_labels(kinds[0].values, kinds[1].values)
        return {label: meant for label, meant in paired.items() if label != meant}
    is_one_kind = type(kinds[0]) is type(kinds[1]) and isinstance(kinds[0], OrderedType | TextType)
    return {} if is_one_kind and _has_same_unit(item, other) else None


def _map_label_cells(item: Field, other: Field) -> dict[str, str] | None:
    theirs, ours = _list_labels(item), _list_labels(other)
    if isinstance(item.type, BooleanType) != isinstance(other.type, BooleanType):
        found = _pair_yes_and_no(item, other)
        return found or None
    found = pair_labels(theirs, ours)
    # What one reading says by a label may be the other's word for no value.
    words = (item.missing or NO_VALUE), (other.missing or NO_VALUE)
    for label in theirs:
        if label not in found and (is_alike(label, words[1]) or label == words[1]):
            found[label] = words[1]
    for label in ours:
        if item.missing and label not in found.values() and is_alike(label, item.missing):
            found[item.missing] = label
    left = [label for label in theirs if label not in found]
    right = [label for label in ours if label not in found.values()]
    found |= _pair_by_shared_words(left, right)
    left = [label for label in left if label not in found]
    right = [label for label in right if label not in found.values()]
    if found and len(left) == len(right) == 1:
        found[left[0]] = right[0]  # all others have partners
    return {label: meant for label, meant in found.items() if label != meant}


def _count_pairs(item: Field, other: Field) -> int:
    """Return how many labels of two outcomes have a partner."""
    found = map_labels(item, other)
    if found is None:
        return 0
    return len(found) + len({*_list_labels(item)} & {*_list_labels(other)})


def _pair_by_shared_words(theirs: Sequence[str], ours: Sequence[str]) -> dict[str, str]:
    """Return the labels that share words with exactly one label that is left, and it with them."""
    shared = {
        label: [other for other in ours if set(list_key_stems(label)) & set(list_key_stems(other))]
        for label in theirs
    }
    found = {label: near[0] for label, near in shared.items() if len(near) == 1}
    return {
        label: other
        for label, other in found.items()
        if list(found.values()).count(other) == 1 and is_denial(label) == is_denial(other)
    }


def _pair_yes_and_no(item: Field, other: Field) -> dict[str, str]:
    """Return which label is yes of a yes/no field and an enum, by their words."""
    is_ours = isinstance(other.type, EnumType)
    labels = _list_labels(other if is_ours else item)
    asked = item if is_ours else other
    yes = find_yes_label(labels, asked)
    if not yes:
        return {}
    no = next(label for label in labels if label != yes)
    return {"yes": yes, "no": no} if is_ours else {yes: "yes", no: "no"}


def find_yes_label(labels: Sequence[str], asked: Field) -> str:
    """Return which of two labels says yes to a yes/no field, "" where words do not say."""
    if len(labels) != len({*labels}) or len(labels) != 2:  # noqa: PLR2004 - yes and no
        return ""
    stems = {*list_key_stems(asked.label), *list_key_stems(asked.name.replace("_", " "))}
    if is_denial(asked.label):
        return ""  # what it denies, somebody has to say
    denied = [label for label in labels if is_denial(label)]
    if len(denied) == 1:
        # "Not insured" denies what "is insured" asks; what "is uninsured" asks, it affirms.
        return next(label for label in labels if label not in denied)
    named = [label for label in labels if set(list_key_stems(label)) & stems]
    plain = [label for label in labels if label.lower() in {"yes", "true"}]
    return (plain or named)[0] if len(plain or named) == 1 else ""


def _list_labels(item: Field) -> tuple[str, ...]:
    return list_cells(item)[:-1]


def _has_same_labels(item: Field, other: Field) -> bool:
    kinds = item.type, other.type
    if not isinstance(kinds[0], EnumType | SetType) or not isinstance(kinds[1], EnumType | SetType):
        return False
    return (
        len(pair_labels(kinds[0].values, kinds[1].values))
        == len(kinds[0].values)
        == len(kinds[1].values)
    )


def _is_named_by_label(item: Field, other: Field) -> bool:
    """Return whether a yes/no field asks for one of the two labels of an enum by its name."""
    for asked, listed in ((item, other), (other, item)):
        if isinstance(asked.type, BooleanType) and isinstance(listed.type, EnumType):
            stems = {
                *list_key_stems(asked.label),
                *list_key_stems(asked.name.replace("_", " ")),
            }
            named = [label for label in listed.type.values if set(list_key_stems(label)) & stems]
            return bool(named) and bool(find_yes_label(listed.type.values, asked))
    return False


def write_conversion(item: Field, other: Field) -> str:
    """Return the expression by which a value of one field of ours is one of theirs.

    It is empty where types, units or labels do not fit without somebody's word for it.
    """
    text = _write_atom(item.type, other.type, other.written, (item, other))
    if text and isinstance(item.type, NumberType) and other.missing and not item.missing:
        # Theirs has some number in all cases: where ours has none, no rule should turn on it.
        text = f"{text} if present({other.written}) else {item.type.to_cell(item.type.minimum)}"
    is_list = isinstance(item.type, ListType) and isinstance(other.type, ListType)
    return _write_list(item, other) if is_list else text


def _write_atom(  # noqa: PLR0911 - one case per pair of types
    kind: object, other: object, name: str, fields: tuple[Field, Field] | None
) -> str:
    match kind, other:
        case NumberType(), NumberType():
            return _write_number(kind, other, name)
        case EnumType(values=theirs), EnumType(values=ours):
            return _write_label(theirs, ours, name)
        case SetType(values=theirs), SetType(values=ours):
            return _write_set(theirs, ours, name)
        case BooleanType(), EnumType(values=labels) if fields:
            yes = find_yes_label(labels, fields[0])
            return f"{name} == {_quote(yes)}" if yes else ""
        case EnumType(values=labels), BooleanType() if fields:
            yes = find_yes_label(labels, fields[1])
            no = next((label for label in labels if label != yes), "")
            return f"{_quote(yes)} if {name} else {_quote(no)}" if yes else ""
        case (BooleanType(), BooleanType()) | (TextType(), TextType()):
            return name
        case MomentType(), MomentType():
            return _write_moment(kind, other, name)
        case _:
            return ""


def _write_moment(kind: MomentType, other: MomentType, name: str) -> str:
    if kind.is_like(other):
        return name
    return f"date_of({name})" if kind.get_minutes(kind.minimum) is None else ""


def _write_number(kind: NumberType, other: NumberType, name: str) -> str:
    units = [" ".join(list_key_stems(part.unit)) for part in (other, kind)]
    if units[0] == units[1] or not all(units):
        fewer = kind.places < other.places
        return f"round({name}, {kind.places})" if fewer else name
    factor = _FINER.get((units[0], units[1]))
    return f"{name} * {factor}" if factor else ""


def _has_same_unit(item: Field, other: Field) -> bool:
    if not isinstance(item.type, NumberType) or not isinstance(other.type, NumberType):
        return True
    units = [list_key_stems(part.unit) for part in (item.type, other.type)]
    return units[0] == units[1] or not all(units)


def _write_label(theirs: Sequence[str], ours: Sequence[str], name: str) -> str:
    if tuple(theirs) == tuple(ours):
        return name
    paired = pair_labels(theirs, ours)
    if len(paired) < min(len(theirs), len(ours), 2):
        return ""
    # What a label without a partner stands for in theirs, somebody has to say.
    return _write_branches(paired, name) if len(paired) == len(ours) else ""


def _write_branches(paired: Mapping[str, str], name: str) -> str:
    """Return the expression that gives labels of theirs for ours; the last one for all others."""
    *labels, last = paired
    branches = [f"{_quote(label)} if {name} == {_quote(paired[label])}" for label in labels]
    return " else ".join([*branches, _quote(last)])


def _write_set(theirs: Sequence[str], ours: Sequence[str], name: str) -> str:
    if tuple(theirs) == tuple(ours):
        return name
    paired = pair_labels(theirs, ours)
    if len(paired) < len(theirs):
        return ""
    parts = [
        f"([{_quote(label)}] if {_quote(meant)} in {name} else [])"
        for label, meant in paired.items()
    ]
    return " | ".join(parts)


def _write_list(item: Field, other: Field) -> str:
    """Return a list made of the items of another, each part from the one that it is named as."""
    kinds = item.type, other.type
    if not isinstance(kinds[0], ListType) or not isinstance(kinds[1], ListType):
        return ""
    if kinds[0].fields == kinds[1].fields:
        return f"[i for i in {other.written}]"
    parts = []
    for name, kind in kinds[0].fields:
        text = _write_part(name, kind, item, other)
        if not text:
            return ""
        parts.append(f"{name}={text}")
    return f"[item({', '.join(parts)}) for i in {other.written}]"


def _write_part(name: str, kind: AtomType, item: Field, other: Field) -> str:
    label = item.label_part(name)
    for part, inner in other.type.fields if isinstance(other.type, ListType) else ():
        alike = part == name or is_alike(label, other.label_part(part)) or is_alike(name, part)
        if alike:
            return _write_atom(kind, inner, f"i.{part}", None)
    return ""


def _write_perhaps(item: Field, other: Field) -> str:
    """Return what a field may be as well, though words do not say it."""
    match item.type, other.type:
        case EnumType(values=theirs), EnumType(values=ours):
            paired = pair_labels(theirs, ours)
            left = next((label for label in theirs if label not in paired), theirs[-1])
            rest = {**paired, left: ""}
            return _write_branches(rest, other.written) if paired else ""
        case BooleanType(), EnumType(values=labels):
            return f"{other.written} == {_quote(labels[0])}"
        case BooleanType(), NumberType():
            return f"{other.written} > 0"
        case BooleanType(), SetType(values=labels):
            return f"{_quote(labels[0])} in {other.written}"
        case _:
            return ""


def _iterate_spans(item: Field, ours: Sequence[Field]) -> Iterator[str]:
    """Yield the days or minutes between two of our dates, for a number that may count them."""
    if not isinstance(item.type, NumberType):
        return
    moments = [(other.type.span, other) for other in ours if isinstance(other.type, MomentType)]
    for span in Span:
        function = f"{span}_between"
        dates = [other for counted, other in moments if counted == span]
        stems = list_key_stems(item.type.unit)
        if len(dates) > 1 and (not stems or stems[0] in function):
            first, second = sorted(dates[:2], key=_get_earliest)
            yield f"{function}({first.written}, {second.written})"


def _get_earliest(item: Field) -> int:
    return item.type.bounds[0]


def _quote(label: str) -> str:
    return repr(label)
