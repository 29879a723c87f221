"""Clients of kazoo's locks, driven line by line: kazoo_peer.py HOST:PORT [with-patterns]

The words are in README.md. with-patterns: nodes named as Curator's count as contenders (extra_lock_patterns); by
default kazoo sees only its own. One thread a client; the main thread only reads. Ends at once, whatever its clients do,
when standard input ends: nothing outlives the program that started it.
"""
import os
import queue
import sys
import threading
import time
import uuid

from kazoo.client import KazooClient
from kazoo.exceptions import LockTimeout
from kazoo.retry import KazooRetry

PATTERNS = {
    "mutex": ["lock-"],
    "read": ["__WRIT__"],
    "write": ["__READ__", "__WRIT__"],
}


def say(line):
    """One write, so that lines of several threads do not mix."""
    os.write(1, (line + "\n").encode())


class LockClient:
    """A session of its own, and one thread on which it executes its commands in order."""

    def __init__(self, number, host, timeout, with_patterns):
        self.number = number
        self.host = host
        self.with_patterns = with_patterns
        self.client = KazooClient(hosts=host, timeout=timeout, connection_retry=KazooRetry(max_tries=-1))
        self.connected = self.client.start_async()
        self.locks = {}
        self.work = queue.SimpleQueue()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                self.work.get()()
            except Exception as error:  # whatever it is, the one who drives us wants to know
                say(f"failed {self.number} {error!r}")

    def lock(self, kind, path):
        """The same lock object for the same kind and path."""
        if (kind, path) not in self.locks:
            make = {"mutex": self.client.Lock, "read": self.client.ReadLock, "write": self.client.WriteLock}[kind]
            patterns = PATTERNS[kind] if self.with_patterns else []
            self.locks[kind, path] = make(path, f"kazoo-{self.number}", extra_lock_patterns=patterns)
        return self.locks[kind, path]

    def acquire(self, kind, path, limit_ms):
        try:
            got = self.lock(kind, path).acquire(timeout=int(limit_ms) / 1000)
        except LockTimeout:
            got = False
        say(f"{'acquired' if got else 'timed-out'} {self.number}")

    def release(self, kind, path):
        self.lock(kind, path).release()
        say(f"released {self.number}")

    def list(self, path):
        """Identifiers, not node names: that is what kazoo tells."""
        say(" ".join([f"participants {self.number}"] + [who or "-" for who in self.lock("mutex", path).contenders()]))

    def kill(self):
        """Ends the session as the server does: a second connection with the same session id closes it. Any thread."""
        second = KazooClient(hosts=self.host, timeout=30, client_id=self.client.client_id)
        second.start(timeout=60)
        second.stop()
        second.close()
        say(f"killed {self.number}")

    def cycle(self, kind, path, times, marker):
        """So many times in and out. The client inside owns the marker, a file that can be made only once at a time."""
        collisions = 0
        lock = self.lock(kind, path)
        for _ in range(int(times)):
            lock.acquire()
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL, 0o600))
                time.sleep(0.001)
                os.unlink(marker)
            except FileExistsError:
                collisions += 1
            lock.release()
        say(f"cycled {self.number} {times} {collisions}")

    def hold(self, kind, path, times, hold_ms):
        """So many times in and out, inside for so long."""
        lock = self.lock(kind, path)
        for _ in range(int(times)):
            lock.acquire()
            time.sleep(int(hold_ms) / 1000)
            lock.release()
        say(f"held {self.number} {times}")

    def enqueue(self, path):
        """A node in the queue as kazoo makes it, without a watch: no client waits for its turn."""
        self.client.ensure_path(path)
        node = f"{path}/{uuid.uuid4().hex}__lock__"
        node = self.client.create(node, f"kazoo-{self.number}".encode(), ephemeral=True, sequence=True)
        say(f"enqueued {self.number} {node.rsplit('/', 1)[1]}")

    def make(self, path):
        """A persistent node, and those above it."""
        self.client.create(path, makepath=True)
        say(f"made {self.number}")

    def look(self, path, times):
        """So many reads, a tenth of a second apart."""
        for _ in range(int(times)):
            self.client.exists(path)
            time.sleep(0.1)
        say(f"looked {self.number} {times}")

    def parents(self, path, count):
        """So many locks below the path, each used once; kazoo makes their parents as persistent nodes."""
        for i in range(int(count)):
            with self.client.Lock(f"{path}/{i}"):
                pass
        say(f"parents {self.number} {count}")

    def uncontended(self, path, cycles):
        """In and out without contention, after a tenth of that to warm up."""
        lock = self.lock("mutex", path)
        begin = 0
        for i in range(-int(cycles) // 10, int(cycles)):
            if i == 0:
                begin = time.monotonic_ns()
            lock.acquire()
            lock.release()
        say(f"uncontended {time.monotonic_ns() - begin}")


class Contest:
    """All clients on one lock until it was acquired `target` times, each queueing up again after its release."""

    def __init__(self, path, target, hold_us):
        self.path = path
        self.target = int(target)
        self.hold = int(hold_us) / 1_000_000
        self.acquired = 0  # only changed by who holds the lock
        self.report = []
        self.running = 0
        self.guard = threading.Lock()

    def begin(self, clients):
        self.running = len(clients)
        for client in clients:
            client.work.put(lambda client=client: self.take_part(client))

    def take_part(self, client):
        lock = client.lock("mutex", self.path)
        try:
            while self.acquired < self.target:
                called = time.monotonic_ns()
                lock.acquire()
                acquired = time.monotonic_ns()
                if self.hold and self.acquired < self.target:
                    time.sleep(self.hold)
                self.acquired += 1
                releasing = time.monotonic_ns()
                lock.release()
                self.report.append(f"hold {called} {acquired} {releasing}\n")
        finally:
            with self.guard:
                self.running -= 1
                last = self.running == 0
            if last:
                sys.stdout.write("".join(self.report) + f"contended {self.acquired}\n")
                sys.stdout.flush()


class Peer:
    def __init__(self, host, with_patterns):
        self.host = host
        self.with_patterns = with_patterns
        self.clients = []

    def open(self, count, timeout_ms):
        begin = time.monotonic_ns()
        opened = []
        for _ in range(int(count)):
            number = len(self.clients) + 1
            self.clients.append(LockClient(number, self.host, int(timeout_ms) / 1000, self.with_patterns))
            opened.append(self.clients[-1])
        for client in opened:
            if not client.connected.wait(120):
                raise RuntimeError(f"client {client.number} does not get a session")
        say(f"opened {count} {time.monotonic_ns() - begin}")

    def obey(self, words):
        name, rest = words[0], words[1:]
        if name == "open":
            self.open(*rest)
        elif name == "contend":
            Contest(*rest).begin(self.clients)
        elif name == "kill":
            self.clients[int(rest[0]) - 1].kill()
        else:
            client = self.clients[int(rest[0]) - 1]
            method = getattr(client, name)
            client.work.put(lambda: method(*rest[1:]))


def main():
    peer = Peer(sys.argv[1], "with-patterns" in sys.argv[2:])
    say("ready")
    for line in sys.stdin:
        try:
            peer.obey(line.split())
        except Exception as error:
            say(f"failed 0 {line.strip()}: {error!r}")
    os._exit(0)


main()
