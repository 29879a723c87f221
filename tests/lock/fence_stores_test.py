#!/usr/bin/env python3
"""fence_stores_test.py SOURCE STORE: a late writer is refused by a store that the library has no code for.

STORE is sqlite, postgresql (with the statements of SOURCE/core/lock/fence.h) or http (If-Match, as in
core/lock/README.md). Exits with 77 when the store is not installed.
"""
import glob
import http.client
import http.server
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import threading

SKIPPED = 77
OLD, NEW = 5, 7  # tokens


def statement(source, name):
    with open(os.path.join(source, "core/lock/fence.h"), encoding="utf-8") as header:
        literals = re.search(name + r"\s*=\s*((?:\"[^\"]*\"\s*)+);", header.read()).group(1)
    return "".join(re.findall(r'"([^"]*)"', literals))


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r} instead of {wanted!r}")


def sqlite(source):
    try:
        import sqlite3
    except ImportError:
        print("skipped: Python has no sqlite3")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        def connect():
            return sqlite3.connect(os.path.join(folder, "db"), isolation_level=None, timeout=30)

        def write(db, token, text):
            db.execute("BEGIN IMMEDIATE")
            accepted = db.execute(advance.replace("$", "?"), ("report", token)).rowcount
            db.execute("UPDATE data SET text = ?", (text,))
            db.execute("COMMIT" if accepted == 1 else "ROLLBACK")
            return accepted

        advance = statement(source, "kSqlAdvance")
        old, new = connect(), connect()
        for _ in range(2):
            old.execute(statement(source, "kSqlTable"))
        old.execute("CREATE TABLE data (text)")
        old.execute("INSERT INTO data VALUES ('')")
        expect("the first write", write(old, OLD, "old"), 1)
        expect("a second one", write(old, OLD, "old"), 1)
        expect("the next holder's", write(new, NEW, "new"), 1)
        expect("the late one", write(old, OLD, "late"), 0)
        expect("the data", new.execute("SELECT text FROM data").fetchone(), ("new",))
    return 0


def postgresql(source):
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not programs:
        print("skipped: PostgreSQL is not installed (Debian: postgresql)")
        return SKIPPED
    account = None
    if os.geteuid() == 0:  # the server refuses to run as root
        try:
            account = pwd.getpwnam("postgres")
        except KeyError:
            print("skipped: there is no user postgres")
            return SKIPPED
    options = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}
    folder = tempfile.mkdtemp(prefix="lockscope-pg-")
    if account:
        os.chown(folder, account.pw_uid, account.pw_gid)

    def run(program, *arguments):
        return subprocess.run([os.path.join(programs[-1], program), *arguments], cwd=folder, check=True, text=True,
                              stdout=subprocess.PIPE, **options).stdout

    def session():
        return subprocess.Popen([os.path.join(programs[-1], "psql"), "-X", "-q", "-h", folder, "-U", "test", "postgres"],
                                cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, **options)

    def tell(client, text):
        client.stdin.write(text + "\n")
        client.stdin.flush()

    def rows(client):  # of the statement before
        tell(client, "\\echo rows :ROW_COUNT")
        for line in client.stdout:
            if line.startswith("rows "):
                return int(line.split()[1])
        sys.exit("psql has ended")

    data = os.path.join(folder, "data")
    run("initdb", "-D", data, "-U", "test", "-A", "trust", "--no-sync")
    try:
        run("pg_ctl", "-D", data, "-w", "-t", "60", "-l", os.path.join(folder, "log"), "-o",
            f"-k {folder} -c listen_addresses= -c fsync=off", "start")
        old, new = session(), session()
        advance = statement(source, "kSqlAdvance").replace("$1", "'report'") + ";"

        def begin(client, token, text):
            tell(client, "BEGIN;")
            tell(client, advance.replace("$2", str(token)))
            return text

        tell(old, statement(source, "kSqlTable") + "; CREATE TABLE data (text TEXT); INSERT INTO data VALUES ('');")
        begin(old, OLD, "old")
        expect("the first write", rows(old), 1)
        tell(old, "UPDATE data SET text = 'old'; COMMIT;")
        rows(old)
        # The late one begins while the next holder's transaction is open: it waits for it, and is refused.
        begin(new, NEW, "new")
        expect("the next holder's", rows(new), 1)
        begin(old, OLD, "late")
        tell(new, "UPDATE data SET text = 'new'; COMMIT;")
        rows(new)
        expect("the late one", rows(old), 0)
        tell(old, "ROLLBACK;")
        tell(new, "SELECT text FROM data \\gset\n\\echo text :text")
        expect("the data", next(line for line in new.stdout if line.startswith("text ")), "text new\n")
        for client in (old, new):
            client.stdin.close()
            client.wait()
    finally:
        subprocess.run([os.path.join(programs[-1], "pg_ctl"), "-D", data, "-w", "-m", "immediate", "stop"], cwd=folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        shutil.rmtree(folder, ignore_errors=True)
    return 0


class Resource(http.server.BaseHTTPRequestHandler):
    """One resource with an ETag, which changes with every write."""

    text, version, lock = b"", 0, threading.Lock()

    def log_message(self, *_):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("ETag", f'"{Resource.version}"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with Resource.lock:
            self.answer(200, Resource.text)

    def do_PUT(self):
        text = self.rfile.read(int(self.headers["Content-Length"]))
        with Resource.lock:
            if self.headers["If-Match"] != f'"{Resource.version}"':
                self.answer(428 if self.headers["If-Match"] is None else 412)
                return
            Resource.text, Resource.version = text, Resource.version + 1
            self.answer(200)


def http_store(_):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Resource)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def ask(method, text=None, tag=None):
        client = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
        client.request(method, "/report", text, {"If-Match": tag} if tag else {})
        answer = client.getresponse()
        body = answer.read()
        client.close()
        return answer.status, answer.headers["ETag"], body

    old = ask("GET")[1]  # read under the lock, at the beginning of the hold
    status, old, _ = ask("PUT", b"old", old)
    expect("the first write", status, 200)
    new = ask("GET")[1]  # the lock is lost, and the next holder has it
    expect("the next holder's", ask("PUT", b"new", new)[0], 200)
    expect("the late one", ask("PUT", b"late", old)[0], 412)
    expect("one without a tag", ask("PUT", b"late")[0], 428)
    expect("the data", ask("GET")[2], b"new")
    server.shutdown()
    server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit({"sqlite": sqlite, "postgresql": postgresql, "http": http_store}[sys.argv[2]](sys.argv[1]))
