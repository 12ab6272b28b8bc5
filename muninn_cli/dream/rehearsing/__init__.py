"""A dream measures what its plan would do to answers, on a scratch copy, before it touches a file."""
