// The reading half of a session: wraps a Session, so that no cast gives access to its writes. Scheduler
// thread. The session ends with the last owner of this object.
#pragma once

#include "core/zk/session.h"

#include <utility>

namespace lockscope::zk {

class ReadOnlySession final : public ReadSession
{
public:
    explicit ReadOnlySession(SessionPtr session)
        : m_session(std::move(session))
    {}

    void getChildren(const std::string& path, ChildrenVisitor visitor) override
    {
        m_session->getChildren(path, std::move(visitor));
    }
    WatchPtr getChildren(const std::string& path, WatchHandler watch, ChildrenVisitor visitor) override
    {
        return m_session->getChildren(path, std::move(watch), std::move(visitor));
    }
    void getData(const std::string& path, UniqueFunction<void(Data)> handler) override
    {
        m_session->getData(path, std::move(handler));
    }
    WatchPtr getData(const std::string& path, WatchHandler watch, UniqueFunction<void(Data)> handler) override
    {
        return m_session->getData(path, std::move(watch), std::move(handler));
    }
    WatchPtr exists(const std::string& path, WatchHandler watch,
                    UniqueFunction<void(StatReply)> handler) override
    {
        return m_session->exists(path, std::move(watch), std::move(handler));
    }
    void sync(const std::string& path, UniqueFunction<void(Code)> handler) override
    {
        m_session->sync(path, std::move(handler));
    }
    SessionPhase phase() const override { return m_session->phase(); }
    LossReason lossReason() const override { return m_session->lossReason(); }
    SessionId id() const override { return m_session->id(); }
    Duration timeout() const override { return m_session->timeout(); }
    std::string server() const override { return m_session->server(); }
    ListenerId addListener(PhaseListener listener) override
    {
        return m_session->addListener(std::move(listener));
    }
    void removeListener(ListenerId listener) override { m_session->removeListener(listener); }
    void close() override { m_session->close(); }
    Scheduler& scheduler() override { return m_session->scheduler(); }

private:
    SessionPtr m_session;
};

} // namespace lockscope::zk
