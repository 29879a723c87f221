// Where the time of a wait for a lock went, by what is known of each moment of it: others held, the holder
// was silent, no server answered. The parts add up to the wait. What a source of events cannot tell is none,
// not 0. Pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::queue {

// In the order in which they count, where several are known of the same moment.
enum class WaitPart : std::uint8_t {
    noServer,      // no server answered
    leaderChange,  // between the last change under one leader and the first one under the next
    silentHolder,  // no server heard from the session of the holder
    held,          // by others; also while a holder was silent, where that is not known
    handoff,       // the last hold had ended, and the client did not know yet that it was its turn
    serverLatency, // the client waited for the answer to a request of its own, and for nothing else
    notKnown,      // the rest
};
inline constexpr std::size_t kWaitParts = static_cast<std::size_t>(WaitPart::notKnown) + 1;
const char* name(WaitPart part);  // "no_server"
const char* words(WaitPart part); // "no server answered"

// What is known of the time from `begin` to `end`.
struct WaitEvidence
{
    static constexpr std::size_t kNobody = ~std::size_t{0};
    WaitPart part{};
    std::int64_t begin = 0, end = 0; // in any unit
    std::size_t holder = kNobody;    // the caller's number of who held
};

struct WaitSplit
{
    struct Share
    {
        WaitPart part{};
        std::size_t holder = 0;
        std::int64_t span = 0;
    };
    std::int64_t whole = 0;
    std::array<std::optional<std::int64_t>, kWaitParts> parts{}; // none: the source does not tell
    std::vector<Share> holders{}; // the shares of the holders in `held` and `silentHolder`; the longest first

    std::optional<std::int64_t> of(WaitPart part) const { return parts[static_cast<std::size_t>(part)]; }
};

// `told`: the parts that the source can tell; evidence of another part is none. notKnown is always told.
WaitSplit splitWait(std::int64_t begin, std::int64_t end, const std::vector<WaitEvidence>& evidence,
                    const std::vector<WaitPart>& told);

} // namespace lockscope::queue
