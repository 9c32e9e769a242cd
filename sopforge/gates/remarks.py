"""What a reviewer's remark asks for: other words, or what the words of a stage cannot change.

Rules, limits, tools and their order follow from the model of the procedure, whatever the text of a
later stage says; a remark on them, put to the writer of that text, is paid for and changes nothing.
It is known by its own words and those of the model: no language model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.checks.words.deciding_words import SMALL_WORDS, find_deciding_words, fold_text
from sopforge.checks.words.odd_characters import find_digits
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import EnumType, SetType
from sopforge.morphology import find_stem, list_stems

JUDGED = ("sop", "api", "toolspec", "tools", "complexity")
"""The stages whose words follow from the model."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_WORD = re.compile(r"\\.|[a-z]+(?:'[a-z]+)?")
"""A word of a text or a pattern, or what a pattern says with a backslash."""
_LINE_NUMBER = re.compile(r"^\s*\d+(?:\.\d+)*\.?\s", re.MULTILINE)
# Each comment beside a passage begins with the passage, on a line of its own.
_QUOTED = re.compile(r"^About “.*?”: ", re.DOTALL | re.MULTILINE)


def _compile(words: str) -> re.Pattern[str]:
    """Return a pattern for texts of stems, in which each word stands for all its forms."""
    return re.compile(_take_stems(words))


def _take_stems(text: str) -> str:
    """Return a text or a pattern with the stems of its words."""
    return _WORD.sub(lambda x: x[0] if x[0].startswith("\\") else find_stem(x[0]), text)


# What texts are made of, and how they read.
_OF_TEXT = _compile(
    r"\b(?:word|phrase|rephrase|reword|rewrite|rewritten|tone|style|typo|spell|misspell|grammar"
    r"|comma|punctuation|sentence|paragraph|title|intro|introduce|introduction|summary|description"
    r"|describe|explain|explanation|docstring|comment|jargon|unclear|confuse|readable|readability"
    r"|sound|wordy|long winded|verbose|concise|shorter|shorten|abbreviate|acronym|term|terminology"
    r"|language|english|repeat|repetition|redundant|duplicate|aside|layout|bullet|variable name"
    r"|reader|helper|refactor|too long|too short|lengthy|dense|stiff|clumsy|awkward|text|write"
    r"|writer|written|wrote|say|said|talk|remark|reminder|tangent|begin|boring|dull|cold|warm"
    r"|warmth|dry|pompous|bureaucratic|human|understand|hard to|example|wall of|function"
    r"|name of variable|mention|translate|capital|capitalise|hyphen|consistency|transition)\b"
)
_OF_TEXT_AS_IT_IS = re.compile(
    r"\b(?:headings?|openings?|closing|closes|formatting|formatted|consistent|consistently|plain"
    r"|plainer|clear|clearer|reads?|friendly|friendlier|formal|polite|politely|passive|active"
    r"|lively|livelier|code|imports?)\b"
)
"""Such words that share their stem with words for what is done, or with names of things."""
_COUNTED_TEXT = (
    r"(?:words?|sentences?|lines?|paragraphs?|characters?|pages?|headings?|bullets?|asides?"
    r"|examples?|commas?|typos?|times|functions?|docstrings?|comments?)"
)
_COUNT_OF_TEXT = re.compile(
    rf"\b(?:\d+|one|two|three|four|five|six|half)(?: \w+)? {_COUNTED_TEXT}\b|\bhalf (?:as|of the)\b"
)
_PLACE = re.compile(
    r"\b(?:steps?|sections?|paragraphs?|lines?|annex|bullets?|points?|part|page|rules?|levels?)"
    r" (?:\d+(?:\.\d+)*|one|two|three|four|five|six)(?:(?:,| and| or| to) \d+(?:\.\d+)*)*"
    r"|\bl[0-3]\b"
)
_ON_RULES = _compile(
    r"\b(?:raise|lower|increase|reduce|decrease|tighten|relax|extend|double|halve|change|set|make"
    r"|replace|remove|drop|delete|add|introduce|insert|allow|swap|reorder|switch|move|skip|merge"
    r"|split|use|call|need|want)\b(?: [\w',-]+){0,5}?"
    r" (?:rule|limit|threshold|cut off|cutoff|condition|criterion|criteria|step|tool|check|outcome"
    r"|decision|deadline|period|exception|field|parameter|approval|cap|minimum|maximum|label|value"
    r"|branch|refusal|lookup|look up|order of|the order|input|return value|type|category|fee|rate"
    r"|score|point|result|tier)\b"
)
_MODAL = (
    r"(?:should|must|shall|ought to|need to|has to|have to|may|can|could|will|cannot|can't"
    r"|mustn't|shouldn't)(?: not| only| never| always| also| still| instead)*"
)
_ACTS = (
    r"(?:be (?:\w+ )?)?(?:approve|reject|decline|refuse|deny|accept|escalate|grant|waive|exempt"
    r"|exclude|allow|forbid|forbidden|permit|pay|paid|charge|refund|book|register|check|verify|sent"
    r"|send|refer|forward|return|block|suspend|cancel|close|flag|require|count|treat|consider|skip"
    r"|run|call|happen|come|go|goes|end|start|take|taken|record|assign|route|handle|ask|need|get|compare"
    r"|contact|look|notify|classify|rate|score|depend|cover|sign|wait|apply)"
)
_ON_CASES = _compile(rf"\b{_MODAL} {_ACTS}\b|\b(?:never|always) {_ACTS}\b")
_CONDITIONS = re.compile(
    r"\b(?:unless|whenever|regardless|provided|except|instead of|rather than)\b"
    r"|\bonly (?:if|when|for)\b"
)
_ON_SOME_CASES = _compile(rf"\b(?:if|when|for|where)\b[^.]*\b(?:{_ACTS}|no longer|not)\b")
_OBLIGED = re.compile(rf"\b{_MODAL} (?:be|have|lead|give|mean|stay|become|result)\b")
_NEWS = re.compile(
    r"\b(?:no longer|any ?more|from now on|as of|nowadays|since (?:last|this)|these days"
    r"|new (?:policy|law|regulation|rule))\b"
)
_ORDER = _compile(
    r"\b(?:before|after|prior to|ahead of|followed by)\b|\b(?:come|go|do|check|first)"
    r" (?:first|last|earlier|later)\b|\bin (?:the )?(?:wrong|reverse) order\b"
)
_WRONG = _compile(
    r"\b(?:is|are|was|were|look|seem) (?:\w+ )?(?:wrong|incorrect|outdated|missing"
    r"|not (?:right|correct|enough)"
    r"|too (?:low|high|strict|lax|lenient|generous|short|long|early|late|much|little))\b"
)
_DOSES = _compile(
    r"\b(?:harder|easier|more difficult|more|fewer|less|no|remove|add|drop|double|halve)\b[^.]*"
    r"\b(?:distractor|level|annex|l[0-3]|extra tool|further tool|reminder|dose)\b"
    r"|\bl[0-3] (?:is|should|must)\b"
)


@dataclass(frozen=True, slots=True)
class Aim:
    """Where what a remark asks for is changed, and the words of it that say so."""

    stage: str
    sentence: str
    reason: str


def find_aim(model: DomainModel, stage: str, remark: str, text: str) -> Aim | None:
    """Return where a remark on a stage belongs, if not there; ``text`` is what was remarked on.

    One that only concerns how the stage words things belongs there.
    """
    if stage not in JUDGED:
        return None
    # The numbers of steps and sections are none that a rule has.
    numbered = fold_text(_LINE_NUMBER.sub("", text))
    judged = _Remark(
        stage, _PLACE.sub(" ", numbered), frozenset(model.tools), _collect_stems(model)
    )
    for sentence in filter(str.strip, _SENTENCE.split(_QUOTED.sub("", remark))):
        found = judged.judge_sentence(sentence)
        if found is not None:
            return found
    return None


@dataclass(frozen=True, slots=True)
class _Remark:
    """Judges the sentences of a remark on a stage's text, by the tools and words of a model."""

    stage: str
    text: str
    tools: frozenset[str]
    known: frozenset[str]

    def judge_sentence(self, sentence: str) -> Aim | None:
        plain = fold_text(sentence)
        is_dose = _DOSES.search(_take_stems(plain)) is not None
        if self.stage == "complexity" and is_dose and not _is_of_text(plain):
            return Aim("brief", sentence.strip(), "how hard the levels are")
        reason = self._find_reason(sentence, plain)
        return Aim("schema", sentence.strip(), reason) if reason else None

    def _find_reason(self, sentence: str, plain: str) -> str:
        """Return what a sentence asks for that no words of the stage can give, "" for nothing."""
        number = self._find_new_number(plain)
        if number:
            return f"the number {number}, which is not in the text"
        if _is_of_text(plain):
            return ""
        items = list(dict.fromkeys(self._iterate_items(sentence, plain)))
        named_words = [word for word in items if find_stem(word) not in _COMMON]
        stems = _take_stems(plain)
        found = (
            (_ON_RULES.search(stems), "a change of a rule, limit, step, tool or field"),
            (_ON_CASES.search(stems), "what is to be done with a case"),
            (_CONDITIONS.search(plain) or _ON_SOME_CASES.search(stems), "a condition"),
            (_NEWS.search(plain), "what the business does"),
            (_OBLIGED.search(plain) if items else None, "what is to be done with a case"),
            (_ORDER.search(stems) if items else None, "the order of steps"),
            (_WRONG.search(stems) if items else None, "what the model says"),
            # What names an item and nothing of how it is worded is about the item.
            (named_words, "what the model says"),
        )
        named = f" ({', '.join(items[:2])})" if items else ""
        return next((f"{what}{named}" for match, what in found if match), "")

    def _find_new_number(self, plain: str) -> str:
        """Return a number of a sentence that counts no text, is no place, and stands nowhere."""
        rest = _PLACE.sub(" ", _COUNT_OF_TEXT.sub(" ", plain))
        known = set(find_digits(self.text))
        figures = [number for number in find_digits(rest) if number not in known]
        measured = [] if _is_of_text(plain) else find_deciding_words(rest, "number")
        words = [word for word in measured if word not in self.text]
        return next(iter([*figures, *words]), "")

    def _iterate_items(self, sentence: str, plain: str) -> Iterator[str]:
        """Yield the words of a sentence that name items of the model, or kinds of them."""
        yield from (name for name in sorted(self.tools) if name in sentence)
        said = {find_stem(word): word for word in re.findall(r"[^\W\d_]+", plain)}
        yield from (said[stem] for stem in said if stem in self.known)
        yield from (said[stem] for stem in said if stem in _COMMON)


def _collect_stems(model: DomainModel) -> frozenset[str]:
    """Return the stems of the words by which a model calls its fields, labels and entities."""
    texts = [*model.entities, *model.tools]
    for item in model.fields.values():
        kind = item.type
        labels = kind.values if isinstance(kind, EnumType | SetType) else ()
        texts += [item.label, *labels]
    return frozenset(
        stem
        for stem in list_stems(" ".join(texts))
        if len(stem) >= _SHORTEST_STEM and stem not in SMALL_WORDS
    )


_SHORTEST_STEM = 4
_COMMON = frozenset(list_stems("step rule limit threshold tool check"))


def _is_of_text(plain: str) -> bool:
    is_of_text = _OF_TEXT.search(_take_stems(plain)) or _OF_TEXT_AS_IT_IS.search(plain)
    return is_of_text is not None
