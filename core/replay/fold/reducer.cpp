#include "core/replay/fold/reducer.h"

#include "core/replay/fold/fold.h"

#include <variant>

namespace lockscope::replay {

Increment apply(RunState& state, const trace::TraceStore& store, std::size_t index)
{
    Fold fold(state, store, index);
    std::visit(fold, store.at(index).what);
    return fold.finish();
}

} // namespace lockscope::replay
