"""What each stage makes, in a few words for people who do not know its name."""

from __future__ import annotations

from collections.abc import Mapping

ABOUT: Mapping[str, str] = {
    "schema": "The rules, limits and steps, exactly",
    "sop": "The procedure as a document that agents read",
    "dataset": "The tasks with their right answers",
    "api": "The services that agents call",
    "toolspec": "The descriptions of tools that agents receive",
    "tools": "The programs that answer the calls",
    "complexity": "The same tasks, made harder to read",
}
