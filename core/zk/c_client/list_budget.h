// How many lists of children may be under way at once. N clients that join together would have N lists of N names
// in flight, and the library holds each in memory while it arrives: memory would grow with N squared. Small lists
// pass freely, big ones take turns. I/O thread.
#pragma once

#include "core/base/unique_function.h"

#include <cstddef>
#include <deque>

namespace lockscope::zk::c_client {

class ListBudget
{
public:
    // Runs `send` now when there is room, else later in order. It says whether a list was really sent, and
    // does not throw.
    void submit(UniqueFunction<bool()> send);
    // A list that was sent has arrived (or failed) with this many bytes.
    void arrived(std::size_t bytes);

private:
    bool hasRoom() const;
    static constexpr std::size_t kMaxBytesInFlight = 4 * 1024 * 1024;
    static constexpr std::size_t kMinInFlight = 2; // this many are under way however big they are
    // And no more than this many however small the last one was: of thousands that join at once the first lists have a
    // few names, and the ones sent with them have thousands.
    static constexpr std::size_t kMaxInFlight = 64;
    void sendWaiting();
    std::deque<UniqueFunction<bool()>> m_waiting;
    bool m_sending = false;
    std::size_t m_inFlight = 0;
    std::size_t m_lastBytes = 0; // lists of one lock are alike: the last one tells what the next will be
};

} // namespace lockscope::zk::c_client
