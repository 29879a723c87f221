// One run from start to end: drives the engine, folds and writes the trace as it grows, and shows progress on
// a terminal. Errors go to standard error as they happen. Main thread; blocks until the run has ended or was
// cut short. Its server is gone afterwards.
#pragma once

#include "app/lockscope_cli/arguments.h"
#include "app/lockscope_cli/run_outcome.h"
#include "core/engine/engine.h"
#include "core/trace/trace_file.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace lockscope::app {

// With what can be done about a lock that other programs use.
Error withWaysOut(Error error, const RunInput& input);

class HeadlessRun
{
public:
    explicit HeadlessRun(RunInput input);
    // Errors: ioFailed for a trace that cannot be opened, or the error of the engine.
    Result<RunOutcome> run();
    // Called several times a second during the run: why it is to end now, one of sim/cut_short.h, or empty.
    void attendTo(std::function<std::string_view()> attend) { m_attend = std::move(attend); }

private:
    Result<void> openOutputs();
    Result<void> waitForEnd();
    void endEarly(std::string_view code); // one of sim/cut_short.h
    void drain();
    void reportNotices();
    void showProgress();
    void clearProgress();
    void onTraceError(const Error& error);

    RunInput m_input;
    std::function<std::string_view()> m_attend;
    std::vector<sim::Participant> m_participants;
    engine::Engine m_engine;
    std::shared_ptr<const trace::TraceStore> m_store;
    std::unique_ptr<trace::TraceWriter> m_writer;
    replay::WholeRun m_folded;
    replay::Facts m_facts;
    std::size_t m_applied = 0;
    std::string_view m_cutShort; // by this class: after a signal, or a trace that failed
    std::set<std::string> m_reportedNotices;
    EventIndex m_lastNotice = EventIndex::none();
    std::string m_lastProgress;
    bool m_terminal = false;
};

} // namespace lockscope::app
