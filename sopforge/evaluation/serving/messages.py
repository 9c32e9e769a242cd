"""Messages of clients, read as lines of agents are; what is none is answered by its id."""

from __future__ import annotations

import json
import re

from mcp import types
from pydantic import ValidationError

from sopforge.session.environment import LineError, read_object, replace_surrogates

# A text that does not end reaches to the end: tried anew at each of its quotes, it would take long.
_TEXT = r'"(?:[^"\\]|\\.)*+\\?(?:"|\Z)'
_TOKEN = re.compile(rf"{_TEXT}|[\[\]{{}}]", re.DOTALL)
_ID = re.compile(rf"\s*:\s*(-?[0-9]{{1,18}}(?![0-9.eE])|{_TEXT})", re.DOTALL)


class MessageError(Exception):
    """What a client wrote is no message; ``answer`` says so to it."""

    def __init__(self, line: bytes, code: int, says: str) -> None:
        super().__init__(says)
        error = types.ErrorData(code=code, message=says)
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=find_id(line), error=error)


def read_message(line: bytes) -> types.JSONRPCMessage:
    """Return the message on a line.

    Raises:
        MessageError: it is none.
    """
    try:
        said = read_object(line)
    except LineError as cause:
        raise MessageError(line, types.PARSE_ERROR, str(cause)) from cause
    # Else it would be taken for a notification, which nobody answers.
    if "method" in said and "id" in said and type(said["id"]) not in {str, int}:
        says = "the id is no text and no whole number"
        raise MessageError(line, types.INVALID_REQUEST, says)
    try:
        return types.jsonrpc_message_adapter.validate_python(said, by_name=False)
    except ValidationError as cause:
        says = "this is no message of JSON-RPC 2.0"
        raise MessageError(line, types.INVALID_REQUEST, says) from cause


def find_id(line: bytes) -> str | int | None:
    """Return the id that an object has, even one that cannot be read as a whole."""
    text, depth = line.decode("utf-8-sig", "replace"), 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif depth == 1 and token[0] == '"id"' and (found := _ID.match(text, token.end())):
            return _read_id(found[1])
    return None


def _read_id(text: str) -> str | int | None:
    try:
        found: str | int = json.loads(text)
    except ValueError:
        return None
    return replace_surrogates(found) if isinstance(found, str) else found
