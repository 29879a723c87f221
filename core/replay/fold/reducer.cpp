#include "core/replay/fold/reducer.h"

#include "core/replay/fold/fold.h"

#include <variant>

namespace lockscope::replay {

void apply(RunState& state, const trace::TraceStore& store, std::size_t index, Facts& facts)
{
    Fold fold(state, store, index, facts);
    std::visit([&](const auto& what) { fold(what); }, store.at(index).what);
    fold.finish();
}

Facts apply(RunState& state, const trace::TraceStore& store, std::size_t index)
{
    Facts facts;
    apply(state, store, index, facts);
    return facts;
}

} // namespace lockscope::replay
