"""muninn: a memory for AI agents and people, kept in plain Markdown files."""

__version__ = "0.1.0"
