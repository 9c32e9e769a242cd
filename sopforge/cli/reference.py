"""The documentation's page on the command line, read off the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Any

import typer

from sopforge.cli.app import app
from sopforge.cli.commands import EXIT_CODES, GROUPS, PANELS, Command, Group, describe_exits

HEAD = """# The command line

This page is generated from `sopforge/cli/`; `sopforge COMMAND --help` shows the same text.
[json.md](json.md) describes the output of `--json`. To let your shell complete commands, options,
domains, stages and versions, run `sopforge --install-completion`.

In the column *Default*, a name such as `SOPFORGE_STORE` is an environment variable.
"""

_VALUES = {"place": "STORE"}
"""What stands for an option's value where it is not the name of the parameter."""


def render_commands_page() -> str:
    """Return the page: exit codes, then each command with its arguments, options and examples.

    Commands that share a word stand after the others of their panel, below that word.
    """
    known: Any = typer.main.get_command(app)
    lines = [HEAD, "## Exit codes\n", "| Code | Meaning |", "| --- | --- |"]
    lines += [f"| {code} | {means} |" for code, means in EXIT_CODES.items()]
    lines += [
        "",
        "To show the traceback of an error, run `sopforge --debug COMMAND`. To show the version,",
    ]
    lines += ["run `sopforge --version`.", ""]
    lines += ["| Purpose | Commands |", "| --- | --- |"]
    for panel, commands in PANELS.items():
        names = [*(item.name for item in commands), *(item.name for item in _select_groups(panel))]
        links = ", ".join(f"[{name}](#{name})" for name in names)
        lines.append(f"| {panel} | {links} |")
    for panel, commands in PANELS.items():
        for command in commands:
            lines += ["", *_render_section(command, known.commands[command.name])]
        for group in _select_groups(panel):
            lines += ["", f"## {group.name}\n", group.says]
            within = known.commands[group.name].commands
            for command in group.commands:
                lines += ["", *_render_section(command, within[command.name], group.name)]
    return "\n".join(lines) + "\n"


def _select_groups(panel: str) -> list[Group]:
    return [group for group in GROUPS if group.panel == panel]


def _render_section(command: Command, shown: Any, group: str = "") -> Iterator[str]:  # noqa: ANN401 - typer's own click
    """Yield the lines of a command, which may stand below the word that it shares with others."""
    called = f"{group} {command.name}".strip()
    arguments = [item for item in shown.params if item.param_type_name == "argument"]
    options = [item for item in shown.params if item.param_type_name == "option"]
    words = [
        _format_argument(item) if item.required else f"[{_format_argument(item)}]"
        for item in arguments
    ]
    yield f"{'###' if group else '##'} {called}\n"
    yield inspect.cleandoc(command.function.__doc__ or "")
    yield f"\n```\nsopforge {' '.join([called, *words, '[OPTIONS]'])}\n```\n"
    yield "| Argument or option | Description | Default |"
    yield "| --- | --- | --- |"
    for item in (*arguments, *options):
        cells = (_format_names(item), item.help, _format_default(item))
        yield f"| {' | '.join(map(_escape_cell, cells))} |"
    if command.exits:
        yield f"\n{describe_exits(command)}"
    yield "\n```sh"
    yield from (f"sopforge {example}" for example in command.examples)
    yield "```"


def _format_argument(item: Any) -> str:  # noqa: ANN401 - typer's own click
    """Return what stands for an argument, of which there may be several."""
    word = str(item.metavar or item.name.upper())
    return f"{word}..." if item.nargs == -1 else word


def _format_names(item: Any) -> str:  # noqa: ANN401 - typer's own click
    if item.param_type_name == "argument":
        return f"`{_format_argument(item)}`"
    word = item.metavar or _VALUES.get(item.name, item.name.upper())
    takes = "" if item.is_flag else f" {word}"
    return ", ".join(
        f"`{text}`" for text in _iterate_spellings(item.opts, item.secondary_opts, takes)
    )


def _iterate_spellings(names: Iterable[str], others: Iterable[str], takes: str) -> Iterator[str]:
    yield from (f"{name}{takes}" for name in names)
    yield from others


def _format_default(item: Any) -> str:  # noqa: ANN401 - typer's own click
    if item.required:
        return "**required**"
    defaults = [getattr(item, "envvar", None)]
    if item.default is True:
        defaults.append(item.opts[0])
    elif item.default not in {None, "", False}:
        defaults.append(str(item.default))
    return ", else ".join(f"`{text}`" for text in defaults if text)


def _escape_cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|")
