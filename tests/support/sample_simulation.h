// The little world behind sampleRun: one server with one lock, clients that follow the recipe, a virtual
// clock. One thread; everything happens in calls that are ordered by time.
#pragma once

#include "core/base/guid.h"
#include "core/base/random.h"
#include "core/trace/store.h"
#include "tests/support/sample_run.h"

#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace lockscope::tests {

class SampleSimulation
{
public:
    explicit SampleSimulation(const SampleOptions& options);
    std::shared_ptr<trace::TraceStore> run();

private:
    using Action = std::function<void()>;
    using Index = std::uint32_t; // of a client

    struct Node
    {
        std::int64_t sequence = 0;
        std::string name;
        Zxid czxid;
        ClientId owner = ClientId::none();
        SessionId session;
        std::vector<Index> watchers;
        bool announced = false;
    };
    struct List
    {
        std::uint32_t position = 0;
        std::uint32_t count = 0;
        std::string ahead;
    };
    struct Client
    {
        std::string name;
        SessionId session;
        std::uint32_t sessionNumber = 0;
        std::uint32_t flow = 0; // raised when what was under way no longer counts
        std::uint32_t cycle = 0;
        std::string node;
        Zxid token;
        std::string ahead;
        EventIndex called = EventIndex::none();
        bool aheadIsFirst = false; // the node ahead was first in a list or has announced itself
        bool contended = false;
        bool watchesItself = false;
        bool sleeping = false;
        bool holding = false;
        bool offline = false; // frozen or without contact: deliveries wait

        Duration lastUp{}, lastDown{};
        std::vector<Action> backlog;
    };
    struct Scheduled
    {
        Duration at;
        std::uint64_t order;
        Action action;
        bool operator<(const Scheduled& other) const // the earliest is on top
        {
            return at != other.at ? at > other.at : order > other.order;
        }
    };

    // ---- the clock, the wire, the record ----
    void after(Duration delay, Action action);
    void toServer(Index client, Action action); // dropped when its session is gone by then
    void toClient(Index client, Action action); // dropped when its flow or session changed
    EventIndex append(ClientId client, LockId lock, trace::Payload what, EventIndex cause);
    EventIndex record(Index client, trace::Payload what, EventIndex cause = EventIndex::none());
    EventIndex recordSession(Index client, trace::Payload what, EventIndex cause = EventIndex::none());
    EventIndex recordForLock(trace::Payload what);
    EventIndex recordForRun(trace::Payload what);
    Duration wireDelay() { return std::chrono::microseconds(m_random.uniform(40, 120)); }
    Duration vary(Duration mean);

    // ---- the server ----
    Node& createNode(const std::string& prefix, ClientId owner, SessionId session);
    Node* findNode(const std::string& name);
    void deleteNode(const std::string& name, EventIndex by);
    void announce(const std::string& name, EventIndex by);
    List listFor(const std::string& name) const;

    // ---- a client ----
    void start();
    void connect(Index client);
    void think(Index client);
    void acquire(Index client);
    void list(Index client, EventIndex cause);
    void decide(Index client, const List& list, EventIndex cause);
    void watchAhead(Index client, EventIndex cause);
    void woken(Index client, const std::string& node, EventIndex by);
    void changed(Index client, const std::string& node, EventIndex by);
    void acquired(Index client, EventIndex cause);
    void goIn(Index client, std::uint16_t depth, std::uint16_t deepest, Duration step);
    void goOut(Index client, std::uint16_t depth, Duration step);
    void release(Index client);
    void watchItself(Index client, EventIndex cause);
    void enterResource(Index client);
    void leaveResource(Index client);
    void endCycle(Index client);
    void nextCycle(Index client); // or its end
    void giveUp(Index client);
    void endRun();

    // ---- faults and observers ----
    void injectFaults(Index holder);
    void kill(Index client);
    void freeze(Index client);
    void loseSession(Index client, trace::LostReason reason);
    void suspend(Index client);
    void addForeign();
    void watchForeign(const std::string& name);
    void observe();
    void identify(const std::string& name);
    Index sleeper() const; // a client that sleeps, or m_clients.size()

    static constexpr LockId kLock{0};
    SampleOptions m_options;
    std::shared_ptr<trace::TraceStore> m_store;
    Random m_random;
    GuidSource m_guids;
    Duration m_now{};
    std::uint64_t m_order = 0;
    std::priority_queue<Scheduled> m_agenda;
    std::vector<Client> m_clients;
    std::deque<Node> m_queue;
    std::int64_t m_nextSequence = 0;
    std::int64_t m_zxid = 0x100;
    std::uint32_t m_grants = 0;
    std::uint32_t m_finished = 0;
    bool m_over = false;
    std::map<Index, Zxid> m_inside; // the protected section
    Zxid m_newestToken{0};
    std::set<std::string> m_observed;
};

} // namespace lockscope::tests
