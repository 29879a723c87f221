// Limits the lists of children in flight. If N clients join together, N lists of N names are in flight and
// the library buffers each: memory would grow with N squared. Small lists pass freely, large ones take turns.
// I/O thread.
#pragma once

#include "core/base/unique_function.h"

#include <cstddef>
#include <deque>

namespace lockscope::zk::c_client {

class ListBudget
{
public:
    // Runs `send` now if the budget allows it, otherwise later, in order. `send` returns whether a list was
    // sent, and must not throw.
    void submit(UniqueFunction<bool()> send);
    // Reports the arrival of a list, with its size.
    void arrived(std::size_t bytes);
    void failed(); // reports that a list will not arrive; that says nothing about the size of the next one

private:
    bool hasRoom() const;
    static constexpr std::size_t kMaxBytesInFlight = 4 * 1024 * 1024;
    static constexpr std::size_t kMinInFlight = 2; // allowed at any size
    // Never more than this, however small the last list was: when thousands join at once, the first lists
    // have a few names and the lists sent with them thousands.
    static constexpr std::size_t kMaxInFlight = 64;
    void sendWaiting();
    std::deque<UniqueFunction<bool()>> m_waiting;
    bool m_sending = false;
    std::size_t m_inFlight = 0;
    std::size_t m_lastBytes = 0; // predicts the size of the next list
};

} // namespace lockscope::zk::c_client
