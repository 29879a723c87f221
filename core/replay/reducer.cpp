#include "core/replay/reducer.h"

#include "core/replay/fold.h"

#include <variant>

namespace lockscope::replay {

void apply(RunState& state, const trace::TraceStore& store, std::size_t index)
{
    std::visit(Fold(state, store, index), store.at(index).what);
}

} // namespace lockscope::replay
