"""What levels put into an SOP: void passages, reminders, moved rules and indirect limits."""
