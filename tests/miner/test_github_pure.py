"""The pure parts of GitHub as a source: addresses, tokens, waits, the order of merges, keywords, kept pages."""

import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from miner.environments import Kind, entries
from miner.errors import ToolError
from miner.prune import prune
from miner.sources.choose import source_for
from miner.sources.commits import parse_commit
from miner.sources.github.address import is_slug, parse_address
from miner.sources.github.limits import Answer, Wait, wait_after, wait_before
from miner.sources.github.model import Page, Pull, Remote
from miner.sources.github.order import newest_merged_first
from miner.sources.github.pages import KeptListing, Pages
from miner.sources.github.rest import closing_keywords
from miner.sources.github.token import Token, find_token
from miner.sources.model import ClosedIssue
from miner.trees import cache_folder

ADDRESSES = [
    ("org/svc", None, "https://github.com/org/svc.git", "org/svc"),
    ("org/svc.git", None, "https://github.com/org/svc.git", "org/svc"),
    ("o_r-g/s.v_c", "https://api.github.com/", "https://github.com/o_r-g/s.v_c.git", "o_r-g/s.v_c"),
    ("org/svc", "https://ghe.example.org/api/v3/", "https://ghe.example.org/org/svc.git", "ghe.example.org/org/svc"),
    ("org/svc", "https://ghe.example.org", "https://ghe.example.org/org/svc.git", "ghe.example.org/org/svc"),
    ("org/svc", "https://api.team.ghe.com", "https://team.ghe.com/org/svc.git", "team.ghe.com/org/svc"),
    ("org/svc", "https://ghe.example.org:8443/api/v3", "https://ghe.example.org:8443/org/svc.git",
     "ghe.example.org:8443/org/svc"),
    ("org/svc", "http://127.0.0.1:1/api/v3", "http://127.0.0.1:1/org/svc.git", "127.0.0.1:1/org/svc"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "api", "url", "shown"), ADDRESSES)
def test_an_address_gives_the_url_that_git_clones(text: str, api: str | None, url: str, shown: str) -> None:
    address = parse_address(text, api)
    assert (address.clone_url, str(address)) == (url, shown)


def test_an_enterprise_host_alone_has_its_api_where_enterprise_has_it() -> None:
    assert parse_address("org/svc", "https://ghe.example.org/").api == "https://ghe.example.org/api/v3"
    assert parse_address("org/svc", "https://api.team.ghe.com").api == "https://api.team.ghe.com"


@pytest.mark.parametrize("text", ["svc", "a/b/c", "-o/svc", "org/..", "org/.", "/org/svc", "org/", "g@h:o/r", "o r/s"])
def test_what_is_no_slug(text: str) -> None:
    assert not is_slug(text)
    with pytest.raises(ToolError, match="not a repository on GitHub"):
        parse_address(text)


BAD_APIS = [
    ("http://ghe.example.org/api/v3", "unencrypted"), ("ftp://ghe.example.org", "not the address"),
    ("ghe.example.org", "not the address"), ("https://", "not the address"), ("https://h:port", "not the address"),
    ("https://user:ghp_secret@ghe.example.org", "more in it"),
    ("https://ghe.example.org?token=ghp_secret", "more in it"),
    ("http://127.0.0.1.example.org", "unencrypted"),
]  # fmt: skip


@pytest.mark.parametrize(("api", "words"), BAD_APIS)
def test_an_api_that_a_token_must_not_go_to(api: str, words: str) -> None:
    with pytest.raises(ToolError, match=words) as raised:
        parse_address("org/svc", api)
    assert "ghp_secret" not in str(raised.value)


