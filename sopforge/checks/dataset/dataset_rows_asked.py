"""Dataset: rows that a language model was asked for are all accounted for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.proof.dataset.coverage.written_rows import WRITTEN
from sopforge.workspace import ROWS_ASKED, Workspace


class DatasetRowsAsked:
    """SOPForge accepted or rejected every requested row, and only accepted rows are tasks."""

    name = "dataset-rows-asked"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        tasks = sum(task.key.startswith(WRITTEN) for task in workspace.tasks)
        text = workspace.files.get(ROWS_ASKED)
        if text is None:
            return (
                [
                    _make_figure_finding(
                        f"{tasks} task{'s come' if tasks != 1 else ' comes'} from"
                        " rows that were not accepted"
                    )
                ]
                if tasks
                else []
            )
        book = json.loads(text)
        wrong = list(map(_make_figure_finding, _find_wrong_figures(book, tasks)))
        return wrong or [_make_summary_finding(book)]

    def spoil(self, workspace: Workspace) -> Workspace:
        row = {"asked_for": "somewhere", "round": 0, "taken": "somewhere", "cells": {}}
        book = {"asked": 2, "accepted": 1, "rejected": 0, "reasons": {}, "rows": [row], "tasks": 0}
        return workspace.with_files({ROWS_ASKED: json.dumps(book)})


def _find_wrong_figures(book: Mapping[str, Any], tasks: int) -> list[str]:
    """Return what of the figures of a book is not so."""
    rejected = [row["reason"] for row in book["rows"] if row.get("reason")]
    accepted = len(book["rows"]) - len(rejected)
    reasons = {reason: rejected.count(reason) for reason in rejected}
    figures = {
        "asked for": (book["asked"], accepted + len(rejected)),
        "accepted": (book["accepted"], accepted),
        "rejected": (book["rejected"], len(rejected)),
        "rejected with a reason": (book["rejected"], sum(book["reasons"].values())),
        "among the tasks": (book["tasks"], tasks),
    }
    wrong = [
        f"the file counts {stated} row{'s' * (stated != 1)} as {name}, but {found}"
        f" {'is' if found == 1 else 'are'}"
        for name, (stated, found) in figures.items()
        if stated != found
    ]
    wrong += (
        ["the stated reasons differ from those of the rows"] if book["reasons"] != reasons else []
    )
    return wrong + (
        [f"{tasks} tasks come from {accepted} accepted row{'s' * (accepted != 1)}"]
        if tasks > accepted
        else []
    )


def _make_figure_finding(message: str) -> Finding:
    hint = "generate the dataset again, which also writes this file again"
    return make_error_finding("rows-not-accounted-for", message, where=ROWS_ASKED, hint=hint)


def _make_summary_finding(book: Mapping[str, Any]) -> Finding:
    message = (
        f"{book['asked']} rows were asked for: {book['accepted']} accepted, "
        f"{book['rejected']} rejected; {book['tasks']} are tasks"
    )
    evidence = "\n".join(f"{count} times: {reason}" for reason, count in book["reasons"].items())
    return Finding("rows-asked", Severity.NOTE, message, ROWS_ASKED, evidence=evidence)


CHECK = DatasetRowsAsked()
