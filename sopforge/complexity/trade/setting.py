"""The setting of a procedure: who works where and with what, read from the words of its brief.

All of it is read from the model, from the text that the SOP takes over from the brief, and from
what the brief says of who works by it. Where that says nothing, words stand that fit any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from sopforge.complexity.variant import Variant
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel, ToolKind
from sopforge.domain.values.types import DateTimeType, DateType, TextType
from sopforge.rendering.api.paths import pluralize_word
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sections.control import CONTROL
from sopforge.rendering.sop.sections.opening import ANYBODY, HEADS, PERSONS, find_workers

_TITLE = re.compile(r"(?:\d+\. )?(.+)")
_VERBS = re.compile(r"(?:\w+s|may|can|has|is)\Z")
_LISTED = re.compile(r"(?:services?|systems?|tools?|sources?|files?): (.+?)\.(?:\s|\Z)")
_WITH = re.compile(r"\bwith the (.+?)(?:, (?:in|of) which .+?|, which .+?)?\.(?:\s|\Z)")
_KINDS = "system|register|portal|directory|archive|ledger|database|catalogue|graph|calculator"
_SYSTEM = re.compile(rf"\b(?:the|a|an) ((?:[a-z]+(?:'s)? ){{1,2}}(?:{_KINDS}))\b")
_IS_SYSTEM = re.compile(rf".* (?:{_KINDS}|service|platform)\Z")
_PAPER = re.compile(
    r"(?<!')\b((?:(?:[a-z]+|[A-Z]{2,})(?:'s)? ){1,3}(?:form|sheet|slip|certificate|letter|report"
    r"|receipt|invoice|declaration|label|contract|mandate|card|note))\b"
)
_SMALL_WORDS = frozenset(
    {
        *("a", "an", "the", "of", "on", "in", "at", "by", "to", "from", "with", "for", "and", "or"),
        *("no", "which", "that", "whether", "is", "are", "one", "each", "this", "its", "their"),
        *("as", "new", "used", "under", "into", "between", "first", "other", "another", "such"),
        *(
            "what",
            "has",
            "have",
            "be",
            "was",
            "were",
            "not",
            "who",
            "it",
            "if",
            "any",
            "all",
            "out",
        ),
    }
)
_MOST_WORDS = 4
_DEED = re.compile(r"(?!.*\bthis\b)[A-Z][a-z]+ (?:an? |the |whether |who |how )[A-Za-z' -]{4,80}")
_NAME = re.compile(r"(?!.*\b(?:id|no)\b)[a-z -]+")
_MAKES_OUT = re.compile(
    r"(?:Issue|Send|Write|Print|Prepare|Draft|Draw up|Make out|Produce)\b", re.IGNORECASE
)
"""How a deed begins that makes a paper out."""
_ARTICLES = re.compile(r"^(?:the|a|an) ")
_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class Deed:
    """What a step does and asks, as it stands after "to", and what is looked up there.

    Each is empty where it does not stand so in a sentence.
    """

    activity: str
    inquiry: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """Who works by a procedure, on what, and with what; each list may be empty.

    ``entries`` are what cases state.
    ``first_day`` is the first day on which a case can arise, 0 where cases have no day.
    """

    domain: str
    case: str
    worker: str
    roles: tuple[str, ...]
    owner: str
    systems: tuple[str, ...]
    papers: tuple[str, ...]
    entries: tuple[str, ...]
    deeds: tuple[Deed, ...]
    number: str
    first_day: int

    @property
    def cases(self) -> str:
        """What several cases are called."""
        return pluralize_words(self.case)


def pluralize_words(words: str) -> str:
    """Return the plural of a thing that several words name."""
    *others, last = words.split(" ")
    return " ".join([*others, pluralize_word(last)])


def read_setting(variant: Variant) -> Setting:
    """Return the setting of a variant's procedure."""
    model = variant.model
    # What an operator has put in names roles of its own.
    lines = [line for line in variant.sop.lines if line.excused != "tangential"]
    head = dict(_iterate_head(lines))
    owner = head.get("Owner", "")
    named = dict(_iterate_roles(lines, [*model.hand_overs, owner]))
    worker = next((role for role, says in named.items() if "carries out" in says), "")
    if worker in {"", ANYBODY}:
        worker = find_workers(variant.background) or worker or next(iter(named), ANYBODY)
    case = model.case.name.replace("_", " ")
    prose = [line.text for line in lines if line.excused == "draft"]
    words = [variant.background, *prose, *_iterate_model_prose(model)]
    systems = [*_iterate_systems(variant.background), *_iterate_found(_SYSTEM, words)]
    others = dict.fromkeys([*model.hand_overs, *named, *filter(None, [owner])])
    papers = tuple(_iterate_received_papers(model, words)) or (f"{case} file",)
    kinds = {paper.rsplit(" ", 1)[-1] for paper in papers}
    written = (item.label for item in _list_written_inputs(model))
    return Setting(
        model.name,
        case,
        worker,
        tuple(
            role
            for role in others
            if role not in {worker, ANYBODY} and _is_office(role, model, owner)
        ),
        owner,
        tuple(dict.fromkeys(systems)) or (f"{case} register",),
        papers,
        # An entry that is a paper itself, such as a card, stands on none.
        _select_names(label for label in written if label.rsplit(" ", 1)[-1] not in kinds),
        tuple(_iterate_deeds(model)),
        head.get("Document number", ""),
        _find_first_day(model, head.get("Effective from", "")),
    )


