// The two servers of the tests with TLS, and what it takes to speak with them.
#pragma once

#include "core/tls/tls.h"
#include "core/zk/hub.h"
#include "tests/support/secure_server.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

namespace lockscope::tests {

// Servers and authorities are those of all suites of the program.
class Secured : public ::testing::Test
{
public:
    Authority& authority() { return s_all->authority; } // of the servers
    Authority& stranger() { return s_all->stranger; }
    SecureServer& needing() { return *s_all->needing; } // demands a certificate of its clients
    SecureServer& open() { return *s_all->open; }       // demands none

    static tls::Security security(const tls::Options& options)
    {
        const Result<tls::ContextPtr> context = tls::load(options);
        if (!context)
            ADD_FAILURE() << context.error().text();
        return {context ? *context : nullptr};
    }
    tls::Security trusting() { return security({.ca = authority().certificate()}); }
    std::string ours() { return s_all->ours; } // our certificate and key, CN=client
    tls::Security mutual() { return security({.ca = authority().certificate(), .certificate = ours()}); }

protected:
    void SetUp() override
    {
        if (!s_all)
            begin();
        if (!s_all->missing.empty())
            GTEST_SKIP() << s_all->missing;
        ASSERT_EQ(s_all->failed, "");
    }

private:
    struct All
    {
        Authority authority{"Test CA"}, stranger{"Another CA"};
        std::string ours = authority.issue({.name = "client"});
        std::unique_ptr<SecureServer> needing, open;
        std::string missing, failed;
    };
    static void begin();

    static inline std::unique_ptr<All> s_all; // until the program ends
};

// A hub, driven by the test's own thread.
class SecuredHub : public Secured
{
protected:
    void SetUp() override
    {
        Secured::SetUp();
        if (!IsSkipped() && !HasFatalFailure())
            hub = *zk::Hub::create(io, zk::HubOptions::ownProcess());
    }
    // Closes the session and waits for that, so that the next test finds nothing of it.
    void TearDown() override
    {
        writing.reset();
        hub.reset();
        io.restart();
        io.poll();
    }
    bool until(const std::function<bool()>& reached, const char* what)
    {
        const MonotonicTime deadline = monotonicNow() + std::chrono::seconds(60);
        while (!reached() && monotonicNow() < deadline)
            io.run_one_for(std::chrono::milliseconds(50));
        EXPECT_TRUE(reached()) << what;
        return reached();
    }
    bool connected(const zk::ReadSession& session)
    {
        return until([&] { return session.phase() == zk::SessionPhase::connected; }, "the session is there");
    }
    bool over(const zk::ReadSession& session)
    {
        return until([&] { return isOver(session.phase()); }, "the session is given up");
    }

    boost::asio::io_context io{1};
    std::unique_ptr<zk::Hub> hub;
    std::shared_ptr<zk::HubSession> writing;
};

inline void Secured::begin()
{
    s_all = std::make_unique<All>();
    for (auto [server, clients] : {std::pair(&s_all->needing, SecureServer::Clients::needCertificate),
                                   {&s_all->open, SecureServer::Clients::needNone}}) {
        auto started = SecureServer::start(s_all->authority, clients);
        if (started)
            *server = std::move(*started);
        else if (started.error().code == ErrorCode::unsupported)
            s_all->missing = started.error().text();
        else
            s_all->failed = started.error().text();
    }
}

} // namespace lockscope::tests
