// Describes the parts of a ChainScene to the pointer and to screen readers: tool tips and named items. GUI
// thread.
#pragma once

#include "ui/canvas/accessible_items.h"
#include "ui/chain/chain_scene.h"

#include <functional>

namespace lockscope::ui::chain {

// The data that the texts need besides the scene.
struct ChainSource
{
    const replay::RunState* state = nullptr; // not null
    LockId lock{0};
    TraceTime now{};
};

// Plain text about the node, arrow, client or cycle at a point of the viewport; may be empty.
QString chainTip(const ChainScene& scene, const ChainSource& source, QPointF at, double scrolled);

struct ChainActions // each may be null
{
    std::function<void(const ChainNode&)> selectNode;
    std::function<void(ClientId)> selectClient;
};

// The whole queue in order, its arrows, and the texts around it. `source` is called again for each
// description, because the state may have changed by then.
std::vector<AccessibleItem> chainItems(const ChainScene& scene, const std::function<ChainSource()>& source,
                                       double scrolled, const ChainActions& actions);

} // namespace lockscope::ui::chain
