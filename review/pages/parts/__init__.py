"""Provides parts that several pages share, such as tables, charts and cards."""
