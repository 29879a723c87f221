// One transaction of ZooKeeper's log, decoded: who asked for it, and what it changes. The types and their bodies are those
// of ZooKeeper 3.3 to 3.9 (org.apache.zookeeper.ZooDefs.OpCode, zookeeper.jute). Texts point into the record. Pure.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::history {

enum class TxnType : std::int32_t {
    closeSession = -11,
    createSession = -10,
    error = -1,
    create = 1,
    remove = 2,
    setData = 5,
    setAcl = 7,
    check = 13,
    multi = 14,
    create2 = 15,
    reconfig = 16,
    createContainer = 19,
    removeContainer = 20,
    createTtl = 21,
};

enum class ChangeKind : std::uint8_t { created, removed, dataSet, aclSet };

struct Change
{
    ChangeKind kind{};
    bool ephemeral = false;   // created
    bool container = false;   // created
    bool hasCversion = false; // created; false in the logs of 3.3
    std::int32_t parentCversion = 0; // created: the parent's, after it. A sequential node's number is one less.
    std::int64_t ttlMs = 0;          // created; 0: none
    std::string_view path;           // complete
    std::string_view data;           // created, dataSet
    std::string_view acl;            // created, aclSet: the vector as it is encoded
};

struct Transaction
{
    SessionId session;
    std::int32_t cxid = 0;
    Zxid zxid;
    std::int64_t timeMs = 0; // since the Unix epoch, by the leader's clock: may go back
    TxnType type{};
    std::vector<Change> changes;               // none of a transaction that failed
    std::int32_t sessionTimeoutMs = 0;         // createSession
    bool listsPaths = false;                   // closeSession of 3.6 and later: all that goes with the session
    std::vector<std::string_view> closedPaths; // closeSession
    std::int32_t error = 0;                    // of a refused request

    // closeSession: the server ended it, after its timeout. (So does a close request with the request number 0: few
    // clients send one.)
    bool expired() const { return type == TxnType::closeSession && cxid == 0; }
};

enum class DecodeResult : std::uint8_t { whole, fieldBeyondRecord, unknownType };

// What is written as a time may be none: beyond 1970 to 2255 it is the nearest one that is, so that its difference to
// any other fits into nanoseconds.
inline constexpr std::int64_t kMaxTimeMs = 9'000'000'000'000;
inline std::int64_t clampTime(std::int64_t ms) { return ms < 0 ? 0 : ms > kMaxTimeMs ? kMaxTimeMs : ms; }

// Reads a record's bytes into `into`, whose storage is used again. Of an unknown type the head is read.
DecodeResult decode(std::string_view record, Transaction& into);

} // namespace lockscope::history
