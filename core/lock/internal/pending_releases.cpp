#include "core/lock/internal/pending_releases.h"

#include <algorithm>

namespace lockscope::lock {

PendingReleases::Guard::Guard(PendingReleases& releases, OwnerId owner)
    : m_releases(releases)
    , m_owner(owner)
{
    m_releases.m_owners.insert(owner);
}

PendingReleases::Guard::~Guard()
{
    m_releases.m_owners.erase(m_owner);
    for (OpControl* control : m_releases.m_waiting)
        control->shared()->wake.notify();
}

zk::Task<std::optional<Error>> PendingReleases::waitForRelease(OwnerId owner, zk::SessionPtr session,
                                                               std::string path,
                                                               std::optional<Duration>* limit,
                                                               CancelToken cancel, Timeouts timeouts)
{
    zk::Scheduler& scheduler = session->scheduler();
    const MonotonicTime begin = scheduler.now();
    OpControl control(std::move(session), *limit, cancel, nullptr, timeouts);
    const Waiting waiting(m_waiting, control);
    while (contains(owner) && !control.stopped())
        co_await control.woken();
    if (control.stopped())
        co_return control.stopError(path);
    if (*limit)
        **limit = std::max(Duration{}, **limit - (scheduler.now() - begin));
    co_return std::nullopt;
}

void PendingReleases::close()
{
    for (OpControl* control : m_waiting)
        control->stop(ErrorCode::closed);
}

} // namespace lockscope::lock
