"""The report and the leaderboard in a real browser: light and dark, without a serious finding."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from typer.testing import CliRunner

from sopforge.cli.app import app
from tests.worlds.releases import fees_release
from tests.worlds.shared_builds import Shared

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium on this machine"),
]


def test_pages_are_sound_in_both_themes(shared: Shared, tmp_path: Path) -> None:
    package, run, site = fees_release(shared) / "fees", tmp_path / "run", tmp_path / "site"
    agents = ("--agent", "gold", "--agent", "one-mistake:mutant fee, F1 dropped")
    for arguments in (
        ("evaluate", str(package), *agents, "--out", str(run)),
        ("report", "--site", str(run), "--out", str(site)),
    ):
        assert CliRunner().invoke(app, arguments).exit_code == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        for scheme in ("light", "dark"):
            # The page lets no script run, that of the examination neither.
            context = browser.new_context(color_scheme=scheme, bypass_csp=True)
            page = context.new_page()
            for name in ("index.html", "domain-1.html"):
                page.goto((site / name).as_uri())
                page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
                found = Axe().run(page).response["violations"]
                assert (scheme, name, [item["id"] for item in found]) == (scheme, name, [])
            context.close()
        browser.close()
