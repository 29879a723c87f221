// The client side of a simulated session: what the C client library and the real session on top of it do, one
// transition at a time. Requests made without a connection are kept for the next connection, or get `unknown`
// when the attempt to connect fails. Scheduler thread of its process.
#pragma once

#include "core/zk/memory/client_watches.h"
#include "core/zk/memory/ensemble.h"
#include "core/zk/session.h"

#include <deque>
#include <map>
#include <memory>
#include <variant>

namespace lockscope::zk::memory {

class MemorySession final : public Session, public std::enable_shared_from_this<MemorySession>
{
public:
    MemorySession(Ensemble& ensemble, VirtualScheduler& process, std::uint32_t index, SessionOptions options);
    ~MemorySession() override;

    void create(const std::string& path, std::string_view data, CreateMode mode,
                UniqueFunction<void(Created)> handler) override;
    void remove(const std::string& path, UniqueFunction<void(Code)> handler) override;
    void getChildren(const std::string& path, ChildrenVisitor visitor) override;
    WatchPtr getChildren(const std::string& path, WatchHandler watch, ChildrenVisitor visitor) override;
    void getData(const std::string& path, UniqueFunction<void(Data)> handler) override;
    WatchPtr getData(const std::string& path, WatchHandler watch,
                     UniqueFunction<void(Data)> handler) override;
    WatchPtr exists(const std::string& path, WatchHandler watch,
                    UniqueFunction<void(StatReply)> handler) override;
    using Session::setData;
    void setData(const std::string& path, std::string_view data, std::int32_t version,
                 UniqueFunction<void(StatReply)> handler) override;
    void sync(const std::string& path, UniqueFunction<void(Code)> handler) override;

    SessionPhase phase() const override { return m_phase; }
    LossReason lossReason() const override { return m_loss; }
    SessionId id() const override { return m_id; }
    Duration timeout() const override { return m_options.timeout; }
    std::string server() const override;
    ListenerId addListener(PhaseListener listener) override;
    void removeListener(ListenerId listener) override;
    void close() override;
    Scheduler& scheduler() override { return m_process; }

    std::uint32_t index() const { return m_index; }
    // The zxid of the last message received.
    Zxid lastSeenZxid() const { return m_lastSeenZxid; }
    // A watch handler still waits for this event.
    bool awaits(const std::string& path, WatchKind kind) const { return m_watches.awaits(path, kind); }
    // The watches that the session would set again after a reconnect.
    WatchSet keptWatches() const { return m_watches.all(m_lastZxid); }

private:
    friend class Ensemble;
    using Handler =
        std::variant<UniqueFunction<void(Created)>, UniqueFunction<void(Code)>, UniqueFunction<void(Data)>,
                     UniqueFunction<void(StatReply)>, ChildrenVisitor>;
    struct Call
    {
        Request request;
        Handler handler;
        std::shared_ptr<WatchHandler> watch; // added to m_watches when the request succeeds
    };

    // ---- for the ensemble ----
    void begin();
    bool wantsConnect() const;
    Zxid lastZxid() const { return m_lastZxid; }
    void attemptFailed();
    void receive(ServerMessage message);

    WatchPtr submit(Request request, Handler handler, std::optional<WatchHandler> watch = std::nullopt);
    void connected(const ServerMessage& message);
    void disconnected();
    void replied(const ServerMessage& message);
    void lose(LossReason reason);
    void end(Code code, bool orderly);
    void setPhase(SessionPhase phase);
    void answerLater(Call call, Code code);

    Ensemble& m_ensemble;
    VirtualScheduler& m_process;
    const std::uint32_t m_index;
    const SessionOptions m_options;
    SessionPhase m_phase = SessionPhase::connecting;
    LossReason m_loss = LossReason::none;
    SessionId m_id;
    Zxid m_lastZxid{0}; // of replies only, as in the C client; sent with every reconnect
    Zxid m_lastSeenZxid{0};
    bool m_mayConnect = true; // false for a while after an attempt that failed
    Scheduler::TimerId m_lossTimer = 0;
    std::uint64_t m_lastRequest = 0;
    std::deque<Call> m_sent;
    std::deque<Call> m_unsent;
    ClientWatches m_watches;
    Listeners<SessionPhase> m_listeners;
};

} // namespace lockscope::zk::memory
