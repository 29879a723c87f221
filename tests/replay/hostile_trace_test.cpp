// Traces that no engine writes: every order of any events leaves a state, and none breaks the program.
#include "core/base/random.h"
#include "core/replay/fold/trace_cursor.h"
#include "core/trace/event_fields.h"
#include "tests/replay/any_run.h"
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"
#include "tests/support/state_text.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

namespace lockscope::tests {
namespace {

constexpr std::array<std::string_view, 18> kTexts{"",
                                                  "lock-",
                                                  "_c_a-lock-0000000001",
                                                  "_c_b-lock-0000000002",
                                                  "_c_c-lock-0000000003",
                                                  "_c_d-lock-0000000003",
                                                  "x",
                                                  "-lock--2147483648",
                                                  "lock-lock-0000000002",
                                                  "99999999999999999999999",
                                                  "lock-99999999999999999999",
                                                  "/locks/well",
                                                  "ada",
                                                  "kill_session",
                                                  "freeze",
                                                  "thaw",
                                                  "\xff\xfe\xff",
                                                  "_c_e-lock-0000000009"};

// Fills an event's fields with anything, near enough to each other that they meet.
class AnyEvent
{
public:
    explicit AnyEvent(std::uint64_t seed)
        : m_random(seed)
    {}

    trace::Event next(std::size_t index)
    {
        trace::Event event;
        event.at = Duration(m_random.uniform(-1'000, 1'000'000'000));
        if (m_random.unit() < 0.02)
            event.at = m_random.unit() < 0.5 ? Duration::max() : Duration::min();
        if (index > 0 && m_random.unit() < 0.7)
            event.cause =
                EventIndex{static_cast<std::uint32_t>(m_random.uniform(0, static_cast<std::int64_t>(index)))};
        if (m_random.unit() < 0.95)
            event.client = ClientId{static_cast<std::uint32_t>(m_random.uniform(0, 5))};
        else if (m_random.unit() < 0.5)
            event.client = ClientId{static_cast<std::uint32_t>(m_random.next())};
        if (m_random.unit() < 0.9)
            event.lock = LockId{static_cast<std::uint16_t>(m_random.uniform(0, 2))};
        else if (m_random.unit() < 0.5)
            event.lock = LockId{static_cast<std::uint16_t>(m_random.next())};
        event.what = payload(static_cast<std::size_t>(
            m_random.uniform(0, static_cast<std::int64_t>(std::variant_size_v<trace::Payload>) - 1)));
        return event;
    }

private:
    template <std::size_t I = 0>
    trace::Payload payload(std::size_t kind)
    {
        if constexpr (I < std::variant_size_v<trace::Payload>) {
            if (kind != I)
                return payload<I + 1>(kind);
            std::variant_alternative_t<I, trace::Payload> what;
            trace::visitFields(what, [&](std::string_view, auto& field) { fill(field); });
            return what;
        } else {
            return trace::RunPhaseChanged{};
        }
    }

    template <class T>
    void fill(T& field)
    {
        if constexpr (std::is_same_v<T, trace::Text>) {
            field = kTexts[static_cast<std::size_t>(m_random.uniform(0, kTexts.size() - 1))];
        } else if constexpr (std::is_same_v<T, MessageView>) {
            field = MessageView(kTexts[static_cast<std::size_t>(m_random.uniform(0, kTexts.size() - 1))]);
        } else if constexpr (std::is_same_v<T, bool>) {
            field = m_random.unit() < 0.5;
        } else if constexpr (std::is_enum_v<T>) {
            field = static_cast<T>(m_random.uniform(0, static_cast<std::int64_t>(enumNames(T{}).size()) - 1));
        } else if constexpr (std::is_same_v<T, Duration>) {
            field = Duration(static_cast<std::int64_t>(m_random.next()));
        } else if constexpr (std::is_integral_v<T>) {
            field = static_cast<T>(m_random.unit() < 0.9 ? m_random.uniform(0, 4)
                                                         : static_cast<std::int64_t>(m_random.next()));
        } else {
            using Value = decltype(field.value);
            field = T{static_cast<Value>(m_random.unit() < 0.9 ? m_random.uniform(0, 6)
                                                               : static_cast<std::int64_t>(m_random.next()))};
        }
    }

