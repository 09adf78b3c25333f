"""The task as the model sees it (`prompt.md`): cleaned, checked for its own answer, fair to ask."""

from miner.prompt.title import heading, slug

__all__ = ["heading", "slug"]
