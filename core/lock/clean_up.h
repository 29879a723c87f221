// What an operation cleans up behind itself: it goes on in the background until it is done, and the operation
// waits for it briefly, so that its caller finds nothing left whenever the server answers in time. Lives in
// the operation's frame. Scheduler thread.
#pragma once

#include "core/lock/op_control.h"
#include "core/lock/lock_node_client.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockscope::lock {

// The error of an operation that leaves something behind for good says both.
Error withCleanUpError(Error error, const std::optional<Error>& rest);

class CleanUp
{
public:
    explicit CleanUp(OpControl& control)
        : m_control(control)
    {}
    ~CleanUp();
    CleanUp(const CleanUp&) = delete;
    CleanUp& operator=(const CleanUp&) = delete;

    // Begins soon. The work returns an error when something has to stay behind for good.
    void start(const LockNodeClient& nodeClient, zk::Task<std::optional<Error>> work);
    // Until all is done, for kCleanUpTimeout at most, and only while the session is connected. The first error.
    // What fails after this is reported to the lock's onError.
    zk::Task<std::optional<Error>> finish();

private:
    struct Part
    {
        bool done = false;
        bool awaited = true;
        std::optional<Error> error;
    };
    static zk::Task<void> execute(LockNodeClient nodeClient, zk::Task<std::optional<Error>> work, std::shared_ptr<Part> part,
                                   std::shared_ptr<OpControl::Shared> waiter);
    bool done() const;

    OpControl& m_control;
    std::vector<std::shared_ptr<Part>> m_parts;
};

} // namespace lockscope::lock
