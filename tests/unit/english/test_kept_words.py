from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from sopforge.language.english.vocabulary import Further
from sopforge.language.english.words import load_words
from tests.worlds.small_models import parcel


def test_texts_about_equal_fields_have_the_same_words_in_every_thread() -> None:
    models = [parcel() for _ in range(24)]

    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda model: load_words(model.fields), models * 4)]

    assert len({id(words) for words in found}) == 1


def test_other_fields_order_and_further_words_have_words_of_their_own() -> None:
    fields = dict(parcel().fields)
    renamed = {**fields, "weight": replace(fields["weight"], label="mass")}
    turned = dict(reversed(fields.items()))
    own = load_words(fields)

    others = [load_words(renamed), load_words(turned), load_words(fields, Further(phrases=()))]

    assert [other is own for other in others] == [False, False, True]
    assert load_words(fields, Further(units=frozenset({"kg"}))) is not own
