"""Runs a hostile module as an ordinary process, beside a neighbour, to see that its attack is real.

Called with a JSON file of both folders and of the arguments. It writes three lines: what the
attack answered, what the module's honest tool answered, and what the neighbour answered after all.
"""

import importlib.util
import json
import sys


def load(folder, name):
    path = f"{folder}/tools.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    managers = sorted(known for known in dir(module) if known.endswith("Manager"))
    return getattr(module, managers[0])()


def send(number, reply):
    sys.__stdout__.write(json.dumps({"n": number, **reply}) + "\n")
    sys.__stdout__.flush()


def answer(manager, number, tool, arguments):
    method = getattr(manager, tool, None)
    try:
        reply = {"value": method(**arguments) if method else None}
    except Exception as raised:
        reply = {"refusal": [getattr(raised, "code", type(raised).__name__), str(raised)]}
    send(number, reply)


def main():
    with open(sys.argv[1]) as file:
        plan = json.load(file)
    neighbour = load(plan["neighbour"], "neighbour")
    tools = load(plan["tools"], "tools")
    answer(tools, 1, "attack", plan["arguments"])
    answer(tools, 2, "honest", {"number": 20})
    answer(neighbour, 3, "look_up", {"number": 1})


main()
