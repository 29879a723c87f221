#include "core/field/log_facts.h"

#include "core/history/history.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>

namespace lockscope::field {

namespace {

using history::EndCounts;
using history::History;

constexpr std::uint64_t kBytesAtOnce = 32 * 1024 * 1024;

void addEnds(LockStatus& row, const EndCounts& ends)
{
    row.endsByLog = ends;
    if (ends.acquisitions() != row.acquisitions || ends.open != row.ends.open)
        return; // the log ends too early, or begins too late
    row.ends.deletedSessionAlive = ends.released + ends.deletedByOther;
    row.ends.sessionGone = ends.sessionClosed + ends.sessionExpired;
    row.ends.unknown = ends.endUnknown;
}

} // namespace

Result<std::vector<history::Damage>> addLogFacts(Snapshot& snapshot,
                                                 const std::vector<std::filesystem::path>& logs,
                                                 const std::string& chroot,
                                                 const std::function<bool()>& isCancelled)
{
    History::Options options;
    options.sinceMs = snapshot.sinceMs;
    options.untilMs = snapshot.atMs;
    options.queueEntries = true;
    for (const LockStatus& row : snapshot.locks) {
        options.locks.push_back(chroot + row.path);
        if (row.recipe == history::Recipe::fixedName && row.state != HoldState::notKnown)
            options.fixedNames.push_back(chroot + row.path);
    }
    if (options.locks.empty())
        return std::vector<history::Damage>{};
    auto opened = History::open(logs, options);
    if (!opened)
        return opened.error();
    History& history = **opened;
    while (history.read(kBytesAtOnce) == history::HistoryReader::State::more)
        if (isCancelled())
            return Error{ErrorCode::cancelled, message("Reading the logs was canceled."), {}};

    boost::unordered_flat_map<std::string, EndCounts> endsOf;
    for (const history::LockSummary& lock : history.locks())
        endsOf.emplace(lock.path, lock.ends);
    boost::unordered_flat_map<std::string, std::int64_t> entitledMs; // by path, of current holders
    for (const history::QueueEntry& entry : history.queueEntries())
        if (entry.entitledMs && !entry.endedMs && !entry.beforeLog)
            entitledMs[entry.parent + "/" + entry.node] = *entry.entitledMs;
    const auto addSince = [&](Participant& one) {
        const auto known =
            entitledMs.find(chroot + (one.parent == "/" ? std::string() : one.parent) + "/" + one.node);
        if (known != entitledMs.end() && one.heldSince && !one.heldSince->exact())
            one.heldSince = HeldSince{known->second, known->second};
    };
    for (LockStatus& row : snapshot.locks) {
        if (const auto ends = endsOf.find(chroot + row.path); ends != endsOf.end())
            addEnds(row, ends->second);
        if (row.holder)
            addSince(*row.holder);
        for (Participant& one : row.participants)
            addSince(one);
    }
    return history.takeDamage();
}

} // namespace lockscope::field
