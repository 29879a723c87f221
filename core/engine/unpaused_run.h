// A run whose course no command changes: it is never paused, and only its end can be asked for. I/O thread.
#pragma once

#include "core/sim/run/abstract_run.h"
#include "core/trace/recorder.h"

#include <utility>

namespace lockscope::engine {

class UnpausedRun : public sim::AbstractRun
{
public:
    void execute(const sim::Action& action) final
    {
        if (action.kind != sim::Action::Kind::finish)
            return refuse(verbOf(action));
        m_recorder.record(ClientId::none(), LockId::none(),
                          trace::Command{toText(trace::CommandVerb::finish), {}});
        finish();
    }
    void execute(const sim::Action& action, ClientId) final { execute(action); }
    void setPace(Duration) final { refuse(trace::CommandVerb::pace); }
    void runUntil(const sim::Trigger&) final { refuse(trace::CommandVerb::pause); }
    void onPaused(std::function<void(bool)>) final {}
    Message describeStall() final { return {}; }
    Message describeRemaining() const final { return {}; }

protected:
    // `recorder` must outlive the run. `why`: what a refusal says.
    UnpausedRun(trace::Recorder& recorder, Message why)
        : m_recorder(recorder)
        , m_why(std::move(why))
    {}
    trace::Recorder& m_recorder;

private:
    void refuse(trace::CommandVerb verb)
    {
        m_recorder.record(ClientId::none(), LockId::none(), trace::CommandRefused{toText(verb), m_why});
    }

    Message m_why;
};

} // namespace lockscope::engine
