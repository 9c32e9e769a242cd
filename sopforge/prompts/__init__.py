"""What a model is asked: templates from files, checked before they are used, users' text fenced."""
