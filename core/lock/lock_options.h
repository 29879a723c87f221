// The options of a lock. A value.
#pragma once

#include "core/lock/naming.h"
#include "core/lock/node_data.h"
#include "core/lock/observer.h"
#include "core/lock/retry.h"
#include "core/lock/timeouts.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace lockscope::lock {

using lockscope::HandoffPolicy; // announced: internal/acquire_op.cpp

struct LockOptions
{
    static LockOptions at(std::string path)
    {
        LockOptions options;
        options.path = std::move(path);
        return options;
    }

    std::string path;  // of the lock, e.g. "/locks/well"; missing parents are created
    NodeNaming naming; // ignored by a read/write lock, which has two namings of its own
    HandoffPolicy handoff = HandoffPolicy::curator; // of a mutex; other locks always list
    RetryPolicy retry; // for starting over and for refusals; not for waiting in the queue
    Timeouts timeouts; // of calls whose server does not answer
    // The data of the lock's nodes, for others to read (Curator's getParticipantNodes, participantDetails()).
    // An acquire fails with badUsage when it ends with kAnnouncement or is longer than kMaxNodeData.
    std::string nodeData = defaultNodeData();
    // A hold that lasts longer than this watches its own node, so that the holder learns at once when the
    // node is deleted.
    Duration watchHoldAfter = std::chrono::milliseconds(5);
    std::shared_ptr<Observer> observer{}; // null: nothing is observed
    // A fixed protection prefix for the first attempt of this lock object; later attempts get new ones. That
    // attempt first searches for a node with the prefix, left by an earlier session, and takes it only when
    // it belongs to its own session. Use a GUID for one lock at a time: a late clean-up deletes by this
    // prefix. In a read/write lock it belongs to the write lock. Empty: a new prefix for every attempt.
    std::string keptGuid;
    // Called on the scheduler thread with errors of background work: a node that could not be deleted after
    // its acquire returned or its lock was destroyed. That node remains until the session ends.
    std::function<void(const Error&)> onError{};
};

} // namespace lockscope::lock
