"""What a reviewer's remark asks for: other words, or what the words of a stage cannot change.

Rules, limits, tools and their order follow from the model of the procedure, whatever the text of a
later stage says; a remark on them, put to the writer of that text, is paid for and changes nothing.
It is known by its own words and those of the model: no language model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.checks.words.deciding_words import find_deciding_words, fold_text
from sopforge.checks.words.odd_characters import find_digits
from sopforge.checks.words.stems import split_plain_words, trim_word, trim_words
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import EnumType, SetType

JUDGED = ("sop", "api", "toolspec", "tools", "complexity")
"""The stages whose words follow from the model."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_LINE_NUMBER = re.compile(r"^\s*\d+(?:\.\d+)*\.?\s", re.MULTILINE)
# Each comment beside a passage begins with the passage, on a line of its own.
_QUOTED = re.compile(r"^About “.*?”: ", re.DOTALL | re.MULTILINE)
# What texts are made of, and how they read.
_TEXT_PARTS = (
    r"wordings?|words?|worded|phras\w+|rephras\w+|reword\w*|rewrit\w+|tone|style|typos?|spell\w*"
    r"|misspel\w+|grammar|comma|punctuation|sentences?|paragraphs?|headings?|titles?|intro\w*"
    r"|openings?|summar(?:y|ies)|descriptions?|describ\w+|explain\w*|explanations?|docstrings?"
    r"|comments?|jargon|plain(?:er)?|clear(?:er)?|unclear|confus\w+|readab\w+|reads?|sounds?|wordy"
    r"|long-winded|verbose|concise|shorter|shorten\w*|friendl\w+|formal|polite\w*|passive|active"
    r"|abbreviat\w+|acronyms?|term|terms|terminology|language|english|repeat\w*|repetiti\w+"
    r"|redundant|duplicat\w+|aside|asides|layout|bullet\w*|formatt\w+|variable names?|readers?"
    r"|helper\w*|refactor\w*|imports?|code style|too long|too short|lengthy|dense|stiff|clumsy"
    r"|awkward|texts?|writ\w+|say|says|said|saying|talk\w*|remarks?|closing|closes|reminders?"
    r"|tangents?|begin|begins|boring|dull|liv?ely|cold|warm\w*|dry|pompous|bureaucratic|human"
    r"|understand\w*|hard to|examples?|introduces?|wall of|code|functions?|names? of variables?"
    r"|awkward|mention\w*|translat\w+|capital\w*|hyphen\w*|spelled|consistent\w*|transition\w*"
)
_OF_TEXT = re.compile(rf"\b(?:{_TEXT_PARTS})\b")
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
_CHANGING = (
    r"rais\w+|lower\w*|increas\w+|reduc\w+|decreas\w+|tighten\w*|relax\w*|extend\w*|double|halve"
    r"|chang\w+|set|make|replac\w+|remov\w+|drop\w*|delet\w+|add\w*|introduc\w+|insert\w*|allow\w*"
    r"|swap\w*|reorder\w*|switch\w*|mov\w+|skip\w*|merg\w+|split\w*|use|call\w*|need|want"
)
_GOVERNED = (
    r"rules?|limits?|thresholds?|cut-?offs?|conditions?|criteri\w+|steps?|tools?|checks?|outcomes?"
    r"|decisions?|deadlines?|periods?|exceptions?|fields?|parameters?|approvals?|caps?|minimum"
    r"|maximum|labels?|values?|branch\w*|refusals?|lookups?|look-ups?|order of|the order|inputs?"
    r"|return values?|data types?|types?|categor\w+|fees?|rates?|scores?|points|results?|tiers?"
)
_ON_RULES = re.compile(rf"\b(?:{_CHANGING})\b(?: [\w',-]+){{0,5}}? (?:{_GOVERNED})\b")
_MODAL = (
    r"(?:should|must|shall|ought to|needs? to|has to|have to|may|can|could|will|cannot|can't"
    r"|mustn't|shouldn't)(?: not| only| never| always| also| still| instead)*"
)
_ACTS = (
    r"(?:be (?:\w+ly )?)?(?:approv|reject|declin|refus|den[iy]|accept|escalat|grant|waiv|exempt"
    r"|exclud|allow|forbid|forbidden|permit|pay|paid|charg|refund|book|registe?r|check|verif|sent"
    r"|send|refer|forward|return|block|suspend|cancel|close|flag|require|count|treat|consider|skip"
    r"|run|call|happen|come|go|end|start|take|record|assign|rout|handl|ask|need|get|compare|contact"
    r"|look|notif|classif|rat|scor|depend|cover|sign|wait|appl)\w*"
)
_ON_CASES = re.compile(rf"\b{_MODAL} {_ACTS}\b|\b(?:never|always) {_ACTS}\b")
_CONDITIONS = re.compile(
    r"\b(?:unless|whenever|regardless|provided|except|instead of|rather than)\b"
    r"|\bonly (?:if|when|for)\b"
    rf"|\b(?:if|when|for|where)\b[^.]*\b(?:{_ACTS}|no longer|not)\b"
)
_OBLIGED = re.compile(rf"\b{_MODAL} (?:be|have|lead|give|mean|stay|become|result)\b")
_NEWS = re.compile(
    r"\b(?:no longer|any ?more|from now on|as of|nowadays|since (?:last|this)|these days"
    r"|new (?:policy|law|regulation|rule))\b"
)
_ORDER = re.compile(
    r"\b(?:before|after|prior to|ahead of|followed by)\b|\b(?:comes?|go(?:es)?|do|check\w*|first)"
    r" (?:first|last|earlier|later)\b|\bin (?:the )?(?:wrong|reverse) order\b"
)
_WRONG = re.compile(
    r"\b(?:is|are|was|were|looks?|seems?) (?:\w+ )?(?:wrong|incorrect|outdated|missing"
    r"|not (?:right|correct|enough)"
    r"|too (?:low|high|strict|lax|lenient|generous|short|long|early|late|much|little))"
)
_DOSES = re.compile(
    r"\b(?:harder|easier|more difficult|more|fewer|less|no|remove|add|drop|double|halve)\b[^.]*"
    r"\b(?:distractors?|levels?|annex\w*|l[0-3]|extra tools?|further tools?|reminders|doses?)\b"
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
        if self.stage == "complexity" and _DOSES.search(plain) and not _is_of_text(plain):
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
        named_words = [word for word in items if not _COMMON.fullmatch(word)]
        found = (
            (_ON_RULES.search(plain), "a change of a rule, limit, step, tool or field"),
            (_ON_CASES.search(plain), "what is to be done with a case"),
            (_CONDITIONS.search(plain), "a condition"),
            (_NEWS.search(plain), "what the business does"),
            (_OBLIGED.search(plain) if items else None, "what is to be done with a case"),
            (_ORDER.search(plain) if items else None, "the order of steps"),
            (_WRONG.search(plain) if items else None, "what the model says"),
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
        said = {trim_word(word): word for word in split_plain_words(plain)}
        yield from (said[stem] for stem in said if stem in self.known)
        yield from (found[0] for found in _COMMON.finditer(plain))


def _collect_stems(model: DomainModel) -> frozenset[str]:
    """Return the stems of the words by which a model calls its fields, labels and entities."""
    texts = [*model.entities, *model.tools]
    for item in model.fields.values():
        kind = item.type
        labels = kind.values if isinstance(kind, EnumType | SetType) else ()
        texts += [item.label, *labels]
    return frozenset(stem for stem in trim_words(" ".join(texts)) if len(stem) >= _SHORTEST_STEM)


_SHORTEST_STEM = 4
_COMMON = re.compile(r"\b(?:step|rule|limit|threshold|tool|check)s?\b")


def _is_of_text(plain: str) -> bool:
    return _OF_TEXT.search(plain) is not None
