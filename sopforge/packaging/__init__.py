"""The files of a package in its one layout, and the texts that exporters add to them."""
