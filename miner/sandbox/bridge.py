"""Inside the sandbox: offers the registries' proxy, a unix socket, as a port of the private loopback.

A script of its own (standard library only, started with -I -S): `bridge.py SOCKET PORT COMMAND...` runs the command
while the port is open, and ends with it and its exit code.
"""

import contextlib
import socket
import subprocess
import sys
import threading
import time

_CHUNK = 1 << 16


def pump(source: socket.socket, target: socket.socket) -> None:
    """Copy one direction of a connection until its end, and pass the end on."""
    with contextlib.suppress(OSError):
        while chunk := source.recv(_CHUNK):
            target.sendall(chunk)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def join(one: socket.socket, other: socket.socket) -> None:
    """Copy both directions of a connection until both have ended."""
    with one, other:
        back = threading.Thread(target=pump, args=(other, one), daemon=True)
        back.start()
        pump(one, other)
        back.join()


def forward(client: socket.socket, path: str) -> None:
    """Connect one client to the unix socket."""
    proxy = socket.socket(socket.AF_UNIX)
    with client, proxy, contextlib.suppress(OSError, RuntimeError):
        proxy.connect(path)
        join(client, proxy)


def serve(server: socket.socket, path: str) -> None:
    """Forward clients for ever; one too many is turned away."""
    while True:
        try:
            client, _ = server.accept()
            threading.Thread(target=forward, args=(client, path), daemon=True).start()
        except RuntimeError:  # no further thread: the limit on processes
            client.close()
        except OSError:  # no further descriptor, or a client that has already gone
            time.sleep(0.01)


def main() -> int:
    """Run the command beside the forwarder; a death by signal N is exit code 128 + N, as shells have it."""
    path, port, *command = sys.argv[1:]
    server = socket.create_server(("127.0.0.1", int(port)), backlog=64)
    threading.Thread(target=serve, args=(server, path), daemon=True).start()
    try:
        code = subprocess.call(command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
