"""Counts what the mutexes of a transaction log went through, from the text that ZooKeeper's own TxnLogToolkit prints.

Independent of LockScope: from the definitions alone. A lock is a parent whose children are ephemeral and sequential. An
acquisition is a node that came to be first; a handoff, one whose node was already waiting when the one before ended. A
node that ends and was never first gave up. What one transaction changes happens together. Times are whole seconds, since
the toolkit prints no more.
"""
import calendar
import functools
import json
import re
import subprocess
import sys
import time

JARS = ":".join(f"/usr/share/java/{jar}.jar" for jar in
                ("zookeeper", "zookeeper-jute", "commons-cli", "commons-io", "slf4j-api", "slf4j-nop", "snappy-java",
                 "jackson-core", "jackson-databind", "jackson-annotations"))
LINE = re.compile(r"^(\d+/\d+/\d+, \d+:\d+:\d+ [AP]M \w+) session 0x([0-9a-f]+) cxid 0x([0-9a-f]+) zxid 0x([0-9a-f]+) "
                  r"(\S+) ?(.*)$", re.DOTALL)


@functools.cache
def toolkit(path):
    # One letter for each byte: what the log has of binary fields comes through. (Java 18 and later: stdout.encoding.)
    run = subprocess.run(["java", "-Duser.timezone=UTC", "-Dfile.encoding=ISO-8859-1", "-Dstdout.encoding=ISO-8859-1",
                          "-Duser.language=en", "-cp", JARS,
                          "org.apache.zookeeper.server.persistence.TxnLogToolkit", "-d", str(path)],
                         capture_output=True, check=False)
    # From Java 20 on, a narrow space is before AM and PM; it has no byte.
    return re.sub(r"(?m)^(\d+/\d+/\d+, \d+:\d+:\d+)\?([AP]M )", r"\1 \2", run.stdout.decode("latin-1"))


def records(text):
    """(time, session, cxid, zxid, type, rest); data may have line breaks in it."""
    pending = None
    for line in text.split("\n"):
        if LINE.match(line):
            if pending:
                yield pending
            pending = line
        elif line.startswith(("EOF reached", "ZooKeeper Transactional", "Last zxid", "CRC ERROR")):
            continue
        elif pending is not None:
            pending += "\n" + line
    if pending:
        yield pending


def parse(text):
    for record in records(text):
        when, session, cxid, zxid, kind, rest = LINE.match(record).groups()
        stamp = calendar.timegm(time.strptime(when.rsplit(" ", 1)[0], "%m/%d/%y, %I:%M:%S %p"))
        yield stamp, int(session, 16), int(cxid, 16), int(zxid, 16), kind, rest if kind == "multi" else rest.rstrip("\n")


def changes(kind, rest):
    """(what, path, ephemeral, cversion of the parent) of one transaction, or of one part of a multi."""
    if kind == "create" or kind == "create2":
        fields = re.match(r"(.*?),.*\n?],(true|false),(-?\d+)$", rest, re.DOTALL)
        return [("create", fields[1], fields[2] == "true", int(fields[3]))]
    if kind in ("delete", "deleteContainer"):
        return [("delete", rest.lstrip("'"), False, 0)]
    if kind != "multi":
        return []
    found = []
    for part in re.split(r";(?=(?:create|delete|check|setData|error):)", rest):
        name, _, body = part.partition(":")
        if name == "error":
            return []
        if name not in ("create", "delete"):
            continue
        path = body[4:4 + ord(body[3])]
        if name == "create":
            # The toolkit takes binary fields for text in UTF-8: of a great number a question mark is left.
            # A line end that is the last byte ends the toolkit's line, too.
            tail = body.rpartition("anyone")[2].ljust(5, "\n")
            cversion = int.from_bytes(tail[1:].encode("latin-1"), "big", signed=True)
            found.append(("create", path, tail[0] == "\1", None if "?" in tail else cversion))
        else:
            found.append(("delete", path, False, 0))
    return found


def sequence(name):
    match = re.search(r"((?<=-)-\d{10}|\d{10})$", name)
    return int(match[1]) if match else None


class Node:
    def __init__(self, session, zxid, since, number):
        self.session, self.zxid, self.since, self.number = session, zxid, since, number
        self.first_since = None
        self.handoff = False


class Lock:
    def __init__(self):
        self.nodes = {}
        self.ends = dict.fromkeys(("released", "gave_up", "session_closed", "session_expired", "deleted_by_other"), 0)
        self.handoffs = self.longest_hold = self.longest_wait = self.deepest = 0
        self.last_used = 0

    def order(self, path):
        number = self.nodes[path].number  # clients compare the digits as text
        return (0, -number) if number < 0 else (1, number)

    def front(self):
        return min(self.nodes, key=self.order) if self.nodes else None