def select_section(lines: Iterable[Line], title: str) -> list[Line]:
    """Return the lines under the section of a title, whatever its number."""
    found, is_within = [], False
    for line in lines:
        if line.style is Style.SECTION:
            said = _TITLE.fullmatch(line.text)
            is_within = said is not None and said[1].lower() == title.lower()
        elif is_within:
            found.append(line)
    return found


def _iterate_head(lines: Iterable[Line]) -> Iterator[tuple[str, str]]:
    """Return what the head of the document says, by what it says it of."""
    rows = [line for line in lines if line.excused == CONTROL and line.style is Style.ROW]
    for names, values in pairwise(rows[:2]):
        cells = (line.text.strip("| ").split(" | ") for line in (names, values))
        yield from zip(*cells, strict=False)


def _iterate_roles(lines: Iterable[Line], known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Return who has a role and what the text says of it, in the order of the text."""
    offices = sorted(filter(None, known), key=len, reverse=True)
    for line in select_section(lines, "Roles"):
        text = re.sub(r"^(?:The|An?) ", "", line.text)
        named = next((office for office in offices if text.startswith(f"{office} ")), "")
        found = named or _find_role(text.split(" "))
        if found:
            yield found, text


def _find_role(words: list[str]) -> str:
    """Return the words up to the one that names a person or an office, before a verb."""
    for place, (word, after) in enumerate(pairwise(words[: _MOST_WORDS + 1])):
        is_head = word in HEADS or (word.endswith(PERSONS) and word not in _SMALL_WORDS)
        if is_head and _VERBS.match(after.rstrip(",")):
            return " ".join(words[: place + 1])
    return ""


def _is_office(role: str, model: DomainModel, owner: str) -> bool:
    """Return whether those with a role are of the house: others send cases, or ask for them."""
    return role in {*model.hand_overs, owner} or role.rsplit(" ", 1)[-1] in HEADS


def _iterate_model_prose(model: DomainModel) -> Iterator[str]:
    yield from (step.instruction for step in model.steps.values())
    yield from (tool.description for tool in model.tools.values())
    yield from (item.description for item in model.fields.values())


def _iterate_systems(background: str) -> Iterator[str]:
    """Return the systems that a sentence lists, one thing each."""
    text = " ".join(background.split())
    for found in [*_LISTED.findall(text), *_WITH.findall(text)]:
        for part in re.split(r", (?:and )?| and ", found):
            bare = _ARTICLES.sub("", part.strip())
            if len(bare.split(" ")) <= _MOST_WORDS and _IS_SYSTEM.match(bare):
                yield bare


def _iterate_found(pattern: re.Pattern[str], texts: Iterable[str]) -> Iterator[str]:
    """Return what names a thing, without the small words before it."""
    for text in texts:
        plain = " ".join(map(_lower_word, text.split()))
        for found in pattern.findall(plain):
            words = found.split(" ")
            cut = next((n for n in reversed(range(len(words))) if words[n] in _SMALL_WORDS), -1)
            if len(words) - cut > 2:  # noqa: PLR2004 - a word beside the kind of thing
                yield " ".join(words[cut + 1 :])


def _iterate_received_papers(model: DomainModel, words: Iterable[str]) -> Iterator[str]:
    """Yield the papers that texts name, but for those that the procedure itself makes out."""
    titles = [step.title for step in model.steps.values()]
    deeds = [*titles, *(tool.description for tool in model.tools.values())]
    made = {word for deed in deeds if _MAKES_OUT.match(deed) for word in deed.split()[1:]}
    for paper in dict.fromkeys(_iterate_found(_PAPER, words)):
        if paper.rsplit(" ", 1)[-1] not in made:
            yield paper


def _lower_word(word: str) -> str:
    """Return a word as it stands inside a sentence; an acronym, as MOT, keeps its capitals."""
    return word if word.isupper() and len(word) > 1 else word.lower()


def _list_written_inputs(model: DomainModel) -> list[Field]:
    """Return the inputs that people write themselves, such as names; all where these are few."""
    written = [item for item in model.inputs if isinstance(item.type, TextType | DateType)]
    return written if len(written) > 1 else list(model.inputs)


def _select_names(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels that stand after "the" as they are."""
    short = (label for label in labels if len(label.split()) <= _MOST_WORDS)
    return tuple(dict.fromkeys(label for label in short if _NAME.fullmatch(label)))


def _iterate_deeds(model: DomainModel) -> Iterator[Deed]:
    """Yield what each step does that looks something up."""
    for step in model.steps.values():
        tool = model.tools[step.call] if step.call else None
        if tool is not None and tool.kind is ToolKind.LOOKUP:
            labels = _select_names(item.label for item in model.list_tool_results(tool))
            yield Deed(_phrase_deed(step.title), _phrase_deed(tool.description), labels)


def _phrase_deed(text: str) -> str:
    """Return a text that says in a few words what to do, as it stands inside a sentence."""
    plain = " ".join(text.split())
    return plain[:1].lower() + plain[1:] if _DEED.fullmatch(plain) else ""


def _find_first_day(model: DomainModel, in_force: str) -> int:
    """Return the first day of a case: where its inputs have several days, the one that is last.

    An edition that is in force from an earlier day on has replaced all others by then.
    """
    kinds = [item.type for item in model.inputs]
    days = [kind.minimum for kind in kinds if isinstance(kind, DateType)]
    # Minutes count from the first of year 1, which is day 1.
    days += [kind.minimum // _MINUTES + 1 for kind in kinds if isinstance(kind, DateTimeType)]
    first = max(days, default=0)
    begun = date.fromisoformat(in_force).toordinal() if in_force else 0
    return min(filter(None, (first, begun)), default=0)
