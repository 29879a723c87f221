#include "core/exports/folded_trace.h"

namespace lockscope::exports {

namespace {
constexpr std::size_t kEventsBetweenLooks = 8192;
}

std::optional<FoldedTrace> foldTrace(const ExportSource& source, const ExportSink& out, double upTo)
{
    FoldedTrace folded;
    replay::Facts facts;
    for (std::size_t i = 0; i < source.count; ++i) {
        folded.apply(source.store, i, facts);
        folded.timeline.apply(source.store, i, folded.state, facts);
        if (i % kEventsBetweenLooks == 0 &&
            !out.reportProgress(upTo * static_cast<double>(i) / static_cast<double>(source.count)))
            return {};
    }
    return folded;
}

} // namespace lockscope::exports
