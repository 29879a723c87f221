// A live engine of the window, and how to end it without waiting. Besides the commands that the shell
// posts, nothing else calls the engine. GUI thread; the callback runs on the engine's thread.
#pragma once

#include "core/engine/engine.h"
#include "ui/models/run/worker.h"

#include <functional>
#include <memory>

namespace lockscope::ui {

class LiveRun
{
public:
    LiveRun(engine::Options options, std::function<void()> onPhase);
    ~LiveRun(); // waits for the engine's end

    engine::Engine& engine() { return *m_engine; }
    std::shared_ptr<const trace::TraceStore> trace() const;
    bool paused() const;
    bool ended() const; // finished or failed
    bool over() const;  // every event is published

private:
    std::unique_ptr<engine::Engine> m_engine;
};

// Runs that are ending, each with a thread that waits for it. Destruction waits for all.
class EndingRuns
{
public:
    void end(std::unique_ptr<LiveRun> run);
    bool any(); // still publishing events

private:
    Worker m_endings;
};

} // namespace lockscope::ui
