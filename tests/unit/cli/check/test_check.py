"""``sopforge check``: nothing to say of what is published, and every change of it is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from sopforge.artifacts.packaging.sop_bench import LAYOUT
from sopforge.cli.app import app
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from tests.worlds.packages import change

FEES = Path(__file__).parents[3] / "briefs" / "fees.yaml"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a release of the fees."""
    store = open_store(tmp_path_factory.mktemp("store"))
    brief = read_brief(FEES.read_text(encoding="utf-8"), FEES.name)
    advance(store, brief, approve_clean=True)
    return Path(publish(store, brief).place)


@pytest.fixture
def package(published: Path, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "fees_l1"
    shutil.copytree(published / "fees_l1", folder)
    yield folder
    shutil.rmtree(folder)


def check(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["check", *map(str, arguments)])
    return done.exit_code, done.output


def findings(folder: Path) -> list[dict[str, str]]:
    _, output = check(folder, "--json")
    (found,) = json.loads(output)
    return list(found["findings"])


def test_a_release_is_found_clean_with_every_package_in_it(published: Path) -> None:
    code, output = check(published)
    assert code == 0
    assert "fees: no findings" in output
    assert "fees_l1: no findings" in output


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("sop.txt", "in time", "on time"),
        ("tools.py", "Records are read once", "Records are read at once"),
        ("openapi.yaml", "Ask the loan system", "Ask the lone system"),
        ("tasks.jsonl", "Film", "Book"),
        ("README.md", "20 tasks", "21 tasks"),
        ("croissant.json", "how the return is judged", "how it is judged"),
        ("grader/coverage.md", "notices", "sees"),
    ],
)
def test_one_changed_word_is_found_even_with_new_checksums(
    package: Path, name: str, old: str, new: str
) -> None:
    change(package, name, old, new)
    other = [item["where"] for item in findings(package) if item["id"] == "file-not-derived"]
    assert other == [name]


def test_what_was_drawn_and_proved_is_compared_by_rebuilding(package: Path) -> None:
    change(package, "grader/coverage.json", '"attempts": 4000', '"attempts": 4001')
    spare = json.loads((package / "grader/coverage.json").read_text(encoding="utf-8"))["spare"]
    change(package, "grader/coverage.json", f'"spare": {spare}', f'"spare": {spare + 1}')
    assert check(package, "--no-rebuild")[0] == 0
    found = [(item["id"], item["where"]) for item in findings(package)]
    assert found == [("file-not-rebuilt", "grader/coverage.json")]


def test_a_package_of_another_version_is_not_rebuilt_but_said_so(package: Path) -> None:
    provenance = json.loads((package / "provenance.json").read_text(encoding="utf-8"))
    provenance["made_with"] = "SOPForge 0.0.1, layout 1"
    (package / "provenance.json").write_text(json.dumps(provenance), encoding="utf-8")
    found = {item["id"]: item["severity"] for item in findings(package)}
    assert found["not-rebuilt"] == "note"
    assert "file-not-rebuilt" not in found


def test_the_table_of_an_earlier_layout_is_taken_in_the_bytes_it_was_written_in(
    package: Path,
) -> None:
    path = package / "grader/tasks.parquet"
    written = BytesIO()
    parquet.write_table(parquet.read_table(path), written)
    path.write_bytes(written.getvalue())
    change(package, "sop.txt", "\n", "\n")  # makes the digests anew
    digest = sha256(written.getvalue()).hexdigest()
    place = ("checksum", "grader/tasks.parquet")
    assert place in [(item["id"], item["where"]) for item in findings(package)]

    for name in ("provenance.json", "README.md"):
        change(package, name, f"layout {LAYOUT}", "layout 6")

    assert digest in (package / "SHA256SUMS").read_text(encoding="utf-8")
    assert [item for item in findings(package) if item["severity"] == "error"] == []


