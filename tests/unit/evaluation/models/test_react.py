"""What a turn of the ReAct agent says."""

from __future__ import annotations

from decimal import Decimal


def test_a_turn_is_read() -> None:
    # It loads inspect, which takes a second.
    from sopforge.evaluation.models.react import Action, Final, Malformed, read_turn

    turns = {
        'Thought: look it up.\nAction: openFile\nAction Input: {"case_id": "C-1"}': Action(
            "openFile", {"case_id": "C-1"}
        ),
        'Action: openFile\nAction Input: ```json\n{"case_id": "C-1",\n "n": 2}\n```': Action(
            "openFile", {"case_id": "C-1", "n": 2}
        ),
        '**Action:** `openFile`\n**Action Input:** {"fee": 0.10}\nThen I will see.': Action(
            "openFile", {"fee": Decimal("0.10")}
        ),
        "Thought: done.\nFinal Answer: <decision>approved</decision>\n": Final(
            "<decision>approved</decision>"
        ),
        "Action: a\nAction Input: {}\nFinal Answer: <decision>approved</decision>": Action("a", {}),
        "Final Answer: <decision>approved</decision>\nAction: a\nAction Input: {}": Final(
            "<decision>approved</decision>\nAction: a\nAction Input: {}"
        ),
        "I would like to know the age.": Malformed(),
        "": Malformed(),
        "Action: openFile": Malformed("there is none"),
        "Action: openFile\nAction Input: [1]": Malformed("it is another value"),
    }
    assert {text: read_turn(text) for text in turns} == turns

    broken = read_turn('Action: openFile\nAction Input: {"case_id": C-1}')
    assert isinstance(broken, Malformed)
    assert "char" in broken.problem
