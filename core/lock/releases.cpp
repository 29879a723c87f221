#include "core/lock/releases.h"

#include <algorithm>

namespace lockscope::lock {

Releases::UnderWay::UnderWay(Releases& releases, OwnerId owner)
    : m_releases(releases)
    , m_owner(owner)
{
    m_releases.m_owners.insert(owner);
}

Releases::UnderWay::~UnderWay()
{
    m_releases.m_owners.erase(m_owner);
    for (OpControl* control : m_releases.m_waiting)
        control->shared()->wake.notify();
}

// An acquire that waits, for as long as it does.
class Releases::Waiting
{
public:
    Waiting(Releases& releases, OpControl& control)
        : m_releases(releases)
        , m_control(control)
    {
        m_releases.m_waiting.insert(&m_control);
    }
    ~Waiting() { m_releases.m_waiting.erase(&m_control); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

private:
    Releases& m_releases;
    OpControl& m_control;
};

zk::Task<std::optional<Error>> Releases::ended(OwnerId owner, zk::SessionPtr session, std::string path,
                                               std::optional<Duration>* limit, Cancel cancel)
{
    zk::Scheduler& scheduler = session->scheduler();
    const MonotonicTime begin = scheduler.now();
    OpControl control(std::move(session), *limit, cancel, nullptr);
    const Waiting waiting(*this, control);
    while (contains(owner) && !control.stopped())
        co_await control.woken();
    if (control.stopped())
        co_return control.stopError(path);
    if (*limit)
        **limit = std::max(Duration{}, **limit - (scheduler.now() - begin));
    co_return std::nullopt;
}

void Releases::close()
{
    for (OpControl* control : m_waiting)
        control->stop(ErrorCode::closed);
}

} // namespace lockscope::lock
