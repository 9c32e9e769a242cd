"""By what name each agent is asked for."""

from __future__ import annotations

from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.column_agents import make_column_agent
from sopforge.evaluation.agents.mcp_agent import make_mcp_agent
from sopforge.evaluation.agents.own_agents import (
    FunctionAgent,
    is_agent_function,
    load_function_agent,
    make_command_agent,
)
from sopforge.evaluation.agents.scripted import COMMAND, FUNCTION, MCP, make_scripted_agent
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.packages.published import PublishedPackage
from sopforge.extensions import list_names, load_fitting
from sopforge.harness.users.listening import Listener


def make_agent(
    name: str, package: EvaluatedPackage, time_limit: float, listener: Listener | None = None
) -> EvaluatedAgent:
    """Return the agent of a name; ``time_limit`` is what a command may take for a task, in seconds.

    A ``listener`` speaks with the user for programs of ours, where there is one.

    Raises:
        MaterialError: there is no such agent, or it lacks what it needs: a library that is not
            installed, or a model that the package does not have.
    """
    if name.startswith(COMMAND):
        return make_command_agent(name.removeprefix(COMMAND), time_limit)
    if name.startswith(MCP):
        return make_mcp_agent(name.removeprefix(MCP), package, time_limit)
    if name.startswith(FUNCTION):
        return load_function_agent(name, name.removeprefix(FUNCTION))
    if name in list_names("agents"):
        return FunctionAgent(name, load_fitting("agents", name, is_agent_function))
    if isinstance(package, PublishedPackage):
        return make_column_agent(name, package)
    if isinstance(package, ProvedPackage):
        return make_scripted_agent(name, package, listener)
    raise AssertionError("some of the packages were made by SOPForge, and others were not")
