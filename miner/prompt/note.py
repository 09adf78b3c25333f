"""Telling a prompt that was edited from the one that was written."""

import hashlib

from miner.text import to_bytes


def digest_of(text: str | bytes) -> str:
    """The digest of a prompt, as its fixture's record holds it."""
    return hashlib.sha256(to_bytes(text) if isinstance(text, str) else text).hexdigest()
