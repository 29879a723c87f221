// What fuzzers once found, and what they began with.
#include "tests/server/packet_fuzz.h"
#include "tests/server/supervisor_fuzz.h"
#include "tests/support/fuzz.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

TEST(PacketCorpus, IsReadToTheEnd) { EXPECT_GE(replayCorpus(LOCKSCOPE_PACKET_CORPUS, readAsPackets), 5); }

TEST(SupervisorCorpus, IsReadToTheEnd)
{
    EXPECT_GE(replayCorpus(LOCKSCOPE_SUPERVISOR_CORPUS, readAsSupervisor), 10);
}

} // namespace
} // namespace lockscope::tests
