// Differences between the server's watch table and what the clients believe, as sentences. Pure.
#pragma once

#include "core/replay/state/run_state.h"

#include <QString>
#include <QStringList>

namespace lockscope::ui {

// What deserves the eye first: 0 for a difference, more for what matters less.
int urgency(replay::WatchVerdict verdict);
bool isDifference(replay::WatchVerdict verdict);
// "bo", or the session's number when it is nobody of ours.
QString watcherName(const replay::RunState& state, SessionId session, ClientId client);
// For a watch that is missing or stray; empty for any other.
QString watchDifference(const replay::RunState& state, const replay::WatchKey& key, ClientId client,
                        replay::WatchVerdict verdict);
// All of a lock at this moment, at most so many.
QStringList watchDifferences(const replay::RunState& state, const replay::LockRow& lock, int most);

} // namespace lockscope::ui
