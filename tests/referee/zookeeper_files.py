"""Transaction logs and snapshots as ZooKeeper 3.3 to 3.9 writes them, made of calls."""
import struct
import zlib

WORLD = [(31, "world", "anyone")]


def text(value):
    if value is None:
        return struct.pack(">i", -1)
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack(">i", len(raw)) + raw


def acl(entries):
    return struct.pack(">i", len(entries)) + b"".join(
        struct.pack(">i", perms) + text(scheme) + text(who) for perms, scheme, who in entries)


def signed32(number):
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


class Log:
    """The records of one run of a server; save() writes those of a range of zxids into one file."""

    def __init__(self, zxid=1, time_ms=1_700_000_000_000, digest=True):
        self.zxid, self.time_ms, self.digest = zxid, time_ms, digest
        self.records = []  # (zxid, bytes)

    def txn(self, session, cxid, kind, body):
        record = struct.pack(">qiqqi", session, cxid, self.zxid, self.time_ms, kind) + body
        if self.digest and kind != -1:
            record += struct.pack(">iq", 2, 0x1234567890)
        self.records.append((self.zxid, record))
        self.zxid += 1
        return self

    @staticmethod
    def create_body(path, ephemeral, parent_cversion, data=b""):
        return text(path) + text(data) + acl(WORLD) + struct.pack(">?i", ephemeral, signed32(parent_cversion))

    def create(self, session, path, ephemeral, parent_cversion, data=b"", kind=1, cxid=3):
        return self.txn(session, cxid, kind, self.create_body(path, ephemeral, parent_cversion, data))

    def container(self, session, path, parent_cversion):
        return self.txn(session, 3, 19, text(path) + text(b"") + acl(WORLD) + struct.pack(">i", parent_cversion))

    def ttl(self, session, path, parent_cversion, ttl_ms):
        return self.txn(session, 3, 21, text(path) + text(b"") + acl(WORLD) + struct.pack(">iq", parent_cversion, ttl_ms))

    def delete(self, session, path):
        return self.txn(session, 4, 2, text(path))

    def reap(self, path):
        return self.txn(0, 0, 20, text(path))

    def set_data(self, session, path, data):
        return self.txn(session, 5, 5, text(path) + text(data) + struct.pack(">i", 1))

    def set_acl(self, session, path):
        return self.txn(session, 5, 7, text(path) + acl(WORLD) + struct.pack(">i", 1))

    def multi(self, session, parts):
        body = struct.pack(">i", len(parts))
        for kind, part in parts:
            body += struct.pack(">i", kind) + text(part)
        return self.txn(session, 6, 14, body)

    def open_session(self, session):
        return self.txn(session, 0, -10, struct.pack(">i", 30000))

    def close_session(self, session, cxid, paths=None):
        body = b"" if paths is None else struct.pack(">i", len(paths)) + b"".join(map(text, paths))
        return self.txn(session, cxid, -11, body)

    def error(self, session, code):
        return self.txn(session, 7, -1, struct.pack(">i", code))

    def save(self, folder, first=None, last=None, torn=0, padding=0):
        """torn: so many bytes of the next record, as a server leaves them that dies while it writes."""
        chosen = [(z, r) for z, r in self.records if (first is None or z >= first) and (last is None or z <= last)]
        out = b"ZKLG" + struct.pack(">iq", 2, 0)
        for _, record in chosen:
            out += struct.pack(">qi", zlib.adler32(record), len(record)) + record + b"B"
        if torn:
            rest = [r for z, r in self.records if last is not None and z > last] or [b"\1" * 64]
            out += (struct.pack(">qi", zlib.adler32(rest[0]), len(rest[0])) + rest[0] + b"B")[:torn]
        path = folder / f"log.{chosen[0][0]:x}"
        path.write_bytes(out + bytes(padding))
        return path


def save_snapshot(folder, zxid, nodes):
    """nodes: path, data, owner, czxid, ctime_ms, cversion; parents first. The root is added."""
    out = b"ZKSN" + struct.pack(">iq", 2, -1)
    out += struct.pack(">iqi", 1, 1, 30000)
    out += struct.pack(">iq", 1, 1) + acl(WORLD)
    for path, data, owner, czxid, ctime_ms, cversion in [("", b"", 0, 0, 0, 1)] + nodes:
        out += text(path) + text(data) + struct.pack(">qqqqqiiiqq", 1, czxid, czxid, ctime_ms, ctime_ms, 0,
                                                      signed32(cversion), 0, owner, czxid)
    out += text("/")
    out += struct.pack(">q", zlib.adler32(out)) + text("/")
    out += struct.pack(">qiq", zxid, 2, 0x1234567890)
    out += struct.pack(">q", zlib.adler32(out)) + text("/")
    path = folder / f"snapshot.{zxid:x}"
    path.write_bytes(out)
    return path
