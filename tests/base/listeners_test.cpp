// Listeners may be added and removed while they are called.
#include "core/base/listeners.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>

namespace lockscope {
namespace {

using testing::ElementsAre;

struct ListenersTest : testing::Test
{
    Listeners<int> listeners;
    std::vector<std::string> notified;

    ListenerId add(const std::string& name)
    {
        return listeners.add([this, name](int value) { notified.push_back(name + std::to_string(value)); });
    }
};

TEST_F(ListenersTest, OneRemovedMeanwhileIsNotCalled)
{
    ListenerId second = 0;
    listeners.add([&](int) { listeners.remove(second); });
    second = add("b");
    add("c");
    listeners.notify(1);
    EXPECT_THAT(notified, ElementsAre("c1"));
}

TEST_F(ListenersTest, OneThatLeavesFromInsideStaysWholeUntilItReturns)
{
    ListenerId self = 0;
    const auto held = std::make_shared<std::string>("whole");
    self = listeners.add([this, &self, held](int) {
        listeners.remove(self);
        notified.push_back(*held);
    });
    listeners.notify(1);
    listeners.notify(2);
    EXPECT_THAT(notified, ElementsAre("whole"));
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(ListenersTest, AreAllCalledThoughOneThrows)
{
    listeners.add([](int) { throw std::string("first"); });
    add("b");
    listeners.add([](int) { throw std::string("second"); });
    add("d");
    for (int round = 1; round <= 2; ++round) {
        try {
            listeners.notify(round);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const std::string& thrown) {
            EXPECT_EQ(thrown, "first");
        }
    }
    EXPECT_THAT(notified, ElementsAre("b1", "d1", "b2", "d2"));
}

// What a listener holds may come and go itself when it is destroyed.
TEST_F(ListenersTest, OneThatIsDestroyedMayCallThem)
{
    struct Leaves
    {
        Listeners<int>& listeners;
        ListenerId other;
        Leaves(Listeners<int>& from, ListenerId removed)
            : listeners(from)
            , other(removed)
        {}
        ~Leaves()
        {
            listeners.remove(other);
            listeners.remove(listeners.add([](int) {}));
        }
    };
    for (const bool all : {false, true}) {
        const ListenerId before = add("before");
        const ListenerId after = add("after");
        ListenerId last = 0;
        for (const ListenerId other : {before, after})
            last = listeners.add([held = std::make_shared<Leaves>(listeners, other)](int) {});
        listeners.remove(last);
        if (all)
            listeners.clear();
        listeners.notify(1);
    }
    EXPECT_THAT(notified, ElementsAre("before1"));
}

} // namespace
} // namespace lockscope
