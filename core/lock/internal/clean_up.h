// Deletes what an operation leaves behind. The work continues in the background until it is done; the
// operation waits for it briefly, so that nothing is left when it returns, provided that the server answers
// in time. Lives in the frame of the operation. Scheduler thread.
#pragma once

#include "core/lock/internal/lock_node_client.h"
#include "core/lock/internal/op_control.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockscope::lock {

// `error` alone, or, when a node could not be deleted, its error `rest` with the message of `error` in front.
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

    // Starts `work` in a posted function. `work` returns an error when a node cannot be deleted.
    void start(const LockNodeClient& nodeClient, zk::Task<std::optional<Error>> work);
    // Waits until all work is done: at most Timeouts::cleanUp, counted from the first call, and only while
    // the session is connected. Returns the first error. Later errors go to the lock's onError.
    zk::Task<std::optional<Error>> finish();

private:
    struct Part
    {
        bool done = false;
        bool awaited = true;
        std::optional<Error> error;
    };
    static zk::Task<void> execute(LockNodeClient nodeClient, zk::Task<std::optional<Error>> work,
                                  std::shared_ptr<Part> part, std::shared_ptr<OpControl::Shared> waiter);
    bool done() const;

    OpControl& m_control;
    std::vector<std::shared_ptr<Part>> m_parts;
    std::optional<MonotonicTime> m_deadline; // of finish()
};

} // namespace lockscope::lock
