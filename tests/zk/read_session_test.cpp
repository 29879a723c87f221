// Who only looks has a session that cannot write, by its type and by any cast.
#include "tests/support/zk_world.h"

#include <type_traits>

namespace lockscope::tests {
namespace {

using zk::Code;

static_assert(std::is_convertible_v<zk::SessionPtr, zk::ReadSessionPtr>);
static_assert(!std::is_convertible_v<zk::ReadSessionPtr, zk::SessionPtr>);
static_assert(!std::is_convertible_v<zk::ReadHub, zk::Hub&>);
static_assert(!std::is_constructible_v<zk::Hub, zk::ReadHub>);

class ReadSessions : public ZkTest
{};

TEST_F(ReadSessions, ReadAndWatchAndAreNoSessionsThatWrite)
{
    zk::ReadHub hub(world->hub());
    const zk::ReadSessionPtr reader =
        hub.connect({server().address(), std::chrono::seconds(20), std::chrono::seconds(25)});
    world->runUntil([&] { return reader->phase() == zk::SessionPhase::connected; }, "the reader to connect");
    EXPECT_EQ(std::dynamic_pointer_cast<zk::Session>(reader), nullptr);
    EXPECT_EQ(std::dynamic_pointer_cast<zk::HubSession>(reader), nullptr);
    EXPECT_EQ(dynamic_cast<zk::Hub*>(&reader->scheduler()), nullptr);

    std::optional<zk::WatchKind> notified;
    std::optional<Code> there;
    const zk::WatchPtr watch = reader->exists(
        path(), [&](zk::WatchKind kind) { notified = kind; },
        [&](const zk::StatReply& reply) { there = reply.code; });
    world->runUntil([&] { return there.has_value(); }, "the answer");
    EXPECT_EQ(there, Code::noNode);
    const auto writer = world->connect();
    world->create(*writer, path(), "theirs");
    world->runUntil([&] { return notified.has_value(); }, "the watch");
    EXPECT_EQ(notified, zk::WatchKind::created);
    std::optional<zk::Data> data;
    reader->getData(path(), [&](zk::Data read) { data = std::move(read); });
    world->runUntil([&] { return data.has_value(); }, "the data");
    EXPECT_EQ(data->bytes, "theirs");
    reader->close();
    EXPECT_EQ(reader->phase(), zk::SessionPhase::closed);
}

} // namespace
} // namespace lockscope::tests
