"""``sopforge show --docx`` writes the SOP for Word, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from docx import Document
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.errors import MaterialError
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from tests.worlds.changed_briefs import REFUND
from tests.worlds.quick_builds import settle


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which an SOP waits."""
    folder = tmp_path_factory.mktemp("store")
    store, brief = open_store(folder), read_brief(REFUND, "brief.yaml")
    advance(store, brief)
    settle(store, "schema", by="eve")
    advance(store, brief)
    return folder


def test_the_sop_is_written_for_word(place: Path, tmp_path: Path) -> None:
    path = tmp_path / "sop.docx"
    asked = ["show", "refund", "sop", "--docx", str(path), "--store", str(place)]
    done = CliRunner().invoke(app, asked)

    assert done.exit_code == 0
    assert "wrote" in done.output
    made = Document(str(path))
    styles = {part.style.name for part in made.paragraphs if part.style}
    assert {"Title", "Heading 1", "Heading 2", "List Bullet"} <= styles
    assert made.paragraphs[0].text == "Standard Operating Procedure: Order Refunds"


def test_no_other_stage_is(place: Path, tmp_path: Path) -> None:
    path = tmp_path / "schema.docx"
    asked = ["show", "refund", "schema", "--docx", str(path), "--store", str(place)]
    refused = CliRunner().invoke(app, asked).exception

    assert isinstance(refused, MaterialError)
    assert refused.faults[0].code == "not-an-sop"
    assert refused.faults[0].hint == f"sopforge show refund sop --docx {path}"
    assert not path.exists()


def test_the_command_loads_the_library_of_word_for_nothing_else(place: Path) -> None:
    shown = (
        "import sys; from typer.testing import CliRunner; from sopforge.cli.app import app;"
        f" CliRunner().invoke(app, ['show', 'refund', 'sop', '--store', {str(place)!r}]);"
        " print('docx' in sys.modules, 'lxml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
