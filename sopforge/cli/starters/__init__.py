"""The briefs that ``sopforge new`` starts from: ``$domain`` and ``$title`` stand for the names."""
