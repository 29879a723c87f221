// Ends a session from outside: a second connection with its id and password, then an orderly close.
#include "core/zk/c_client/hub_impl.h"

namespace lockscope::zk::c_client {

// Race: the server drops the connection of the victim when ours arrives; the library of the victim reconnects
// at once with the same id and resumes the session before our close arrives, which then does nothing. So the
// I/O of the victim is paused meanwhile. A reconnect that was already under way can still win: then the
// victim is connected again, and the kill is retried. The job lives as long as the listeners that hold it.
class KillJob : public std::enable_shared_from_this<KillJob>
{
public:
    KillJob(std::shared_ptr<HubImpl> hub, std::shared_ptr<CSession> victim, ConnectOptions options,
            clientid_t identity, UniqueFunction<void(Result<void>)> done)
        : m_hub(std::move(hub))
        , m_victim(victim)
        , m_options(std::move(options))
        , m_identity(identity)
        , m_done(std::move(done))
    {
        m_options.connectTimeout = std::chrono::seconds(5);
        m_options.credentials.clear(); // a close needs none
    }

    // If `done` is still pending, the victim was destroyed with its listeners, which closed its session.
    ~KillJob()
    {
        if (m_done)
            m_hub->post([done = std::move(m_done)]() mutable { done({}); });
    }
    KillJob(const KillJob&) = delete;
    KillJob& operator=(const KillJob&) = delete;

    void begin()
    {
        m_victimListener = m_victim.lock()->addListener([self = shared_from_this()](SessionPhase phase) {
            if (isOver(phase))
                self->finish({});
            else if (phase == SessionPhase::connected && !self->m_takeover)
                self->attempt();
        });
        attempt();
    }

private:
    void attempt()
    {
        if (--m_attemptsLeft < 0) {
            finish(Error{ErrorCode::busy,
                         message("The client reconnected every time before its session could be closed."),
                         message("Try again.")});
            return;
        }
        if (const auto victim = m_victim.lock()) {
            m_wasConnected = victim->phase() == SessionPhase::connected;
            victim->pauseIo();
        }
        m_takeover = m_hub->connect(m_options, m_identity);
        m_takeover->addListener(
            [self = shared_from_this()](SessionPhase phase) { self->onTakeoverPhase(phase); });
    }

    void onTakeoverPhase(SessionPhase phase)
    {
        if (!m_takeover || m_ending)
            return;
        if (phase == SessionPhase::connected) {
            m_ending = true;
            m_takeover->m_phase = SessionPhase::closed;
            m_takeover->endHandle(Code::closed, [self = shared_from_this()] { self->onEnded(); });
        } else if (phase == SessionPhase::lost) {
            const bool gone = m_takeover->lossReason() == LossReason::expired;
            releaseVictim();
            if (gone)
                finish({}); // the session had already expired
            else
                finish(Error{
                    ErrorCode::noServer, message("The server did not answer the second connection."), {}});
        }
    }

    void onEnded()
    {
        releaseVictim();
        m_ending = false;
        const auto victim = m_victim.lock();
        // A victim that was reconnecting at the start may have resumed the session: its next phase decides.
        if (!victim || m_wasConnected || victim->frozen())
            report({});
    }

    void releaseVictim()
    {
        m_takeover.reset();
        if (const auto victim = m_victim.lock())
            victim->resumeIo();
    }

    void report(Result<void> result)
    {
        if (auto done = std::exchange(m_done, nullptr))
            invokeUserCallback(*m_hub, done, std::move(result));
    }

    void finish(Result<void> result)
    {
        report(std::move(result));
        if (const auto victim = m_victim.lock(); victim && m_victimListener)
            victim->removeListener(*std::exchange(m_victimListener, std::nullopt));
    }

    const std::shared_ptr<HubImpl> m_hub;
    std::weak_ptr<CSession> m_victim;
    ConnectOptions m_options;
    clientid_t m_identity;
    UniqueFunction<void(Result<void>)> m_done;
    std::shared_ptr<CSession> m_takeover;
    std::optional<Session::ListenerId> m_victimListener;
    int m_attemptsLeft = 5;
    bool m_ending = false;
    bool m_wasConnected = false; // the victim, when the attempt began
};

void HubImpl::startKill(std::shared_ptr<CSession> victim, ConnectOptions options, clientid_t identity,
                        UniqueFunction<void(Result<void>)> done)
{
    std::make_shared<KillJob>(shared_from_this(), std::move(victim), std::move(options), identity,
                              std::move(done))
        ->begin();
}

} // namespace lockscope::zk::c_client
