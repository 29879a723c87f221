#include "core/sim/run/admin_session.h"

namespace lockscope::sim {

struct AdminSession::State
{
    zk::Hub& hub;
    std::string hosts;
    std::shared_ptr<zk::HubSession> session{};
    std::vector<std::function<void(zk::Session&)>> toDo{}; // queued until it is connected

    void ask(const std::shared_ptr<State>& self, std::function<void(zk::Session&)> what);
};

void AdminSession::State::ask(const std::shared_ptr<State>& self, std::function<void(zk::Session&)> what)
{
    if (session && session->phase() == zk::SessionPhase::connected) {
        what(*session);
        return;
    }
    toDo.push_back(std::move(what));
    if (session && !isOver(session->phase()))
        return;
    session = hub.connect({hosts, std::chrono::seconds(10), std::chrono::seconds(15)});
    session->addListener([weak = std::weak_ptr(self), asked = session.get()](zk::SessionPhase phase) {
        const auto state = weak.lock();
        const bool settled = phase == zk::SessionPhase::connected || phase == zk::SessionPhase::lost;
        if (!state || state->session.get() != asked || !settled)
            return;
        for (const auto& one : std::exchange(state->toDo, {}))
            one(*state->session); // on a lost session the requests fail
    });
}

AdminSession::AdminSession(zk::Hub& hub, const std::string& hosts)
    : m_state(std::make_shared<State>(State{hub, hosts}))
{}

AdminSession::~AdminSession()
{
    if (m_state->session)
        m_state->session->close();
}

void AdminSession::remove(std::string path, std::function<void(zk::Code)> done)
{
    m_state->ask(m_state, [path = std::move(path), done = std::move(done)](zk::Session& session) {
        session.remove(path, done);
    });
}

void AdminSession::write(std::string path, std::string data, std::function<void(zk::Code)> done)
{
    m_state->ask(m_state, [path = std::move(path), data = std::move(data),
                           done = std::move(done)](zk::Session& session) {
        session.setData(path, data, [done](const zk::StatReply& reply) { done(reply.code); });
    });
}

} // namespace lockscope::sim
