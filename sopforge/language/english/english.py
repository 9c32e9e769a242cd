"""Writes and reads the English of a domain's rules with one grammar.

``read`` returns all that words can mean. ``say`` writes words only if they mean one thing: else it
takes the next phrase, at last the rule language itself between backticks, so that there are always
words.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from string import ascii_lowercase
from threading import RLock
from typing import Any

from sopforge.language.english.forms import UNMADE
from sopforge.language.english.lexicon import Lexicon
from sopforge.language.english.nouns import join_items
from sopforge.language.english.phrases import (
    EACH,
    SAID_OF,
    SPREAD,
    VARIABLE,
    Bindings,
    Gap,
    Phrase,
    Tokens,
    build_tree,
    split_words,
)
from sopforge.language.english.terms import IT, Term, find_lists, walk_term

_FILLED = re.compile(r"\{(\w+):([\w ]+)[^}]*\}|\b([a-z]+)/([a-z]+)\b")
_COMMA = ","
_BRACKETED = frozenset({"sum", "product", "factor", "noun"})
_LONGEST, _NO_END = {"brief": 120}, sys.maxsize
"""How many letters words of a kind have at most: of a longer condition, a list says it better."""
_IN_BRACKETS, _NOTHING = frozenset({"value", "condition"}), frozenset[str]()
"""What may stand in brackets in the words of its own parts, so that only these come back to it."""
_OF_ENTRIES, _FILTERS = "filter", "filters"
_LETTERS, _BULLETS, _BULLET = "letters", "bullets", "-"


class English:
    """The English of one domain; what it once read or wrote, it keeps."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._read: dict[tuple[str, Tokens], frozenset[Any]] = {}
        self._said: dict[tuple[str, Term, bool, frozenset[str]], str] = {}
        self._open: dict[Term, frozenset[str]] = {}
        self._is_saying = RLock()
        self._known = lexicon.count_learned()

    # reading

    def read(self, kind: str, text: str) -> frozenset[Term]:
        """Return all that a text can mean as words of a kind; of no list, nothing has an entry.

        A sentence begins with a capital, which its first word may have only there.
        """
        forms = dict.fromkeys((text, f"{text[:1].lower()}{text[1:]}"))
        found = (x for form in forms for x in self.read_words(kind, split_words(form)))
        return frozenset(x for x in found if not find_lists(x))

    def read_words(self, kind: str, words: Tokens) -> frozenset[Any]:
        """Return all that words can mean; of leaves such as labels, their texts."""
        if self._known != self.lexicon.count_learned():
            # Words that meant nothing may mean something now.
            self._known = self.lexicon.count_learned()
            self._read.clear()
        found = self._read.get((kind, words))
        if found is None:
            found = frozenset(self._iterate_meanings(kind, words))
            self._read[kind, words] = found
        return found

    def _iterate_meanings(self, kind: str, words: Tokens) -> Iterator[Any]:
        if not words or words.count("(") != words.count(")"):
            return
        yield from self.lexicon.read(kind, words)
        known = frozenset(words)
        for phrase in self.lexicon.phrases.get(kind, ()):
            if all(not options.isdisjoint(known) for options in phrase.needed):
                for filled in self._fill(phrase.parts, words):
                    built = phrase.build(filled, self.lexicon.forms)
                    if built is not None:
                        yield built

    def _fill(self, parts: Sequence[Gap | frozenset[str]], words: Tokens) -> Iterator[Bindings]:
        """Yield what can fill the gaps of a phrase so that it has these words."""
        if not parts and not words:
            yield {}
        if not parts or len(words) < len(parts):
            return
        part, *rest = parts
        if isinstance(part, Gap):
            yield from self._fill_gap(part, rest, words)
        elif words[0] in part:
            yield from self._fill(rest, words[1:])

    def _fill_gap(
        self, gap: Gap, rest: Sequence[Gap | frozenset[str]], words: Tokens
    ) -> Iterator[Bindings]:
        """Yield what can fill a gap at the start of the words, and those in the rest of them."""
        after = rest[0] if rest and not isinstance(rest[0], Gap) else None
        ends = range(1, len(words) - len(rest) + 1) if rest else (len(words),)
        for end in ends:
            if after is None or words[end] in after:
                fillings = self._read_gap(gap, words[:end])
                for tail in self._fill(rest, words[end:]) if fillings else ():
                    for filling in fillings:
                        if tail.get(gap.name, filling) == filling:
                            yield {**tail, gap.name: filling}

    def _read_gap(self, gap: Gap, words: Tokens) -> Iterable[Any]:
        if gap.joint:
            read = {_LETTERS: self._read_lettered, _BULLETS: self._read_bulleted}.get(
                gap.joint, self._read_joined
            )
            return [x for x in read(gap, words) if len(x) > 1]
        return [x for x in self.read_words(gap.kind, words) if self.lexicon.has(gap.test, x)]

    def _read_joined(self, gap: Gap, words: Tokens) -> set[tuple[Any, ...]]:
        """Return what stands one after another, with a comma or the joining word between."""
        found: set[tuple[Any, ...]] = set()
        for place, word in enumerate(words):
            if word not in {_COMMA, gap.joint} or not place:
                continue
            after = words[place + 1 :]
            is_last = word == gap.joint
            if not is_last and after[:1] == (gap.joint,):
                is_last, after = True, after[1:]
            single = Gap(gap.name, gap.kind, gap.test)
            firsts = self._read_gap(single, words[:place])
            if firsts:
                rest = (
                    {(x,) for x in self._read_gap(single, after)}
                    if is_last
                    else self._read_joined(gap, after)
                )
                found |= {(first, *others) for first, others in product(firsts, rest)}
        return found

    def _read_lettered(self, gap: Gap, words: Tokens, place: int = 0) -> set[tuple[Any, ...]]:
        """Return what stands in a list with letters: "(a) one; (b) another"."""
        start = ("(", _name_letter(place), ")")
        if words[:3] != start:
            return set()
        found: set[tuple[Any, ...]] = set()
        for end in (*(n for n, word in enumerate(words) if word == ";"), len(words)):
            single = Gap(gap.name, gap.kind, gap.test)
            firsts = self._read_gap(single, words[3:end]) if end > 3 else ()  # noqa: PLR2004 - its letter
            if firsts:
                rest = self._read_lettered(gap, words[end + 1 :], place + 1)
                tails = rest if end < len(words) else {()}
                found |= {(first, *others) for first, others in product(firsts, tails)}
        return found

    def _read_bulleted(self, gap: Gap, words: Tokens) -> set[tuple[Any, ...]]:
        """Return what stands in lines of a list, each with its end."""
        starts = [place for place, word in enumerate(words) if word == _BULLET]
        if starts[:1] != [0]:
            return set()
        lines = [words[start + 1 : end] for start, end in pairwise([*starts, len(words)])]
        ends = [line[-1:] for line in lines]
        if ends[-1:] != [(".",)] or any(end != (";",) for end in ends[:-1]):
            return set()
        single = Gap(gap.name, gap.kind, gap.test)
        return set(product(*(self._read_gap(single, line[:-1]) for line in lines)))

    # writing

    def say(self, kind: str, term: Term, *, plural: bool = False) -> str:
        """Return words of a kind for a term that mean nothing else, "" if there are none."""
        # What only its own words in brackets could say has none. So words depend on what is being
        # said around them, but never on what was said before.
        with self._is_saying:
            within = self._open.get(term, _NOTHING)
            key = (kind, term, plural, within)
            if kind in within:
                return ""
            if key not in self._said:
                if kind in _IN_BRACKETS:
                    self._open[term] = within | {kind}
                try:
                    self._said[key] = self._find_words(kind, term, plural=plural)
                finally:
                    self._open[term] = within
            return self._said[key]

    def _find_words(self, kind: str, term: Term, *, plural: bool) -> str:
        longest = _LONGEST.get(kind, _NO_END)
        tried = self._iterate_wordings(kind, term, plural=plural)
        tried = (words for words in tried if len(words) <= longest)
        return next((words for words in tried if self._means_only(kind, words, term)), "")

    def split_subject(self, fact: Term) -> tuple[Term, Term] | None:
        """Return the field that a fact is about, and what is said of it; None if not of one."""
        forms = self.lexicon.forms
        match fact:
            case ("field", _):
                return fact, ("==", IT, ("label", "yes"))
            case ("not", ("field", _) as answer):
                return answer, ("==", IT, ("label", "no"))
            case ("given", ("field", name) as item):
                return item, ("!=", IT, ("label", forms.fields[name].missing))
            case ("not", ("given", ("field", name) as item)):
                return item, ("==", IT, ("label", forms.fields[name].missing))
            case _:
                return self._split_other(fact)

    def _split_other(self, fact: Term) -> tuple[Term, Term] | None:
        names = {part for part in walk_term(fact) if part[0] in {"field", "part"}}
        found = self._iterate_subjects("state", fact) if len(names) == 1 else ()
        return next(((about, said) for about, said in found if about[0] == "field"), None)

    def _means_only(self, kind: str, words: str, term: Term) -> bool:
        """Return whether words mean a term and nothing else.

        Of which list an entry is, the words before it say.
        """
        known = self.read_words(kind, split_words(words))
        if known == {term}:
            return True
        if term not in known or not isinstance(term, tuple):
            return False
        lists = find_lists(term)
        return {x for x in known if find_lists(x) == lists} == {term}

    def _iterate_wordings(self, kind: str, term: Term, *, plural: bool) -> Iterator[str]:
        said = self.lexicon.say(kind, term)
        yield from reversed([*said]) if kind == _OF_ENTRIES and plural else said
        # Where words could be grouped otherwise, brackets show how they are meant.
        for bracketed in (frozenset[str](), _BRACKETED):
            for phrase in self.lexicon.phrases.get(kind, ()):
                if not bracketed or any(gap.kind in bracketed for gap in phrase.gaps):
                    for filled in self._iterate_fillings(phrase, term):
                        yield from filter(
                            None, [self._compose(phrase, filled, bracketed, plural=plural)]
                        )

    def _iterate_fillings(self, phrase: Phrase, term: Term) -> Iterator[Bindings]:
        kinds = {gap.name: gap.kind for gap in phrase.gaps}
        for filled in self._match(phrase.pattern, term, {}, kinds):
            if filled.pop("it", IT) == IT:
                yield filled

    def _match(
        self,
        pattern: Any,  # noqa: ANN401 - a term, a text or None
        term: Any,  # noqa: ANN401 - the same
        found: Bindings,
        kinds: Mapping[str, str],
    ) -> Iterator[Bindings]:
        """Yield what fills the gaps of a pattern that a term fits, besides what was found.

        Of a predicate, what it is said of is filled in as "it".
        """
        match pattern:
            case ("it",) | ("?", _):
                yield from _bind(pattern[-1], term, found)
            case ("[]", ("?", name), subject) | ("[*]", _, name, subject):
                for about, said in self._iterate_said(pattern, kinds[name], term):
                    for known in _bind(name, said, found):
                        yield from self._match(subject, about, known, kinds)
            case (_, *patterns):
                parts = self._take_apart(pattern, term)
                if parts is not None:
                    yield from self._match_parts(patterns, parts, found, kinds)
            case _ if pattern == term:
                yield found

    def _iterate_said(self, pattern: Term, kind: str, term: Any) -> Iterable[tuple[Term, Term]]:  # noqa: ANN401 - a term, a text or None
        """Return what a term may be said of, with what is said: by one fact, or each of several."""
        if pattern[0] == SAID_OF:
            return self._iterate_subjects(kind, term)
        is_alike = isinstance(term, tuple) and term[0] == pattern[1]
        return self._iterate_shared(kind, term[1:], pattern[3]) if is_alike else ()

    def _take_apart(self, pattern: Term, term: Any) -> Sequence[Any] | None:  # noqa: ANN401 - a term, a text or None
        """Return what the parts of a pattern have to fit, None where the heads do not."""
        match pattern:
            case ("not", (("?" | "and" | "or"), *_)):
                is_denied = self.lexicon.is_condition(term)
                return (self.lexicon.forms.negate(term),) if is_denied else None
            case (head, *_) if head in UNMADE:
                return self.lexicon.forms.unmake(head, term)
        return term[1:] if isinstance(term, tuple) and term[0] == pattern[0] else None

    def _match_parts(
        self,
        patterns: Sequence[Any],
        parts: Sequence[Any],
        found: Bindings,
        kinds: Mapping[str, str],
    ) -> Iterator[Bindings]:
        if not patterns:
            if not parts:
                yield found
            return
        first, *rest = patterns
        if isinstance(first, tuple) and first[0] == SPREAD:
            if parts:
                yield from _bind(first[1], tuple(parts), found)
            return
        if parts:
            for known in self._match(first, parts[0], found, kinds):
                yield from self._match_parts(rest, parts[1:], known, kinds)

    def _iterate_shared(
        self, kind: str, parts: Sequence[Term], subject: Term
    ) -> Iterator[tuple[Term, tuple[Term, ...]]]:
        """Yield a subject of which all facts are said, with the predicates that they are."""
        if subject == IT:
            yield IT, tuple(parts)
            return
        found = [dict(self._iterate_subjects(kind, part)) for part in parts]
        for about in found[0]:
            if all(about in known for known in found):
                yield about, tuple(known[about] for known in found)

    def _iterate_subjects(self, kind: str, term: Term) -> Iterator[tuple[Term, Term]]:
        """Yield what a fact may be said of, with the predicate that is said of it."""
        for phrase in self.lexicon.phrases.get(kind, ()):
            if phrase.pattern[0] == VARIABLE:
                yield from self._iterate_subjects(next(phrase.gaps).kind, term)
                continue
            kinds = {gap.name: gap.kind for gap in phrase.gaps}
            if phrase.pattern[0] == EACH:
                pairs = self._iterate_joint_subjects(phrase, term, kinds)
            else:
                pairs = self._match(phrase.pattern, term, {}, kinds)
            for filled in pairs:
                about = filled.get("it")
                if about and self._fits(phrase, filled):
                    said = build_tree(phrase.pattern, {**filled, "it": IT}, _AS_IS)
                    if said is not None:
                        yield about, said

    def _iterate_joint_subjects(
        self, phrase: Phrase, term: Term, kinds: Mapping[str, str]
    ) -> Iterator[Bindings]:
        _, head, name, _ = phrase.pattern
        if term[0] == head:
            for about, said in self._iterate_shared(kinds[name], term[1:], (VARIABLE, name)):
                yield {"it": about, name: said}

    def _fits(self, phrase: Phrase, filled: Bindings) -> bool:
        return all(
            self.lexicon.has(gap.test, x)
            for gap in phrase.gaps
            for x in (filled[gap.name] if gap.joint else [filled[gap.name]])
        )

    def _compose(
        self, phrase: Phrase, filled: Bindings, bracketed: Collection[str], *, plural: bool
    ) -> str:
        """Return a phrase with its gaps filled, "" where there are no words for one."""
        if not self._fits(phrase, filled):
            return ""
        about = filled.get("a")
        is_plural = self.lexicon.is_plural(about) if isinstance(about, tuple) else plural
        texts = {
            (gap.name, gap.kind): self._bracket(filled[gap.name])
            if gap.kind in bracketed and not gap.joint and gap.name not in {"a", "x"}
            else self._say_gap(
                gap,
                filled[gap.name],
                plural=not phrase.is_of_one if gap.kind == _FILTERS else is_plural,
            )
            for gap in phrase.gaps
        }
        if not all(texts.values()):
            return ""

        def fill(found: re.Match[str]) -> str:
            return texts[found[1], found[2]] if found[1] else found[4 if is_plural else 3]

        return _FILLED.sub(fill, phrase.words)

    def _bracket(self, term: Term) -> str:
        """Return a value in brackets, unless it is a name or a figure."""
        plain = self.say("name", term) or self.say("literal", term)
        words = "" if plain else self.say("value", term)
        return plain or (f"({words})" if words else "")

    def _say_gap(self, gap: Gap, filling: Any, *, plural: bool) -> str:  # noqa: ANN401 - a term or a text
        if not gap.joint:
            return self.say(gap.kind, filling, plural=plural)
        texts = [self.say(gap.kind, x, plural=plural) for x in filling]
        if len(texts) < 2 or not all(texts):  # noqa: PLR2004 - one alone is not joined
            return ""
        if gap.joint == _BULLETS:
            ends = [";"] * (len(texts) - 1) + ["."]
            return "".join(f"\n  - {text}{end}" for text, end in zip(texts, ends, strict=True))
        if gap.joint == _LETTERS:
            return "; ".join(f"({_name_letter(n)}) {text}" for n, text in enumerate(texts))
        return join_items(texts, gap.joint)


def _bind(name: str, filling: Any, found: Bindings) -> Iterator[Bindings]:  # noqa: ANN401
    if filling is not None and found.get(name, filling) == filling:
        yield {**found, name: filling}


def _name_letter(place: int) -> str:
    before, last = divmod(place, len(ascii_lowercase))
    return (_name_letter(before - 1) if before else "") + ascii_lowercase[last]


class _AsIs:
    """Builds terms as they are given."""

    @staticmethod
    def make(head: str, *parts: Any) -> Term:  # noqa: ANN401 - terms, texts and None
        return (head, *parts)


_AS_IS: Any = _AsIs()