class Referee:
    def __init__(self):
        self.locks = {}
        self.transactions = 0
        self.first = self.last = None
        self.now = 0

    def lock_of(self, path):
        return self.locks.get(path.rsplit("/", 1)[0])

    def add_before(self, path, session, created):
        """A node that a snapshot has."""
        lock = self.locks.setdefault(path.rsplit("/", 1)[0], Lock())
        lock.nodes[path] = Node(session, None, created, sequence(path))
        lock.last_used = max(lock.last_used, created)

    def mention(self, path, session):
        """A node that was there before the log begins, and is named only now. It sorts before those that were seen."""
        name = path.rsplit("/", 1)[1]
        if sequence(name) is None:
            return
        if self.lock_of(path) is None and not re.search(r"lock-|__lock__|latch-|^x-|^n_", name):
            return  # what it was is unknown
        lock = self.locks.setdefault(path.rsplit("/", 1)[0], Lock())
        if path in lock.nodes:
            return
        lock.nodes[path] = Node(session, None, self.now, sequence(path))
        lock.deepest = max(lock.deepest, len(lock.nodes))
        if lock.front() != path:
            return
        for node in lock.nodes.values():
            lock.handoffs -= node.handoff
            node.first_since, node.handoff = None, False
        lock.nodes[path].first_since = self.now

    def begin(self, now):
        """The first transaction's time: who is first by the snapshot is so from here on."""
        for lock in self.locks.values():
            lock.deepest = len(lock.nodes)
            if lock.nodes:
                lock.nodes[lock.front()].first_since = now

    def run(self, text):
        for stamp, session, cxid, zxid, kind, rest in parse(text):
            if self.last is not None and zxid <= self.last:
                continue
            if self.first is None:
                self.first = zxid
                self.begin(stamp)
            self.last = zxid
            self.transactions += 1
            self.now = stamp
            self.apply(session, cxid, zxid, kind, rest)

    def apply(self, session, cxid, zxid, kind, rest):
        touched = {}  # lock: whether an acquisition ended

        def end(path, reason):
            lock = self.lock_of(path)
            node = lock.nodes.pop(path)
            lock.last_used = self.now
            if node.first_since is None:
                lock.ends["gave_up"] += 1
                lock.longest_wait = max(lock.longest_wait, self.now - node.since)
            else:
                lock.ends[reason] += 1
                lock.longest_hold = max(lock.longest_hold, self.now - node.first_since)
            touched[lock] = touched.get(lock, False) or node.first_since is not None

        if kind == "closeSession":
            if rest.startswith("v{"):
                for path in [p.lstrip("'") for p in rest[2:-1].split(",") if p]:
                    self.mention(path, session)
            reason = "session_expired" if cxid == 0 else "session_closed"
            for lock in list(self.locks.values()):
                for path in [p for p, n in lock.nodes.items() if n.session == session]:
                    end(path, reason)
        for what, path, ephemeral, cversion in changes(kind, rest):
            lock = self.lock_of(path)
            if what == "create":
                number = sequence(path)
                if not ephemeral or number is None:
                    continue
                if cversion is not None and (cversion - number - 1) % (1 << 32) != 0:
                    continue
                lock = self.locks.setdefault(path.rsplit("/", 1)[0], Lock())
                lock.nodes[path] = Node(session, zxid, self.now, number)
                lock.last_used = self.now
                touched.setdefault(lock, False)
            else:
                if lock is None or path not in lock.nodes:
                    self.mention(path, session)
                    lock = self.lock_of(path)
                if lock is None or path not in lock.nodes:
                    continue
                end(path, "released" if lock.nodes[path].session == session else "deleted_by_other")
        for lock, ended in touched.items():
            lock.deepest = max(lock.deepest, len(lock.nodes))
            front = lock.front()
            if front is None or lock.nodes[front].first_since is not None:
                continue
            node = lock.nodes[front]
            node.first_since = self.now
            lock.longest_wait = max(lock.longest_wait, self.now - node.since)
            node.handoff = ended and node.zxid != zxid
            lock.handoffs += node.handoff

    def report(self):
        result = {}
        for path, lock in self.locks.items():
            held = [n for n in lock.nodes.values() if n.first_since is not None]
            waits = [n for n in lock.nodes.values() if n.first_since is None]
            ends = dict(lock.ends, open=len(held))
            acquisitions = sum(ends.values()) - ends["gave_up"]
            result[path] = {
                "acquisitions": acquisitions,
                "handoffs": lock.handoffs,
                "ends": ends,
                "longest_hold_ms": 1000 * max([lock.longest_hold] + [self.now - n.first_since for n in held]),
                "longest_wait_ms": 1000 * max([lock.longest_wait] + [self.now - n.since for n in waits]),
                "deepest_queue": lock.deepest,
                "last_used": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(lock.last_used)),
            }
        return result


def main(logs):
    judge = Referee()
    for log in logs:
        judge.run(toolkit(log))
    print(json.dumps(judge.report(), indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
