"""GitHub as a source, against a GitHub on loopback with a real repository behind it."""

import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from miner.errors import ToolError
from miner.git import Git
from miner.sources.clone import Cloned
from miner.sources.github.address import Address, parse_address
from miner.sources.github.client import Clock, Patience
from miner.sources.github.source import GitHubSource
from miner.sources.github.token import Token
from miner.sources.model import MergedChange
from tests.miner.github_history import History, build_history
from tests.miner.github_server import TOKEN, Fault, GitHub, serving

KNOWN = Token(TOKEN, "GITHUB_TOKEN")
SECONDARY = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """450 closed pull requests, 300 of them merged. Read it only."""
    return build_history(tmp_path_factory.mktemp("github") / "svc.git")


@pytest.fixture
def github(history: History, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[GitHub]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with serving(history) as server:
        yield server


class Waits:
    """A clock that stands still but while it is slept."""

    def __init__(self) -> None:
        self.slept, begun = 0.0, float(int(time.time()))
        self.clock = Clock(lambda: begun + self.slept, self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.slept += seconds


class Session:
    """One run against the server."""

    def __init__(self, github: GitHub, token: Token | None = KNOWN, branch: str | None = None) -> None:
        self.github, self.waits, self.said = github, Waits(), []
        self.urls: list[str] = []
        address = parse_address(github.history.slug, github.api)
        waits, said = self.waits.clock, self.said.append
        self.source = GitHubSource(address, token, self._clone, said, branch, waits, Patience(1, 2))
        self.finished: Callable[[], None] = lambda: None

    def _clone(self, url: str, branch: str, token: Token | None, scratch: Path, progress: object) -> Cloned:
        self.urls.append(url)
        git = Git(self.github.history.path)
        return Cloned(git, git.line("rev-parse", f"refs/heads/{branch}"), lambda ids: None)

    def changes(self, last: int = 200) -> list[MergedChange]:
        opened = self.source.open(Path("/nonexistent"), self.said.append)
        self.finished = opened.finished
        return list(islice(opened.changes, last))


def test_the_last_200_of_450_in_the_order_of_their_merges_within_10_requests(github: GitHub) -> None:
    session = Session(github)
    changes = session.changes()
    assert [change.number for change in changes] == [str(p.number) for p in github.history.newest_merged(200)]
    assert len(github.asked) <= 10
    assert session.urls == [github.api.replace("/api/v3", "/org/svc.git")]
    assert session.waits.slept == 0


@pytest.mark.parametrize("token", [KNOWN, None], ids=["graphql", "rest"])
def test_every_way_of_merging_resolves_to_the_exact_change(github: GitHub, token: Token | None) -> None:
    got = {}
    for change in Session(github, token).changes(300):
        assert change.rejection is None, change
        got[int(change.number)] = (str(change.method), change.base, change.merged, change.commits)
    expected = {n: (e.way, e.base, e.merged, e.commits) for n, e in github.history.expected.items()}
    assert got == expected
    assert {way for way, *_ in got.values()} == {"merge", "squash", "rebase"}


def test_a_change_has_the_files_between_its_base_and_its_merge(github: GitHub) -> None:
    for change in Session(github).changes(30):
        stat = subprocess.run(
            ["git", f"--git-dir={github.history.path}", "diff", "--name-only", change.base, change.merged],
            capture_output=True, text=True, check=True,
        ).stdout.split()  # fmt: skip
        assert sorted(file.path for file in change.files) == sorted(stat) != []


@pytest.mark.parametrize("token", [KNOWN, None], ids=["graphql", "rest"])
def test_everything_github_says_of_it_is_kept(github: GitHub, token: Token | None) -> None:
    posted = next(p for p in github.history.newest_merged(30) if p.closes)
    change = next(c for c in Session(github, token).changes(40) if c.number == str(posted.number))
    issue = posted.closes[0]
    assert (change.title, change.body, change.author) == (posted.title, posted.body, "ann")
    assert (change.labels, change.date, change.branch) == (posted.labels, posted.merged, f"someone/{posted.head}")
    assert [(c.number, c.title, c.body) for c in change.closes] == [(str(issue.number), issue.title, issue.body)]


def test_without_a_token_rest_is_used_and_its_rate_is_warned_of(github: GitHub) -> None:
    session = Session(github, None)
    session.changes()
    pulls = [asked for asked in github.asked if asked.path.endswith("/pulls")]
    assert len(pulls) <= 5
    assert not any(asked.authorization for asked in github.asked)
    assert "60 questions an hour" in session.said[0]


def test_without_a_token_issues_are_left_out_before_the_limit_is_reached(github: GitHub) -> None:
    github.left[False] = 20
    session = Session(github, None)
    changes = session.changes(200)
    assert len(changes) == 200
    assert 0 < sum(bool(change.closes) for change in changes) < 20
    assert github.left[False] >= 5
    assert any("left out" in line for line in session.said)
    assert session.waits.slept == 0


@pytest.mark.parametrize("token", [KNOWN, None], ids=["graphql", "rest"])
def test_of_another_branch_than_the_default_one_that_alone_is_asked_for(
    history: History, token: Token | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    other = [replace(pull, base="main" if pull.number % 4 else "next") for pull in history.pulls]
    with serving(replace(history, pulls=other, branch="next")) as github:
        changes = Session(github, token, "main").changes(20)
        newest = [pull.number for pull in github.history.newest_merged(40) if pull.base == "main"]
        assert [int(change.number) for change in changes] == newest[:20]
        asked = [{**asked.query, **asked.body.get("variables", {})} for asked in github.asked[1:]]
        assert {each["base"] for each in asked if "base" in each} == {"main"}


def test_a_renamed_repository_is_asked_by_its_new_name(github: GitHub) -> None:
    github.renamed = "old/name"
    for token in (KNOWN, None):
        session = Session(github, token)
        object.__setattr__(session.source, "address", Address("old", "name", github.api))
        assert len(session.changes(110)) == 110
        assert session.urls == [github.api.replace("/api/v3", "/org/svc.git")]


MESSAGES = {
    401: ("does not accept the token: the token of GITHUB_TOKEN", {"message": "Bad credentials"}, {}),
    403: ("gives no access: ", {"message": "Resource not accessible by personal access token"}, {}),
    404: ("no such repository on GitHub", {"message": "Not Found"}, {}),
    422: ("refused the question", {"message": "Validation Failed"}, {}),
}


@pytest.mark.parametrize("status", MESSAGES)
@pytest.mark.parametrize("token", [KNOWN, None], ids=["graphql", "rest"])
def test_refusals_are_one_clear_error_and_no_second_question(
    github: GitHub, status: int, token: Token | None
) -> None:
    words, body, headers = MESSAGES[status]
    github.faults = [Fault(status, headers, body)]
    with pytest.raises(ToolError) as raised:
        Session(github, token).changes()
    assert (words if token or status != 401 else "asks for a token") in str(raised.value)
    assert TOKEN not in str(raised.value)
    assert len(github.asked) == 1


def test_what_is_no_github_is_an_error(github: GitHub) -> None:
    github.faults = [Fault(200, {}, "<html>Welcome to the hotel</html>")]
    with pytest.raises(ToolError, match="no GitHub answers there"):
        Session(github, None).changes()


def test_a_wrong_token_and_a_wrong_name_are_told_apart(github: GitHub) -> None:
    with pytest.raises(ToolError, match="does not accept the token: the token of GH_TOKEN"):
        Session(github, Token("ghp_wrong", "GH_TOKEN")).changes()
    for token in (KNOWN, None):
        session = Session(github, token)
        object.__setattr__(session.source, "address", Address("org", "other", github.api))
        with pytest.raises(ToolError, match="no such repository on GitHub, or no access to it"):
            session.changes()


def test_single_sign_on_says_where_to_authorize(github: GitHub) -> None:
    where = "https://github.com/orgs/org/sso?authorization_request=1"
    said = {"message": "Resource protected by organization SAML enforcement."}
    github.faults = [Fault(403, {"X-GitHub-SSO": f"required; url={where}"}, said)]
    with pytest.raises(ToolError, match="single sign-on") as raised:
        Session(github).changes()
    assert where in str(raised.value)


def soon() -> str:
    return str(int(time.time()) + 600)


WAITS = [
    ("retry-after", 403, {"Retry-After": "42"}, SECONDARY, 42, 50),
    ("secondary without headers", 403, {}, SECONDARY, 60, 61),
    ("429", 429, {"Retry-After": "7"}, {"message": "Too many requests"}, 7, 10),
    ("500", 500, {}, {"message": "Server Error"}, 1, 2),
    ("502 in HTML", 502, {}, "<html>Bad gateway</html>", 1, 2),
    ("503", 503, {"Retry-After": "20"}, {"message": "Service unavailable"}, 20, 21),
]


@pytest.mark.parametrize("token", [KNOWN, None], ids=["graphql", "rest"])
@pytest.mark.parametrize(
    ("status", "headers", "body", "least", "most"), [row[1:] for row in WAITS], ids=[row[0] for row in WAITS]
)
def test_it_waits_as_the_answer_says_and_goes_on(
    github: GitHub, token: Token | None, status: int, headers: dict[str, str], body: object, least: int, most: int
) -> None:
    github.faults = [None, Fault(status, headers, body)]
    session = Session(github, token)
    assert len(session.changes(20)) == 20
    assert least <= session.waits.slept <= most
    assert any("asking again in" in line for line in session.said)


@pytest.mark.parametrize("token", [KNOWN, None], ids=["graphql", "rest"])
def test_a_primary_limit_is_waited_out_until_its_reset(github: GitHub, token: Token | None) -> None:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": soon()}
    github.faults = [None, None, Fault(403, headers, {"message": "API rate limit exceeded for user ID 1."})]
    session = Session(github, token)
    assert len(session.changes(110)) == 110
    assert 590 <= session.waits.slept <= 620
    assert any("rate limit" in line for line in session.said)


def test_graphql_says_its_limit_in_a_good_answer(github: GitHub) -> None:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": soon()}
    said = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit already exceeded for user ID 1."}]}
    github.faults = [None, Fault(200, headers, said)]
    session = Session(github)
    assert len(session.changes(110)) == 110
    assert 590 <= session.waits.slept <= 620


def test_the_last_question_allowed_is_followed_by_a_wait_not_by_a_refusal(github: GitHub) -> None:
    github.left[True] = 2
    session = Session(github)
    changes = session.changes(110)
    assert len(changes) == 110
    assert 1790 <= session.waits.slept <= 1810


def test_a_limit_that_lasts_too_long_is_an_error_at_once(github: GitHub) -> None:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 90_000)}
    github.faults = [Fault(403, headers, {"message": "API rate limit exceeded for 127.0.0.1."})]
    session = Session(github, None)
    with pytest.raises(ToolError, match="rate limit") as raised:
        session.changes()
    assert "set GITHUB_TOKEN" in str(raised.value)
    assert session.waits.slept == 0


LOST = {
    "reset": Fault(reset=True), "cut off": Fault(halfway=True), "silent": Fault(hang=True),
    "dripping": Fault(drip=0.05), "not JSON": Fault(200, {}, '{"data": '),
    "not GraphQL": Fault(200, {}, "<html>login</html>"),
}  # fmt: skip


@pytest.mark.parametrize("fault", LOST.values(), ids=LOST)
def test_a_lost_answer_is_asked_for_again(github: GitHub, fault: Fault) -> None:
    github.faults = [None, fault]
    session = Session(github)
    assert len(session.changes(20)) == 20
    assert len(github.asked) == 3
    assert 1 <= session.waits.slept <= 2


def test_a_dead_server_is_given_up_after_bounded_waits(github: GitHub) -> None:
    github.faults = [Fault(reset=True)] * 20
    session = Session(github)
    with pytest.raises(ToolError, match="GitHub does not answer"):
        session.changes()
    assert len(github.asked) == 6
    assert session.waits.slept < 60
    waits = [line for line in session.said if "asking again in" in line]
    assert [line.split(" in ")[1].split(",")[0] for line in waits] == ["1 s", "2 s", "4 s", "8 s", "16 s"]
    assert [line.endswith(", for the last time") for line in waits] == [False] * 4 + [True]


def test_where_githubs_time_runs_out_it_is_asked_for_fewer(github: GitHub) -> None:
    late = {"data": None, "errors": [{"message": "Something went wrong while executing your query."}]}
    github.faults = [None, Fault(502, {}, "<html></html>"), Fault(200, {}, late)]
    session = Session(github)
    assert len(session.changes()) == 200
    assert [asked.body["variables"].get("first") for asked in github.asked][:5] == [None, 100, 100, 50, 50]
    assert len(github.asked) <= 10


def test_what_a_token_may_not_read_is_left_out_and_said_once(github: GitHub) -> None:
    github.faults = [None, *[_without_issues(github)] * 1]
    session = Session(github)
    changes = session.changes(10)
    assert len(changes) == 10
    assert sum("may not read" in line for line in session.said) == 1


def _without_issues(github: GitHub) -> Fault:
    variables = {"owner": "org", "name": "svc", "base": None, "first": 100, "after": None}
    answer = github.answers.graphql("pullRequests(", variables)
    for node in answer["data"]["repository"]["pullRequests"]["nodes"]:
        node["closingIssuesReferences"] = None
    said = "Resource not accessible by personal access token"
    return Fault(200, {}, answer | {"errors": [{"type": "FORBIDDEN", "path": ["repository"], "message": said}] * 3})


@pytest.mark.parametrize("token", [KNOWN, None], ids=["graphql", "rest"])
def test_a_listing_that_stopped_goes_on_without_repeating_a_finished_question(
    github: GitHub, token: Token | None
) -> None:
    github.left[False] = 1000  # or issues are left out, sooner in one run than in the other
    whole = Session(github, token)
    expected = whole.changes(250)
    whole.finished()
    questions = [(asked.path, asked.query, asked.body) for asked in github.asked]
    github.asked.clear()
    github.faults = [None, None, *[Fault(reset=True)] * 6]
    with pytest.raises(ToolError):
        Session(github, token).changes(250)
    assert len(github.asked) == 8
    broken = github.asked[:2]
    github.asked.clear()
    again = Session(github, token)
    assert again.changes(250) == expected
    assert [(a.path, a.query, a.body) for a in (*broken, *github.asked)] == questions
    assert any("going on with" in line for line in again.said)
    again.finished()
    github.asked.clear()
    Session(github, token).changes(250)  # one that ended leaves nothing: today's are asked for
    assert len(github.asked) == len(questions)
