// A hub without a ZooKeeper of its own, driven by the test's thread.
#pragma once

#include "core/zk/hub.h"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

namespace lockscope::tests {

class DrivenHub
{
public:
    explicit DrivenHub(zk::HubOptions options = zk::HubOptions::ownProcess())
        : m_hub(zk::Hub::create(m_io, std::move(options)).value())
    {}

    boost::asio::io_context& io() { return m_io; }
    zk::Hub& hub() { return *m_hub; }
    void destroyHub() { m_hub.reset(); }

    // False after `limit`. What handlers throw leaves it.
    bool runUntil(const std::function<bool()>& reached, Duration limit = std::chrono::seconds(15))
    {
        const auto deadline = MonotonicClock::now() + limit;
        while (!reached()) {
            if (MonotonicClock::now() > deadline)
                return false;
            m_io.restart();
            m_io.run_one_for(std::chrono::milliseconds(20));
        }
        return true;
    }
    std::shared_ptr<zk::HubSession> connecting(const std::string& hosts,
                                               Duration connectTimeout = std::chrono::seconds(15))
    {
        return m_hub->connect({hosts, std::chrono::seconds(30), connectTimeout});
    }
    std::shared_ptr<zk::HubSession> connect(const std::string& hosts)
    {
        auto session = connecting(hosts);
        EXPECT_TRUE(runUntil([&] { return session->phase() == zk::SessionPhase::connected; }))
            << "no connection to " << hosts;
        return session;
    }

private:
    boost::asio::io_context m_io{1};
    std::unique_ptr<zk::Hub> m_hub;
};

} // namespace lockscope::tests
