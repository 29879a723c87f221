// The output of watching: the report (JSON), the table of locks, and the line of who. Pure.
#pragma once

#include "app/lockscope_cli/history_report.h"

#include "core/field/snapshot.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace lockscope::app {

boost::json::object report(const field::Snapshot& snapshot, const SessionNames& sessions);
boost::json::object lockJson(const field::LockStatus& row, const SessionNames& sessions);
// One line for the program of --on-verdict: the lock, its verdict, and when it was given.
std::string verdictLine(const field::Snapshot& snapshot, const field::LockStatus& row,
                        const SessionNames& sessions);
// For a terminal of this size.
std::string fieldTable(const field::Snapshot& snapshot, std::size_t width, std::size_t height);
// Notes beside the locks, one per line: gaps, missing paths, folders with a verdict.
std::vector<std::string> fieldNotes(const field::Snapshot& snapshot);
std::string whoText(const field::Participant& one);     // the best description of the client
std::string longWaitText(const field::LockStatus& row); // the longest wait now; empty: none is long
std::string holderText(const field::LockStatus& row);   // who holds it, or that nobody does
// One lock as a line, for output that is not a terminal.
std::string fieldLine(const field::Snapshot& snapshot, const field::LockStatus& row);

struct WhoAnswer
{
    enum class Kind { held, free, noSuchPath, notPermitted, notKnown, noLock };
    Kind kind{};
    std::string line;
    boost::json::object json;
};
// `snapshot`: of paths that have been read, all of them, in the current contact.
WhoAnswer whoHolds(const field::Snapshot& snapshot, const std::string& path);
// What free shows before it asks.
struct FreeOffer
{
    std::string path, lock, text; // of the node; without a path the text says why there is none to delete
    Zxid czxid;
};
// The folder of the lock that a path names: of itself, or of its node.
std::string lockFolderOf(const field::Snapshot& snapshot, const std::string& path);
// `snapshot`: of `path` and of all that is below `around`.
FreeOffer offerToFree(const field::Snapshot& snapshot, const std::string& path, const std::string& around);
// The answer in JSON when nothing could be read.
boost::json::object notAnswered(const std::string& path, const Error& why);

} // namespace lockscope::app
