"""What levels add to an SOP and is void: how it is worded, and known again by its words."""
