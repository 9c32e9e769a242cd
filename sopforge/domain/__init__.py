"""The typed model of one business procedure: frozen data and how it is read from documents."""
