from decimal import Decimal

from sopforge.harness.layers.call_names import find_free_name, name_call
from sopforge.session.layers import draw


def test_equal_calls_have_one_name_in_whatever_order_their_arguments_are() -> None:
    assert name_call("pay", {"b": 1, "a": "x"}) == name_call("pay", {"a": "x", "b": 1})
    assert name_call("pay", {"a": 1}) != name_call("pay", {"a": 2})
    assert name_call("pay", {"a": 1}) != name_call("owe", {"a": 1})


def test_numbers_keep_no_more_places_in_a_name_than_in_json() -> None:
    assert name_call("pay", {"a": 1.5}) == name_call("pay", {"a": Decimal("1.5")})


def test_a_name_in_use_gets_a_number() -> None:
    assert find_free_name("open", set()) == "open"
    assert find_free_name("open", {"open"}) == "open2"
    assert find_free_name("open", {"open", "open2"}) == "open3"


def test_what_is_drawn_in_a_session_is_the_same_for_the_same_key() -> None:
    drawn = [draw(3, 7, "key", place) for place in range(60)]

    assert drawn == [draw(3, 7, "key", place) for place in range(60)]
    assert set(drawn) == {0, 1, 2}
