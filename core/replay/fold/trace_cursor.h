// A trace folded once, event by event, into the state at its end, the series and the timeline; and a cursor
// in it: the state after its first n events, for any n. Keeps keyframes so that a seek costs at most the copy
// of one keyframe and kKeyframeEvents applications. States of many thousands of clients are kept less often,
// so that keyframes stay within a fixed number of bytes per event. seek(n) == fold(0..n). One thread.
#pragma once

#include "core/replay/fold/reducer.h"
#include "core/replay/timeline/timeline.h"

#include <map>
#include <memory>

namespace lockscope::replay {

class TraceCursor
{
public:
    static constexpr std::size_t kKeyframeEvents = 8192;

    explicit TraceCursor(std::shared_ptr<const trace::TraceStore> store);

    std::size_t position() const { return m_position; } // the events that the state includes
    const RunState& state() const { return m_position == m_folded ? m_end : m_past; }
    std::size_t folded() const { return m_folded; } // the farthest position, or more
    // Of all events folded so far, wherever the cursor is.
    const Series& series() const { return m_series; }
    const Timeline& timeline() const { return m_timeline; }
    const trace::TraceStore& store() const { return *m_store; }

    void seek(std::size_t count); // clamped to the number of published events
    void fold(std::size_t count); // folds at least so many events, and leaves the cursor where it is
    // Number of published events at or before this time (binary search).
    std::size_t countAt(TraceTime time) const;
    // Bytes of the states, the keyframes and the series, without those of the store and the timeline.
    std::size_t memoryBytes() const;

private:
    void foldOne();

    std::shared_ptr<const trace::TraceStore> m_store;
    RunState m_end; // after m_folded events
    Facts m_facts;  // of the last of them
    Series m_series;
    Timeline m_timeline;
    std::size_t m_folded = 0;
    std::size_t m_position = 0;
    RunState m_past; // after m_pastPosition events: that of a cursor before the end
    std::size_t m_pastPosition = 0;
    std::map<std::size_t, RunState> m_keyframes;
    std::size_t m_keyframeBytes = 0;
};

} // namespace lockscope::replay
