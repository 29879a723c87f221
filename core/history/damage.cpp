#include "core/history/damage.h"

#include <array>

namespace lockscope::history {

const char* name(Damage::Kind kind)
{
    constexpr std::array<const char*, 15> kNames = {"unreadable",
                                                    "empty",
                                                    "not_a_log",
                                                    "torn_tail",
                                                    "bad_records",
                                                    "zeros_inside",
                                                    "field_beyond_record",
                                                    "unknown_type",
                                                    "older_than_before",
                                                    "shrunk",
                                                    "replaced",
                                                    "snapshot_broken",
                                                    "snapshot_compressed",
                                                    "out_of_order",
                                                    "conflicting"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool isPartUnread(Damage::Kind kind)
{
    return kind != Damage::Kind::tornTail && kind != Damage::Kind::olderThanBefore;
}

Message Damage::text() const
{
    const Message place = message("%1, byte %2", file, offset);
    switch (kind) {
    case Kind::unreadable:
        return message("%1 cannot be read: %2.", file, detail);
    case Kind::empty:
        return message("%1: the file is empty.", file);
    case Kind::notALog:
        return message("%1: this is not a transaction log of ZooKeeper: %2.", place, detail);
    case Kind::tornTail:
        return message("%1: the last record is incomplete; %2 bytes were not read.", place, bytes);
    case Kind::badRecords:
        return message("%1: %2; %3 bytes were skipped.", place, detail, bytes);
    case Kind::zerosInside:
        return message("%1: %2 bytes of zeros between records.", place, bytes);
    case Kind::fieldBeyondRecord:
        return records == 1
                   ? message("%1: a field is longer than its record; one transaction was left out.", place)
                   : message("%1: a field is longer than its record; %2 transactions were left out.", place,
                             records);
    case Kind::unknownType:
        return records == 1
                   ? message("%1: a transaction of an unknown type was left out.", place)
                   : message("%1: %2 transactions of an unknown type were left out.", place, records);
    case Kind::olderThanBefore:
        return message("%1 transactions are repeated, the first of them at %2; each counts once.", records,
                       place);
    case Kind::shrunk:
        return message("%1: the file became shorter: the server discarded transactions.", place);
    case Kind::replaced:
        return message("%1: another file has this name now.", file);
    case Kind::snapshotBroken:
        return message("%1: the snapshot is incomplete and is not used: %2.", place, detail);
    case Kind::snapshotCompressed:
        return message("%1: snapshots compressed with snappy cannot be read.", file);
    case Kind::outOfOrder:
        return message("%1: %2 transactions behind ones with higher zxids were left out.", place, records);
    case Kind::conflicting:
        return message(
            "%1: %2 transactions were left out: another file has other transactions with their zxids. Are "
            "these files of one ensemble?",
            place, records);
    }
    return {};
}

} // namespace lockscope::history
