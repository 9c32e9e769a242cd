"""Takes all calls by one method, as some suites of tools do."""


class GoodManager:
    def process_tool_call(self, tool_name, tool_input):
        tools = {"run": self.add, "other": lambda **_: None}
        if tool_name not in tools:
            raise ValueError(f"unknown tool {tool_name}")
        return tools[tool_name](**tool_input)

    def add(self, *, a, b=2):
        return {"sum": a + b}
