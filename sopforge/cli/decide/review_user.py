"""``sopforge review-user``: who may open the review pages of others' machines."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.decide.review import UsersFile
from sopforge.cli.output import make_console, make_table, say
from sopforge.progress.tracking import wait_for_others

Name = Annotated[str, typer.Argument(help="Name of the user, as recorded with decisions.")]


def add(
    name: Name,
    role: Annotated[
        str,
        typer.Option(
            help="Role: viewer, reviewer (can also decide) or publisher (can also publish)."
        ),
    ] = "reviewer",
    through_proxy: Annotated[
        bool,
        typer.Option(
            "--through-proxy", help="Let a proxy authenticate the user, without a secret."
        ),
    ] = False,
    users: UsersFile = None,
) -> None:
    """Add a user; the command asks for the secret, or reads it from standard input."""
    from review.access.users import Role, UserFile
    from review.serving import get_default_users_file
    from sopforge.errors import Fault, MaterialError

    roles = [item.value for item in Role]
    if role not in roles:
        hint = f"choose one of {', '.join(roles)}"
        raise MaterialError(Fault("unknown-role", f"'{role}' is not a role", "--role", hint))
    file = UserFile(users or get_default_users_file())
    file.refuse_known(name)
    secret = None if through_proxy else _read_secret(name)
    file.add(name, Role(role), secret)
    say(make_console(), f"{name} is a {role} now, in {file.path}.")


def remove(name: Name, users: UsersFile = None) -> None:
    """Remove a user, and end their sessions at once."""
    from review.access.users import UserFile
    from review.serving import get_default_users_file

    UserFile(users or get_default_users_file()).remove(name)
    say(make_console(), f"{name} is no longer a user.")


def list_users(users: UsersFile = None) -> None:
    """List the users with their roles."""
    from review.access.users import UserFile
    from review.serving import get_default_users_file

    file, screen = UserFile(users or get_default_users_file()), make_console()
    known = file.read_users()
    if not known:
        say(screen, f"No users in {file.path} yet; add one with: sopforge review-user add NAME")
        return
    rows = [
        (user.name, user.role, "with a secret" if user.secret else "through a proxy")
        for user in known.values()
    ]
    screen.print(make_table(str(file.path), ["name", "role", "logs in"], rows))


def _read_secret(name: str) -> str:
    """Return the secret that somebody types twice; one that is piped in is read once."""
    stream = typer.get_text_stream("stdin")
    if stream.isatty():
        with wait_for_others("a secret"):
            return str(typer.prompt(f"Secret of {name}", hide_input=True, confirmation_prompt=True))
    return stream.readline().rstrip("\r\n")
