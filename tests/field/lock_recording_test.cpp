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

} // namespace
} // namespace lockscope::field
