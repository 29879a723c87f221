"""A right use of kazoo's lock, for lockscope-cli judge -- python3 kazoo_right.py.

It has the lock only while the session is connected, and only after it has seen its node under that session; when the
connection is suspended it stops at once. The token is the czxid of its node. TIMEOUT, in seconds, is the session's.
"""
import os
import signal
import sys
import threading
import time

from kazoo.client import KazooClient, KazooState
from kazoo.exceptions import KazooException
from kazoo.retry import KazooRetry

TIMEOUT = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0


def say(line):
    os.write(1, (line + "\n").encode())  # at once, and whole


class Claim:
    """Whether we may do what the lock protects. Its lines are in order, whoever says them."""

    def __init__(self):
        self.guard = threading.Lock()
        self.connection = 0  # counts the losses of contact
        self.on = False
        self.ended = threading.Event()

    def begin(self, connection, token):
        with self.guard:
            if connection != self.connection:
                return False  # contact was lost meanwhile: what was read may be old
            self.on = True
            self.ended.clear()
            say(f"acquired {token}")
            return True

    def end(self):
        with self.guard:
            if self.on:
                say("released")
            self.on = False
            self.ended.set()

    def watch(self, state):
        if state != KazooState.CONNECTED:
            with self.guard:
                self.connection += 1
            self.end()


def hold(client, lock, path, claim):
    connection = claim.connection
    node = client.retry(client.exists, f"{path}/{lock.node}")
    if node and node.owner_session_id == client.client_id[0] and claim.begin(connection, node.creation_transaction_id):
        claim.ended.wait(0.05)  # the work, which ends early when the lock is lost
        claim.end()  # before it is given up


def main():
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    path = os.environ["LOCKSCOPE_LOCK"]
    client = KazooClient(os.environ["LOCKSCOPE_CONNECT"], timeout=TIMEOUT,
                         connection_retry=KazooRetry(max_tries=-1, max_delay=0.5),
                         command_retry=KazooRetry(max_tries=-1, max_delay=0.5))
    claim = Claim()
    client.add_listener(claim.watch)
    client.start(timeout=60)
    lock = client.Lock(path, os.environ["LOCKSCOPE_NAME"])
    while True:
        try:
            if lock.acquire():
                try:
                    hold(client, lock, path, claim)
                finally:
                    lock.release()  # whatever has happened: kazoo's lock is not acquired twice
        except KazooException as error:
            print(f"{error!r}", file=sys.stderr)
            time.sleep(0.1)


main()