def test_a_path_that_exists_wins_over_a_slug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    env = {"GITHUB_TOKEN": "x", "GITHUB_API_URL": "https://ghe.example.org/api/v3"}
    source = source_for("Org/Svc", environment=env)
    assert source is not None
    assert source.name == "svc"
    assert "https://ghe.example.org/api/v3" in repr(source)
    assert "value" not in repr(source)
    (tmp_path / "Org" / "Svc").mkdir(parents=True)
    assert source_for("Org/Svc", environment=env) is None
    assert source_for("nowhere", environment=env) is None
    with pytest.raises(ToolError, match="--api-url"):
        source_for("Org/Svc", api_url="https://ghe.example.org")


TOKENS = [
    ({"GITHUB_TOKEN": "a", "GH_TOKEN": "b"}, "c", Token("a", "GITHUB_TOKEN")),
    ({"GITHUB_TOKEN": " ", "GH_TOKEN": "b\n"}, "c", Token("b", "GH_TOKEN")),
    ({}, "c\n", Token("c", "`gh auth token`")),
    ({}, "", None),
]


@pytest.mark.parametrize(("environment", "gh", "expected"), TOKENS)
def test_where_a_token_comes_from(environment: dict[str, str], gh: str, expected: Token | None) -> None:
    hosts = []
    assert find_token("ghe.example.org", environment, lambda host: hosts.append(host) or gh) == expected
    assert hosts in ([], ["ghe.example.org"])


@pytest.mark.parametrize("value", ["se\ncret", "se cret", "sécret", "se\x7fcret"])
def test_a_token_that_no_header_can_hold_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(ToolError, match="not a token: GITHUB_TOKEN") as raised:
        find_token("github.com", {"GITHUB_TOKEN": value})
    assert "cret" not in str(raised.value)


def test_a_token_prints_as_where_it_came_from() -> None:
    token = Token("ghp_secret", "GH_TOKEN")
    assert "ghp_secret" not in f"{token} {token!r}"


NOW = 1_000_000.0
RESET = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1000090"}
WAITS = [
    (Answer(200, {}, ""), 0, None),
    (Answer(404, {}, "Not Found"), 0, None),
    (Answer(403, {}, "Resource not accessible by integration"), 0, None),
    (Answer(403, {"x-ratelimit-remaining": "12"}, "Forbidden"), 0, None),
    (Answer(0, {}, "the connection was lost"), 0, 1),
    (Answer(0, {}, "the connection was lost"), 4, 16),
    (Answer(0, {}, "the connection was lost"), 5, None),
    (Answer(503, {"retry-after": "30"}, ""), 0, 30),
    (Answer(503, {"retry-after": "Mon, 30 Nov 2026 14:00:00 GMT"}, ""), 1, 2),
    (Answer(503, {"retry-after": "86400"}, ""), 0, None),
    (Answer(403, RESET, "API rate limit exceeded"), 0, 91),
    (Answer(429, RESET, ""), 0, 91),
    (Answer(403, RESET | {"retry-after": "5"}, ""), 0, 6),
    (Answer(403, RESET | {"x-ratelimit-reset": "999"}, ""), 0, 1),
    (Answer(403, RESET | {"x-ratelimit-reset": "nan"}, ""), 1, 120),
    (Answer(403, RESET | {"x-ratelimit-reset": "1009999"}, ""), 0, None),
    (Answer(403, {}, "You have exceeded a secondary rate limit."), 0, 60),
    (Answer(403, {}, "You have exceeded a secondary rate limit."), 2, 240),
    (Answer(403, {}, "You have exceeded a secondary rate limit."), 3, None),
    (Answer(403, {}, "You have triggered an abuse detection mechanism."), 1, 120),
]


@pytest.mark.parametrize(("answer", "before", "seconds"), WAITS)
def test_how_long_to_wait(answer: Answer, before: int, seconds: float | None) -> None:
    wait = wait_after(answer, before, NOW)
    assert (wait.seconds if wait else None) == seconds


