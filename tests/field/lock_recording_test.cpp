// The run that is recorded of watched locks.
#include "core/field/lock_recording.h"

#include <gtest/gtest.h>

#include <optional>
#include <variant>

namespace lockscope::field {
namespace {

std::optional<trace::ServerPhase> lastPhase(const trace::TraceStore& store)
{
    std::optional<trace::ServerPhase> last;
    for (std::size_t i = 0; i < store.count(); ++i)
        if (const auto* server = std::get_if<trace::ServerState>(&store.at(i).what))
            last = server->phase;
    return last;
}

TEST(LockRecording, ARunThatIsBegunWithoutContactSaysSo)
{
    LockRecording recording;
    recording.outOfContact(1'500);
    LockRecording::Source source;
    source.locks = {"/locks/a"};
    source.server = "127.0.0.1:2181";
    source.sinceMs = 1'000;
    source.nowMs = 2'000;
    const auto store = recording.beginRun(source);
    EXPECT_EQ(lastPhase(*store), trace::ServerPhase::down);
    recording.inContactAgain(1'500, 2'500);
    EXPECT_EQ(lastPhase(*store), trace::ServerPhase::ready);
}

// Its wait is counted from there, as in the table of participants.
TEST(LockRecording, SaysHowOldANodeIsThatIsOlderThanTheWatching)
{
    constexpr std::int64_t kBegin = 10'000'000, kAge = 34 * 60 * 1'000;
    LockRecording recording;
    history::LockEvent event;
    event.kind = history::LockEvent::Kind::queued;
    event.lock = 1;
    event.node.lockPath = event.node.parent = "/locks/a";
    event.node.name = "x-lock-0000000007";
    event.node.session = SessionId{9};
    event.node.created = Zxid{5};
    event.node.createdMs = kBegin - kAge;
    event.node.beforeLog = true;
    event.timeMs = kBegin;
    recording.add(event);
    LockRecording::Source source;
    source.locks = {"/locks/a"};
    source.sinceMs = kBegin;
    source.nowMs = kBegin + 8'200;
    const auto store = recording.beginRun(source);
    std::optional<Duration> age;
    for (std::size_t i = 0; i < store->count(); ++i)
        if (const auto* seen = std::get_if<trace::NodeSeen>(&store->at(i).what))
            age = seen->age;
    EXPECT_EQ(age, std::chrono::milliseconds(kAge));
}

} // namespace
} // namespace lockscope::field
