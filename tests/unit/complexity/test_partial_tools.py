from __future__ import annotations

from sopforge.artifacts.complexity.document import render_variant_document
from sopforge.artifacts.complexity.operators import partial_tools
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.reading import read_brief, read_domain
from tests.worlds.small_models import ORDERS, changed

BOTH = (
    "      takes: [customer_id]\n      returns: [tier,",
    "      takes: [order_id, customer_id]\n      returns: [ordered_on, tier,",
)
ONCE = (
    "returns: [customer_id, amount, ordered_on, reserved]",
    "returns: [customer_id, amount, reserved]",
)


def test_a_part_of_two_records_takes_the_key_of_the_record_that_it_looks_into() -> None:
    brief = read_brief(changed(ORDERS, BOTH, ONCE), "orders.yaml")
    model = brief.model
    variant = partial_tools.OPERATOR.apply(Variant(model, render_sop(model, "")), 20, 7)
    parts = {
        tool.returns[0]: tool.takes
        for name, tool in variant.model.tools.items()
        if name.startswith("getCustomer") and name not in model.tools
    }

    assert parts["tier"] == ("customer_id",)
    assert parts["ordered_on"] == ("order_id", "customer_id")
    assert read_domain(
        render_variant_document(OfflineAuthor().write_domain(brief), variant.model), "domain.yaml"
    ).tools
