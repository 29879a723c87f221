"""Locks that are wrong, each in one way, for lockscope-cli judge -- python3 wrong_locks.py WRONG.

herd: it waits for any change of the list. persistent: its nodes outlive its session. unprotected: it does not look for
the node of a create whose reply was lost. exists: it watches with exists, and leaves a watch on a node that is gone.
trusting: it does not listen when its session ends. Everything else about each of them is right.
"""
import os
import signal
import sys
import threading
import time
import uuid

from kazoo.client import KazooClient, KazooState
from kazoo.exceptions import ConnectionLoss, KazooException, NoNodeError
from kazoo.retry import KazooRetry

WRONG = sys.argv[1]
PATH = os.environ["LOCKSCOPE_LOCK"]
HOLD = 10 if WRONG == "trusting" else 0.05


def say(line):
    os.write(1, (line + "\n").encode())


class WrongLock:
    def __init__(self, client):
        self.client = client
        self.woken = threading.Event()
        self.stop = threading.Event()
        self.prefix = "lock-" if WRONG == "unprotected" else uuid.uuid4().hex + "lock-"
        client.add_listener(self.contact)

    def contact(self, state):
        self.woken.set()
        if state != KazooState.CONNECTED and WRONG != "trusting":
            self.stop.set()

    def wake(self, _event):
        self.woken.set()

    def make(self):
        """Our node; after a create whose reply was lost, the one that it made."""
        while True:
            try:
                made = self.client.create(f"{PATH}/{self.prefix}", ephemeral=WRONG != "persistent", sequence=True)
                return made.rsplit("/", 1)[1]
            except ConnectionLoss:
                found = [] if WRONG == "unprotected" else self.own()
                if found:
                    return found[0]

    def own(self):
        return [name for name in self.names() if name.startswith(self.prefix)]

    def names(self, watch=None):
        return self.client.retry(self.client.get_children, PATH, watch)

    def acquire(self):
        node = self.make()
        while True:
            self.woken.clear()
            names = sorted(self.names(self.wake if WRONG == "herd" else None), key=lambda name: name[-10:])
            if node not in names:
                return None
            if names[0] == node:
                return node
            ahead = f"{PATH}/{names[names.index(node) - 1]}"
            if WRONG == "exists":
                time.sleep(0.25)  # for longer than anybody has it: the node may be gone by then
                if not self.client.exists(ahead, self.wake):
                    continue
            elif WRONG != "herd":
                try:
                    self.client.get(ahead, self.wake)
                except NoNodeError:
                    continue
            self.woken.wait()

    def release(self, node):
        try:
            self.client.retry(self.client.delete, f"{PATH}/{node}")
        except NoNodeError:
            pass


def main():
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    client = KazooClient(os.environ["LOCKSCOPE_CONNECT"], timeout=2.0,
                         connection_retry=KazooRetry(max_tries=-1, max_delay=0.5),
                         command_retry=KazooRetry(max_tries=-1, max_delay=0.5))
    client.start(timeout=60)
    client.ensure_path(PATH)
    lock = WrongLock(client)
    while True:
        try:
            node = lock.acquire()
            if node:
                lock.stop.clear()
                say("acquired")
                lock.stop.wait(HOLD)
                say("released")
                lock.release(node)
        except KazooException as error:
            print(f"{error!r}", file=sys.stderr)
            time.sleep(0.1)


main()
