"""Sentences of a writer's own in an SOP: whatever they say, no case can turn on it.

What no check can prove to be what the rules decide is not said: nothing that counts, compares,
commands, quotes, overrules or names what the rules are about. Strict rather than clever: a good
sentence that is refused costs nothing, for pools fill its place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import EnumType, SetType
from sopforge.language.english.nouns import pluralize

SHORTEST, LONGEST = 30, 240
SHORTEST_PHRASE, LONGEST_PHRASE = 5, 120

_MOST_WORDS = 5
_ARTICLES = frozenset({"the", "a", "an", "our", "this", "each", "every"})
# A shorter label stands in other words by chance, as "low" does in "yellow".
_SHORT = 4
_MARKS = frozenset(" ,.'\u2019-\u2013\u2014")
_NUMBERS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    "|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|thrice|doubles?|triples?|percent"
)
_BOUNDS = (
    "at least|at most|more than|less than|fewer|greater|higher|lower|larger|smaller|exceed\\w*"
    "|below|above|beyond|limits?|between|within|until|minimum|maximum|before|up to"
    "|(?<!look )(?<!looks )after|older than|younger than"
)
_RULES = (
    "must|shall|should|ought|may not|cannot|can not|need\\w* to|ha(?:s|ve) to|required?|mandatory"
    "|forbidden|prohibited|never|always|if|unless|otherwise|whenever|except\\w*|provided that"
    "|in case|as soon as|counts? as|treated as|deemed|rules?|instructions?|instead|exempt\\w*"
)
_DECIDING = (
    "answer\\w*|outcomes?|verdicts?|decisions?|decid\\w+|determin\\w+|approv\\w+|reject\\w*"
    "|declin\\w+|eligib\\w+|entitle\\w*|qualif\\w+|correct result|final result"
)
_OVERRULING = (
    "ignor\\w+|disregard\\w*|supersed\\w+|overrul\\w+|overrid\\w+|skip\\w*|bypass\\w*|forget\\w*"
    "|in force|valid(?:ity)?|appl(?:y|ies|ied)|still|current\\w*|effective\\w*"
    "|procedure ends|go to|go on to|continue with|system message|assistants?|pretend\\w*"
    "|prompts|(?:the|this|that|system|user) prompts?"
)
_PLACES = "steps?|sections?|annex\\w*|appendix|clauses?|paragraphs?"
_SPOKEN_TO = "you|your|yours|yourself|please|let us"
_SAYS = {
    reason: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for reason, words in {
        "has a number in words": _NUMBERS,
        "compares or bounds": _BOUNDS,
        "speaks as a rule does": _RULES,
        "speaks of what is decided": _DECIDING,
        "overrules": _OVERRULING,
        "refers to a place in the text": _PLACES,
        "speaks to the reader": _SPOKEN_TO,
    }.items()
}
_CONDITION = re.compile(r"(?:^|[,.\u2013\u2014-] ?)(?:when|where|once)\b", re.IGNORECASE)
_COMMAND = re.compile(
    r"(?:^|[.] )(?:do|don.t|add|apply|ask|assign|assume|call|change|charge|check|choose|close"
    r"|complete|confirm|continue|count|end|ensure|enter|escalate|file|find|finish|follow|forward"
    r"|get|give|go|hand|keep|leave|look|make|mark|mind|move|note|open|output|pay|pick|print|proceed"
    r"|put|read|record|refer|remember|remove|reply|report|respond|return|say|select|send|set|start"
    r"|state|stop|submit|take|treat|use|verify|write)\b(?! of)",
    re.IGNORECASE,
)
_LOOSE_APOSTROPHE = re.compile(r"(?<!\w)['\u2019]|(?<!s)['\u2019](?!\w)")
"""What may be a quotation mark: after an "s" alone it is a possessive ("the trustees' view")."""


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """What a model and its SOP say already: a writer's own words name nothing of it."""

    answers: frozenset[str]
    names: frozenset[str]
    subjects: frozenset[str]
    sentences: frozenset[str]

    def find_answer(self, text: str) -> str:
        """Return a label of an outcome that a text holds, "" for none: a short one as a word."""
        found = (
            label
            for label in sorted(self.answers)
            if (_has(label, text) if len(label) <= _SHORT else label in text.lower())
        )
        return next(found, "")


