#include "core/sim/observer.h"

#include <algorithm>

namespace lockscope::sim {

namespace {

constexpr Duration kPauseWhenRefused = std::chrono::seconds(2);

// Listing a long queue costs the server time that the clients wait for.
Duration pauseBetweenLooks(std::size_t children)
{
    if (children <= 20)
        return std::chrono::milliseconds(50);
    if (children <= 200)
        return std::chrono::milliseconds(250);
    return std::chrono::seconds(1);
}

} // namespace

Observer::Observer(zk::Hub& hub, trace::Recorder& recorder, std::string hosts, std::string path, LockId lock,
                   Foreign foreign)
    : m_hub(hub)
    , m_recorder(recorder)
    , m_hosts(std::move(hosts))
    , m_path(std::move(path))
    , m_lock(lock)
    , m_foreign(foreign)
{}

void Observer::start() { connect(); }

void Observer::stop()
{
    m_stopped = true;
    m_watch.reset();
    if (m_session)
        m_session->close();
}

void Observer::lastLook(UniqueFunction<void()> done)
{
    if (m_stopped || !m_session || m_session->phase() != zk::SessionPhase::connected) {
        m_hub.post(std::move(done));
        return;
    }
    m_lastLookDone = std::move(done);
    look();
}

zk::SessionPhase Observer::phase() const
{
    return m_session ? m_session->phase() : zk::SessionPhase::connecting;
}

void Observer::connect()
{
    if (m_stopped)
        return;
    m_session = m_hub.connect({m_hosts, std::chrono::seconds(10), std::chrono::seconds(15)});
    m_session->listen([weak = weak_from_this(), session = m_session.get()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (!self || self->m_session.get() != session || self->m_stopped)
            return;
        if (phase == zk::SessionPhase::connected) {
            self->m_looking = self->m_asked = false;
            self->look();
        } else if (phase == zk::SessionPhase::lost) {
            self->m_hub.after(std::chrono::milliseconds(500), [weak] {
                if (const auto again = weak.lock())
                    again->connect();
            });
        }
    });
}

void Observer::lookSoon()
{
    if (m_stopped || m_looking) {
        m_lookAgain = true;
        return;
    }
    m_looking = true;
    const Duration pause = m_lastLook + pauseBetweenLooks(m_hurried ? 0 : m_seen.size()) - m_hub.now();
    m_hub.after(std::max<Duration>(pause, Duration{}), [weak = weak_from_this(), turn = ++m_turn] {
        if (const auto self = weak.lock(); self && self->m_turn == turn)
            self->look();
    });
}

void Observer::hurry(bool on)
{
    m_hurried = on;
    if (!on || !m_looking || m_asked)
        return;
    m_looking = false;
    lookSoon();
}

void Observer::look()
{
    if (m_stopped || m_session->phase() != zk::SessionPhase::connected) {
        m_looking = false;
        return;
    }
    ++m_turn;
    m_looking = m_asked = true;
    m_lookAgain = false;
    m_lastLook = m_hub.now();
    m_watch = m_session->getChildren(
        m_path,
        [weak = weak_from_this()](zk::WatchKind) {
            if (const auto self = weak.lock())
                self->lookSoon();
        },
        [weak = weak_from_this(), hub = &m_hub](zk::Code code, zk::ChildNames names, const zk::Stat&) {
            hub->post([weak, code, copy = std::vector<std::string>(names.begin(), names.end())]() mutable {
                if (const auto self = weak.lock())
                    self->onList(code, std::move(copy));
            });
        });
}

void Observer::onList(zk::Code code, std::vector<std::string> names)
{
    m_looking = m_asked = false;
    if (code == zk::Code::ok || code == zk::Code::noNode)
        report(names);
    if (m_lastLookDone) {
        std::exchange(m_lastLookDone, nullptr)();
        return;
    }
    if (code == zk::Code::noAuth)
        return beRefused();
    // A missing path has no watch: look again when the lock may have been made.
    if (code != zk::Code::ok || m_lookAgain)
        lookSoon();
}

void Observer::beRefused()
{
    m_hub.after(kPauseWhenRefused, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->lookSoon();
    });
    const auto refused = m_refused; // it may end the run, and us
    refused(Error{ErrorCode::noAuth, "Not permitted to list the children of " + m_path + ".",
                  "Use a path that this client may read and write, or give it the access.", "read", m_path});
}

void Observer::report(const std::vector<std::string>& names)
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

// Not one of ours as far as we know: ask whose it is.
void Observer::identify(const std::string& name)
{
    m_session->getData(m_path + "/" + name, [weak = weak_from_this(), name](const zk::Data& data) {
        const auto self = weak.lock();
        if (!self || data.code != zk::Code::ok)
            return;
        // Its create was answered meanwhile, or its answer is late, or lost.
        const bool own = self->m_recorder.isOwnNode(self->m_lock, name) ||
                         self->m_recorder.isOwnSession(data.stat.ephemeralOwner);
        self->m_recorder.record(ClientId::none(), self->m_lock,
                                trace::NodeSeen{name, data.stat.ephemeralOwner, data.stat.czxid, !own});
        if (own || self->m_foreign == Foreign::expected || !self->m_told.insert(name).second ||
            self->m_told.size() > 20)
            return;
        const std::string kind =
            data.stat.ephemeralOwner.valid() ? "another program's client" : "nobody's session";
        const std::string text =
            "\"" + name.substr(0, 80) + "\" under " + self->m_path + " belongs to " + kind +
            ". It counts in the queue by its name, as for every Curator client: if it sorts "
            "first, everybody waits for it.";
        self->m_recorder.record(ClientId::none(), self->m_lock,
                                trace::Notice{trace::Severity::warning, text});
    });
}

} // namespace lockscope::sim
