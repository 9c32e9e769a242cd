"""Words by which English prose bounds, obliges, makes conditions, judges, counts or sends on.

A text may explain without them; with them it can be taken for a rule that no proof covers. What
is listed leaves alone what people need to explain why a step is there and what to watch for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from sopforge.checks.words.loose_periods import drop_loose_periods

_NUMBER = (
    "zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    "|hundreds?|thousands?|millions?|billions?|dozens?"
)
_PERIOD = (
    "(?:full |whole |calendar |working |business |further |single )?"
    # "a year-month-day" is how a date is written, no span of time.
    "(?:minute|hour|day|week|fortnight|month|quarter|year(?![- ]month)|decade)s?"
)
_ARTICLE = "(?:the|its|their|his|her|that|this|a|an|any|some|few|several)"
_DATE = "(?:dates?|days?|deadlines?|weeks?|months?|years?|hours?|minutes?|term|period|limits?)"
_MEASURE = (
    "(?:limits?|amounts?|ages?|weights?|prices?|values?|scores?|totals?|sums?|levels?|figures?)"
)
_DUTY = (
    "(?:signs?|signed|signature|countersign|approv(?:e|al)|consents?|permissions?|confirm"
    "|confirmation|authori[sz](?:e|ation)|agrees?|agreement|pays?|payment)"
)
_JUDGED = (
    "(?:approved|rejected|declined|granted|denied|refused|waived|exempt(?:ed)?|excluded|entitled"
    "|eligible|ineligible|allowed|permitted|forbidden|prohibited|required|mandatory|obligatory"
    "|accepted|cancelled|canceled|escalated|invalid|void|upheld|dismissed)"
)
# Where a sentence begins to instruct somebody.
_DO = (
    r"(?:^|(?<=[.,;:!?] )|(?<=\band )|(?<=\bor )|(?<=\bthen )|(?<=\bplease )|(?<=\bsimply )"
    r"|(?<=\bmay )|(?<=\bcan )|(?<=\bwill ))"
)
_RULE = "(?:rules?|steps?|sections?|conditions?|limits?|checks?|procedures?|requirements?)"
_ENDED = (
    "(?:suspended|void|withdrawn|repealed|revoked|abolished|lifted|dropped|relaxed|obsolete"
    "|outdated|optional|voluntary|deleted|removed|replaced|changed|binding|in force)"
)
_THEM = "(?:it|them|this|that|these|such|the|a|an|every|each|all)"
_BACK = "(?:straight |right |directly |back |on |over )*"

_WORDS: Mapping[str, tuple[str, ...]] = {
    "number": (
        f"(?:{_NUMBER})",
        f"(?:a|an|one|another) {_PERIOD}",
        "(?:only|exactly) one",
        "one or (?:more|two)",
        "fortnight(?:s|ly)?",
        "half|halves|halved?",
        "a (?:third|quarter|fifth|tenth) of",
        "thirds|quarters|percent|per cent",
        "couple of",
        "twice|thrice",
        "doubl(?:e|es|ed|ing)(?! check)",
        "tripl(?:e|es|ed|ing)",
        "(?:two|three|four|five|ten)fold",
        "fourth|sixth|seventh|eighth|ninth|twelfth",
    ),
    "bound": (
        "at (?:least|most|the latest|the earliest)",
        "(?<!rather )(?<!other )than",
        "exceed(?:s|ed|ing)?",
        "(?:maximum|minimum|threshold|cut ?off|ceiling)s?",
        (
            rf"(?:before|after|until|till|within|outside|beyond|past|up to) (?:{_ARTICLE} )?"
            rf"(?:[\w']+ ){{0,2}}?{_DATE}"
        ),
        (
            rf"(?:over|under|above|below|within|beyond|up to) (?:{_ARTICLE} )?(?:[\w']+ ){{0,2}}?"
            rf"{_MEASURE}"
        ),
        "by (?:the|its|their) (?:due date|deadline)",
        "or (?:more|fewer|later|earlier|older|younger|above|below|higher|lower|longer)",
        "(?<!more )or less",
        "(?:no|not) (?:later|earlier|sooner)",
    ),
    "duty": (
        "must|shall|should|ought to",
        "(?<!nobody )(?<!no one )(?<!not )(?<!'t )(?<!without )(?:has|have|had|having) to",
        "(?<!nobody )(?<!no one )needs? to(?! know)",
        "(?:is|are) (?:to be|obliged to|bound to)",
        "always|never",
        "in (?:every|each|all|any|no) cases?",
        "without exceptions?|(?:no|only) exceptions?",
        "by default",
        "wait(?:s|ing)? (?:for|until|till)|awaits?",
        (
            r"(?:asks?|requests?|gets?|obtains?|seeks?|demands?|needs?|collect|have|let|make|wait)"
            rf"(?: [\w']+){{0,5}}? {_DUTY}"
        ),
    ),
    "condition": (
        "unless|whenever",
        "whatever (?:the|its|his|her|their|a|an)",
        "provided(?: that)?(?= (?:the|a|an|it|they|that|all|no))",
        "(?:as|so) long as",
        "only (?:if|when|where|for|with|after|by|in)",
        "if(?: [^.;]*?)? then",
        "even (?:if|when|where|for)",
        "except(?:ing|ed)?",
        "regardless|irrespective|no matter",
        r"(?:^|(?<=[.;:] ))otherwise",
    ),
    "verdict": (
        (
            "(?:is|are|be|been|being|gets?|stays?|remains?|considered)"
            rf" (?:(?:not|also|then|thus|still|\w+ly) )?{_JUDGED}"
        ),
        "free of charge",
        "counts? as|deemed",
        "(?:treated|regarded|classed|judged|marked|recorded|classified|rated) as",
        rf"{_DO}(?:\w+ly )?(?:approve|reject|grant|deny|waive|exempt|escalate|dismiss)",
        rf"{_DO}(?:decline|refuse|cancel|accept|close|mark|charge|state|answer) {_THEM}",
    ),
    "route": (
        r"ignor\w+|disregard\w*|supersed\w+|over(?:rul\w+|rid\w+|rode)|skip\w*|omit\w*",
        "set aside|leave out|for information|instead of the rules?|takes? precedence|prevails?",
        "procedure ends|(?:ends?|stops?) here|continue with",
        (
            f"(?:go|goes|move|moves|proceed|proceeds|return|returns|jump|jumps) {_BACK}to"
            r" (?:the )?(?:\w+ )?(?:steps?|sections?|end|start|beginning)"
        ),
        f"go {_BACK}to",
        "start (?:over|again|anew)",
        (
            r"(?:hand|pass|send|refer|forward|route|transfer)(?:s|es)?"
            rf" {_THEM}(?: [\w']+){{0,4}}? (?:to|on|over)"
        ),
        (
            rf"{_RULE}(?: [\w']+){{0,4}}? (?:is|are|was|were|been) (?:\w+ly |now |not )?"
            rf"{_ENDED}"
        ),
        "no longer (?:applies|apply|holds?|counts?|in force|needed|necessary|required|valid)",
        "(?:does|do|did|will|would) not (?:apply|hold|count|bind)",
        "system prompts?|previous instructions?|language models?",
    ),
}


def _build_pattern(kind: str) -> re.Pattern[str]:
    alternatives = "|".join(_WORDS[kind])
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


DECIDING: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {kind: _build_pattern(kind) for kind in _WORDS}
)
"""The patterns by kind; they are for texts as ``fold_text`` returns them."""

_ENGLISH = frozenset(
    {
        *("a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "has", "have"),
        *("if", "in", "is", "it", "its", "no", "not", "of", "on", "or", "so", "that", "the"),
        *("their", "them", "there", "they", "this", "to", "what", "when", "where", "which", "who"),
        *("why", "with", "you", "your"),
    }
)
_ENGLISH_SHARE = 5


def fold_text(text: str) -> str:
    """Return a text in small letters, with plain characters and single blanks, for the patterns."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'").lower()
    # A dash with blanks around it parts a sentence as a comma does; any other joins two words.
    plain = re.sub(r"\s[\u2010-\u2015-]+\s|\u2014", ", ", plain)
    return " ".join(re.sub(r"[\s\u2010-\u2015-]+", " ", plain).split())


def find_deciding_words(text: str, kind: str) -> list[str]:
    """Return the words of a kind in a text, in their order.

    >>> find_deciding_words("Rounds are made three times a day, and a day late is late.", "number")
    ['three', 'a day']
    """
    folded = fold_text(text)
    searched = drop_loose_periods(folded) if kind == "number" else folded
    return [found[0].strip(" .,;:") for found in DECIDING[kind].finditer(searched)]


def is_english(text: str) -> bool:
    """Return whether a text is English, by its small words."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return _ENGLISH_SHARE * sum(word in _ENGLISH for word in words) >= len(words)
