from decimal import Decimal

from sopforge.harness.environment.events import Reply
from sopforge.harness.layers.records.near_duplicates import Entry, NearDuplicate
from sopforge.sandbox.answers import JSONValue
from sopforge.session.layers import rename_reply

NEAR = NearDuplicate(
    "P-2", {"name": Entry('"Ann"', '"Eve"'), "amount": Entry("1", "2.50"), "day": Entry("3", "3")}
)


def resolve(**given: JSONValue) -> dict[str, JSONValue]:
    return NEAR.resolve_arguments("P-1", given, is_compared=False)


def compare(**given: JSONValue) -> dict[str, JSONValue]:
    return NEAR.resolve_arguments("P-1", given, is_compared=True)


def test_a_call_about_a_near_duplicate_is_one_about_the_case_it_leads_to() -> None:
    assert resolve(key="P-1", name="Ann", text="P-1 it is") == {
        "key": "P-2",
        "name": "Ann",
        "text": "P-1 it is",
    }


def test_what_agrees_with_the_register_agrees_with_the_record_that_is_compared() -> None:
    assert compare(key="P-1", name="Ann", amount=1, day=3) == {
        "key": "P-2",
        "name": "Eve",
        "amount": Decimal("2.50"),
        "day": 3,
    }


def test_what_the_register_does_not_have_does_not_agree_with_the_record() -> None:
    assert compare(key="P-1", name="Eve", amount=Decimal("2.50")) == {
        "key": "P-2",
        "name": "Ann",
        "amount": 1,
    }
    assert compare(key="P-1", name="Ida")["name"] == "Ida"


def test_a_reply_shows_the_key_that_was_asked_for() -> None:
    reply = Reply({"key": "P-2", "list": [{"of": "P-2"}], "text": "as P-2"})
    refusal = Reply(None, "unknown_record", "no record has the key P-2")

    result, _, _ = rename_reply(reply, "P-2", "P-1")
    assert result == {"key": "P-1", "list": [{"of": "P-1"}], "text": "as P-2"}
    _, _, message = rename_reply(refusal, "P-2", "P-1")
    assert message == "no record has the key P-1"
