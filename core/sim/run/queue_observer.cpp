#include "core/sim/run/queue_observer.h"

#include <algorithm>

namespace lockscope::sim {

namespace {

constexpr Duration kRefusedRetryDelay = std::chrono::seconds(2);

// Listing a long queue takes server time, for which clients wait.
Duration refreshInterval(std::size_t children)
{
    if (children <= 20)
        return std::chrono::milliseconds(50);
    if (children <= 200)
        return std::chrono::milliseconds(250);
    return std::chrono::seconds(1);
}

} // namespace

QueueObserver::QueueObserver(zk::ReadHub hub, trace::Recorder& recorder, std::string hosts, std::string path,
                             LockId lock)
    : m_hub(std::move(hub))
    , m_recorder(recorder)
    , m_hosts(std::move(hosts))
    , m_path(std::move(path))
    , m_lock(lock)
{}

void QueueObserver::start() { connect(); }

void QueueObserver::stop()
{
    m_stopped = true;
    m_watch.reset();
    if (m_session)
        m_session->close();
}

void QueueObserver::finalRefresh(UniqueFunction<void()> done)
{
    if (m_stopped || !m_session || m_session->phase() != zk::SessionPhase::connected) {
        m_hub.post(std::move(done));
        return;
    }
    m_finalRefreshDone = std::move(done);
    refresh();
}

void QueueObserver::connect()
{
    if (m_stopped)
        return;
    m_session = m_hub.connect({m_hosts, std::chrono::seconds(10), std::chrono::seconds(15)});
    m_session->addListener([weak = weak_from_this(), session = m_session.get()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (!self || self->m_session.get() != session || self->m_stopped)
            return;
        if (phase == zk::SessionPhase::connected) {
            self->m_refreshPending = self->m_requestPending = false;
            self->refresh();
        } else if (phase == zk::SessionPhase::lost) {
            self->m_hub.after(std::chrono::milliseconds(500), self->whileAlive(&QueueObserver::connect));
        }
    });
}

void QueueObserver::scheduleRefresh()
{
    if (m_stopped || m_refreshPending) {
        m_refreshAgain = true;
        return;
    }
    m_refreshPending = true;
    const Duration pause = m_lastRefresh + refreshInterval(m_immediate ? 0 : m_seen.size()) - m_hub.now();
    m_hub.after(std::max<Duration>(pause, Duration{}), [weak = weak_from_this(), refreshId = ++m_refreshId] {
        if (const auto self = weak.lock(); self && self->m_refreshId == refreshId)
            self->refresh();
    });
}

void QueueObserver::setImmediate(bool on)
{
    m_immediate = on;
    if (!on || !m_refreshPending || m_requestPending)
        return;
    m_refreshPending = false;
    scheduleRefresh();
}

void QueueObserver::refresh()
{
    if (m_stopped || m_session->phase() != zk::SessionPhase::connected) {
        m_refreshPending = false;
        return;
    }
    m_refreshPending = m_requestPending = true;
    m_refreshAgain = false;
    m_lastRefresh = m_hub.now();
    m_watch = m_session->getChildren(
        m_path, whileAlive(&QueueObserver::scheduleRefresh),
        [weak = weak_from_this(), hub = m_hub, refreshId = ++m_refreshId](zk::Code code, zk::ChildNames names,
                                                                          const zk::Stat&) mutable {
            hub.post([weak, refreshId, code,
                      copy = std::vector<std::string>(names.begin(), names.end())]() mutable {
                if (const auto self = weak.lock(); self && self->m_refreshId == refreshId)
                    self->onList(code, std::move(copy));
            });
        });
}

void QueueObserver::onList(zk::Code code, std::vector<std::string> names)
{
    const bool there = code == zk::Code::ok;
    if (there || code == zk::Code::noNode) {
        report(names);
        return finishRefresh(there);
    }
    m_refreshPending = m_requestPending = false;
    if (m_finalRefreshDone)
        return std::exchange(m_finalRefreshDone, nullptr)();
    if (code != zk::Code::noAuth)
        return scheduleRefresh();
    m_hub.after(kRefusedRetryDelay, whileAlive(&QueueObserver::scheduleRefresh));
}

void QueueObserver::finishRefresh(bool there)
{
    m_refreshPending = m_requestPending = false;
    if (m_finalRefreshDone)
        return std::exchange(m_finalRefreshDone, nullptr)();
    if (!there)
        return awaitCreation();
    if (m_refreshAgain)
        scheduleRefresh();
}

void QueueObserver::awaitCreation()
{
    const auto readAgain = whileAlive(&QueueObserver::scheduleRefresh);
    m_watch = m_session->exists(m_path, readAgain, [readAgain](const zk::StatReply& reply) {
        if (reply.code != zk::Code::noNode) // it exists by now, or the watch was not set
            readAgain();
    });
}

void QueueObserver::report(const std::vector<std::string>& names)
{
    std::set<std::string> now(names.begin(), names.end());
    for (const std::string& name : m_seen)
        if (!now.contains(name))
            m_recorder.record(ClientId::none(), m_lock, trace::NodeVanished{name});
    for (const std::string& name : now) {
        if (m_seen.contains(name))
            continue;
        if (m_recorder.isOwnNode(m_lock, name))
            m_recorder.record(ClientId::none(), m_lock, trace::NodeSeen{name, {}, {}, false});
        else
            identify(name);
    }
    m_seen = std::move(now);
    m_recorder.record(ClientId::none(), m_lock, trace::Observed{static_cast<std::uint32_t>(m_seen.size())});
}

// Reads the owner of a node that no own client is known to have created.
void QueueObserver::identify(const std::string& name)
{
    m_session->getData(m_path + "/" + name, [weak = weak_from_this(), name](const zk::Data& data) {
        const auto self = weak.lock();
        if (!self || data.code == zk::Code::noNode) // the next list is without it
            return;
        const bool readable = data.code == zk::Code::ok;
        if (!readable && data.code != zk::Code::noAuth) { // no answer came: asks again with the next list
            self->m_seen.erase(name);
            return self->scheduleRefresh();
        }
        // The node of an own client, whose reply has arrived meanwhile, is late or was lost.
        const bool own = self->m_recorder.isOwnNode(self->m_lock, name) ||
                         self->m_recorder.isOwnSession(data.stat.ephemeralOwner);
        self->m_recorder.record(
            ClientId::none(), self->m_lock,
            trace::NodeSeen{name, self->m_recorder.named(data.stat.ephemeralOwner), data.stat.czxid, !own});
        if (own || self->m_expectsOthers || !self->m_reportedForeign.insert(name).second ||
            self->m_reportedForeign.size() > 20)
            return;
        const Message kind = !readable ? message("a program that does not let it be read")
                             : data.stat.ephemeralOwner.valid() ? message("another program's client")
                                                                : message("no session");
        const Message text = message(
            "\"%1\" under %2 belongs to %3. It counts in the queue by its name, as for every Curator client: "
            "if it sorts first, all clients wait for it.",
            name.substr(0, 80), self->m_path, kind);
        self->m_recorder.record(ClientId::none(), self->m_lock,
                                trace::Notice{trace::Severity::warning, text});
    });
}

void finalRefresh(const std::vector<std::shared_ptr<QueueObserver>>& observers,
                  const std::function<void()>& done)
{
    if (observers.empty())
        return done();
    const auto left = std::make_shared<std::size_t>(observers.size());
    for (const std::shared_ptr<QueueObserver>& observer : observers)
        observer->finalRefresh([left, done] {
            if (--*left == 0)
                done();
        });
}

} // namespace lockscope::sim
