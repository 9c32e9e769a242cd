"""Small packages as dials are put around their cases, and programs that work amid them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from sopforge.evaluation.packages.proved import read_proved
from sopforge.harness.environment.session import Session, open_session
from sopforge.harness.grading.grades import Attempt, Grade, Stop
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.dials import ABLATED
from sopforge.harness.layers.layered import Cases, LayeredCases
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.working import LayeredAgent


def read_core(folder: Path) -> PlainCases:
    """Return the plain cases of a package, with grades that say what is right, and no more.

    They are many times as quick.
    """
    return replace(read_proved(folder).plain, is_brief=True)


def find_plain(cases: Cases) -> PlainCases:
    """Return cases without their layers."""
    return find_plain(cases.inner) if isinstance(cases, LayeredCases) else cases


def make_agent(cases: Cases, name: str = "") -> LayeredAgent:
    """Return an ablated agent for some cases, the reference where none is named."""
    lacks: Collection[str] = (ABLATED[name].lacks,) if name else ()
    return LayeredAgent(find_plain(cases).model, lacks)


def work(cases: Cases, task: str, name: str = "") -> Session[Any]:
    """Return a session in which an agent has worked, with its answer."""
    session = open_session(cases.environment, task)
    session.finish(make_agent(cases, name).work(open_desk(session)))
    return session


def grade(cases: Cases, task: str, session: Session[Any], answer: str | None) -> Grade:
    """Return the grade of a session that ended with an answer."""
    return cases.grade(task, Attempt(session.state.events, answer, Stop.ANSWER))
