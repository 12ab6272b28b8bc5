"""Recall: finding memories again, by a question, by a filter, or by name.

Nothing here writes: not into a vault, not into the index, not into the usage log. What was shown
is handed back as events, for the caller to append.
"""
