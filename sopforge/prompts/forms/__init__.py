"""The forms of answers, by what is asked for."""
