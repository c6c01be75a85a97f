"""The problem report, to be attached to a bug report: everything useful for debugging, without private data."""
