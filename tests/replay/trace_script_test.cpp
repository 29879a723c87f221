// The scripts and the made-up runs that other tests rely on.
#include "core/trace/event_fields.h"
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"
#include "tests/support/state_text.h"

#include <gmock/gmock.h>

#include <set>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;

TEST(TraceScript, NamesTheStatementItDoesNotUnderstand)
{
    EXPECT_THROW(traceScript("ada juggles n1"), std::invalid_argument);
    EXPECT_THROW(traceScript("ada"), std::invalid_argument);
    EXPECT_THROW(traceScript("- observed many"), std::invalid_argument);
    try {
        traceScript("ada calls; ada decided n1");
        FAIL();
    } catch (const std::invalid_argument& e) {
        EXPECT_THAT(e.what(), testing::HasSubstr("ada decided n1"));
    }
}

// Whatever the faults: times grow, causes come before, replies answer requests of the same client and
// operation, a run ends in good order, and only what was done to it is found.
TEST(SampleRun, IsARunAsTheEngineRecordsIt)
{
    for (const SampleHandoff handoff : {SampleHandoff::curator, SampleHandoff::announced}) {
        SampleOptions options;
        options.handoff = handoff;
        options.clients = 12;
        options.killHolderAtGrant = 20;
        options.killWaiterAtGrant = 40;
        options.suspendWaiterAtGrant = 60;
        options.freezeHolderAtGrant = 80;
        options.foreignAtGrant = 30;
        const auto store = sampleRun(options);
        Duration before{};
        std::set<std::uint32_t> known;
        for (std::size_t i = 0; i < store->count(); ++i) {
            const trace::Event& event = store->at(i);
            ASSERT_GE(event.at, before);
            before = event.at;
            if (std::holds_alternative<trace::ClientAdded>(event.what))
                known.insert(event.client.value);
            ASSERT_TRUE(!event.client.valid() || known.contains(event.client.value));
            ASSERT_TRUE(!event.cause.valid() || event.cause.value < i);
            if (const auto* reply = std::get_if<trace::Reply>(&event.what)) {
                const auto* request = std::get_if<trace::Request>(&store->at(event.cause).what);
                ASSERT_NE(request, nullptr);
                ASSERT_EQ(request->op, reply->op);
                ASSERT_EQ(store->at(event.cause).client, event.client);
            }
        }
        const replay::RunState state = folded(*store);
        EXPECT_EQ(state.phase, trace::RunPhase::finished);
        EXPECT_EQ(queueText(state), "");
        EXPECT_EQ(violatedFindings(state), 1u) << findingsText(state);
        EXPECT_EQ(state.findings.of(replay::FindingKind::beliefMatchesServer).violated, 2u)
            << "killed and frozen";
        EXPECT_EQ(state.statistics.acquired, 12u * 10u - 1u) << "one wait was lost with its session";
    }
}

} // namespace
} // namespace lockscope::tests
