// What the tests of the simulated ensemble share: a clock, an ensemble, clients with a process of their own
// each, and requests that are asked and, on a calm network, answered at once. Test thread only.
#pragma once

#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"

#include <gmock/gmock.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::zk::memory {

// An answer that comes later, at most once.
template <class T>
struct Answered
{
    std::shared_ptr<std::vector<T>> values = std::make_shared<std::vector<T>>();

    auto handler() const
    {
        return [values = values](T value) { values->push_back(std::move(value)); };
    }
    bool arrived() const { return !values->empty(); }
    const T& get() const
    {
        EXPECT_EQ(values->size(), 1U) << "a handler is called exactly once";
        static const T none{};
        return values->empty() ? none : values->front();
    }
};

struct Listing
{
    Code code = Code::closed;
    std::vector<std::string> names;
    Stat stat;
};

struct TestClient
{
    explicit TestClient(VirtualClock& clock)
        : process(clock)
    {}
    VirtualScheduler process;
    std::shared_ptr<MemorySession> session;
    std::vector<SessionPhase> phases;

    MemorySession* operator->() const { return session.get(); }
};

class MemoryTest : public ::testing::Test
{
protected:
    void start(std::uint32_t servers = 1, std::uint64_t listOrder = 0)
    {
        ensemble = std::make_unique<Ensemble>(clock, EnsembleOptions{servers, listOrder});
    }
    TestClient& add(SessionOptions options = {})
    {
        if (!ensemble)
            start();
        TestClient& client = clients.emplace_back(clock);
        client.session = ensemble->connect(client.process, options);
        client.session->addListener([&client](SessionPhase phase) { client.phases.push_back(phase); });
        return client;
    }
    TestClient& addConnected(SessionOptions options = {})
    {
        TestClient& client = add(options);
        ensemble->settle();
        EXPECT_EQ(client->phase(), SessionPhase::connected);
        client.phases.clear();
        return client;
    }

    // Runs the clock on and lets everything happen that happens by itself.
    void pass(Duration span)
    {
        const MonotonicTime end = clock.now() + span;
        ensemble->settle();
        for (auto next = clock.nextTimer(); next && *next <= end; next = clock.nextTimer()) {
            clock.advanceTo(*next);
            ensemble->settle();
        }
        clock.advanceTo(end);
        ensemble->settle();
    }
    // Makes the first possible move of a kind; false when there is none.
    bool move(TransitionKind kind)
    {
        std::vector<Transition> possible;
        ensemble->enabledTransitions(possible);
        for (const Transition& transition : possible)
            if (transition.kind == kind) {
                ensemble->execute(transition);
                clock.runReady();
                return true;
            }
        return false;
    }
    void apply(std::uint32_t server)
    {
        while (ensemble->treeOf(server).applied() < ensemble->log().back().zxid) {
            ensemble->execute(Transition{TransitionKind::apply, 0, server});
            clock.runReady();
        }
    }
    void connectTo(TestClient& client, std::uint32_t server)
    {
        ensemble->execute(Transition{TransitionKind::connect, client->index(), server});
        while (ensemble->messagesUnderWay(client->index()) > 0)
            deliver(client);
    }
    void serve(TestClient& client)
    {
        ensemble->execute(Transition{TransitionKind::serve, client->index(), 0});
        clock.runReady();
    }
    void deliver(TestClient& client)
    {
        ensemble->execute(Transition{TransitionKind::deliver, client->index(), 0});
        clock.runReady();
    }

    // ---- asks, and waits for the answer ----
    Created create(TestClient& client, const std::string& path, CreateMode mode = CreateMode::persistent,
                   const std::string& data = {})
    {
        Answered<Created> answer;
        client->create(path, data, mode, answer.handler());
        ensemble->settle();
        return answer.get();
    }
    Code remove(TestClient& client, const std::string& path)
    {
        Answered<Code> answer;
        client->remove(path, answer.handler());
        ensemble->settle();
        return answer.get();
    }
    StatReply set(TestClient& client, const std::string& path, const std::string& data)
    {
        Answered<StatReply> answer;
        client->setData(path, data, answer.handler());
        ensemble->settle();
        return answer.get();
    }
    Data get(TestClient& client, const std::string& path)
    {
        Answered<Data> answer;
        client->getData(path, answer.handler());
        ensemble->settle();
        return answer.get();
    }
    static void list(TestClient& client, const std::string& path, const Answered<Listing>& into)
    {
        client->getChildren(path, [handler = into.handler()](Code code, ChildNames names, const Stat& stat) {
            handler(Listing{code, {names.begin(), names.end()}, stat});
        });
    }
    Listing list(TestClient& client, const std::string& path)
    {
        Answered<Listing> answer;
        list(client, path, answer);
        ensemble->settle();
        return answer.get();
    }

    // ---- watches ----
    WatchHandler note()
    {
        return [this](WatchKind kind) { fired.push_back(kind); };
    }
    WatchPtr watch(TestClient& client, const std::string& path, Code expected = Code::ok)
    {
        Answered<Data> answer;
        WatchPtr handle = client->getData(path, note(), answer.handler());
        ensemble->settle();
        EXPECT_EQ(answer.get().code, expected);
        return handle;
    }
    std::vector<WatchKind> fired;

    VirtualClock clock;
    std::deque<TestClient> clients;
    std::unique_ptr<Ensemble> ensemble;

    void TearDown() override
    {
        for (TestClient& client : clients)
            client.session.reset();
    }
};

class MemoryFaults : public MemoryTest
{
protected:
    void cut(TestClient& client, std::size_t requests = 0, std::size_t messages = 0)
    {
        ensemble->cut(client->index(), requests, messages);
    }
};

} // namespace lockscope::zk::memory
