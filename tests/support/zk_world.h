// What a test with a real ZooKeeper needs: the server of the test suite, a hub driven by the test's own
// thread, and waiting that ends with the awaited state or fails the test. Nothing sleeps. Test thread only.
#pragma once

#include "core/server/probe/four_letter.h"
#include "core/server/process/managed_server.h"
#include "core/zk/hub.h"
#include "core/zk/pending.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tests {

using HubSessionPtr = std::shared_ptr<zk::HubSession>;

// A value that arrives later: a reply, or what a coroutine returns. Copies are the same one.
template <class T>
class Later
{
public:
    auto handler() const
    {
        return [state = m_state](T value) {
            EXPECT_FALSE(state->has_value()) << "a handler is called once";
            state->emplace(std::move(value));
        };
    }
    bool arrived() const { return m_state->has_value(); }
    T& operator*() const { return **m_state; }
    T* operator->() const { return &**m_state; }

private:
    std::shared_ptr<std::optional<T>> m_state = std::make_shared<std::optional<T>>();
};

struct Children
{
    zk::Code code = zk::Code::closed;
    std::vector<std::string> names;
};

class ZkWorld
{
public:
    explicit ZkWorld(server::ManagedServer& server);
    ~ZkWorld(); // closes every session and waits until all that was spawned has ended

    server::ManagedServer& server() { return m_server; }
    zk::Hub& hub() { return *m_hub; }
    // Destroys the hub now, as the end of a program does; nothing of the world works afterwards.
    void destroyHub() { m_hub.reset(); }

    // Drives the sessions until the predicate holds; fails the test after 30 s and returns false.
    bool runUntil(const std::function<bool()>& predicate, std::string_view what);
    // Runs what is ready, without waiting.
    void runReady();
    // Returns when all that this session has asked before is answered: what could have come by then has come.
    zk::Code settle(zk::Session& session);

    HubSessionPtr connecting(zk::ConnectOptions options);
    // Connected on return.
    HubSessionPtr connect(Duration timeout = std::chrono::seconds(30), const std::string& hosts = {});
    bool waitFor(zk::Session& session, zk::SessionPhase phase);

    // Starts a coroutine; the returned value arrives when it ends.
    template <class T>
    Later<T> start(zk::Awaitable<T> work)
    {
        return startWork<T>(std::move(work));
    }
    template <class T>
    Later<T> start(zk::Task<T> work)
    {
        return startWork<T>(std::move(work));
    }

    // Asks and waits for the answer.
    zk::Created create(zk::Session& session, const std::string& path, std::string_view data = {},
                       zk::CreateMode mode = zk::CreateMode::persistent);
    zk::Code remove(zk::Session& session, const std::string& path);
    zk::StatReply set(zk::Session& session, const std::string& path, std::string_view data);
    zk::Data get(zk::Session& session, const std::string& path);
    Children children(zk::Session& session, const std::string& path);
    Result<void> kill(zk::HubSession& session);

    // A session of the world's own, to look at the server with.
    zk::Session& observer();
    std::vector<std::string> children(const std::string& path); // sorted; none when the path does not exist
    bool exists(const std::string& path);
    // Waits until the path has so many children.
    bool waitForChildren(const std::string& path, std::size_t count);
    // Watches in the server's own table, on nodes at or below the path.
    std::size_t watchesUnder(const std::string& path);

private:
    template <class T, class Work>
    Later<T> startWork(Work work)
    {
        Later<T> result;
        ++*m_underWay;
        boost::asio::co_spawn(m_io, observe<T>(std::move(work), result, m_underWay), boost::asio::detached);
        return result;
    }
    template <class T, class Work>
    static zk::Awaitable<void> observe(Work work, Later<T> into, std::shared_ptr<int> underWay)
    {
        T value = co_await zk::asResult(std::move(work));
        --*underWay;
        into.handler()(std::move(value));
    }

    server::ManagedServer& m_server;
    boost::asio::io_context m_io;
    std::unique_ptr<zk::Hub> m_hub;
    std::vector<std::weak_ptr<zk::HubSession>> m_sessions;
    HubSessionPtr m_observer;
    std::shared_ptr<int> m_underWay = std::make_shared<int>(0);
};

// Sends a list whose names are kept.
void requestChildren(zk::Session& session, const std::string& path, const Later<Children>& into);

// A test suite with one server; every test finds it running and has a world and a path of its own.
class ZkTest : public ::testing::Test
{
protected:
    static void SetUpTestSuite();
    static void TearDownTestSuite();
    void SetUp() override;
    void TearDown() override;

    server::ManagedServer& server() { return *s_server; }
    const std::string& path() const { return m_path; } // "/NameOfTheTest", not there yet

    std::unique_ptr<ZkWorld> world;

private:
    static inline std::unique_ptr<server::ManagedServer> s_server;
    std::string m_path;
};

} // namespace lockscope::tests
