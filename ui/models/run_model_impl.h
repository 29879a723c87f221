// What a RunModel keeps; shared by its two source files and by nobody else. GUI thread.
#pragma once

#include "ui/models/live_run.h"
#include "ui/models/run_model.h"
#include "ui/models/trace_opener.h"

#include "core/trace/pseudonymized_copy.h"

#include <array>
#include <optional>

namespace lockscope::ui {

inline constexpr std::size_t kSlice = 256; // events between two looks at the clock

struct RunModel::Impl
{
    QTimer timer;
    EndingRuns ending;
    std::unique_ptr<LiveRun> live;
    std::unique_ptr<TraceOpener> opener;
    std::shared_ptr<const trace::TraceStore> store;
    std::unique_ptr<replay::Player> player;
    replay::Timeline timeline;
    // The same run as files get it, made when it is needed. Views point into it: it lives as long as the run.
    // While it is shown, `other` is what is shown otherwise.
    struct Shown
    {
        std::shared_ptr<const trace::TraceStore> store;
        std::unique_ptr<replay::Player> player;
        replay::Timeline timeline;
        std::size_t drained = 0;
        std::size_t reached = 0;
    };
    std::unique_ptr<trace::PseudonymizedCopy> written;
    Shown other;
    bool showsWritten = false;
    replay::RunState nothing;
    replay::Series emptySeries;
    QString note;
    const trace::TraceStore* expectedOf = nullptr; // the run of:
    std::array<bool, replay::kFindingKinds> expected{};
    std::size_t drained = 0;         // events in the timeline
    std::size_t target = 0;          // where the cursor is going when it does not follow
    std::size_t reached = 0;         // the farthest it was: up to there a seek has keyframes
    std::optional<TraceTime> wanted; // the moment asked for; between two events
    TraceTime end{};
    TraceTime endNotified{};
    bool following = true;
    bool growing = false;
    bool publishing = false; // the live run may still publish
    Duration worst{};
};

} // namespace lockscope::ui
