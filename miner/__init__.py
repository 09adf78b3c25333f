"""Mines merged pull requests into fixtures: tasks with a ground truth and a proof.

The package owns everything about a fixture: where it comes from, its trees, its allowed
symbols, its environment and sandbox. It never imports `evaluator`.
"""

__version__ = "0.1.0"
