"""Contains the briefs that sopforge new copies, with $domain and $title as placeholders."""
