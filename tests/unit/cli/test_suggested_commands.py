"""A suggested command works as it is printed; a folder that is not a package is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.cli.options import store_option
from sopforge.errors import MaterialError, SopForgeError
from sopforge.pipeline.releases.locating import locate_release

FEES = Path(__file__).parents[2] / "briefs" / "fees.yaml"


def said(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    return result.output


def test_the_option_is_left_out_for_the_default_and_quoted_where_need_be() -> None:
    assert store_option("generated") == ""
    assert store_option("my store") == " --store 'my store'"


def refused(*arguments: str) -> str:
    """Return the hint of a command that is refused."""
    result = CliRunner().invoke(app, list(arguments))
    assert isinstance(result.exception, SopForgeError), result.output
    return result.exception.faults[0].hint


def test_whoever_is_refused_is_given_the_command_that_helps_with_the_store(tmp_path: Path) -> None:
    store = str(tmp_path / "there")
    there = f" --store {store}"
    said("generate", str(FEES), "--store", store)

    assert refused("approve", "fees", "sop", "--store", store).endswith(
        f"sopforge show fees schema{there}"
    )
    assert refused("publish", "fees", "--store", store).endswith(f"sopforge status fees{there}")
    assert refused("diff", "fees", "sop", "--from", "7", "--store", store).endswith(
        f"sopforge status fees{there}"
    )
    assert refused("reread", "fees", "--model", "openai:x", "--store", store).endswith(
        f"sopforge continue fees{there}"
    )
    approved = said("approve", "fees", "schema", "--store", store)
    assert f"sopforge continue fees{there}\n" in approved
    assert refused("approve", "fees", "schema", "--store", store).endswith(
        f"sopforge status fees{there}"
    )


_MARKS = (
    *("release.json", "grader", "metadata.json", "sop.txt", "tools.py", "toolspecs.json"),
    *("test_set.csv", "test_set_with_outputs.csv"),
)


@pytest.mark.parametrize(
    ("files", "message", "hint"),
    [
        (
            (),
            "there is no folder {}",
            "name the folder of a package, as 'sopforge publish' prints it",
        ),
        (
            ("notes.txt",),
            "{} is not a package: it has none of " + ", ".join(_MARKS),
            "name the folder of a package, as 'sopforge publish' prints it",
        ),
        (
            ("release.json", "fees/tools.py"),
            "{} is a release, so it contains several packages",
            "name one of them, for example {}/fees",
        ),
    ],
    ids=["no folder", "another folder", "release"],
)
def test_what_is_no_package_is_reported(
    tmp_path: Path, files: tuple[str, ...], message: str, hint: str
) -> None:
    folder = tmp_path / "package"
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("", encoding="utf-8")

    with (
        pytest.raises(MaterialError) as caught,
        locate_release(str(folder), str(tmp_path)) as found,
    ):
        found.require_package()

    (fault,) = caught.value.faults
    assert (fault.message, fault.hint) == (message.format(folder), hint.format(folder))
