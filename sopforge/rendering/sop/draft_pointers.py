"""Pointers of a draft that lead nowhere in the SOP: its title, its numbers, "see section 4 below".

A draft's sections open the SOP, whose sections have numbers of their own. Where a sentence stands
without its pointer, the pointer alone is left out, else the sentence and those that lean on it. A
pointer into something else stays, as "section 4 of the Housing Act", and so do names that only
look like one, as "Schedule 2 drugs".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sopforge.rendering.sop.document import Line, Style

LEANS = re.compile(
    r"(?:It|They|This|These|That|Those|Then|Otherwise|However|But|Such|So|In (?:that|this|such) )\b"
)
"""How a sentence begins that makes no sense without the one before it."""
_SENTENCES = re.compile(r'(?<=[.!?])\s+(?=[^\W\d_a-z]|["(])')

_PLACE = (
    "(?:sub-?sections?|sections?|chapters?|paragraphs?|annex(?:es)?|appendix|appendices|tables?"
    "|figures?|pages?|exhibits?|attachments?|enclosures?)"
)
_SEEN = "(?:clauses?|parts?|points?|items?|steps?|notes?|rules?|schedules?|forms?)"
_NUMBER = r"(?:\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.?\d+)*|[IVX]+)(?!\.?\d)"
_NUMBERS = rf"{_NUMBER}\b(?:\s*(?:,|and|or|to|through|&|[-\u2013])\s*{_NUMBER}\b)*"
_FURTHER = r"(?:\s+(?:below|above|overleaf|hereof|of (?:this|the present) \w+))?"
# A word right after it makes another name of it, and "of the" leads into another document.
_GOES_ON = (
    "below|above|overleaf|is|are|was|were|has|have|had|applies|apply|says|say|shows?|lists?|gives?"
    "|describes?|explains?|covers?|states?|sets?|adds?|contains?|holds?|governs?|does|do|did|can"
    "|may|must|will|shall|should|and|or|but|nor|for|in|on|at|with|without|to|by|from|as|if|when"
    "|where|unless|until|before|after|then|than|that|which|who|while|first|only|also|still|too"
    "|alone|again|instead|once|not|counts?|names?"
)
_ENDS = rf"(?=\s*(?:$|[.,;:!?)\u2013\u2014]|\s(?:{_GOES_ON})\b))"
_ELSEWHERE = r"(?!\s+(?:of|to) (?:the|an?|its|their|his|her|[A-Z]))"
# Guests sit at table 12.
_POINTER = (
    rf"(?i:(?<!\w)(?<!\bat ){_PLACE})\s+(?i:no\.? |number )?{_NUMBERS}{_FURTHER}{_ELSEWHERE}{_ENDS}"
)
# "Appendix C to the regulations" is what the draft calls itself.
_IDENTITY = rf"^\W*(?i:{_PLACE})\s+{_NUMBER} to the\b"
# "This section" is still where it says so, and "this figure" is a number.
_HERE = "this (?:annex|appendix|chapter|page)"
_PART = "(?:sections?|chapters?|paragraphs?|annex(?:es)?|appendix|appendices|tables?|pages?)"
_NEAR = (
    rf"(?i:the (?:following|next|preceding|previous|attached|enclosed) {_PART}\b(?! of the)"
    rf"|the {_PART} (?:below|above|overleaf)\b|{_HERE}\b"
    r"|(?<!\w)overleaf\b|on the (?:next|previous|following|last) page\b)"
)
_STANDARDS = "ISO|EN|DIN|IEC|IEEE|ADR|RID|IMDG|IATA|ASTM|BS|NFPA|CFR|EU|EC|UN|USP"
_CODE = (
    rf"(?:document |procedure |instruction |form )?(?!(?:{_STANDARDS})\b)"
    r"[A-Z]{2,6}[- ]?\d(?:[\w./-]*\w)?"
)
_SEE = r"(?i:see|see also|refer to|cf\.|compare|as per|as in|consult)"
_SAID = (
    "(?i:described|explained|set out|laid down|stated|listed|shown|given|mentioned|defined|noted"
    "|said|outlined|detailed|indicated|specified|named|discussed|summari[sz]ed|laid out)"
)
_DEIXIS = r"(?i:above|below|overleaf|earlier|further (?:up|down|above|below))"
_SPOT = (
    rf"(?:{_POINTER}|(?i:{_SEEN})\s+{_NUMBERS}{_FURTHER}{_ELSEWHERE}{_ENDS}|{_NEAR}|{_DEIXIS}"
    rf"|{_CODE})"
)
_TARGET = rf"{_SPOT}(?:(?:,| and| or|, and) (?:in |also )?{_SPOT})*"


def _forbid_before(words: str) -> str:
    """Return a pattern that holds after a blank unless one of the words stands before it."""
    return "".join(rf"(?<!\b{word} )" for word in words.split())


# A preposition with its pointer says where; after these words it says what, and is needed.
_HELD = _forbid_before(
    "is are be was were been those that this these as one ones not only and or out down"
    " found stands stand comes follows goes depends except save than if to order end"
    " beginning start sense meaning list row rows column columns line lines rest each all"
    " any none first last listed given shown stated described defined set laid named"
    " mentioned specified look looks"
)
_AFTER_BE = _forbid_before("is are be was were been as and or has have those that ones")
_BY = "according to|in accordance with|in line with|pursuant to"
# "Only as section 7 says" says something by it.
_FREE = (
    r"(?:,\s*|(?<=\s)"
    + _forbid_before(
        "only just is are was were be same such not and or so well counts exactly proceed"
        " continue act apply applies work"
    )
    + ")"
)
# Where nobody has said which one is meant, its place says it: "a crop rejected under 3.2".
_DEFINITE = r"\b(?i:the|its|their|nothing else|no other|all else) (?:[\w-]+ ){0,4}?"
_KEPT = r"\g<kept>"
_REMOVED = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # (see section 4 below), (above), [Table 2]
        (
            (
                rf"\s*[(\[](?:[^()\[\]]{{0,60}}\b{_SEE} )?(?:also )?(?:(?:as )?{_SAID} )?"
                rf"(?:in |on |under )?(?:the )?{_TARGET}(?:,? (?i:for) [^()\[\]]{{0,60}})?[)\]]"
            ),
            "",
        ),
        # , see section 4 below; see also WI-07
        (rf"[,;:\u2013\u2014]\s*(?:please )?{_SEE} (?:also )?(?:the )?{_TARGET}(?=[.,;!?]|$)", ""),
        # as described above, as set out in section 4, as section 4 says
        (rf",?\s*\bas {_SAID}(?: (?:in|on|under|by))? {_TARGET},(?= )", ""),
        (rf"{_FREE}(?i:as) {_SAID} (?:(?:in|on|under|by|per) )?{_TARGET}(?=[.,;!?)]|$)", ""),
        (rf"{_FREE}as {_SPOT} (?:says?|shows?|states?|sets? out|explains?|describes?)\b,?", ""),
        (rf"(?i:^as) (?:{_SAID} )?(?:(?:in|on|under|by|per) )?{_TARGET},\s*", ""),
        # the checks listed below, the fees given in table 1
        (rf"(?<=\s){_AFTER_BE}{_SAID} (?:(?:in|on|under|by) )?{_TARGET}(?!:)", ""),
        # Under section 5, ...
        (rf"^(?i:in|on|under|by|{_BY}) {_POINTER},\s*", ""),
        # the fee of table 1, in accordance with section 3
        (rf",?\s(?:{_BY}) {_POINTER}(?=[.,;]|$)", ""),
        (rf"(?P<kept>{_DEFINITE}){_HELD}(?:of|in|from|on) (?:{_POINTER}|{_HERE}\b)", _KEPT),
        (r"\b(?i:the above(?:[- ]mentioned|[- ]named)) (?=[a-z])", "the "),
    )
)
_LEFT = re.compile(
    rf"{_IDENTITY}|{_POINTER}|{_NEAR}(?!:)|\b{_SEE} (?:also )?(?:the )?{_SPOT}"
    rf"|\b{_SAID} (?:above|below|overleaf)\b(?!:)"
    r"|\b(?i:the above)(?=[.,;:!?]|$| (?:is|are|applies))"
)
_CONTROL = re.compile(
    r"\W*(?:(?:document|doc\.?|sop|form|procedure|instruction|file|reference|ref\.?)"
    r"\s*(?:no\.?|number|nr\.?|id|code)\b|(?:version|revision|rev\.?|edition|issue)\s*[:.]?\s*[\dA-Z]"
    r"|page \d+\b|(?:prepared|approved|reviewed|issued|written) (?:by|on)\s*:"
    r"|(?:effective|valid) (?:date|from|as of)\s*:)(?:[^.!?]|\.(?=\d)){0,80}",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"\W*(?:table|figure) (?:\d+|[A-Z])\b\s*[.:\u2013\u2014-]*\s*", re.IGNORECASE)
_HEADING_NUMBER = re.compile(
    r"(?:(?:section|chapter|part|annex|appendix|step)\s+(?:\d+(?:\.\d+)*|[A-Z]|[IVX]+)\s*[:.\u2013\u2014-]"
    r"|\d+(?:\.\d+)+\.?|\d+[.)]|[A-Z][.)]|[IVX]+[.)])\s+(?=\S)",
    re.IGNORECASE,
)
_OWN_NUMBER = re.compile(r"^\s*(?:#+\s*)?(\d+(?:\.\d+)+)\.?\s+(?=\S)", re.MULTILINE)
_SHORTENED = re.compile(r"\b(?:cf|e\.g|i\.e|[Nn]o|[Ff]ig|pp?|approx|vs|Dr|Mr|Mrs|Ms|St)\.$")
_FEWEST_WORDS = 2


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of a sentence is left out of the SOP: a pointer, or the whole of it."""

    text: str
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Pointers:
    """The pointers of one draft; ``numbers`` are those of its own paragraphs, such as 5.4."""

    numbers: frozenset[str] = frozenset()

    def strip_heading(self, title: str) -> str:
        """Return a heading without its number in the draft."""
        return _HEADING_NUMBER.sub("", title, count=1).strip() or title

    def strip_line(self, line: Line) -> tuple[Line | None, list[LeftOut]]:
        """Return a line without pointers, None if nothing of it is left, and what was left out.

        A row of a table stays: what its neighbours say with it is unknown.
        """
        if line.style is Style.ROW:
            return line, []
        rows = _strip_emphasis(line.text).split("\n")
        about = [LeftOut(row.strip(), is_whole=True) for row in rows if _CONTROL.fullmatch(row)]
        text = "\n".join(row for row in rows if not _CONTROL.fullmatch(row))
        if not text.strip():
            return None, about
        caption = _CAPTION.match(text)
        if caption and (caption.end() == len(text) or text[caption.end() - 2] in ".:\u2013\u2014-"):
            rest = text[caption.end() :]
            return (replace(line, text=rest) if rest else None), [LeftOut(caption[0].strip())]
        kept, gone = self.strip_text(text)
        if not gone and not about and not self._has_numbering(text):
            return line, []
        return (replace(line, text=kept) if kept else None), [*about, *gone]

    def strip_text(self, text: str) -> tuple[str, list[LeftOut]]:
        """Return a paragraph without pointers, and what was left out of it."""
        kept: list[str] = []
        gone: list[LeftOut] = []
        is_dropped = False
        for sentence in _split_at_ends(self._drop_numbering(text)):
            # What leans on a sentence goes with it: "It is due at once."
            plain = None if is_dropped and LEANS.match(sentence) else self._strip_sentence(sentence)
            is_dropped = plain is None
            if plain is None:
                gone.append(LeftOut(sentence, is_whole=True))
            else:
                kept.append(plain)
                gone += [LeftOut(sentence)] if plain != sentence else []
        return " ".join(kept), gone

    def _has_numbering(self, text: str) -> bool:
        return self._drop_numbering(text) != " ".join(text.split())

    def _drop_numbering(self, text: str) -> str:
        """Return a text without the numbers that stand before the draft's own paragraphs."""
        plain = " ".join(text.split())
        for number in self.numbers:
            plain = re.sub(rf"(?:^|(?<=[.!?:;] )){re.escape(number)}\.?\s+(?=\S)", "", plain)
        return plain

    def _strip_sentence(self, sentence: str) -> str | None:
        """Return a sentence without pointers, None where it does not stand without one."""
        text = sentence
        for pattern, instead in _REMOVED:
            text = pattern.sub(instead, text)
        text = self._drop_own_numbers(text)
        if _LEFT.search(text) or self._has_own_number(text):
            return None
        return sentence if text == sentence else _tidy(text)

    def _drop_own_numbers(self, text: str) -> str:
        for number in self.numbers:
            own = rf"{re.escape(number)}(?!\.?\d)"
            bare = rf"{own}(?:(?:,| and| or| to) \d+(?:\.\d+)+)*{_ENDS}"
            text = re.sub(rf"\s*\((?:{_SEE} )?(?:in |under )?{bare}\)", "", text)
        return text

    def _has_own_number(self, text: str) -> bool:
        """Return whether a text still sends on to a numbered paragraph of the draft."""
        numbers = "|".join(re.escape(number) for number in sorted(self.numbers))
        leads = "to|of|in|under|by|from|see|with|after|before|and|at|per|save|than"
        return bool(numbers) and bool(
            re.search(rf"\b(?:{leads}) (?:{numbers})(?![\w.]*\d){_ENDS}", text)
        )


def find_draft_numbers(draft: str) -> frozenset[str]:
    """Return the numbers that a draft gives to its paragraphs and lower sections."""
    return frozenset(_OWN_NUMBER.findall(draft))


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph."""
    return _SENTENCES.split(" ".join(text.split()))


def _split_at_ends(text: str) -> list[str]:
    """Return the sentences of a paragraph; "cf. Annex B" ends none."""
    found: list[str] = []
    for part in split_sentences(text):
        if found and _SHORTENED.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def _strip_emphasis(text: str) -> str:
    """Return a text without the stars or lines around all of it, which Markdown reads."""
    found = re.fullmatch(r"([*_]{1,3})(?! )([^*_]+)(?<! )\1", text.strip())
    return found[2] if found else text


def _tidy(text: str) -> str | None:
    """Return a sentence in order after something was taken out; None if too little is left."""
    plain = re.sub(r"\s+([.,;:!?)])", r"\1", " ".join(text.split()))
    plain = re.sub(r"([,;:])(?=[.,;:!?])", "", plain).strip(" ,;:")
    if len(re.findall(r"\w+", plain)) < _FEWEST_WORDS:
        return None
    return plain[0].upper() + plain[1:]
