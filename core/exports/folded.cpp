#include "core/exports/folded.h"

#include "core/replay/reducer.h"

namespace lockscope::exports {

namespace {
constexpr std::size_t kEventsBetweenLooks = 8192;
}

std::optional<Folded> fold(const Source& source, const Out& out, double upTo)
{
    Folded folded;
    std::optional<TraceTime> began;
    for (std::size_t i = 0; i < source.count; ++i) {
        replay::apply(folded.state, source.store, i);
        folded.timeline.apply(source.store, i);
        if (!began && folded.state.phase == trace::RunPhase::running)
            began = folded.state.now;
        if (i % kEventsBetweenLooks == 0 && !out.goOn(upTo * static_cast<double>(i) / static_cast<double>(source.count)))
            return {};
    }
    if (began)
        folded.took = folded.state.now - *began;
    return folded;
}

} // namespace lockscope::exports
