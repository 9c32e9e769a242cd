"""The documentation's page on the command line, read off the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Any

import typer

from sopforge.cli.app import app
from sopforge.cli.commands import EXIT_CODES, GROUPS, OLD_NAMES, PANELS, Command

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
        names = dict.fromkeys(command.words[0] for command in commands)
        lines.append(f"| {panel} | {', '.join(f'[{name}](#{name})' for name in names)} |")
    begun: set[str] = set()
    for command in (command for commands in PANELS.values() for command in commands):
        if command.group not in begun and command.group:
            lines += ["", f"## {command.group}\n", GROUPS[command.group]]
        begun.add(command.group)
        shown = known
        for word in command.words:
            shown = shown.commands[word]
        lines += ["", *_render_section(command, shown)]
    lines += ["", "## Old names\n", "These names still work, until the next release.\n"]
    lines += ["| Old name | Use |", "| --- | --- |"]
    lines += [f"| `{old}` | `sopforge {new}` |" for old, new in OLD_NAMES.items()]
    return "\n".join(lines) + "\n"


def _render_section(command: Command, shown: Any) -> Iterator[str]:  # noqa: ANN401 - typer's own click
    """Yield the lines of a command, which may stand below the word that it shares with others."""
    called = " ".join(command.words)
    arguments = [item for item in shown.params if item.param_type_name == "argument"]
    options = [item for item in shown.params if item.param_type_name == "option"]
    words = [
        _format_argument(item) if item.required else f"[{_format_argument(item)}]"
        for item in arguments
    ]
    yield f"{'###' if command.group else '##'} {called}\n"
    yield inspect.cleandoc(command.function.__doc__ or "")
    yield f"\n```\nsopforge {' '.join([called, *words, '[OPTIONS]'])}\n```\n"
    yield "| Argument or option | Description | Default |"
    yield "| --- | --- | --- |"
    for item in (*arguments, *options):
        cells = (_format_names(item), item.help, _format_default(item))
        yield f"| {' | '.join(map(_escape_cell, cells))} |"
    if command.exits:
        yield f"\n{command.exits}"
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
