"""Parlour: one server for two-player board games on the web."""

__version__ = "0.1.0"
