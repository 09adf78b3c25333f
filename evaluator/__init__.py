"""Compares edit formats over a set of fixtures and reports what fraction of tasks ended resolved.

It reads what `miner` wrote and imports it; never the other way round.
"""
