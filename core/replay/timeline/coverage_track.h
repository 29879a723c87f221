// The times at which a condition held, as a growing list of stretches. How much of an interval they cover is
// found with two binary searches. Append-only; private to the timeline.
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
            m_pieces.back().end = kForever; // continue the last stretch
        else
            m_pieces.push_back({at, kForever, coveredUntil(at)});
    }

    // The covered time from zero to `time`. An open stretch counts up to `time`.
    Duration coveredUntil(TraceTime time) const
    {
        const Piece* piece = lastBefore(time);
        return piece ? piece->before + (std::min(piece->end, time) - piece->begin) : Duration{};
    }

    // Whether a stretch touches [begin, end), including a stretch of zero length.
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
        Duration before{}; // covered time before this piece
    };
    // The last piece that begins before this time; null if there is none.
    const Piece* lastBefore(TraceTime time) const
    {
        const auto after = std::ranges::lower_bound(m_pieces, time, {}, &Piece::begin);
        return after == m_pieces.begin() ? nullptr : &*std::prev(after);
    }
    std::vector<Piece> m_pieces;
    bool m_on = false;
};

} // namespace lockscope::replay
