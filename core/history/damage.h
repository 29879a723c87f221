// What is wrong with a file of a history, and where. Data; text() makes the sentence.
#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <string>

namespace lockscope::history {

struct Damage
{
    enum class Kind : std::uint8_t {
        unreadable,        // no rights, not there any more, the disk failed: `detail` says which
        empty,             // nothing in it
        notALog,           // another magic number or version
        tornTail,          // the last record is not whole: the server died while it wrote
        badRecords,        // wrong checksum, end mark or length; reading went on after `bytes`
        zerosInside,       // a stretch of zeros, and records after it
        fieldBeyondRecord, // the checksum is right, but a field is longer than its record; it was left out
        unknownType,       // a transaction of a type that is not known; it was left out
        olderThanBefore,   // records whose zxid was read before, from this or another file: left out
        shrunk,            // became shorter while it was followed: the server took transactions back
        replaced,          // another file has its name now
        snapshotBroken,    // a snapshot that is cut off, or whose checksum is wrong: not used
        snapshotCompressed // with snappy, which is not read: not used
    };
    Kind kind{};
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;   // that were skipped
    std::uint64_t records = 1; // how often, from `offset` on
    Message detail{};

    Message text() const;
};

const char* name(Damage::Kind kind); // "torn_tail"

} // namespace lockscope::history
