// A cursor over a trace: the state after its first n events, for any n. Keeps keyframes so that a seek costs
// at most the copy of one keyframe and kKeyframeEvents applications. States of many thousands of clients are
// kept less often, so that keyframes stay within a fixed number of bytes per event. seek(n) == fold(0..n).
// The series covers all events up to the farthest position, and does not change when the cursor moves back.
// One thread.
#pragma once

#include "core/replay/fold/reducer.h"

#include <map>
#include <memory>

namespace lockscope::replay {

class TraceCursor
{
public:
    static constexpr std::size_t kKeyframeEvents = 8192;

    explicit TraceCursor(std::shared_ptr<const trace::TraceStore> store);

    std::size_t position() const { return m_position; } // events applied
    const RunState& state() const { return m_state; }
    const Series& series() const { return m_series; }
    const trace::TraceStore& store() const { return *m_store; }

    void seek(std::size_t count); // clamped to the number of published events
    // Number of published events at or before this time (binary search).
    std::size_t countAt(TraceTime time) const;
    // Bytes of the state, the keyframes and the series, without those of the store.
    std::size_t memoryBytes() const
    {
        return replay::memoryBytes(m_state) + m_keyframeBytes + m_series.memoryBytes();
    }

private:
    void step();
    std::shared_ptr<const trace::TraceStore> m_store;
    RunState m_state;
    Series m_series;
    std::size_t m_position = 0;
    std::size_t m_passed = 0; // the farthest position ever: the series counts each event once
    std::map<std::size_t, RunState> m_keyframes;
    std::size_t m_keyframeBytes = 0;
};

} // namespace lockscope::replay
