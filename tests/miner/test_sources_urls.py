"""Which texts are git URLs, which are allowed, and what is never shown of them."""

from pathlib import Path

import pytest

from miner.errors import ToolError
from miner.sources.choose import source_for
from miner.sources.remote import RemoteSource
from miner.sources.urls import is_url, parse_url


@pytest.mark.parametrize(
    ("text", "protocol", "name"),
    [
        ("https://host.example/group/sub/Proj.git", "https", "proj"),
        ("https://host.example:8443/proj/", "https", "proj"),
        ("ssh://git@host.example:2222/~ann/proj.git", "ssh", "proj"),
        ("git@host.example:group/proj.git", "ssh", "proj"),
        ("host:proj.git", "ssh", "proj"),
        ("git@[::1]:proj.git", "ssh", "proj"),
        ("file:///srv/git/a%20b.git", "file", "a-20b"),
        ("file:///srv/clone/.git", "file", "clone"),
        ("http://127.0.0.1:8080/x.git", "http", "x"),
        ("http://[::1]:8080/x.git", "http", "x"),
        ("https://[2001:db8::1]/x.git", "https", "x"),
    ],
)
def test_what_is_allowed(text: str, protocol: str, name: str) -> None:
    url = parse_url(text)
    assert is_url(text)
    assert (url.text, url.protocol, url.name) == (text, protocol, name)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("http://host.example/x.git", "unencrypted"),
        ("http://127.0.0.1.host.example/x.git", "unencrypted"),
        ("git://host.example/x.git", "unencrypted"),
        ("ext::sh -c touch% /tmp/x", "not a git URL"),
        ("ext::touch", "not a git URL"),
        ("fd::3", "not a git URL"),
        ("ftp://host.example/x.git", "not a protocol"),
        ("ext://host/x", "not a protocol"),
        ("HTTPS+evil://host/x", "not a protocol"),
        ("--upload-pack=touch:x", "not a git URL"),
        ("-oProxyCommand=touch:x", "not a git URL"),
        ("ssh://-oProxyCommand=touch/x", "not a git URL"),
        ("ssh://-l@host.example/x", "not a git URL"),
        ("git@-host:x", "not a git URL"),
        ("host:-x", "not a git URL"),
        ("https://host.example/", "not a git URL"),
        ("https://host.example/x?private_token=S3cret", "not a git URL"),
        ("https://host.example/x#S3cret", "not a git URL"),
        ("https://host.example/x\ny", "not a git URL"),
        ("https://[::1/x.git", "not a git URL"),
        ("https://host.example:port/x.git", "not a git URL"),
        ("https://ho st/x.git", "not a git URL"),
        ("https:///x.git", "not a git URL"),
        ("file://host/x.git", "not a git URL"),
        ("https://ann:S3cret@host.example/x.git", "credentials in the URL"),
        ("https://S3cret@host.example/x.git", "credentials in the URL"),
        ("ssh://ann:S3cret@host.example/x.git", "credentials in the URL"),
    ],
)
def test_what_is_refused_and_no_secret_shown(text: str, what: str) -> None:
    with pytest.raises(ToolError, match=what) as caught:
        parse_url(text)
    assert "S3cret" not in str(caught.value)


@pytest.mark.parametrize("text", ["org/svc", "./clone", "/srv/git/x:y", "clone", "../a/b.git", "a/b:c"])
def test_what_is_no_url(text: str) -> None:
    assert not is_url(text)


def test_a_path_that_exists_wins_over_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = source_for("host:proj.git", "2.x")
    assert isinstance(source, RemoteSource)
    assert (source.url.text, source.branch, source.name) == ("host:proj.git", "2.x", "proj")
    Path("host:proj.git").mkdir()
    assert source_for("host:proj.git") is None
    assert source_for("host:proj.git", "2.x") is None


def test_the_api_is_for_github() -> None:
    with pytest.raises(ToolError, match="--api-url is for GitHub"):
        source_for("https://host.example/x.git", api_url="https://host.example/api/v3")
