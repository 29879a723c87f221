// The clients and locks of the events read so far: what a log filter and the log's words need of a state, at
// any event, without the cursor's place in the run. A value; any thread.
#pragma once

#include "core/replay/state/run_state.h"
#include "core/trace/store.h"

#include <cstddef>

namespace lockscope::ui {

class SeenNames
{
public:
    void readUntil(const trace::TraceStore& store, std::size_t end); // events before `end`, each once
    const replay::RunState& state() const { return m_state; }        // clients and locks, nothing else

private:
    void read(const trace::Event& event);
    replay::RunState m_state;
    std::size_t m_read = 0;
};

} // namespace lockscope::ui
