"""Words by which English prose counts, bounds, obliges, makes conditions, judges or sends on.

A text may explain without them; with them it can be taken for a rule that no proof covers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

_PERIOD = "(?:full |whole |calendar |working |business |further |single )?"
_PERIOD += "(?:minute|hour|day|week|fortnight|month|quarter|year(?! month)|decade)s?"
_MEASURE = (
    "(?:dates?|days?|weeks?|months?|years?|hours?|minutes?|terms?|periods?|amounts?|ages?|weights?"
    "|prices?|values?|scores?|totals?|sums?|levels?|figures?)"
)
_NEAR = r"(?:(?:the|its|their|that|this|a|an|any|some) )?(?:[\w']+ ){0,2}?"
_CONSENT = r"(?:sign\w*|approv\w+|consent|permission|confirm\w*|authori[sz]\w+|agree\w*|pay\w*)"
_JUDGED = (
    "(?:granted|denied|excluded|allowed|permitted|accepted|invalid|void|upheld|eligible|suspended"
    "|optional|repealed|revoked|lifted)"
)
_BACK, _PLACE = "(?:straight |right |back |on )*", "(?:step|section|end|start)"
_THEM = "(?:it|them|this|that|these|such|the|a|an|every|each|all)"

_WORDS: Mapping[str, tuple[str, ...]] = {
    "number": (
        "zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen",
        "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety",
        "(?:hundred|thousand|million|billion|dozen|fortnight)s?|half|halves|halved?|couple of",
        "thirds|quarters|a (?:third|quarter) of|percent|per cent|twice|thrice",
        "(?:doubl|tripl)(?:e|es|ed|ing)(?! check)|(?:only|exactly) one|one or (?:more|two)",
        f"(?:a|an|one|another) {_PERIOD}",
    ),
    "bound": (
        r"at (?:least|most|the latest|the earliest)|(?<!rather )(?<!other )than|exceed\w*",
        "(?:maximum|minimum|threshold|cut ?off|ceiling|deadline|limit)s?",
        f"(?:before|after|until|till|within|outside|beyond|past|up to) {_NEAR}{_MEASURE}",
        f"(?:over|under|above|below) {_NEAR}{_MEASURE}|(?:no|not) (?:later|earlier|sooner)",
        "or (?:more|less|fewer|later|earlier|older|younger|above|below|higher|lower|longer)",
    ),
    "duty": (
        r"must|shall|should|ought to|always|never|awaits?|obliged|mandatory|requir\w+|by default",
        "(?<!nobody )(?:has|have|had|needs?) to(?! know)|(?:is|are) to be|waits? (?:for|until)",
        "in (?:every|each|all|any|no) cases?|without exceptions?",
        rf"(?:ask|request|get|obtain|seek|demand|need)s?(?: [\w']+){{0,5}}? {_CONSENT}",
    ),
    "condition": (
        "unless|whenever|whatever|regardless|irrespective|no matter|except(?:ing|ed)?|otherwise",
        r"(?<!the )only|(?:as|so) long as|even (?:if|when|where|for)|if(?: [^.;]*?)? then",
        "provided(?: that)?(?= (?:the|a|an|it|they|that|all|no))",
    ),
    "verdict": (
        rf"(?:is|are|be|been|gets?|stays?|remains?)(?: (?:not|also|then|now|\w+ly))? {_JUDGED}",
        r"refus\w+|fails?|reject(?:s|ed)?|declin(?:e|es|ed)|approv(?:e|es|ed)|waiv\w+|exempt\w*",
        r"escalat(?:e|es|ed)|dismiss\w*|entitled|prohibit\w*|forb(?:id|ids|idden)|cancel(?:s|l?ed)?",
        "free of charge|counts? as|deemed|(?:treated|regarded|classed|judged|marked|rated) as",
        f"(?:close|accept|charge) {_THEM}",
    ),
    "route": (
        r"ignor\w+|disregard\w*|supersed\w+|over(?:rul\w+|rid\w+|rode)|skip\w*|omit\w*|prevails?",
        "set aside|leave out|takes? precedence|procedure ends|stops? here|continue with",
        "no longer appl(?:y|ies)|(?:do|does) not apply|start (?:over|again|anew)|system prompts?",
        rf"(?:go|goes|move|proceed|return|jump)s? {_BACK}to (?:the )?(?:\w+ )?{_PLACE}s?",
        rf"(?:hand|pass|send|refer|forward|route)s? {_THEM}(?: [\w']+){{0,4}}? (?:to|on|over)",
        r"(?:call|use|run)(?:s|ed)? (?:\w+ ){0,2}?(?:before|after|first|next|last)",
    ),
}
DECIDING: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {kind: re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)") for kind, words in _WORDS.items()}
)
"""The patterns by kind; they are for texts as ``fold_text`` returns them."""

SMALL_WORDS = frozenset(
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

    >>> find_deciding_words("Rounds are made three times, and a day late is late.", "number")
    ['three', 'a day']
    """
    return [found[0].strip(" .,;:") for found in DECIDING[kind].finditer(fold_text(text))]


def is_english(text: str) -> bool:
    """Return whether a text is English, by its small words."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return _ENGLISH_SHARE * sum(word in SMALL_WORDS for word in words) >= len(words)
