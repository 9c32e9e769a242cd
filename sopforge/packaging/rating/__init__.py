"""How hard a package is: what persons and language models think of it, and what is measured."""
