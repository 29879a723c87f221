#include "core/history/damage.h"

#include <fmt/format.h>

namespace lockscope::history {

const char* name(Damage::Kind kind)
{
    switch (kind) {
    case Damage::Kind::unreadable:
        return "unreadable";
    case Damage::Kind::empty:
        return "empty";
    case Damage::Kind::notALog:
        return "not_a_log";
    case Damage::Kind::tornTail:
        return "torn_tail";
    case Damage::Kind::badRecords:
        return "bad_records";
    case Damage::Kind::zerosInside:
        return "zeros_inside";
    case Damage::Kind::fieldBeyondRecord:
        return "field_beyond_record";
    case Damage::Kind::unknownType:
        return "unknown_type";
    case Damage::Kind::olderThanBefore:
        return "older_than_before";
    case Damage::Kind::shrunk:
        return "shrunk";
    case Damage::Kind::replaced:
        return "replaced";
    case Damage::Kind::snapshotBroken:
        return "snapshot_broken";
    case Damage::Kind::snapshotCompressed:
        return "snapshot_compressed";
    }
    return "";
}

std::string Damage::text() const
{
    const std::string place = fmt::format("{}, byte {}: ", file, offset);
    switch (kind) {
    case Kind::unreadable:
        return fmt::format("{}: cannot be read: {}.", file, detail);
    case Kind::empty:
        return file + ": the file is empty.";
    case Kind::notALog:
        return place + "this is no transaction log of ZooKeeper: " + detail + ".";
    case Kind::tornTail:
        return place + fmt::format("the last record is not whole; {} bytes were not read.", bytes);
    case Kind::badRecords:
        return place + fmt::format("{}; {} bytes were skipped.", detail, bytes);
    case Kind::zerosInside:
        return place + fmt::format("{} bytes of zeros between records.", bytes);
    case Kind::fieldBeyondRecord:
        return place + fmt::format("a field is longer than its record; {} left out.",
                                   records == 1 ? "one transaction was" : fmt::format("{} transactions were", records));
    case Kind::unknownType:
        return place + fmt::format("a transaction of an unknown type; {} left out.",
                                   records == 1 ? "one was" : fmt::format("{} were", records));
    case Kind::olderThanBefore:
        return place + fmt::format("{} transactions that were read before were left out.", records);
    case Kind::shrunk:
        return place + "the file became shorter: the server took transactions back.";
    case Kind::replaced:
        return file + ": another file has this name now.";
    case Kind::snapshotBroken:
        return place + "the snapshot is not whole and is not used: " + detail + ".";
    case Kind::snapshotCompressed:
        return file + ": snapshots compressed with snappy cannot be read.";
    }
    return {};
}

} // namespace lockscope::history
