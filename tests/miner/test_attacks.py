"""What hostile code tries from inside a job, each against the real sandbox: reading, writing, reaching, escaping."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from miner.errors import ToolError
from miner.sandbox import Mount, Network
from tests.miner.jobs import PYTHON, python, shell

SECRET = "hunter2-very-secret"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.txt").write_text("inside")
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the host that anyone there may read."""
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    path.chmod(0o644)
    return path


# Reading


@pytest.mark.parametrize("network", list(Network))
def test_secrets_of_the_environment_are_not_there(
    tree: Path, monkeypatch: pytest.MonkeyPatch, network: Network
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    outcome = shell(tree, "env; cat /proc/*/environ /proc/*/cmdline /proc/*/task/*/environ", network=network)
    assert "PATH=" in outcome.output
    assert SECRET not in outcome.output


READS = {
    "by its path": "cat {path}",
    "by .. from the tree": "cat ../../../../../../../..{path}",
    "by a link": "ln -s {path} l; cat l",
    "by a hard link": "ln {path} l; cat l",
    "by a process's root": "for p in /proc/[0-9]*; do cat $p/root{path} $p/cwd{path}; done",
    "by a parent's open files": "cat /proc/[0-9]*/fd/*{path} /proc/1/fd/*/..{path}",
    "by the first root of bubblewrap": "cat /oldroot{path} /newroot/../oldroot{path}",
}


@pytest.mark.parametrize("script", READS.values(), ids=READS)
def test_reading_a_file_of_the_host_fails(tree: Path, secret: Path, script: str) -> None:
    outcome = shell(tree, script.format(path=secret) + " </dev/null", timeout=10)
    assert SECRET not in outcome.output
    assert outcome.exit_code != 0


def test_link_in_the_starting_tree_leads_nowhere(tree: Path, secret: Path) -> None:
    (tree / "link").symlink_to(secret)
    outcome = shell(tree, "cat link")
    assert outcome.exit_code == 1
    assert SECRET not in outcome.output


def test_home_is_empty_but_for_what_is_mounted(tree: Path) -> None:
    outcome = shell(tree, f"ls -A {Path.home()}")
    assert set(outcome.output.split()) <= {".pyenv", ".local", "ls:"} or "cannot access" in outcome.output


# Writing


WRITES = {
    "by its path": "echo x > {path}",
    "by .. from the tree": "echo x > ../../../../../../..{path}",
    "by a link": "ln -s {path} l; echo x > l",
    "by a linked folder": "ln -s {folder} d; echo x > d/secret.txt",
    "by a hard link": "ln {path} l && echo x > l",
    "by a process's root": "echo x > /proc/1/root{path}",
    "by removing": "rm {path}",
    "by removing the folder": "rm -rf {folder}",
}


@pytest.mark.parametrize("script", WRITES.values(), ids=WRITES)
def test_writing_outside_the_tree_leaves_the_host_alone(tree: Path, secret: Path, script: str) -> None:
    shell(tree, script.format(path=secret, folder=secret.parent))
    assert secret.read_text() == SECRET
    assert (tree / "a.txt").read_text() == "inside"


@pytest.mark.parametrize("place", ["/usr/bin/x", "/etc/passwd", "/dev/x", "/proc/sys/kernel/core_pattern", "/x"])
def test_writing_to_the_system_fails(tree: Path, place: str) -> None:
    assert shell(tree, f"echo x > {place}").exit_code != 0


@pytest.mark.parametrize("command", ["mount -o remount,rw /", "mount -o remount,rw /usr", "umount /usr", "chmod 777 /"])
def test_read_only_mounts_stay_so(tree: Path, command: str) -> None:
    assert shell(tree, f"{command} && echo x > /usr/x").exit_code != 0


def test_read_only_mount_stays_so_in_a_namespace_of_its_own(tree: Path, secret: Path) -> None:
    script = "unshare -Urm sh -c 'umount -l /ro; mount -o remount,bind,rw /ro; echo x > /ro/secret.txt; ls -A /'"
    secret.parent.chmod(0o755)
    shell(tree, script, mounts=[Mount(secret.parent, "/ro")])
    assert secret.read_text() == SECRET


# Reaching


@pytest.fixture
def host_port() -> Iterator[int]:
    """A service on the host's loopback that would answer anyone."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    client.sendall(SECRET.encode())

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def test_host_port_that_the_next_tests_try_does_answer(host_port: int) -> None:
    with socket.create_connection(("127.0.0.1", host_port), 5) as client:
        assert client.recv(100).decode() == SECRET


@pytest.mark.parametrize("network", list(Network))
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0.0.0.0", "1.1.1.1"])
def test_tcp_reaches_nothing(tree: Path, host_port: int, host: str, network: Network) -> None:
    script = f"import socket; print(socket.create_connection(({host!r}, {host_port}), 3).recv(99))"
    outcome = python(tree, script, network=network)
    assert outcome.exit_code == 1
    assert SECRET not in outcome.output


@pytest.mark.parametrize("network", list(Network))
def test_udp_reaches_nothing(tree: Path, network: Network) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(0.2)
        send = "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); "
        send += f"s.sendto(b'x', ('127.0.0.1', {server.getsockname()[1]})); s.sendto(b'x', ('1.1.1.1', 53))"
        outcome = python(tree, send, network=network)
        assert "unreachable" in outcome.output
        with pytest.raises(TimeoutError):
            server.recv(10)


@pytest.mark.parametrize("network", list(Network))
def test_names_are_not_resolved(tree: Path, network: Network) -> None:
    outcome = python(tree, "import socket; print(socket.getaddrinfo('pypi.org', 443))", network=network)
    assert outcome.exit_code == 1
    assert "gaierror" in outcome.output


@pytest.mark.parametrize("network", list(Network))
@pytest.mark.parametrize("kind", ["in a file", "abstract"])
def test_unix_sockets_of_the_host_are_not_there(tree: Path, tmp_path: Path, kind: str, network: Network) -> None:
    name = f"\0sandbox-attack-{os.getpid()}" if kind == "abstract" else str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        outcome = python(tree, f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})", network=network)
    assert outcome.exit_code == 1
    assert "ConnectionRefused" in outcome.output or "FileNotFound" in outcome.output


def test_build_reaches_no_service_of_the_host_through_the_proxy(tree: Path, host_port: int) -> None:
    script = f"""
import socket
for request in ("CONNECT 127.0.0.1:{host_port} HTTP/1.1", "GET http://127.0.0.1:{host_port}/ HTTP/1.1",
                "CONNECT localhost:{host_port} HTTP/1.1", "CONNECT [::1]:{host_port} HTTP/1.1",
                "CONNECT 127.1:{host_port} HTTP/1.1", "GET http://pypi.org:443@127.0.0.1:{host_port}/ HTTP/1.1"):
    s = socket.create_connection(("127.0.0.1", 3128)); s.sendall(request.encode() + b"\\r\\n\\r\\n")
    print(s.recv(4000).decode().splitlines()[0])
"""
    outcome = python(tree, script, network=Network.REGISTRIES)
    answers = [line for line in outcome.output.splitlines() if line.startswith("HTTP")]
    assert [answer.split()[1] for answer in answers] == ["403"] * 6
    assert "MINER_BUILD_HOSTS=127.0.0.1" in outcome.output
    assert SECRET not in outcome.output


def test_registry_on_the_loopback_is_reached_at_its_port_only(
    tree: Path, host_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_INDEX_URL", f"http://127.0.0.1:{host_port}/simple")
    monkeypatch.delenv("http_proxy", raising=False)
    monkeypatch.delenv("HTTP_PROXY", raising=False)
    script = """
import socket, sys
for port in map(int, sys.argv[1:]):
    s = socket.create_connection(("127.0.0.1", 3128)); s.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\\r\\n\\r\\n" % port)
    print(s.makefile().read())
"""
    outcome = python(tree, script, str(host_port), "1", network=Network.REGISTRIES)
    assert outcome.output.count(SECRET) == 1
    assert outcome.output.count(" 403 ") == 1


# Becoming more


def test_there_is_no_way_to_become_root(tree: Path) -> None:
    script = "su -c id; sudo -n id; mount -t tmpfs x /tmp; find /usr/bin -perm -4000 -exec {} --help \\;; id -u; "
    outcome = shell(tree, script + "grep -E 'CapEff|NoNewPrivs|CapBnd' /proc/self/status")
    assert "uid=0" not in outcome.output
    assert outcome.output.rstrip().splitlines()[-1] == "NoNewPrivs:\t1"
    assert "CapEff:\t0000000000000000" in outcome.output


def test_setuid_files_do_nothing(tree: Path, tmp_path: Path) -> None:
    host = tmp_path / "id"
    host.write_bytes(Path("/usr/bin/id").read_bytes())
    host.chmod(0o6755)
    outcome = shell(tree, "cp /usr/bin/id own; chmod 6755 own; ./own -u; /host-id -u", mounts=[Mount(host, "/host-id")])
    assert outcome.output.split() == ["1000", "1000"]


def test_device_files_cannot_be_made(tree: Path) -> None:
    assert shell(tree, "mknod disk b 8 0 || mknod mem c 1 1; unshare -Ur mknod disk b 8 0").exit_code != 0


def test_host_processes_cannot_be_seen_or_signalled(tree: Path) -> None:
    script = f"import os; print(sorted(int(n) for n in os.listdir('/proc') if n.isdigit())); os.kill({os.getpid()}, 9)"
    outcome = python(tree, script)
    assert "ProcessLookupError" in outcome.output or os.getpid() < 20
    assert "[1, " in outcome.output


PROC = {
    "kernel settings": "echo 1 > /proc/sys/kernel/sysrq || echo x > /proc/sys/kernel/hostname",
    "sysrq": "echo b > /proc/sysrq-trigger",
    "memory of the first process": "dd if=/proc/1/mem of=/dev/null bs=1 count=1",
    "kernel memory": "head -c1 /proc/kcore > /dev/null",
    "score for the killer": "echo -1000 > /proc/self/oom_score_adj",
    "limits": "prlimit --nproc=100000",
}


@pytest.mark.parametrize("script", PROC.values(), ids=PROC)
def test_proc_gives_nothing_away(tree: Path, script: str) -> None:
    assert shell(tree, f"({script}) 2>/dev/null").exit_code != 0


def test_terminal_cannot_be_typed_into(tree: Path) -> None:
    script = "import fcntl, termios; fcntl.ioctl(open('/dev/tty', 'w'), termios.TIOCSTI, b'x')"
    assert python(tree, script).exit_code == 1


def test_no_descriptor_of_ours_is_inherited(tree: Path) -> None:
    script = "import os; print([os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd') if int(n) > 2"
    script += " and os.path.exists(f'/proc/self/fd/{n}')])"  # but for the listing's own
    assert python(tree, script).output == "[]\n"


# What is left behind


def test_job_ends_with_us_however_we_die(tree: Path, tmp_path: Path) -> None:
    """Killed outright, we cannot tidy up: the sandbox has to notice."""
    out = tmp_path / "out"
    out.mkdir()
    program = f"""
from pathlib import Path
from miner.sandbox import Job, Limits, Mount, run
script = "trap '' TERM HUP; (setsid sh -c 'while :; do echo x >> /out/beat; sleep 0.05; done' &); sleep 60"
run(Job(["/bin/sh", "-c", script], {{"PATH": "/usr/bin:/bin"}}, Limits(60), tree=Path({str(tree)!r}),
    mounts=[Mount(Path({str(out)!r}), "/out", writable=True)]))
"""
    root = Path(__file__).parents[2]
    process = subprocess.Popen([sys.executable, "-c", program], cwd=root)
    deadline = time.monotonic() + 15
    while not (out / "beat").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    time.sleep(0.5)
    size = (out / "beat").stat().st_size
    time.sleep(0.4)
    assert (out / "beat").stat().st_size == size > 0


def test_mount_that_the_worker_cannot_read_is_named(tree: Path, tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("as an ordinary user jobs run as oneself")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(ToolError, match="not readable"):
        shell(tree, "true", mounts=[Mount(closed, "/closed")])


def test_interpreter_is_read_only(tree: Path) -> None:
    outcome = shell(tree, f"echo x >> {PYTHON}; touch {Path(PYTHON).parent}/x")
    assert outcome.exit_code != 0


def test_home_is_not_given_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid():
        pytest.skip("as an ordinary user nothing is given")
    monkeypatch.setenv("HOME", str(tmp_path / "home" / "me"))
    (tmp_path / "home" / "me").mkdir(parents=True)
    for folder in (tmp_path / "home", tmp_path / "home" / "me"):
        with pytest.raises(ToolError, match="home"):
            shell(folder, "true")
        assert folder.stat().st_uid == 0
