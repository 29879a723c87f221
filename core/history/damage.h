// A defect in a file of a history, with its place. Data; text() makes the sentence.
#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <string>

namespace lockscope::history {

struct Damage
{
    enum class Kind : std::uint8_t {
        unreadable,         // no permission, deleted, disk failure: `detail` says which
        empty,              // nothing in it
        notALog,            // another magic number or version
        tornTail,           // the last record is incomplete: the server died while writing it
        badRecords,         // wrong checksum, end mark or length; reading continued after `bytes`
        zerosInside,        // a stretch of zeros with records after it
        fieldBeyondRecord,  // the checksum is right, but a field is longer than its record; it was left out
        unknownType,        // a transaction of an unknown type; it was left out
        olderThanBefore,    // records that were read before, from another file or this one: they count once
        shrunk,             // became shorter while it was followed: the server discarded transactions
        replaced,           // another file has its name now
        snapshotBroken,     // a snapshot that is cut off, or whose checksum is wrong: not used
        snapshotCompressed, // with snappy, which is not read: not used
        outOfOrder,         // records behind ones with higher zxids: left out
        conflicting         // records under the zxid of another transaction, of another ensemble: left out
    };
    Kind kind{};
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;   // skipped
    std::uint64_t records = 1; // number of such records, from `offset` on
    Message detail{};

    Message text() const;
};

const char* name(Damage::Kind kind); // "torn_tail"
// Whether something is missing in the history because of it. A torn tail was never acknowledged.
bool isPartUnread(Damage::Kind kind);

} // namespace lockscope::history
