"""A dream measures on a scratch copy what its plan would do to answers, before it applies it."""
