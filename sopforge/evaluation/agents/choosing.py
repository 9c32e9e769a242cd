"""By what name each agent is asked for."""

from __future__ import annotations

from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.mcp_agent import make_mcp_agent
from sopforge.evaluation.agents.own_agents import load_function_agent, make_command_agent
from sopforge.evaluation.agents.scripted import COMMAND, FUNCTION, MCP, make_scripted_agent
from sopforge.evaluation.packages.proved import ProvedPackage


def make_agent(name: str, package: ProvedPackage, time_limit: float) -> EvaluatedAgent:
    """Return the agent of a name; ``time_limit`` is what a command may take for a task, in seconds.

    Raises:
        MaterialError: there is no such agent, or a library that it needs is not installed.
    """
    if name.startswith(COMMAND):
        return make_command_agent(name.removeprefix(COMMAND), time_limit)
    if name.startswith(MCP):
        return make_mcp_agent(name.removeprefix(MCP), package, time_limit)
    if name.startswith(FUNCTION):
        return load_function_agent(name, name.removeprefix(FUNCTION))
    return make_scripted_agent(name, package)
