#include "core/history/transaction.h"

#include "core/base/jute.h"

namespace lockscope::history {

namespace {

constexpr std::size_t kMinAclBytes = 12; // of an entry: permissions and two empty strings
constexpr std::size_t kMinPartBytes = 8; // of a part of a multi: type and empty body
constexpr std::size_t kMinPathBytes = 4;
constexpr std::size_t kDigestSize = 12; // int version, long digest

std::string_view aclOf(jute::Reader& in)
{
    const std::string_view from = in.rest();
    for (std::size_t left = in.count(kMinAclBytes); left > 0 && in.ok(); --left) {
        in.int32();
        in.buffer();
        in.buffer();
    }
    return from.substr(0, from.size() - in.rest().size());
}

void readCversion(jute::Reader& in, Change& change)
{
    change.hasCversion = in.rest().size() >= 4;
    if (change.hasCversion)
        change.parentCversion = in.int32();
}

// False if this type of transaction does not change nodes.
bool readChange(OpCode type, jute::Reader& in, Change& change)
{
    switch (type) {
    case OpCode::create:
    case OpCode::create2:
    case OpCode::createContainer:
    case OpCode::createTtl:
        change.kind = ChangeKind::created;
        change.path = in.buffer();
        change.data = in.buffer();
        change.acl = aclOf(in);
        change.container = type == OpCode::createContainer;
        if (type == OpCode::create || type == OpCode::create2)
            change.ephemeral = in.boolean();
        readCversion(in, change);
        if (type == OpCode::createTtl)
            change.ttlMs = in.int64();
        return true;
    case OpCode::remove:
    case OpCode::removeContainer:
        change.kind = ChangeKind::removed;
        change.path = in.buffer();
        return true;
    case OpCode::setData:
    case OpCode::reconfig:
        change.kind = ChangeKind::dataSet;
        change.path = in.buffer();
        change.data = in.buffer();
        in.int32();
        return true;
    case OpCode::setAcl:
        change.kind = ChangeKind::aclSet;
        change.path = in.buffer();
        change.acl = aclOf(in);
        in.int32();
        return true;
    default:
        return false;
    }
}

DecodeResult readMulti(jute::Reader& in, Transaction& into)
{
    bool failed = false;
    for (std::size_t left = in.count(kMinPartBytes); left > 0; --left) {
        const auto type = static_cast<OpCode>(in.int32());
        const std::string_view bytes = in.buffer();
        if (!in.ok())
            return DecodeResult::fieldBeyondRecord;
        jute::Reader body(bytes);
        Change change;
        if (type == OpCode::error) {
            failed = true;
            into.error = into.error ? into.error : body.int32();
        } else if (readChange(type, body, change)) {
            into.changes.push_back(change);
        } else if (type != OpCode::check) {
            return DecodeResult::unknownType;
        }
        if (!body.ok())
            return DecodeResult::fieldBeyondRecord;
    }
    if (failed)
        into.changes.clear();
    return in.ok() ? DecodeResult::whole : DecodeResult::fieldBeyondRecord;
}

// Before 3.6, or with this feature off, the body is empty or just a digest, which is not a count.
void readClosedPaths(jute::Reader& in, Transaction& into)
{
    const std::size_t left = in.rest().size();
    if (left == 0)
        return;
    jute::Reader paths(in.rest());
    for (std::size_t count = paths.count(kMinPathBytes); count > 0 && paths.ok(); --count)
        into.closedPaths.push_back(paths.buffer());
    const std::size_t after = paths.rest().size();
    into.listsPaths = paths.ok() && (after == 0 || after == kDigestSize);
    if (!into.listsPaths)
        into.closedPaths.clear();
}

} // namespace

DecodeResult decode(std::string_view record, Transaction& into)
{
    jute::Reader in(record);
    into.session = SessionId{in.int64()};
    into.cxid = in.int32();
    into.zxid = Zxid{in.int64()};
    into.timeMs = clampTime(in.int64());
    into.type = static_cast<OpCode>(in.int32());
    into.changes.clear();
    into.closedPaths.clear();
    into.listsPaths = false;
    into.sessionTimeoutMs = 0;
    into.error = 0;
    switch (into.type) {
    case OpCode::createSession:
        into.sessionTimeoutMs = in.int32();
        break;
    case OpCode::closeSession:
        readClosedPaths(in, into);
        break;
    case OpCode::error:
        into.error = in.int32();
        break;
    case OpCode::multi:
        return readMulti(in, into);
    case OpCode::check:
        break;
    default: {
        Change change;
        if (!readChange(into.type, in, change))
            return in.ok() ? DecodeResult::unknownType : DecodeResult::fieldBeyondRecord;
        if (in.ok())
            into.changes.push_back(change);
    }
    }
    return in.ok() ? DecodeResult::whole : DecodeResult::fieldBeyondRecord;
}

} // namespace lockscope::history
