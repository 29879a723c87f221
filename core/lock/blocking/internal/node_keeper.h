// Makes the node that a cohort wants, and deletes it when it must go. Kept alive by its work. Scheduler
// thread.
#pragma once

#include "core/lock/blocking/internal/cohort.h"
#include "core/lock/mutex.h"

#include <memory>
#include <vector>

namespace lockscope::lock {

class NodeKeeper
{
public:
    using Told = UniqueFunction<void(Result<void>)>;
    NodeKeeper(std::shared_ptr<Cohort> cohort, zk::Scheduler& scheduler);

    // One node, from its acquire to its end; of a mutex that says what it loses to lost(). When the server
    // refuses to delete the node, the next call continues with it. Error: of the acquire.
    static zk::Task<Result<void>> serve(std::shared_ptr<NodeKeeper> keeper, zk::SessionPtr session,
                                        std::shared_ptr<Mutex> mutex, std::optional<Duration> limit);
    std::optional<Cohort::Lost> lost();
    // Lets the node with this number go, which the cohort has left. `told`: when it is gone, or the error.
    void letGo(std::uint64_t node, Told told);
    // Gives up the acquire when no member waits for it any more. `told`: when nothing of it is left over, not
    // the node either that goes because it came too late.
    void giveUp(Told told);
    void end(); // at once; the node is deleted in the background when its mutex is destroyed

private:
    const std::shared_ptr<Cohort> m_cohort;
    const zk::Signal m_changed;
    CancelToken m_cancel;
    bool m_acquiring = false;
    bool m_hasNode = false;
    std::uint64_t m_gone = 0; // the last node that has ended
    std::vector<Told> m_told; // at the end of the present one
};

} // namespace lockscope::lock
