#!/usr/bin/env python3
"""The report of lockscope-cli history beside the referee, on logs made at random.

    referee_test.py LOCKSCOPE_CLI [LOGS [FIRST_SEED]]
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import uuid

import referee
from zookeeper_files import Log, save_snapshot, signed32, text

KEYS = ("acquisitions", "handoffs", "ends", "longest_hold_ms", "longest_wait_ms", "deepest_queue", "last_used")
NAMINGS = ("curator", "kazoo", "c", "latch", "plain", "other")


class Ensemble:
    """What a server would log: locks that are used in every way there is, and all the rest that is no lock."""

    def __init__(self, seed, steps):
        self.random = random.Random(seed)
        self.log = Log(zxid=self.random.choice((1, 1, 0x300000001)), digest=self.random.random() < 0.7)
        self.lists = self.random.random() < 0.7  # closeSession names its paths, as of 3.6
        self.tree = {}  # path: [owner, ephemeral, czxid, ctime_ms, data]
        self.cversion = {}
        self.sessions = []
        self.next_session = 0x100000000000000
        self.jobs = 0  # made so far
        self.states = {}  # zxid: what there was after it
        self.locks = {f"/locks/{naming}{i}": naming for i in range(2) for naming in NAMINGS}
        for _ in range(4):
            self.open()
        for path, naming in self.locks.items():
            self.make_parent(path)
            if naming == "curator" and self.random.random() < 0.5:
                self.cversion[path] = 2**31 - 1 - self.random.randrange(12)
        while len(self.log.records) < steps:
            self.step()

    def note(self):
        zxid = self.log.zxid - 1
        self.states[zxid] = ({p: list(n) for p, n in self.tree.items()}, dict(self.cversion))

    def open(self):
        self.sessions.append(self.next_session)
        self.next_session += 1
        self.log.open_session(self.sessions[-1])
        self.note()

    def make_parent(self, path):
        if self.random.random() < 0.5:
            self.log.container(self.sessions[0], path, 1)
        else:
            self.log.create(self.sessions[0], path, False, 1)
        self.tree[path] = [0, False, self.log.zxid - 1, self.log.time_ms, b""]
        self.cversion[path] = 0
        self.note()

    def name_of(self, naming, number):
        digits = "%010d" % signed32(number)
        if naming == "curator":
            return f"_c_{uuid.UUID(int=self.random.getrandbits(128))}-lock-{digits}"
        if naming == "kazoo":
            return f"{self.random.getrandbits(128):032x}__lock__{digits}"
        if naming == "c":
            return f"x-{self.random.getrandbits(60):016x}-{digits}"
        return {"latch": f"_c_{uuid.UUID(int=self.random.getrandbits(128))}-latch-", "plain": "lock-", "other": "n_"}[naming] + digits

    def children(self, path):
        return [p for p in self.tree if p.rsplit("/", 1)[0] == path]

    def new_node(self, path, data=b""):
        number = self.cversion[path]
        if number >= 2**31 + 8:
            return None
        self.cversion[path] = number + 1
        return path + "/" + self.name_of(self.locks[path], number), number + 1

    def queue(self, path, session):
        made = self.new_node(path)
        if made is None:
            return
        node, cversion = made
        data = self.random.choice((b"", b"10.1.2.3", b"host.example 4711 a name, with; odd\nletters"))
        self.log.create(session, node, True, cversion, data, self.random.choice((1, 15)))
        self.tree[node] = [session, True, self.log.zxid - 1, self.log.time_ms, data]

    def step(self):
        self.log.time_ms += 1000 * self.random.choice((0, 0, 0, 1, 2, 7))
        path = self.random.choice(list(self.locks))
        session = self.random.choice(self.sessions)
        what = self.random.random()
        nodes = self.children(path)
        if path not in self.tree:
            self.make_parent(path)
        elif what < 0.38:
            self.queue(path, session)
        elif what < 0.62 and nodes:
            self.release(path, nodes)
        elif what < 0.66 and nodes:
            node = self.random.choice(nodes)
            self.log.delete(session, node)  # an administrator, or its own
            del self.tree[node]
        elif what < 0.68:
            self.end(session)
        elif what < 0.74 and not nodes:
            self.log.reap(path)
            del self.tree[path]
        elif what < 0.79:
            self.multi(path, session, nodes)
        elif what < 0.82 and nodes:
            node = self.random.choice(nodes)
            self.log.set_data(self.tree[node][0], node, self.tree[node][4] + b" __HOLDS__")
        elif what < 0.84 and nodes:
            self.log.set_acl(session, self.random.choice(nodes))
        else:
            self.noise(session)
        self.note()

    def release(self, path, nodes):
        def order(node):
            number = referee.sequence(node)
            return (0, -number) if number < 0 else (1, number)
        node = min(nodes, key=order)
        self.log.delete(self.tree[node][0], node)
        del self.tree[node]

    def end(self, session):
        own = [p for p, n in self.tree.items() if n[1] and n[0] == session]
        self.random.shuffle(own)
        self.log.close_session(session, self.random.choice((0, 9)), own if self.lists else None)
        for path in own:
            del self.tree[path]
        self.sessions.remove(session)
        if len(self.sessions) < 4:
            self.note()
            self.open()

    def multi(self, path, session, nodes):
        made = self.new_node(path)
        if made is None:
            return self.noise(session)
        node, cversion = made
        create = (1, Log.create_body(node, True, cversion, b"data"))
        parts = [create]
        gone = self.random.choice(nodes) if nodes else None
        if gone:
            parts.append((2, text(gone)))
        self.random.shuffle(parts)
        if self.random.random() < 0.3:  # refused as a whole
            self.cversion[path] -= 1
            self.log.multi(session, [(-1, b"\0\0\0\0"), (-1, b"\xff\xff\xff\x92")])
            return
        self.log.multi(session, parts)
        if gone:
            del self.tree[gone]
        self.tree[node] = [session, True, self.log.zxid - 1, self.log.time_ms, b"data"]

    def noise(self, session):
        kind = self.random.randrange(7)
        if kind == 0:
            self.open()
        elif kind == 1:
            self.log.error(session, self.random.choice((-110, -101, -118)))
        elif kind == 2:
            self.log.ttl(session, f"/ttl/{self.log.zxid}", 3, 1000)
            self.log.reap(f"/ttl/{self.log.zxid - 1}")
        elif kind == 3:  # a persistent sequential node, and one whose digits are no sequence number
            self.log.create(session, f"/jobs/job-{self.jobs:010d}", False, self.jobs + 1)
            self.jobs += 1
            self.log.create(session, f"/hosts/host-{1_700_000_000 + self.log.zxid:010d}", True, 5)
        elif kind == 4:
            self.log.set_data(session, "/config/part", b"one, two\nthree; four")
        elif kind == 5:
            self.log.create(session, f"/services/{session:x}", True, 5)
            self.log.delete(session, f"/services/{session:x}")
        else:
            self.log.set_acl(session, "/config")


def report_of(program, files):
    run = subprocess.run([program, "history", *map(str, files), "--report", "-"], capture_output=True, text=True,
                         check=False)
    assert run.returncode == 0, (run.returncode, run.stderr)
    return json.loads(run.stdout)


def compare(name, program, files, logs, before=()):
    judge = referee.Referee()
    for path, session, created in before:
        judge.add_before(path, session, created // 1000)
    for log in logs:
        judge.run(referee.toolkit(log))
    expected = judge.report()
    report = report_of(program, files)
    reported = {lock["path"]: lock for lock in report["locks"] if lock["path"].startswith("/locks/")}
    problems = []
    if report["transactions"] != judge.transactions:
        problems.append(f"transactions {report['transactions']}, referee {judge.transactions}")
    for path in sorted(set(expected) | set(reported)):
        if path not in reported or path not in expected:
            problems.append(f"{path} only in {'the referee' if path not in reported else 'the report'}")
            continue
        problems += [f"{path} {key}: {reported[path][key]}, referee {expected[path][key]}"
                     for key in KEYS if reported[path][key] != expected[path][key]]
    for problem in problems:
        print(f"{name}: {problem}")
    return len(problems), len(expected)


def check(program, seed, folder):
    ensemble = Ensemble(seed, 900)
    log = ensemble.log
    first, last = log.records[0][0], log.records[-1][0]
    cuts = sorted(ensemble.random.sample(range(first + 200, last - 50), 2))
    failed = 0
    # Rolled over, killed while it wrote, with the room that is kept at the end of a file.
    whole = folder / f"{seed}-whole"
    whole.mkdir()
    files = [log.save(whole, first, cuts[0], torn=ensemble.random.randrange(40), padding=4096),
             log.save(whole, cuts[0] + 1, cuts[1], padding=100), log.save(whole, cuts[1] + 1)]
    failed += compare(f"seed {seed}, whole", program, [whole], files)[0]
    # The later files alone, and with a snapshot that was written while transactions went on.
    failed += compare(f"seed {seed}, later", program, files[1:], files[1:])[0]
    state, cversion = ensemble.states[min(z for z in ensemble.states if z >= cuts[0] + ensemble.random.randrange(6))]
    nodes = [(p, n[4], n[0], n[2], n[3], cversion.get(p, 0)) for p, n in sorted(state.items())]
    parents = sorted({"/locks"} | {p.rsplit("/", 1)[0] for p in state} - set(state))
    nodes = sorted(nodes + [(p, b"", 0, 1, 0, 1) for p in parents if p])
    snapshot = save_snapshot(folder / f"{seed}-whole", cuts[0], nodes)
    before = [(p, n[0], n[3]) for p, n in state.items() if n[1] and n[2] <= cuts[0] and p.startswith("/locks/")]
    failed += compare(f"seed {seed}, snapshot", program, [snapshot, *files[1:]], files[1:], before)[0]
    return failed


def main():
    if not shutil.which("java") or not pathlib.Path("/usr/share/java/zookeeper.jar").exists():
        print("Skipped: needs default-jre-headless and libzookeeper-java.")
        return 77
    program = sys.argv[1]
    logs = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for one in range(seed, seed + logs):
            failed += check(program, one, pathlib.Path(folder))
    print(f"{3 * logs} histories, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
