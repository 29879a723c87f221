// One client of a fault run: a session, a mutex for every lock, and a coroutine that acquires and releases
// until there was enough. It opens a new session whenever the old one is lost. I/O thread.
#pragma once

#include "tests/faults/fault_context.h"
#include "tests/faults/fault_exposure.h"
#include "tests/faults/mixed_locks.h"
#include "tests/support/lossy_relay.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::tests {

class Worker : public std::enable_shared_from_this<Worker>
{
public:
    // With `relayed` its connections go through a link of its own, which can be cut.
    Worker(FaultContext& field, ClientId id, bool relayed);
    void start();
    bool ended() const { return m_ended; }
    std::string doing() const;                        // for the report, when it does not end
    std::uint64_t cycles() const { return m_cycles; } // begun

    ClientId id() const { return m_id; }
    LossyRelay* relay() { return m_relay.get(); }
    const std::shared_ptr<zk::HubSession>& session() const { return m_session; } // null before the first
    bool connected() const { return m_session && m_session->phase() == zk::SessionPhase::connected; }
    bool holds() const { return m_holds; }
    FaultExposure& contact() { return m_contact; }
    // Ends a fault, and asks the server something: its answer ends the excuse.
    void endFault(FaultExposure::FaultId fault);
    void proveContact();
    void freeze();
    void thaw();

private:
    enum class Style { plain, limited, tried, cancelled, reentrant };

    zk::Awaitable<void> run();
    zk::Awaitable<bool> connect();
    zk::Awaitable<void> useSession();
    zk::Awaitable<void> cycle();
    zk::Awaitable<void> hold(std::size_t lock, lock::Grant grant, bool reentrant);
    zk::Awaitable<void> reenter(std::size_t lock, lock::Grant grant);
    zk::Awaitable<void> linger(std::size_t lock);
    zk::Awaitable<void> releaseLock(std::size_t lock, Zxid token);
    zk::Awaitable<void> whileFrozen();
    void makeMutexes();
    void onPhase(zk::SessionPhase phase);
    void onLost(std::size_t lock);
    void refused(const Error& error, Style style, std::size_t lock);
    Style pickStyle();
    Duration pick(Duration longest);
    bool frozen() const { return m_session && m_session->frozen(); }
    bool sessionOver() const;

    FaultContext& m_context;
    ClientId m_id;
    std::unique_ptr<LossyRelay> m_relay;
    Random m_random;
    FaultExposure m_contact;
    zk::Signal m_wake;
    std::shared_ptr<zk::HubSession> m_session;
    std::vector<std::unique_ptr<lock::Mutex>> m_mutexes;
    std::unique_ptr<MixedLocks> m_mixed;
    std::string m_doing = "nothing yet";
    MonotonicTime m_since{}; // that it does it
    std::uint64_t m_cycles = 0;
    bool m_holds = false;
    bool m_lossReported = false; // by the release of an inner level: reported once
    bool m_ended = false;
};

} // namespace lockscope::tests
