"""Intervals and tests of rates (docs/statistics.md): pure functions over counts."""
