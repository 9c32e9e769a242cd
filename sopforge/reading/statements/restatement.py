"""Whether one sentence is another one in a construction of the same meaning.

Words alone do not show who does what to whom. The phrases of two sentences must be the same ones in
the same order, of as many things, and of the same or of any. Only what says when, where or if may
move, as a whole, to the other end of its sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, pairwise

from sopforge.reading.statements.phrases import Phrase, Word, cut_phrases

_MOVED = frozenset(
    {
        *("if", "unless", "because", "before", "after", "until", "while", "even", "as"),
        *("at", "in", "on", "for", "with", "without", "by", "from"),
    }
)
"""Words that begin what may stand at either end of a sentence."""
_EVEN = "even"
"""What is conceded is so of all that is said."""
_JOINING = frozenset({"and", "or", "nor", "but"})
_PAST = re.compile(
    r"(?<!\bbe )(?<!\bhas )(?<!\bhave )(?<!\bhad )(?<!\bbeen )(?<!\bis )(?<!\bare )(?<!\bwas )"
    r"(?<!\bwere )\b(?!exceed|need|proceed|feed)[a-z]+ed "
    r"(?=(?:the|an?|its|their|it|them|any|each|every|all) )"
    r"|\b(?:was|were) (?:[a-z]+ly )?[a-z]+(?:ed|en|ne|wn|ld|ht|nt|pt|ft|id) (?:[a-z]+ )?by "
)
"""What somebody did."""


def is_restated(text: str, known: str, own: AbstractSet[str] = frozenset()) -> bool:
    """Return whether a text says what another one says, sentence by sentence.

    ``own`` are the words, without endings, of what the sentences are about: a text may name it.

    >>> is_restated("The key is passed by the porter to a guest.",
    ...             "The porter passes the key to a guest.")
    True
    >>> is_restated("The porter is passed the key by a guest.",
    ...             "The porter passes the key to a guest.")
    False
    >>> is_restated("At night, lock the shed.", "Lock the shed at night.")
    True
    >>> is_restated("At night, lock a shed.", "Lock the sheds at night.")
    False
    """
    said, meant = cut_phrases(text), cut_phrases(known)
    if own:
        more = _count(said) - _count(meant)
        said = [_leave_out(phrases, own & {word.meaning for word in more}, own) for phrases in said]
    return (
        len(said) == len(meant)
        and all(map(_are_same_phrases, said, meant))
        and len(_PAST.findall(text.lower())) == len(_PAST.findall(known.lower()))
    )


def is_reordered(text: str, known: str) -> bool:
    """Return whether a text has the words of another one in an order that says something else.

    >>> is_reordered("Return them as used.", "Use them as returned.")
    True
    """
    is_same = _count(cut_phrases(text)) == _count(cut_phrases(known))
    return is_same and not is_restated(text, known)


def _count(sentences: Iterable[Iterable[Phrase]]) -> Counter[Word]:
    return Counter(word for phrases in sentences for phrase in phrases for word in phrase)


def _leave_out(
    phrases: Iterable[Phrase], more: AbstractSet[str], own: AbstractSet[str]
) -> list[Phrase]:
    """Return phrases without the words that name what they are about, beside others of its name."""
    words = [*chain.from_iterable(phrases)]
    named = {
        word.meaning
        for pair in pairwise(words)
        for word in pair
        if word.meaning in more and all(one.meaning in own for one in pair)
    }
    kept = (tuple(word for word in phrase if word.meaning not in named) for phrase in phrases)
    return [phrase for phrase in kept if phrase]


def _are_same_phrases(said: Sequence[Phrase], known: Sequence[Phrase]) -> bool:
    """Return whether two sentences have the same phrases, of which one group may have moved."""
    return any(
        _are_same_words([*chain.from_iterable(one)], [*chain.from_iterable(other)])
        for one, other in _iterate_orders(said, known)
    )


def _iterate_orders(
    said: Sequence[Phrase], known: Sequence[Phrase]
) -> Iterator[tuple[Sequence[Phrase], Sequence[Phrase]]]:
    """Yield two sentences, then each with what stands first in it at its end."""
    yield said, known
    for turned in _iterate_turned(said):
        yield turned, known
    for turned in _iterate_turned(known):
        yield said, turned


def _iterate_turned(phrases: Sequence[Phrase]) -> Iterator[Sequence[Phrase]]:
    """Yield a sentence with what stands first in it at its end, where it may stand there.

    Of several things that are done, it would be said of others there.
    """
    if not phrases or phrases[0][0].form not in _MOVED:
        return
    is_conceded = phrases[0][0].form == _EVEN
    for size in range(1, len(phrases)):
        if is_conceded or not any(phrase[0].form in _JOINING for phrase in phrases[size:]):
            yield [*phrases[size:], *phrases[:size]]


def _are_same_words(said: Sequence[Word], known: Sequence[Word]) -> bool:
    return len(said) == len(known) and all(map(_is_same_word, said, known))


def _is_same_word(said: Word, known: Word) -> bool:
    """Return whether two words mean the same, of as many things, and of the same or of any."""
    is_other_one = {said.article, known.article} == {"a", "the"}
    is_verb = said.is_verb or known.is_verb
    return said == known and not is_other_one and (is_verb or not _is_of_several(said, known))


def _is_of_several(said: Word, known: Word) -> bool:
    """Return whether one of two words is the plural of the other."""
    short, long = sorted((said.form, known.form), key=len)
    plurals = {f"{short}s", f"{short}es", f"{short.removesuffix('y')}ies"}
    return long in plurals
