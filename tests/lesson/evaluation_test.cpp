// A condition that is evaluated again and again while its run grows.
#include "core/lesson/condition.h"
#include "core/lesson/evaluation.h"

#include <gtest/gtest.h>

namespace lockscope::lesson {
namespace {

using namespace std::chrono_literals;

class GrowingRun : public testing::TestWithParam<const char*>
{
protected:
    void add(trace::Payload what, ClientId client = ClientId::none(), LockId lock = LockId::none())
    {
        store->append({store->count() * 1ms, EventIndex::none(), client, lock, std::move(what)});
    }
    // Two clients have the lock by turns, and the resource refuses them.
    void addTurns(int turns)
    {
        for (int i = 0; i < turns; ++i)
            for (const ClientId client : {ClientId{0}, ClientId{1}}) {
                const trace::Text node = client.value == 0 ? "lock-0000000000" : "lock-0000000001";
                add(trace::AcquireCalled{OwnerId{0}}, client, LockId{0});
                add(trace::Request{Operation::create, node}, client, LockId{0});
                add(trace::WatchFired{trace::WatchKind::deleted, node}, client, LockId{0});
                add(trace::Acquired{node, Zxid{7}, OwnerId{0}}, client, LockId{0});
                add(trace::ResourceUse{trace::ResourceAction::refused, Zxid{7}}, client, LockId{0});
                add(trace::ResourceUse{trace::ResourceAction::conflict, Zxid{7}}, client, LockId{0});
                add(trace::ReleaseCalled{node, 1, OwnerId{0}}, client, LockId{0});
                add(trace::Released{node, 0, OwnerId{0}}, client, LockId{0});
            }
    }

    std::shared_ptr<trace::TraceStore> store = std::make_shared<trace::TraceStore>();
};

TEST_P(GrowingRun, GivesEveryTimeWhatItGivesAtOnce)
{
    add(trace::LockAdded{"/locks/well", "mutex", "curator"}, ClientId::none(), LockId{0});
    add(trace::ClientAdded{"ada", 0}, ClientId{0});
    add(trace::ClientAdded{"bo", 1}, ClientId{1});
    addTurns(1);
    RunView run(store);
    run.advance();
    run.mark();
    const std::optional<Condition> condition = parseCondition(GetParam());
    ASSERT_TRUE(condition);
    ConditionEvaluator evaluator(*condition, run);
    addTurns(3);
    int held = 0;
    run.advance([&](const trace::Event&) {
        const ConditionResult grown = evaluator.evaluate();
        const ConditionResult whole = evaluate(*condition, run);
        EXPECT_EQ(grown.holds, whole.holds) << run.position();
        EXPECT_EQ(grown.proof, whole.proof) << run.position();
        EXPECT_EQ(grown.counted, whole.counted) << run.position();
        held += grown.holds ? 1 : 0;
    });
    EXPECT_GT(held, 0);
    EXPECT_LT(held, static_cast<int>(run.position() - run.marked()));
}

// A learner reads while the run is paused, between the mark and what follows.
TEST(Milliseconds, DoNotCountThePausesOfTheRun)
{
    const auto store = std::make_shared<trace::TraceStore>();
    const auto add = [&](Duration at, trace::Payload what, ClientId client = ClientId::none()) {
        store->append({at, EventIndex::none(), client, LockId::none(), std::move(what)});
    };
    add(0ms, trace::ClientAdded{"bo", 0}, ClientId{0});
    add(1ms, trace::RunPhaseChanged{trace::RunPhase::paused});
    RunView run(store);
    run.advance();
    run.mark();
    add(60s, trace::RunPhaseChanged{trace::RunPhase::running});
    add(60s + 5ms, trace::Acquired{"lock-0000000000", Zxid{7}, OwnerId{0}}, ClientId{0});
    run.advance();
    EXPECT_EQ(evaluate(*parseMetric("milliseconds until acquired of bo"), run).number, 5U);
}

INSTANTIATE_TEST_SUITE_P(Conditions, GrowingRun,
                         testing::Values("wake-ups is 3", "requests create of bo is more than 1",
                                         "events acquired of bo is 2",
                                         "milliseconds until acquired of bo is more than 2",
                                         "woken is bo, ada", "next holder is ada", "refused is ada, bo",
                                         "conflicts is ada", "holder is bo", "waiters is no client",
                                         "depth of ada is 1", "wake-ups is more than 2 and holder is ada"));

} // namespace
} // namespace lockscope::lesson
