// Differences between the server's watch table and the clients' beliefs, as text. Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <QString>
#include <QStringList>

namespace lockscope::ui {

// 0 for a difference; the greater the number, the less the verdict matters.
int urgency(replay::WatchVerdict verdict);
bool isDifference(replay::WatchVerdict verdict);
// "bo", or the session's number when it belongs to none of our clients.
QString watcherName(const replay::RunState& state, SessionId session, ClientId client);
// Empty unless the watch is missing or stray.
QString watchDifference(const replay::RunState& state, const replay::WatchKey& key, ClientId client,
                        replay::WatchVerdict verdict);
// The differences of a lock at this moment.
std::size_t watchDifferenceCount(const replay::LockRow& lock);
QStringList watchDifferences(const replay::RunState& state, const replay::LockRow& lock, int maxCount);

} // namespace lockscope::ui