    Random m_random;
};

// Every watcher's place and every name leads where it should: what the reducer relies on from event to event.
void expectSound(const replay::RunState& state)
{
    ASSERT_EQ(state.clients.size(), state.book.clients.size());
    ASSERT_EQ(state.locks.size(), state.book.locks.size());
    std::size_t listed = 0;
    for (const replay::LockRow& lock : state.locks) {
        for (const replay::NodeRow& node : lock.queue) {
            ASSERT_EQ(state.node(lock.id, node.name), &node) << "a node is found by its name, once";
            replay::LockUseRef before;
            for (replay::LockUseRef at = node.firstWatcher; at.valid();) {
                const replay::LockUse* watcher = state.lockUse(at);
                ASSERT_NE(watcher, nullptr);
                ASSERT_TRUE(watcher->linked);
                ASSERT_EQ(watcher->watchLock, lock.id);
                ASSERT_EQ(watcher->previousWatcher, before);
                ASSERT_EQ(watcher->watches, node.name);
                before = at;
                at = watcher->nextWatcher;
                ASSERT_LE(++listed, 10'000u) << "a list that never ends";
            }
        }
        for (const replay::LockUseRef& believer : state.book.locks[lock.id.value].believedHolders) {
            ASSERT_NE(state.lockUse(believer), nullptr);
            ASSERT_EQ(state.lockUse(believer)->lock, lock.id);
        }
    }
    std::size_t linked = 0;
    std::size_t clientsWithSeveralUses = 0;
    for (const replay::ClientRow& row : state.clients) {
        std::set<std::uint32_t> numbers{row.number};
        linked += row.linked ? 1 : 0;
        for (const replay::LockUse& one : row.otherUses) {
            linked += one.linked ? 1 : 0;
            ASSERT_TRUE(numbers.insert(one.number).second) << "a number belongs to one lock use";
        }
        clientsWithSeveralUses += row.otherUses.empty() ? 0 : 1;
    }
    ASSERT_EQ(linked, listed);
    ASSERT_EQ(clientsWithSeveralUses, state.book.clientsWithSeveralUses);
    ASSERT_GT(state.statistics.fairness(), 0);
    ASSERT_LE(state.statistics.fairness(), 1.000001);
}

TEST(HostileTrace, AnyEventsLeaveAState)
{
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        AnyEvent any(seed);
        const auto store = std::make_shared<trace::TraceStore>();
        for (std::size_t i = 0; i < 500; ++i)
            store->append(any.next(i));
        replay::RunState state;
        for (std::size_t i = 0; i < store->count(); ++i) {
            replay::apply(state, *store, i);
            ASSERT_NO_FATAL_FAILURE(expectSound(state)) << "seed " << seed << " event " << i;
        }
        replay::TraceCursor cursor(store);
        cursor.seek(400);
        cursor.seek(100);
        EXPECT_EQ(cursor.state(), folded(*store, 100));
        EXPECT_LE(cursor.countAt(Duration(5'000)), store->count());
        EXPECT_FALSE(stateText(state).empty());
    }
}

// A sound run with single events left out, doubled or exchanged.
TEST(HostileTrace, DamagedRunsLeaveAState)
{
    Random random(99);
    for (int round = 0; round < 40; ++round) {
        const auto whole = AnyRun(random).store;
        const auto damaged = std::make_shared<trace::TraceStore>();
        for (std::size_t i = 0; i < whole->count(); ++i) {
            const double luck = random.unit();
            if (luck < 0.05)
                continue;
            damaged->append(whole->at(i));
            if (luck > 0.97)
                damaged->append(whole->at(i));
            else if (luck > 0.93)
                damaged->append(whole->at(static_cast<std::size_t>(
                    random.uniform(0, static_cast<std::int64_t>(whole->count()) - 1))));
        }
        replay::RunState state;
        for (std::size_t i = 0; i < damaged->count(); ++i) {
            replay::apply(state, *damaged, i);
            ASSERT_NO_FATAL_FAILURE(expectSound(state)) << "round " << round << " event " << i;
        }
    }
}

TEST(HostileTrace, HugeIdsCostNothing)
{
    trace::TraceStore store;
    for (const std::uint32_t id : {4'000'000'000u, 70'000u, std::numeric_limits<std::uint32_t>::max()}) {
        store.append(
            {Duration{}, EventIndex::none(), ClientId{id}, LockId{65'534}, trace::ClientAdded{"x", 0}});
        store.append(
            {Duration{}, EventIndex::none(), ClientId{id}, LockId{65'534}, trace::LockAdded{"/x", "", ""}});
    }
    const replay::RunState state = folded(store);
    EXPECT_TRUE(state.clients.empty());
    EXPECT_TRUE(state.locks.empty());
}

} // namespace
} // namespace lockscope::tests
