// A supervisor that answers late: a reply belongs to its own request, however late it comes.
#include "process_watch.h"
#include "started_server.h"

namespace lockscope::server {
namespace {

using testing::isProcessAlive;
using testing::startOrFail;

TEST(SlowSupervisor, ALateReplyIsNotTakenForTheNextOne)
{
    const auto server = startOrFail();
    ASSERT_TRUE(server);
    const auto java = server->processId();
    ASSERT_EQ(::kill(server->supervisorId(), SIGSTOP), 0);
    const auto killed = server->killNow();
    ASSERT_EQ(::kill(server->supervisorId(), SIGCONT), 0);
    ASSERT_FALSE(killed);
    EXPECT_EQ(killed.error().code, ErrorCode::timedOut);

    const auto restarted = server->restart();
    ASSERT_TRUE(restarted) << restarted.error().text();
    EXPECT_TRUE(server->running());
    EXPECT_NE(server->processId(), java);
    EXPECT_FALSE(isProcessAlive(java));
    EXPECT_TRUE(server->suspend());
    EXPECT_TRUE(server->resume());
    EXPECT_TRUE(server->killNow());
    EXPECT_FALSE(server->running());
    EXPECT_FALSE(server->suspend());
}

} // namespace
} // namespace lockscope::server
