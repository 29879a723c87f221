// Ending a session from outside: a second connection with its id and password, then an orderly close.
#include "core/zk/c_client/hub_impl.h"

namespace lockscope::zk::c_client {

// Race: the server drops the victim's connection when ours comes; the victim's library reconnects with the same id
// and takes the session back before our close arrives. So the close is made on this thread, which serves nobody while it
// waits for the server's answer (a millisecond: the server has just answered the connect). If the victim was faster all
// the same it is connected again, and there is one more try. Lives as long as the listeners that hold it.
class KillJob : public std::enable_shared_from_this<KillJob>
{
public:
    KillJob(HubImpl& hub, std::shared_ptr<CSession> victim, ConnectOptions options, clientid_t identity,
            UniqueFunction<void(Result<void>)> done)
        : m_hub(hub), m_victim(victim), m_options(std::move(options)), m_identity(identity), m_done(std::move(done))
    {
        m_options.connectLimit = std::chrono::seconds(5);
    }

    void attempt()
    {
        if (--m_attemptsLeft < 0) {
            finish(Error{ErrorCode::busy, "The session took itself back every time it was killed.", "Try again."});
            return;
        }
        m_intruder = m_hub.connectAs(m_options, m_identity);
        m_intruder->listen([self = shared_from_this()](SessionPhase phase) { self->onIntruder(phase); });
    }

private:
    void onIntruder(SessionPhase phase)
    {
        if (!m_intruder || m_ending)
            return;
        if (phase == SessionPhase::connected) {
            m_ending = true;
            m_intruder->closeNow();
            onEnded();
        } else if (phase == SessionPhase::lost) {
            const bool gone = m_intruder->lossReason() == LossReason::expired;
            m_intruder.reset();
            if (gone)
                finish({}); // it did not exist any more
            else
                finish(Error{ErrorCode::noServer, "The server did not answer the second connection.", ""});
        }
    }

    void onEnded()
    {
        m_intruder.reset();
        m_ending = false;
        const auto victim = m_victim.lock();
        if (victim && !m_watching) {
            m_watching = victim->listen([self = shared_from_this()](SessionPhase phase) {
                const auto killed = self->m_victim.lock();
                if (phase == SessionPhase::connected && killed && killed->id() == SessionId{self->m_identity.client_id})
                    self->attempt();
                else if (phase == SessionPhase::lost || phase == SessionPhase::closed)
                    self->finish({});
            });
        }
        finish({});
    }

    void finish(Result<void> result)
    {
        if (m_done)
            std::exchange(m_done, nullptr)(std::move(result));
        const auto victim = m_victim.lock();
        if (victim && m_watching && (victim->phase() == SessionPhase::lost || victim->phase() == SessionPhase::closed))
            victim->unlisten(*std::exchange(m_watching, std::nullopt));
    }

    HubImpl& m_hub;
    std::weak_ptr<CSession> m_victim;
    ConnectOptions m_options;
    clientid_t m_identity;
    UniqueFunction<void(Result<void>)> m_done;
    std::shared_ptr<CSession> m_intruder;
    std::optional<Session::ListenerId> m_watching;
    int m_attemptsLeft = 5;
    bool m_ending = false;
};

void HubImpl::startKill(std::shared_ptr<CSession> victim, ConnectOptions options, clientid_t identity,
                        UniqueFunction<void(Result<void>)> done)
{
    std::make_shared<KillJob>(*this, std::move(victim), std::move(options), identity, std::move(done))->attempt();
}

} // namespace lockscope::zk::c_client
