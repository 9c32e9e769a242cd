"""Shares of a hundred: "60 percent of the price", "the price plus 5 percent"."""

from __future__ import annotations

from sopforge.domain.language.expressions import Element, Read
from sopforge.logic.english.names import Names
from sopforge.logic.phrasing.brackets import as_operand, format_amount, get_unit
from sopforge.logic.phrasing.grammar import is_percent, is_share
from sopforge.logic.phrasing.shares import Share


class Shares(Names):
    """Phrases shares, which the tree holds as products with a hundred."""

    def phrase_share(self, share: Share) -> str:
        """Return so many percent of a number."""
        whole = as_operand(share.whole, self.phrase(share.whole))
        if isinstance(share.percent, Read):
            label = self.fields[share.percent.field].label
            if is_share(label) and not self.is_label_start(f"{label} of "):
                return f"{self.name_field(share.percent.field)} of {whole}"
        if isinstance(share.percent, Read | Element):
            return f"{whole} multiplied by {self.phrase(share.percent)}"
        percent = format_amount(share.percent, None)
        if share.change:
            # Of what is itself in percent, so many percent could be points.
            of_it = " of it" if is_percent(get_unit(share.whole) or "") else ""
            return f"{whole} {share.change} {percent} percent{of_it}"
        return f"{percent} percent of {whole}"
