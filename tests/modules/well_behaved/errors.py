"""Raises errors of its own family, chained and with codes."""


class ToolError(Exception):
    code = "tool_error"

    def __init__(self, message, *, code=None):
        super().__init__(message)
        self.code = code or type(self).code


class NotFound(ToolError):
    code = "not_found"


class GoodManager:
    def run(self, *, how):
        return getattr(self, how)()

    def own(self):
        raise ToolError("wrong amount", code="bad_amount")

    def child(self):
        raise NotFound("no order O-1")

    def plain(self):
        raise ValueError("not a number: 'x'")

    def bare(self):
        raise LookupError

    def key(self):
        return {}["C-1"]

    def chained(self):
        try:
            int("x")
        except ValueError as raised:
            raise NotFound("no order x") from raised

    def noted(self):
        raised = ToolError("with a note", code="noted")
        raised.add_note("look again")
        raise raised

    def many(self):
        try:
            raise ExceptionGroup("many", [ValueError("a"), KeyError("b")])
        except* ValueError as group:
            found = [str(one) for one in group.exceptions]
        except* KeyError:
            pass
        return found

    def asserted(self):
        assert 1 == 2, "one is not two"

    def after_finally(self):
        try:
            return "tried"
        finally:
            self.seen = True
