"""Makes tools fail, so that agents must recover by the rules of the SOP."""
