"""Remembering: the use case behind `add` and `import`."""
