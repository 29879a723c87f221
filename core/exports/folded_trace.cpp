#include "core/exports/folded_trace.h"

#include "core/replay/fold/reducer.h"

namespace lockscope::exports {

namespace {
constexpr std::size_t kEventsBetweenLooks = 8192;
}

std::optional<FoldedTrace> foldTrace(const ExportSource& source, const ExportSink& out, double upTo)
{
    FoldedTrace folded;
    std::optional<TraceTime> began;
    for (std::size_t i = 0; i < source.count; ++i) {
        replay::apply(folded.state, source.store, i);
        folded.timeline.apply(source.store, i);
        if (!began && folded.state.phase == trace::RunPhase::running)
            began = folded.state.now;
        if (i % kEventsBetweenLooks == 0 &&
            !out.reportProgress(upTo * static_cast<double>(i) / static_cast<double>(source.count)))
            return {};
    }
    if (began)
        folded.took = folded.state.now - *began;
    return folded;
}

} // namespace lockscope::exports
