// A session that passes every call on to another one. What derives from it alters, drops or delays some of
// them. Scheduler thread.
#pragma once

#include "core/zk/session.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::lock {

class SessionDecorator : public zk::Session
{
public:
    explicit SessionDecorator(zk::SessionPtr inner)
        : m_inner(std::move(inner))
    {}

    void create(const std::string& path, std::string_view data, zk::CreateMode mode,
                UniqueFunction<void(zk::Created)> handler) override
    {
        m_inner->create(path, data, mode, std::move(handler));
    }
    void remove(const std::string& path, UniqueFunction<void(zk::Code)> handler) override
    {
        m_inner->remove(path, std::move(handler));
    }
    void setData(const std::string& path, std::string_view data, std::int32_t version,
                 UniqueFunction<void(zk::StatReply)> handler) override
    {
        m_inner->setData(path, data, version, std::move(handler));
    }
    void getChildren(const std::string& path, zk::ChildrenVisitor visitor) override
    {
        m_inner->getChildren(path, std::move(visitor));
    }
    zk::WatchPtr getChildren(const std::string& path, zk::WatchHandler watch,
                             zk::ChildrenVisitor visitor) override
    {
        return m_inner->getChildren(path, std::move(watch), std::move(visitor));
    }
    void getData(const std::string& path, UniqueFunction<void(zk::Data)> handler) override
    {
        m_inner->getData(path, std::move(handler));
    }
    zk::WatchPtr getData(const std::string& path, zk::WatchHandler watch,
                         UniqueFunction<void(zk::Data)> handler) override
    {
        return m_inner->getData(path, std::move(watch), std::move(handler));
    }
    zk::WatchPtr exists(const std::string& path, zk::WatchHandler watch,
                        UniqueFunction<void(zk::StatReply)> handler) override
    {
        return m_inner->exists(path, std::move(watch), std::move(handler));
    }
    void sync(const std::string& path, UniqueFunction<void(zk::Code)> handler) override
    {
        m_inner->sync(path, std::move(handler));
    }
    zk::SessionPhase phase() const override { return m_inner->phase(); }
    zk::LossReason lossReason() const override { return m_inner->lossReason(); }
    SessionId id() const override { return m_inner->id(); }
    Duration timeout() const override { return m_inner->timeout(); }
    std::string server() const override { return m_inner->server(); }
    ListenerId addListener(PhaseListener listener) override
    {
        return m_inner->addListener(std::move(listener));
    }
    void removeListener(ListenerId listener) override { m_inner->removeListener(listener); }
    void close() override { m_inner->close(); }
    zk::Scheduler& scheduler() override { return m_inner->scheduler(); }

protected:
    using Names = std::vector<std::string>;
    // A visitor that alters the names before `visitor` gets them: in a posted function, when the handlers of
    // earlier replies have run.
    zk::ChildrenVisitor altered(zk::ChildrenVisitor visitor, std::function<void(Names&)> alter)
    {
        return [scheduler = &scheduler(), visitor = std::move(visitor), alter = std::move(alter)](
                   zk::Code code, zk::ChildNames given, const zk::Stat& parent) mutable {
            scheduler->post([visitor = std::move(visitor), alter = std::move(alter), code, parent,
                             names = Names(given.begin(), given.end())]() mutable {
                alter(names);
                std::vector<const char*> pointers;
                for (const std::string& name : names)
                    pointers.push_back(name.c_str());
                visitor(code, pointers, parent);
            });
        };
    }

    const zk::SessionPtr m_inner;
};

} // namespace lockscope::lock
