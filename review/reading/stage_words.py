"""What each stage makes, in a few words for people who do not know its name."""

from __future__ import annotations

from collections.abc import Mapping

ABOUT: Mapping[str, str] = {
    "schema": "The exact rules, limits and steps",
    "sop": "The procedure as a document that agents read",
    "dataset": "The tasks with their correct answers",
    "api": "The services that agents call",
    "toolspec": "The descriptions of tools that agents receive",
    "tools": "The code that answers the calls",
    "complexity": "The same tasks, made harder to read",
}