def test_nothing_is_asked_while_nothing_remains() -> None:
    assert wait_before(RESET, NOW) == Wait(91, "rate limit")
    assert wait_before(RESET, NOW + 100) is None
    assert wait_before({"x-ratelimit-remaining": "1", "x-ratelimit-reset": "1000090"}, NOW) is None
    assert wait_before({}, NOW) is None


def pull(number: int, merged: str, updated: str) -> Pull:
    return Pull(
        number, f"Title {number}", "", "ann", ("bug",), "", updated, merged, "a" * 40, "main", "", "topic", "b" * 40,
        "org", 2, (ClosedIssue("7", "Issue", "Body"),),
    )  # fmt: skip


def paged(pulls: list[Pull], each: int) -> list[Page]:
    chunks = [pulls[i : i + each] for i in range(0, len(pulls), each)]
    return [
        Page(tuple(chunk), str(i + 1) if i + 1 < len(chunks) else None, chunk[-1].updated)
        for i, chunk in enumerate(chunks)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_merges_is_exact_whatever_the_updates_are(seed: int) -> None:
    dice = random.Random(seed)
    pulls = []
    for number in range(1, 60):
        merged = dice.randint(100, 140)  # with ties
        pulls.append(pull(number, str(merged), str(merged + dice.choice([0, 0, 1, 2, 30]))))
    by_update = sorted(pulls, key=lambda each: (each.updated, each.number), reverse=True)
    got = [each for batch in newest_merged_first(paged(by_update, dice.randint(1, 9))) for each in batch]
    assert got == sorted(pulls, key=lambda each: (each.merged, each.number), reverse=True)


def test_a_pull_request_is_given_as_soon_as_no_unseen_one_can_be_newer() -> None:
    pages = paged([pull(1, "5", "9"), pull(2, "8", "8"), pull(3, "7", "7"), pull(4, "4", "6"), pull(5, "6", "6")], 2)
    asked: list[int] = []

    def asking() -> Iterable[Page]:
        for i, page in enumerate(pages):
            asked.append(i)
            yield page

    batches = newest_merged_first(asking())
    assert [each.number for each in next(batches)] == []  # number 2 was merged at the oldest update: a tie may come
    assert [each.number for each in next(batches)] == [2, 3]
    assert asked == [0, 1]
    assert [each.number for each in next(batches)] == [5, 1, 4]


def test_a_pull_request_seen_twice_counts_once() -> None:
    pages = [Page((pull(1, "5", "9"),), "2", "9"), Page((pull(1, "5", "9"), pull(2, "4", "4")), None, "4")]
    assert [each.number for batch in newest_merged_first(pages) for each in batch] == [1, 2]


KEYWORDS = [
    ("Closes #1, fixes #2 and resolved: #3", ["1", "2", "3"]),
    ("CLOSE #1\nclosed #1", ["1"]),
    ("fixes org/svc#4, fixes Org/SVC#5, fixes other/svc#6", ["4", "5"]),
    ("fix https://github.com/org/svc/issues/8, fix https://example.org/org/svc/issues/9", ["8"]),
    ("See #1. It encloses #2, prefixes #3, hot-fixes #4; fixes # 5; fixes nothing", []),
    ("", []),
]


@pytest.mark.parametrize(("body", "numbers"), KEYWORDS)
def test_the_issues_that_keywords_close(body: str, numbers: list[str]) -> None:
    assert closing_keywords(body, "github.com", "org/svc") == numbers


def test_a_commit_is_read_from_its_bytes() -> None:
    raw = (
        b"tree " + b"0" * 40 + b"\nparent " + b"1" * 40 + b"\nparent " + b"2" * 40
        + b"\nauthor Ann B <ann@example.org> 1700000000 +0200\ncommitter C <c@example.org> 1700000001 +0000\n"
        + b"gpgsig -----BEGIN\n parent no\n\nSubject  \n\nauthor nobody\n"
    )  # fmt: skip
    facts = parse_commit("3" * 40, raw)
    assert facts.parents == ("1" * 40, "2" * 40)
    assert facts.key == ("Ann B", "ann@example.org", "1700000000 +0200", "Subject")


class Counted:
    """A listing that counts how often it is asked."""

    kind = "counted"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def repository(self) -> Remote:
        self.asked.append("repository")
        return Remote("org/svc", "main")

    def page(self, slug: str, branch: str | None, cursor: str | None) -> Page:
        self.asked.append(f"page {cursor}")
        return Page((pull(int(cursor or 1), "5", "9"),), str(int(cursor or 1) + 1), "9")

    def issues(self, slug: str, pull: Pull) -> tuple[ClosedIssue, ...] | None:
        self.asked.append(f"issues {pull.number}")
        return (ClosedIssue("7", "Issue", "Body"),) if pull.number == 1 else None


def ask_all(root: Path, listing: Counted, now: float) -> tuple[list[object], Pages]:
    pages = Pages(root, ("api", "org/svc"), now)
    kept = KeptListing(listing, pages, lambda: now)
    bare = [replace(pull(number, "5", "9"), closes=None) for number in (1, 2)]
    answers: list[object] = [kept.repository(), kept.page("org/svc", None, None), kept.page("org/svc", None, "2")]
    return [*answers, *(kept.issues("org/svc", each) for each in bare)], pages


def test_kept_pages_are_read_back_as_they_were_and_not_asked_for(tmp_path: Path) -> None:
    first, again = Counted(), Counted()
    answers, pages = ask_all(tmp_path, first, NOW)
    assert first.asked == ["repository", "page None", "page 2", "issues 1", "issues 2"]
    pages.close()
    assert ask_all(tmp_path, again, NOW + 10)[0] == answers
    assert again.asked == ["issues 2"]  # nothing was answered, so nothing was kept
    assert oct(pages.path.stat().st_mode & 0o777) == "0o600"


@pytest.mark.parametrize("damage", [b'{"at": 1000000.0, "key": "page 2", "answ', b"\xff\xfe\n", b"[]\n", b"null\n"])
def test_a_torn_line_is_asked_for_again_and_the_next_one_is_whole(tmp_path: Path, damage: bytes) -> None:
    answers, pages = ask_all(tmp_path, Counted(), NOW)
    pages.close()
    lines = pages.path.read_bytes().splitlines(keepends=True)
    pages.path.write_bytes(b"".join(lines[:2]) + damage)
    again = Counted()
    repeated, pages = ask_all(tmp_path, again, NOW)
    pages.close()
    assert repeated == answers
    assert again.asked == ["page 2", "issues 1", "issues 2"]
    last = Counted()
    ask_all(tmp_path, last, NOW)
    assert last.asked == ["issues 2"]


def test_pages_are_good_for_a_day_and_for_one_process_and_go_with_the_harvest(tmp_path: Path) -> None:
    _, pages = ask_all(tmp_path, Counted(), NOW)
    beside = Counted()
    ask_all(tmp_path, beside, NOW)  # while another process holds them
    assert len(beside.asked) == 5
    pages.close()
    late = Counted()
    _, pages = ask_all(tmp_path, late, NOW + 90_000)
    assert len(late.asked) == 5
    pages.drop()
    assert not pages.path.exists()
    after = Counted()
    ask_all(tmp_path, after, NOW + 90_001)
    assert len(after.asked) == 5


def test_a_listing_that_was_left_is_in_the_cache_to_be_seen_and_one_in_use_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _, pages = ask_all(cache_folder(), Counted(), NOW)
    (entry,) = entries()
    assert (entry.kind, entry.path) == (Kind.LISTINGS, pages.path.parent)
    (kept,) = prune([entry], [entry])
    assert kept.kept
    assert pages.path.exists()
    left = cache_folder() / "github" / ("0" * 32)
    left.mkdir()
    (gone,) = prune([entry for entry in entries() if entry.path == left], [])
    assert not gone.kept
    assert not left.exists()
