// A decoded transaction of ZooKeeper's log: the requesting session and the changes. Types and bodies are
// those of ZooKeeper 3.3 to 3.9 (org.apache.zookeeper.ZooDefs.OpCode, zookeeper.jute). Texts point into the
// record. Pure.
#pragma once

#include "core/base/ids.h"
#include "core/base/op_code.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::history {

enum class ChangeKind : std::uint8_t { created, removed, dataSet, aclSet };

struct Change
{
    ChangeKind kind{};
    bool ephemeral = false;   // created
    bool container = false;   // created
    bool hasCversion = false; // created; false in the logs of 3.3
    bool fromStat = false;    // created: by no log; the parent's cversion was read later
    std::int32_t parentCversion =
        0;                  // created: the parent's, afterwards. A sequential node's number is one less.
    std::int64_t ttlMs = 0; // created; 0: none
    std::string_view path;  // complete
    std::string_view data;  // created, dataSet
    std::string_view acl;   // created, aclSet: the encoded vector
};

struct Transaction
{
    SessionId session;
    std::int32_t cxid = 0;
    Zxid zxid;
    std::int64_t timeMs = 0; // since the Unix epoch, by the leader's clock, which may go back
    OpCode type{};
    std::vector<Change> changes;               // empty if the transaction failed
    std::int32_t sessionTimeoutMs = 0;         // createSession
    bool listsPaths = false;                   // closeSession of 3.6 and later: closedPaths is complete
    std::vector<std::string_view> closedPaths; // closeSession
    std::int32_t error = 0;                    // of a refused request

    // closeSession: the server ended the session after its timeout. (A close request with the request number
    // 0 looks the same; few clients send one.)
    bool expired() const { return type == OpCode::closeSession && cxid == 0; }
};

enum class DecodeResult : std::uint8_t { whole, fieldBeyondRecord, unknownType };

// The time in a record may be any number. It is clamped to the years 1970 to 2255, so that the difference of
// any two times fits into 64-bit nanoseconds.
inline constexpr std::int64_t kMaxTimeMs = 9'000'000'000'000;
inline std::int64_t clampTime(std::int64_t ms) { return ms < 0 ? 0 : ms > kMaxTimeMs ? kMaxTimeMs : ms; }

// Decodes a record into `into`, whose storage is reused. For an unknown type only the header is decoded.
DecodeResult decode(std::string_view record, Transaction& into);

} // namespace lockscope::history
