"""Messages of clients: what is none is refused by the id that it has."""

from __future__ import annotations

import pytest

from sopforge.evaluation.serving.messages import MessageError, find_id, read_message


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"jsonrpc": "2.0", "id": 7, "method": "ping"}', 7),
        ('{"params": {"id": 1, "a": ["id", {"id": 2}]}, "method": "id", "id" : "x\\"y"}', 'x"y'),
        ('\ufeff{"id": -3, "params": {"a": NaN}}', -3),
        ('{"id": 4, "params": ' + "[" * 90_000, 4),
        ('{"params": "not ended, \\"id\\": 5', None),
        ('{"params": ' + '"\\"' * 300_000, None),
        ('{"id": 1.5}', None),
        ('{"id": null}', None),
        ('{"id": "\\ud800"}', "\ufffd"),
        ('[{"id": 1}]', None),
        ("no JSON", None),
    ],
)
def test_the_id_of_a_line_is_found_whatever_else_stands_in_it(
    line: str, found: str | int | None
) -> None:
    assert find_id(line.encode()) == found


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        (b'{"jsonrpc": "2.0", "id": 9, "method"', -32700, "this line is no JSON"),
        (b'{"id": 9, "method": "ping"}', -32600, "this is no message of JSON-RPC 2.0"),
        (b'{"jsonrpc": "2.0", "id": 9, "method": ["ping"]}', -32600, "this is no message"),
    ],
)
def test_what_is_no_message_is_refused_by_its_id(line: bytes, code: int, says: str) -> None:
    with pytest.raises(MessageError) as caught:
        read_message(line)
    answer = caught.value.answer
    assert (answer.id, answer.error.code) == (9, code)
    assert says in answer.error.message


@pytest.mark.parametrize("given", ["null", "1.5", "true", "[1]"])
def test_a_request_whose_id_is_none_is_refused_and_not_taken_for_a_notification(given: str) -> None:
    line = f'{{"jsonrpc": "2.0", "id": {given}, "method": "ping"}}'
    with pytest.raises(MessageError) as caught:
        read_message(line.encode())
    answer = caught.value.answer
    assert (answer.id, answer.error.code) == (None, -32600)
    assert answer.error.message == "the id is no text and no whole number"
