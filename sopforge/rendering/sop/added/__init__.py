"""Renders what levels add to an SOP, such as void passages, reminders and moved rules."""
