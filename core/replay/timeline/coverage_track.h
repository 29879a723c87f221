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
        const Piece* piece = lastBefore(time);
        return piece ? piece->before + (std::min(piece->end, time) - piece->begin) : Duration{};
    }

    // A stretch without length touches the interval too that begins where it lies.
    bool touches(TraceTime begin, TraceTime end) const
    {
        const Piece* piece = lastBefore(end);
        return piece && (piece->end > begin || piece->begin >= begin);
    }

    std::size_t memoryBytes() const { return m_pieces.capacity() * sizeof(Piece); }

private:
    struct Piece
    {
        TraceTime begin{};
        TraceTime end{};
        Duration before{}; // covered before it
    };
    // The last piece that begins before this time; null when there is none.
    const Piece* lastBefore(TraceTime time) const
    {
        const auto after = std::ranges::lower_bound(m_pieces, time, {}, &Piece::begin);
        return after == m_pieces.begin() ? nullptr : &*std::prev(after);
    }
    std::vector<Piece> m_pieces;
    bool m_on = false;
};

} // namespace lockscope::replay