WORDS = "a line of the host"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text(f"{WORDS}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["sop.txt", "records.csv", "grader/tasks.jsonl", "extra.csv"])
@pytest.mark.parametrize("command", ["check", "verify", "run-oracle", "show", "fetch"])
def test_no_command_follows_a_link_of_a_package(
    package: Path, secret: Path, name: str, command: str
) -> None:
    (package / name).unlink(missing_ok=True)
    (package / name).symlink_to(secret)
    more = [str(secret.with_name("copy"))] if command == "fetch" else []

    done = CliRunner().invoke(app, [command, str(package), *more])

    assert f"{package}/{name}: not-a-file: it is a link" in str(done.exception)
    assert WORDS not in done.output + str(done.exception)
    assert not secret.with_name("copy").exists()


def test_a_folder_without_a_file_of_a_package_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "notes").symlink_to("/")
    done = CliRunner().invoke(app, ["check", str(tmp_path)])
    assert f"not-a-package: {tmp_path} is not a package" in str(done.exception)


def test_a_package_that_the_user_names_by_a_link_is_checked(package: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(package)
    assert check(tmp_path / "latest", "--no-rebuild") == check(package, "--no-rebuild")


@pytest.mark.parametrize(
    "value", ["(" * 100_000 + ")" * 100_000, "-" * 100_000 + "1", "a" + ".a" * 100_000]
)
def test_code_that_is_nested_too_deeply_is_a_finding(package: Path, value: str) -> None:
    (package / "tools.py").write_text(f"class FeesManager:\n    x = {value}\n", encoding="utf-8")
    found = {item["id"]: item["where"] for item in findings(package)}
    assert found["tools-malformed"] == f"{package}/tools.py"


def test_a_cell_that_is_too_long_is_a_finding_at_its_line(package: Path) -> None:
    (package / "more.csv").write_text("a\n1\n" + "x" * 131_073 + "\n", encoding="utf-8")
    found = {item["id"]: item["where"] for item in findings(package)}
    assert found["csv-malformed"] == f"{package}/more.csv:3"


def test_an_over_long_value_is_not_echoed(package: Path) -> None:
    metadata = json.loads((package / "metadata.json").read_text(encoding="utf-8"))
    metadata["output_columns"] = ["b" * 4_900_000]
    (package / "metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
    code, output = check(package, "--json", "--no-rebuild")
    assert (code, len(output) < 20_000) == (1, True)


def test_a_description_reads_no_file_of_the_host(package: Path, secret: Path) -> None:
    secret.write_text(json.dumps({"enum": [WORDS]}), encoding="utf-8")
    specs = json.loads((package / "toolspecs.json").read_text(encoding="utf-8"))
    for spec in specs:
        properties = spec["toolSpec"]["inputSchema"]["json"]["properties"]
        properties.update({name: {"$ref": secret.as_uri()} for name in properties})
    (package / "toolspecs.json").write_text(json.dumps(specs), encoding="utf-8")

    code, output = check(package, "--no-rebuild")

    assert (code, "parameter-refuses-rows" in output, WORDS in output) == (1, True, False)


def test_an_api_of_aliases_is_a_finding(package: Path) -> None:
    lines = [f"x{n}: &x{n} {{p: *x{n - 1}, q: *x{n - 1}}}" for n in range(1, 60)]
    with (package / "openapi.yaml").open("a", encoding="utf-8") as file:
        file.write("x0: &x0 {p: 1}\n" + "\n".join(lines) + "\n")
    (found,) = [item for item in findings(package) if item["id"] == "openapi-invalid"]
    assert "aliases, which begin with *, are not read" in found["message"]


def test_a_file_that_is_no_json_is_reported_once_and_at_its_own_place(package: Path) -> None:
    (package / "toolspecs.json").write_text("{broken", encoding="utf-8")

    code, text = check(package)

    assert code == 1
    assert text.count("not JSON") == 1
    assert f"({package}/toolspecs.json)" in text
    assert "JSONDecodeError" not in text
    assert "/sopforge-" not in text
