"""Who wrote a change, as a short digest: enough to count by, and no name in files that are passed around."""

import hashlib
import re

_HIDDEN = re.compile(r"(?:\d+\+)?([^@]+)@users\.noreply\.")  # GitHub's address of somebody who hides theirs
LENGTH = 10


def author_digest(name: str, email: str) -> str:
    """Ten hexadecimal digits of an e-mail, or of the name where there is none; empty where neither is known.

    The same in every repository, so that a cap on authors holds over several. It is a pseudonym: whoever has a list of
    addresses can find which of them it is.
    """
    hidden = _HIDDEN.match(email.strip())
    who = hidden[1] if hidden else email.strip() or name.strip()
    if not who:
        return ""
    return hashlib.sha256(f"author\0{who.lower()}".encode("utf-8", "surrogateescape")).hexdigest()[:LENGTH]
