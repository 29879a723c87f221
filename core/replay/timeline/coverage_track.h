// When something was the case, as a growing list of stretches: how much of any interval it covers is two
// binary searches. Append-only; private to the timeline.
#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <vector>

namespace lockscope::replay {

class CoverageTrack
{
public:
    void set(bool on, TraceTime at)
    {
        if (on == m_on)
            return;
        m_on = on;
        if (!on)
            m_pieces.back().end = at;
        else if (!m_pieces.empty() && m_pieces.back().end == at)
            m_pieces.back().end = kForever; // it goes on as if it had never stopped
        else
            m_pieces.push_back({at, kForever, coveredUntil(at)});
    }

    // From time zero. An open stretch counts up to `time`.
    Duration coveredUntil(TraceTime time) const
    {
        const auto after = std::partition_point(m_pieces.begin(), m_pieces.end(),
                                                [&](const Piece& piece) { return piece.begin < time; });
        if (after == m_pieces.begin())
            return {};
        const Piece& piece = *std::prev(after);
        return piece.before + (std::min(piece.end, time) - piece.begin);
    }

    // A stretch without length touches the interval too that begins where it lies.
    bool touches(TraceTime begin, TraceTime end) const
    {
        const auto after = std::partition_point(m_pieces.begin(), m_pieces.end(),
                                                [&](const Piece& piece) { return piece.begin < end; });
        if (after == m_pieces.begin())
            return false;
        const Piece& piece = *std::prev(after);
        return piece.end > begin || piece.begin >= begin;
    }

    std::size_t memoryBytes() const { return m_pieces.capacity() * sizeof(Piece); }

private:
    struct Piece
    {
        TraceTime begin{};
        TraceTime end{};
        Duration before{}; // covered before it
    };
    std::vector<Piece> m_pieces;
    bool m_on = false;
};

} // namespace lockscope::replay
