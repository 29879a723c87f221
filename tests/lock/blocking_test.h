// What the tests of the blocking API share: clients of their own on the suite's server, and threads that are
// waited for with a limit. The test's thread, unless a comment says otherwise.
#pragma once

#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/blocking/client.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <future>

namespace lockscope::tests {

using lock::BlockingMutex;
using lock::BlockingSharedMutex;
using lock::LockError;

class BlockingTest : public ZkTest
{
protected:
    using ClientPtr = std::unique_ptr<lock::Client>;

    ClientPtr connect(const std::string& hosts = {}, Duration connectTimeout = std::chrono::seconds(20))
    {
        zk::ConnectOptions options;
        options.hosts = hosts.empty() ? server().address() : hosts;
        options.timeout = std::chrono::seconds(10); // shorter than any patience: a close is not always heard
        options.connectTimeout = connectTimeout;
        return lock::Client::connect(options).value();
    }
    // Runs on a thread of its own.
    template <class F>
    static auto elsewhere(F work)
    {
        return std::async(std::launch::async, std::move(work));
    }
    // False, and the test fails, when it does not end.
    template <class T>
    static bool ends(const std::future<T>& work)
    {
        const bool ended = work.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
        EXPECT_TRUE(ended) << "it does not end";
        return ended;
    }
    // The code of what `work` throws; fails the test when it throws nothing.
    template <class F>
    static std::error_code thrownBy(F work)
    {
        try {
            work();
        } catch (const LockError& error) {
            EXPECT_STRNE(error.what(), "");
            return error.code();
        }
        ADD_FAILURE() << "nothing was thrown";
        return {};
    }
    static std::error_condition is(std::errc code) { return std::make_error_condition(code); }
    std::vector<std::string> queue() { return world->children(path()); }
};

class BlockingClient : public BlockingTest
{};

// Takes the session over and closes it, as the server sees it: lost.
inline zk::Awaitable<Result<void>> killSession(std::shared_ptr<zk::HubSession> session)
{
    zk::Pending<Result<void>> done;
    session->kill(done.handler());
    Result<void> killed = co_await done.get();
    co_return killed;
}

} // namespace lockscope::tests
