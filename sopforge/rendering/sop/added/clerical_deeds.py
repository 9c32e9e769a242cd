"""What an office does with papers, files and screens: no tool records it, and no result shows it.

Each is an instruction as it stands after "if ..., " and has no number, label or name of a tool.
``{entry}`` and other names in braces stand for what a domain has.
"""

from __future__ import annotations

DEEDS = (
    "note this on the cover of the case file",
    "write the {entry} on the front of the {paper}",
    "add a copy of the {paper} to the case file",
    "read the {paper} a second time before you continue",
    "mark the {paper} with a coloured tab",
    "record your source in the case file",
    "keep the {paper} at hand until the case is closed",
    "have a colleague read your notes on it",
    "quote the {entry} in every letter to the sender",
    "file the {paper} ahead of the other papers of the case",
    "write your notes on it by hand on the {paper}",
    "copy the {owner} on any letter to the sender",
    "spell the {entry} out when you speak to the {role}",
    "enter the {entry} in the daybook of the team",
    "initial the {paper} at the foot of the page",
    "stamp the {paper} with the date of its receipt",
    "scan the {paper} again at a higher resolution",
    "use the grey folder for the case file",
    "print the screen of the {system} for the case file",
    "highlight the line on the {paper}",
    "put a note for the records office into the case file",
    "thank the sender for the {paper} when you next write",
    "sign the note in the case file with your full name",
    "attach the envelope of the {paper} to the case file",
    "leave the {paper} unfolded in its sleeve",
    "name the {system} as your source in the case file",
    "add the case to the reading list of the next team meeting",
    "repeat the {entry} at the top of your notes",
    "keep your draft notes with the {paper}",
    "make a note for the training of new {workers}",
)
"""After a condition on what a case states."""

DEEDS_AFTER_CALLS = (
    "note the time in the case file",
    "check that the {entry} on the screen is still the one of this case",
    "add the reply to the case file",
    "initial your note of the reply",
    "close the window of the {system}",
    "write the {entry} beside the reply in your notes",
    "put the {paper} back into the case file",
    "save the case file before you continue",
)
"""After a tool has returned."""
