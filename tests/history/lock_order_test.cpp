// Locks taken in different orders: what can block is found before it does, and nothing else.
#include "core/history/lock_order.h"

#include <gtest/gtest.h>

namespace lockscope::history {
namespace {

// Drives a LockOrder by what sessions do; each step is 100 ms later. In a log, unless `live`.
struct Order
{
    LockOrder order{};
    bool live = false;
    std::int64_t ms = 1'700'000'000'000;
    std::map<std::string, std::uint32_t> queues{};

    void event(LockEvent::Kind kind, std::int64_t session, const std::string& lock,
               NodeRole role = NodeRole::exclusive, EndReason reason = EndReason::released,
               bool entitled = true)
    {
        const std::string name = "n" + std::to_string(session);
        LockEvent event;
        event.kind = kind;
        event.lock = queues.try_emplace(lock, static_cast<std::uint32_t>(queues.size())).first->second;
        event.node.lockPath = event.node.parent = lock;
        event.node.name = name;
        event.node.session = SessionId{session};
        event.node.role = role;
        event.node.entitled = entitled;
        event.reason = reason;
        event.timeMs = ms += 100;
        event.zxid = Zxid{live && kind == LockEvent::Kind::ended ? 0 : ms};
        order.add(event);
    }
    void ask(std::int64_t session, const std::string& lock, NodeRole role = NodeRole::exclusive)
    {
        event(LockEvent::Kind::queued, session, lock, role);
    }
    void take(std::int64_t session, const std::string& lock, NodeRole role = NodeRole::exclusive)
    {
        ask(session, lock, role);
        event(LockEvent::Kind::entitled, session, lock, role);
    }
    void release(std::int64_t session, const std::string& lock, NodeRole role = NodeRole::exclusive)
    {
        event(LockEvent::Kind::ended, session, lock, role);
    }
    // Takes them in this order, and releases them in the other one.
    void nest(std::int64_t session, const std::vector<std::string>& locks,
              const std::vector<NodeRole>& roles = {})
    {
        const auto role = [&](std::size_t i) { return roles.empty() ? NodeRole::exclusive : roles[i]; };
        for (std::size_t i = 0; i < locks.size(); ++i)
            take(session, locks[i], role(i));
        for (std::size_t i = locks.size(); i-- > 0;)
            release(session, locks[i], role(i));
    }
    std::size_t found() const { return order.inversions().size(); }
};

TEST(LockOrderTest, TwoSessionsThatNeverMeet)
{
    Order run;
    run.nest(1, {"/a", "/b"});
    run.nest(2, {"/a", "/b"});
    EXPECT_EQ(run.found(), 0U);
    run.nest(3, {"/b", "/a"});
    ASSERT_EQ(run.found(), 1U);
    const OrderInversion& found = run.order.inversions().front();
    EXPECT_EQ(found.one.outer, "/a");
    EXPECT_EQ(found.one.inner, "/b");
    EXPECT_EQ(found.one.session, SessionId{1});
    EXPECT_EQ(found.other.outer, "/b");
    EXPECT_EQ(found.other.inner, "/a");
    EXPECT_EQ(found.other.session, SessionId{3});
    EXPECT_EQ(found.other.innerNode, "n3");
    EXPECT_GT(found.other.timeMs, found.one.timeMs);
    run.nest(4, {"/b", "/a"});
    EXPECT_EQ(run.found(), 1U) << "said once";
}

TEST(LockOrderTest, WhatCannotBlock)
{
    Order one;
    one.nest(1, {"/a", "/b"});
    one.nest(1, {"/b", "/a"});
    EXPECT_EQ(one.found(), 0U) << "one session, one after the other";

    Order gate;
    gate.nest(1, {"/gate", "/a", "/b"});
    gate.nest(2, {"/gate", "/b", "/a"});
    EXPECT_EQ(gate.found(), 0U) << "only one of them is inside";
    gate.nest(3, {"/b", "/a"});
    EXPECT_EQ(gate.found(), 1U) << "without the gate";

    Order readers;
    const std::vector<NodeRole> read{NodeRole::reader, NodeRole::reader};
    readers.nest(1, {"/a", "/b"}, read);
    readers.nest(2, {"/b", "/a"}, read);
    EXPECT_EQ(readers.found(), 0U);
    readers.nest(3, {"/b", "/a"}, {NodeRole::reader, NodeRole::writer});
    EXPECT_EQ(readers.found(), 0U) << "/b is only read by both";
    readers.nest(4, {"/b", "/a"}, {NodeRole::writer, NodeRole::writer});
    EXPECT_EQ(readers.found(), 1U);

    Order leases;
    leases.nest(1, {"/a", "/s"}, {NodeRole::exclusive, NodeRole::lease});
    leases.nest(2, {"/s", "/a"}, {NodeRole::lease, NodeRole::exclusive});
    EXPECT_EQ(leases.found(), 0U) << "there may be another lease";

    Order patience;
    patience.nest(1, {"/a", "/b"});
    patience.take(2, "/b");
    patience.ask(2, "/a");
    patience.event(LockEvent::Kind::ended, 2, "/a", NodeRole::exclusive, EndReason::gaveUp, false);
    patience.release(2, "/b");
    EXPECT_EQ(patience.found(), 0U) << "it has given up";
}

// One found and one taken back leave their number as it was.
TEST(LockOrderTest, CountsWhatWasEverFound)
{
    Order run;
    run.nest(1, {"/a", "/b"});
    run.nest(2, {"/b", "/a"});
    ASSERT_EQ(run.order.foundEver(), 1U);
    run.take(2, "/c");
    run.ask(2, "/d"); // waits
    run.ask(2, "/e"); // so another thread asks
    EXPECT_EQ(run.found(), 0U);
    EXPECT_EQ(run.order.foundEver(), 1U);
    run.nest(3, {"/b", "/a"});
    EXPECT_EQ(run.found(), 1U);
    EXPECT_EQ(run.order.foundEver(), 2U);
}

TEST(LockOrderTest, SessionsWithThreads)
{
    Order crossed;
    crossed.nest(1, {"/a", "/b"});
    crossed.take(2, "/b"); // by one thread
    crossed.take(2, "/a"); // by another
    crossed.release(2, "/b");
    crossed.release(2, "/a");
    crossed.nest(2, {"/b", "/a"});
    EXPECT_EQ(crossed.found(), 0U);

    Order waiting;
    waiting.nest(1, {"/a", "/b"});
    waiting.nest(2, {"/b", "/a"});
    EXPECT_EQ(waiting.found(), 1U);
    waiting.ask(2, "/c");
    waiting.take(2, "/d"); // while it waits
    EXPECT_EQ(waiting.found(), 0U) << "what it was thought to hold together, two threads may have held";
}

TEST(LockOrderTest, WhatEndsWithItsSessionOrIsHiddenByAGap)
{
    Order gone;
    gone.nest(1, {"/a", "/b"});
    gone.take(2, "/b");
    gone.take(2, "/a");
    for (const char* lock : {"/a", "/b"})
        gone.event(LockEvent::Kind::ended, 2, lock, NodeRole::exclusive, EndReason::sessionExpired);
    EXPECT_EQ(gone.found(), 0U);

    Order gap;
    gap.nest(1, {"/a", "/b"});
    gap.take(2, "/b");
    gap.order.addGap();
    gap.take(2, "/a");
    gap.release(2, "/a");
    gap.release(2, "/b");
    EXPECT_EQ(gap.found(), 0U) << "it may have released /b in the gap";
    gap.nest(2, {"/b", "/a"});
    EXPECT_EQ(gap.found(), 1U);
    gap.order.resetCounts();
    EXPECT_EQ(gap.found(), 0U);
}

TEST(LockOrderTest, ALiveWatchDoesNotSeeWhoDeletes)
{
    Order live;
    live.live = true;
    live.nest(1, {"/a", "/b"});
    live.nest(2, {"/b", "/a"});
    EXPECT_EQ(live.found(), 0U) << "both may have ended with their sessions";
    live.ask(1, "/x");
    live.ask(2, "/x");
    EXPECT_EQ(live.found(), 1U) << "they have lived on";
}

} // namespace
} // namespace lockscope::history