def collect_stated_facts(model: DomainModel, sop: str) -> StatedFacts:
    """Return what is known of a model with the text of its SOP."""
    fields = list(model.fields.values())
    labels = {item.name: _list_labels(item.type) for item in fields}
    others = {label for item in fields for label in labels[item.name] if not label.isalpha()}
    decided = {item.label for item in fields if item.role in {Role.OUTCOME, Role.DERIVED}}
    phrases = {item.label for item in fields if " " in item.label}
    return StatedFacts(
        answers=_lower_words(label for item in model.outcomes for label in labels[item.name]),
        names=_lower_words(
            {*model.tools, *others, *(name for name in model.fields if "_" in name)}
        ),
        subjects=_lower_words(
            {*decided, *phrases, *(_format_name(name) for name in model.entities)}
        ),
        sentences=frozenset(normalize_text(part) for part in re.split(r"(?<=[.!?:])\s+|\n", sop)),
    )


def find_sentence_fault(text: str, known: StatedFacts) -> str:
    """Say why a passage of a writer's own may not stand in an SOP, or nothing."""
    return (
        _find_form_fault(text) or find_words_fault(text, known) or _find_matter_fault(text, known)
    )


def find_phrase_fault(text: str, known: StatedFacts) -> str:
    """Say why a description of a writer's own may not be shown, or nothing."""
    if not SHORTEST_PHRASE <= len(text) <= LONGEST_PHRASE:
        return (
            f"has {len(text)} characters; between {SHORTEST_PHRASE} and {LONGEST_PHRASE} are taken"
        )
    if text.endswith(".") or ". " in text:
        return "is no phrase: it has a full stop"
    return find_words_fault(text, known)


def find_name_fault(text: str, known: StatedFacts) -> str:
    """Say why a name of an office, a system or a paper may not be used, or nothing."""
    words = text.split()
    if len(words) > _MOST_WORDS:
        return f"has {len(words)} words; up to {_MOST_WORDS} are taken"
    if words and words[0].lower() in _ARTICLES:
        return f"begins with '{words[0]}'"
    return find_phrase_fault(text, known)


def _find_form_fault(text: str) -> str:
    if not SHORTEST <= len(text) <= LONGEST:
        return f"has {len(text)} characters; between {SHORTEST} and {LONGEST} are taken"
    if not text[:1].isupper() or not text.endswith("."):
        return "is no whole sentence: a capital letter first, a stop last"
    if _CONDITION.search(text):
        return "speaks as a rule does: it has a condition"
    return "gives somebody an instruction" if _COMMAND.search(text) else ""


def _find_matter_fault(text: str, known: StatedFacts) -> str:
    subject = next((word for word in sorted(known.subjects) if _has(word, text)), "")
    if subject:
        return f"speaks of '{subject}', which is the rules' business"
    is_said = any(normalize_text(part) in known.sentences for part in re.split(r"(?<=\.)\s+", text))
    return "stands in the SOP already" if is_said else ""


def find_words_fault(text: str, known: StatedFacts) -> str:
    """Say which words a writer may not use are in a text, or nothing."""
    if fault := find_letters_fault(text):
        return fault
    for reason, words in _SAYS.items():
        if found := words.search(text):
            return f"{reason}: '{found[0]}'"
    if answer := known.find_answer(text):
        return f"names an answer: '{answer}'"
    name = next((word for word in sorted(known.names) if _has(word, text)), "")
    return f"names '{name}'" if name else ""


def find_letters_fault(text: str) -> str:
    """Say which character a text has that is no Latin letter, blank, comma, stop or dash."""
    strange = next((letter for letter in text if not _is_plain(letter)), "")
    if strange:
        what = repr(strange) if strange.isprintable() else f"U+{ord(strange):04X}"
        return f"has {what}; letters, blanks, commas, stops, dashes and apostrophes are taken"
    if text != " ".join(text.split()) or not text:
        return "has blanks at its ends, or several in a row"
    return "quotes something" if _LOOSE_APOSTROPHE.search(text) else ""


def normalize_text(text: str) -> str:
    """Return the letters and digits of a text, in small letters."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def _is_plain(letter: str) -> bool:
    is_latin = letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN ")
    return is_latin or letter in _MARKS


def _has(word: str, text: str) -> bool:
    return _match_word(word).search(text) is not None


@cache
def _match_word(word: str) -> re.Pattern[str]:
    """Return the pattern of a word or a phrase, and of its plural."""
    forms = "|".join(map(re.escape, (pluralize(word), word)))
    return re.compile(rf"(?<!\w)(?:{forms})(?!\w)", re.IGNORECASE)


def _list_labels(kind: object) -> tuple[str, ...]:
    return kind.values if isinstance(kind, EnumType | SetType) else ()


def _format_name(name: str) -> str:
    return name.replace("_", " ")


def _lower_words(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)
