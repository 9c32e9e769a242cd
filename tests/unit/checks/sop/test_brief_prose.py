"""Prose of a brief in other words: what names, counts, bounds, denies or says when has to stay."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.brief_prose import find_changed_prose, is_same_prose

NOTE = "Ask the exporter for the document that is lacking."


@pytest.mark.parametrize(
    ("text", "known"),
    [
        pytest.param(
            "The first visit of a new patient is booked by the front desk.",
            "The front desk books a new patient's first visit.",
            id="passive",
        ),
        pytest.param("day of acceptance of the form", "day on which the form was accepted",
                     id="noun"),
        pytest.param(
            "Notify the owner which documents are missing, and evaluate the answer.",
            "Inform the owner which documents are lacking, and assess the reply.",
            id="synonyms",
        ),
        pytest.param("Check the letter against the register, and purchase a copy.",
                     "Compare the letter with the register, and buy a copy.", id="verbs"),
        pytest.param("day of the arrival of the tubes", "day on which the tubes arrived",
                     id="noun of a verb"),
        pytest.param("Say that the loss does not exceed the deposit.",
                     "Say that the loss is not more than the deposit.", id="comparison"),
        pytest.param("Give the key to the guest at the gate.",
                     "At the gate, give the guest the key.", id="turned round"),
        pytest.param("The boat is checked or repaired by the porter.",
                     "The porter checks or repairs the boat.", id="passive of two verbs"),
        pytest.param("Take it off the list.", "Remove it from the list.", id="take off"),
        pytest.param("Do not give the guest any key.", "Give the guest no key.", id="not any"),
        pytest.param("the day the lamp was lit", "the day on which the lamp was lit", id="the day"),
        pytest.param("Even if it is late, never call or write.",
                     "Never call or write, even if it is late.", id="even if"),
        pytest.param("Logs must be changed only by hand.", "Change logs only manually.",
                     id="must only"),
        pytest.param("the notice that is missing", "the missing notice", id="adjective"),
    ],
)  # fmt: skip
def test_other_words_may_say_the_same(text: str, known: str) -> None:
    assert is_same_prose(text, known)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        pytest.param("day on which the lorry was weighed out",
                     "day on which the lorry was weighed in", id="out for in"),
        pytest.param("day on which the tubes were sent", "day on which the tubes arrived",
                     id="another verb"),
        pytest.param("children of school age or younger; older ones go elsewhere",
                     "children of school age or older; younger ones go elsewhere",
                     id="exchanged comparatives"),
        pytest.param("Transfers are covered by separate procedures, emergencies by this one.",
                     "Transfers and emergencies are covered by separate procedures.",
                     id="this document"),
        pytest.param("day on which the damage was discovered",
                     "day on which the damage happened", id="another event"),
        pytest.param("Forward the slip to the mason.", "Send the slip to the gravedigger.",
                     id="to somebody else"),
        pytest.param("the more toxic the product, the larger the dose",
                     "the smaller the dose, the more toxic the product", id="larger for smaller"),
        pytest.param("Inform the applicant of the result and to call the supervisor.",
                     "Inform the applicant of the result and that the supervisor will call.",
                     id="who acts"),
        pytest.param("weight for which nothing is paid", "weight under which nothing is paid",
                     id="a bound lost"),
        pytest.param("Send the letters to the applicant.", "Send the forms to the applicant.",
                     id="a thing for another"),
        pytest.param("Send to the applicant.", "Send the forms to the applicant.",
                     id="a thing lost"),
        pytest.param("load already delivered", "load still to be delivered",
                     id="already for still"),
        pytest.param("Ask the sender for the missing document.", NOTE, id="a term lost"),
        pytest.param("age on the intake date", "age on the start date", id="another term"),
        pytest.param("its signature is required in addition to the other",
                     "its signature is accepted in place of the other", id="besides for instead"),
        pytest.param("the screening of the consignee", "the screening of consignor and consignee",
                     id="a word lost"),
        pytest.param("Once the chart is open, submit the results.",
                     "Submit the results, which opens the chart.", id="after for before"),
        pytest.param("The intake does not go on after a negative result.",
                     "The intake goes on even after a negative result.", id="a denial"),
        pytest.param("claims of the last 6 months", "claims of the last 12 months", id="a number"),
        pytest.param("Give the member the key, and pass the key number to the desk, which calls.",
                     "Give the member the key number, and pass the key to the desk, which calls.",
                     id="words of another clause"),
        pytest.param("The crew marks, stows and releases the crates that are loaded.",
                     "The crew releases, marks and stows the crates that are loaded.",
                     id="another order of work"),
        pytest.param("Add the grades for the adviser, who tests the product.",
                     "Add the grades for the adviser, who has the product tested.",
                     id="does for has done"),
        pytest.param("operations that the patient has", "operations that the patient has had",
                     id="has for has had"),
        pytest.param("Pass it to the desk, which booked the visit.",
                     "Pass it to the desk, which books the visit.", id="did for does"),
        pytest.param("Inform the applicant that the supervisor would call.",
                     "Inform the applicant that the supervisor will call.", id="would for will"),
        pytest.param("whether the plan belongs to the clinic's network",
                     "whether the clinic belongs to the plan's network", id="another owner"),
        pytest.param("a guardian, whose signature is accepted in place of the patient",
                     "a guardian, whose signature is accepted in place of the patient's",
                     id="what is theirs"),
        pytest.param("The adviser checks them against it.", "The adviser checks it against them.",
                     id="pronouns exchanged"),
        pytest.param("A request can be made once the new papers are there.",
                     "A new request can be made once the papers are there.", id="new of another"),
        pytest.param("The porter can lock the shed.", "The porter locks the shed.",
                     id="can for does"),
        pytest.param("crates that the yard is to hold", "crates that the yard holds",
                     id="is to for does"),
        pytest.param("who is to have sealed the crate", "who sealed the crate", id="is to have"),
        pytest.param("repairs that the lift has had or is due to have",
                     "repairs that the lift has had", id="is due to"),
        pytest.param("faults that the driver reports having had", "faults that the driver reports",
                     id="having had"),
        pytest.param("day by which the lift is tested", "day on which the lift is tested",
                     id="by which"),
        pytest.param("firm for which the ferry is run", "firm that runs the ferry", id="for which"),
        pytest.param("signal that the pilot is given", "signal that the pilot gives",
                     id="given for gives"),
        pytest.param("The guest signs the card and gives the price.",
                     "The guest signs the card and is given the price.", id="gives for is given"),
        pytest.param("Only crates with ice are opened in the aired bay.",
                     "Crates with ice are opened only in the aired bay.", id="only what for where"),
        pytest.param("Take the lamp to the host, and then light it.",
                     "Take the lamp to the host, who lights it.", id="then for who"),
        pytest.param("The judge decides in which cases a fee is due.",
                     "The judge decides cases in which a fee is due.", id="which cases"),
        pytest.param("Ask the guest where the lamp is, and to strike it off.",
                     "Ask the guest where the lamp is, and strike it off.", id="to strike"),
        pytest.param("Do not replace your map with it.", "Do not replace it with your map.",
                     id="replaced by what"),
        pytest.param("what the pilot gives them", "what they give the pilot", id="who gives whom"),
        pytest.param("Lower weight above which the limit is due",
                     "Weight above which the lower limit is due", id="lower of what"),
        pytest.param("each bill with an annex, and its stamp",
                     "each bill, with its annex and stamp", id="an for its"),
        pytest.param("Return them as used.", "Use them as returned.", id="verbs exchanged"),
        pytest.param("pays its members with the guests", "pays its members for the guests",
                     id="with for for"),
        pytest.param("moves between wards to admissions", "moves between wards and admissions",
                     id="to for and"),
        pytest.param("day on which the lift is to be tested",
                     "day on which the lift is tested", id="is to be tested"),
        pytest.param("Book the visits of the new guest.", "Book the visit of the new guest.",
                     id="several for one"),
        pytest.param("sum paid or proposed, if the case is open",
                     "sum paid, or proposed if the case is open", id="if of both"),
        pytest.param("The boat is checked by the porter or repaired.",
                     "The porter checks or repairs the boat.", id="repaired by others"),
        pytest.param("Take it to the list.", "Remove it from the list.", id="to for from"),
        pytest.param("Record the measure that the host takes, and carry it out.",
                     "Record the measure, which the host takes, and carry it out.", id="which one"),
        pytest.param("Then ask the host. Shut the gate.", "Ask the host. Then shut the gate.",
                     id="then moved"),
        pytest.param("Ask a host.", "Ask the host.", id="any for a certain one"),
        pytest.param("The porter booked the boat.", "The porter books the boat.", id="did"),
        pytest.param("The boat was booked by the porter.", "The porter books the boat.",
                     id="was done"),
        pytest.param("If it is wet, call the host and shut the gate.",
                     "Call the host and shut the gate if it is wet.", id="for both things"),
        pytest.param("the key of the guest in the room of the host",
                     "the key of the host in the room of the guest", id="owners exchanged"),
        pytest.param("the guest whom the host calls", "the guest who calls the host", id="whom"),
        pytest.param("rent that is not yet to be paid", "rent that has not yet been paid",
                     id="to be for been"),
    ],
)  # fmt: skip
def test_what_distinguishes_things_may_not_change(text: str, known: str) -> None:
    assert not is_same_prose(text, known)


def test_prose_may_name_what_it_is_about() -> None:
    known, text = "depth above the last coffin", "depth remaining above the last coffin"

    assert not is_same_prose(text, known)
    assert is_same_prose(text, known, "remaining depth")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("Ask the exporter for the missing document.", None, id="other words"),
        pytest.param("Ask the end user for the missing document.", NOTE, id="another person"),
        pytest.param("Be kind to whoever calls.", None, id="something else"),
    ],
)
def test_a_changed_instruction_is_found(text: str, found: str | None) -> None:
    assert find_changed_prose(text, [NOTE, "Close the file."]) == found
