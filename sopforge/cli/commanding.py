"""Makes a command of a function: expands its groups of options, and prints its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from inspect import Parameter, signature
from types import NoneType
from typing import Any, get_type_hints

import typer

from sopforge.cli.options import AsJson
from sopforge.cli.output import Result, print_result

_AS_JSON = "as_json"
_KIND = Parameter.KEYWORD_ONLY
_LAST = ("sandbox", "place")
"""What stands below the options of a command's own: nearly all commands have it."""


def make_command(function: Callable[..., Result | None]) -> Callable[..., None]:
    """Return a function whose parameters are the options of a command, for typer.

    A parameter of a dataclass becomes one option for each of its fields, which groups may share.
    A function that returns a result has the option ``--json``.
    """
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    groups.pop("return", None)
    own = [name for name in signature(function).parameters if name not in groups]

    def run(**given: Any) -> None:  # noqa: ANN401 - whatever typer parsed
        values = {name: given[name] for name in own}
        for name, kind in groups.items():
            values[name] = kind(**{item.name: given[item.name] for item in fields(kind)})
        result = function(**values)
        if result is not None:
            print_result(result, as_json=given[_AS_JSON])
            raise typer.Exit(result.exit_code)

    parameters = {item.name: item for item in _iterate_parameters(function, hints, groups)}
    if hints["return"] is not NoneType:
        json_option = Parameter(_AS_JSON, _KIND, default=False, annotation=AsJson)
        parameters.setdefault(_AS_JSON, json_option)
    for name in (*_LAST, _AS_JSON):
        if name in parameters:
            parameters[name] = parameters.pop(name)
    described: Any = run
    described.__signature__ = signature(run).replace(parameters=list(parameters.values()))
    run.__annotations__ = {name: item.annotation for name, item in parameters.items()}
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


def _iterate_parameters(
    function: Callable[..., object], hints: dict[str, Any], groups: dict[str, Any]
) -> Iterator[Parameter]:
    for name, parameter in signature(function).parameters.items():
        if name not in groups:
            yield parameter.replace(kind=_KIND, annotation=hints[name])
            continue
        within = get_type_hints(groups[name], include_extras=True)
        for item in fields(groups[name]):
            default = _get_default(item)
            yield Parameter(item.name, _KIND, default=default, annotation=within[item.name])


def _get_default(item: Field[Any]) -> Any:  # noqa: ANN401 - of any type of option
    return Parameter.empty if item.default is MISSING else item.default
