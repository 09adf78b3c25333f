"""What GitHub's refusals mean for a person: one clear error each. Pure."""

import re

from miner.errors import ToolError
from miner.sources.github.address import Address
from miner.sources.github.limits import Answer, is_fault, is_limit
from miner.sources.github.token import Token

_SSO_URL = re.compile(r"url=(https://\S+)")
_KEPT = "What was listed is kept: the same command goes on from there."


def refusal(answer: Answer, address: Address, token: Token | None) -> ToolError:
    """The error for an answer after which it is not asked again."""
    said = " ".join(answer.message.split())[:200] or f"status {answer.status}"
    if is_fault(answer):
        return ToolError("GitHub does not answer", address, f"It said: {said}. Try again later. {_KEPT}")
    if is_limit(answer):
        own = "" if token else "A token raises the limit from 60 to 5,000 an hour: set GITHUB_TOKEN. "
        return ToolError("GitHub's rate limit", address, f"It said: {said}. {own}Try again later. {_KEPT}")
    if answer.status == 401 and token is None:
        return ToolError("GitHub asks for a token", address, "Set GITHUB_TOKEN, or run `gh auth login`.")
    if answer.status == 401:
        return ToolError("GitHub does not accept the token", token, "Set a valid one, or `gh auth login`.")
    if answer.status == 403:
        return _no_access(answer, address, token, said)
    if answer.status in (404, 410, 451):
        remedy = _FOUND_NOTHING[token is not None]
        return ToolError("no such repository on GitHub, or no access to it", address, remedy)
    remedy = "Check --api-url, or harvest from a clone: --repo PATH."
    return ToolError("GitHub refused the question", address, f"It said: {said}. {remedy}")


_FOUND_NOTHING = {
    True: "Check its name, and that the token may read it: contents, issues and pull requests.",
    False: "Check its name; a private one needs a token: set GITHUB_TOKEN, or `gh auth login`.",
}


def _no_access(answer: Answer, address: Address, token: Token | None, said: str) -> ToolError:
    sso = _SSO_URL.search(answer.headers.get("x-github-sso", ""))
    if sso or "saml" in said.lower():
        where = sso[1] if sso else "https://github.com/settings/tokens"
        return ToolError("the organization asks for single sign-on", address, f"Authorize the token: {where}")
    if token is None:
        return ToolError("GitHub gives no access", address, f"It said: {said}. Set GITHUB_TOKEN, or `gh auth login`.")
    remedy = f"It said: {said}. Let {token} read contents, issues and pull requests."
    return ToolError("GitHub gives no access", address, remedy)
