from sopforge.session.layers import index_texts, rank_texts, split_words

TEXTS = [
    (7, "Refunds", "A refund is paid to the buyer."),
    (3, "Parcels", "A parcel goes to the buyer."),
    (5, "Lost parcels", "The buyer of a lost parcel is asked first."),
    (9, "Holidays", "The office is closed."),
]
INDEX = index_texts(TEXTS)


def rank(query: str, most: int = 8) -> list[int]:
    return rank_texts(INDEX, len(TEXTS), query, most)


def test_words_are_taken_in_lower_case_and_names_in_their_parts() -> None:
    assert split_words("The buyer_id, 12.5 EUR") == ["the", "buyer", "id", "12", "5", "eur"]


def test_a_word_that_few_texts_have_counts_more_than_one_of_many() -> None:
    # Three texts have the buyer, one pays a refund.
    assert rank("buyer paid")[0] == 7


def test_a_word_of_a_title_counts_more_than_one_of_a_text() -> None:
    texts = index_texts([(1, "Rooms", "keys"), (2, "Keys", "rooms are locked")])

    assert rank_texts(texts, 2, "rooms", 8) == [1, 2]
    assert rank_texts(texts, 2, "keys", 8) == [2, 1]


def test_texts_that_fit_alike_come_by_their_numbers() -> None:
    texts = index_texts([(8, "One", "same words"), (2, "Two", "same words")])

    assert rank_texts(texts, 2, "words", 8) == [2, 8]


def test_only_as_many_are_found_as_are_asked_for() -> None:
    assert len(rank("the buyer", 2)) == 2


def test_a_text_that_shares_no_word_is_not_found() -> None:
    assert rank("aircraft") == []
    assert rank("") == []
    assert 9 not in rank("buyer")


def test_saying_a_word_twice_changes_nothing() -> None:
    assert rank("buyer buyer buyer paid") == rank("paid buyer")
