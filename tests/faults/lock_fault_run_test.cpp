// The short form of the long fault run: a few thousand acquisitions with every kind of fault, on a server of
// its own. What a user relies on here: whatever fails, never two valid holders, no client waits forever,
// nothing is left behind.
#include "tests/faults/fault_run.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

TEST(LockFaultRun, KeepsTheLockWhateverFails)
{
    auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    FaultRun run(**server, {});
    const FaultReport report = run.run();
    EXPECT_TRUE(report.clean()) << report.json();
    EXPECT_GE(report.outcomes.acquired, 2000U);
    for (const auto& [name, count] : report.faults)
        EXPECT_GT(count, 0U) << name;
    EXPECT_GT(report.beliefs.lostHolds, 0U) << "no fault has met a holder";
    EXPECT_GT(report.server.guardWrites, 1000U);
    EXPECT_GT(report.outcomes.mixed, 100U);
    EXPECT_GT(report.outcomes.revoked, 0U);
    EXPECT_GT(report.outcomes.blocking, 20U);
    EXPECT_GT(report.outcomes.blockingShared, 20U);
    EXPECT_GT(report.outcomes.leaderships, 2U);
    EXPECT_GT(report.server.announcements, 0U);
}

} // namespace
} // namespace lockscope::tests
