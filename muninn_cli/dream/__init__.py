"""The dream: what muninn does with its memories between sessions.

`engine` runs one: `opening` takes a `snapshot`, `phases` draft a `plan` in their order, with the
pairs of `pairing` and the verdicts of `judging`; `rehearsing` measures the plan and takes out what
would harm answers; `applying` alone changes a vault, and can undo it.
"""
