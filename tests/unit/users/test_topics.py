"""What an agent's message asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.harness.users.topics import Topics
from sopforge.language.domain.reading import read_brief
from sopforge.session.layers import split_label
from tests.worlds.small_models import changed

COUNTER = (Path(__file__).parents[3] / "docs/examples/small_counter.yaml").read_text("utf-8")
TOPICS = Topics(read_brief(COUNTER, "counter.yaml").model)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("What is the paying account?", ("payer",), id="a label"),
        pytest.param("PAYING-ACCOUNT, please.", ("payer",), id="a label in other letters"),
        pytest.param("Which paying accounts are yours?", ("payer",), id="a plural"),
        pytest.param("Which accountants?", (), id="a longer word"),
        pytest.param("I need the payer.", ("payer",), id="a name"),
        pytest.param("request_id?", ("request_id",), id="a name with an underscore"),
        pytest.param("Give me requestId", ("request_id",), id="a name with a hump"),
        pytest.param("Which account?", ("payer", "payee"), id="a word of two labels"),
        pytest.param("And the target?", ("payee",), id="the parameter of a tool"),
        pytest.param("The PIN and the amount.", ("pin", "amount"), id="two at once"),
        pytest.param("What is the balance of the paying account?", ("payer_balance",), id="longer"),
        pytest.param("Is it a spinner or a prepayment?", (), id="parts of words"),
        pytest.param("What do you need, and for whom?", (), id="nothing"),
        pytest.param("", (), id="no words"),
    ],
)
def test_a_message_asks_for_what_its_words_name_the_longest_first(
    text: str, found: tuple[str, ...]
) -> None:
    assert TOPICS.find(text) == found


def test_a_plural_without_an_s_and_its_singular_ask_for_the_same() -> None:
    label = ("label: paying account", "label: people on the account")
    topics = Topics(read_brief(changed(COUNTER, label), "counter.yaml").model)

    assert topics.find("Which people?") == topics.find("Which person?") == ("payer",)
    assert topics.find("Which persons?") == ("payer",)


def test_words_of_labels_that_mean_nothing_by_themselves_ask_for_nothing() -> None:
    assert split_label("given PIN") == ("given", "pin")
    assert TOPICS.find("Given that, I go on.") == ()
